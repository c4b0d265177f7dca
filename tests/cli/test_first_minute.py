"""What a new user meets in the first minutes: files of their own, a forgotten argument, names that are nearly right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from readproof.cli import _output
from readproof.readers.factory import KINDS, load_reader
from readproof.tasks import find, load
from tests.cli.running import run

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "examples/cmrc2018.sample.json"
PASSAGE, QUESTION = "北京是中国的首都。", "中国的首都是哪里？"


def written(path: Path, value: object) -> Path:
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


def test_a_score_for_programs_has_numbers_and_the_official_keys_as_they_are_printed() -> None:
    predictions = ROOT / "examples/cmrc2018.sample.predictions.json"
    record = json.loads(run("score", "cmrc2018", predictions, SAMPLE, "--json").stdout)
    assert isinstance(record["F1"], float) and isinstance(record["EM"], float)
    assert record["official"]["F1"] == f"{record['F1']:.3f}"
    assert record["official"]["TOTAL"] == record["TOTAL"] == 27


@pytest.mark.parametrize("metric", ["official", "simple"])
def test_predictions_of_other_questions_are_no_score_of_zero(tmp_path: Path, metric: str) -> None:
    done = run("score", "cmrc2018", written(tmp_path / "p.json", {"nope": "x"}), SAMPLE, "--metric", metric)
    assert done.returncode == 2
    assert "predictions for other questions (nope)" in done.stderr and "such as DEV_0_QUERY_0" in done.stderr


def test_a_file_of_ones_own_is_not_cited_as_somebody_elses(tmp_path: Path) -> None:
    original = {"context_id": "a", "context_text": PASSAGE, "title": "", "qas": []}
    rows = [original | {"qas": [{"query_id": name, "query_text": QUESTION, "answers": ["北京"]}]} for name in "qr"]
    own = written(tmp_path / "own.json", rows)
    predictions = written(tmp_path / "p.json", {"q": "北京"})
    assert find(own)[0].name == "cmrc2018"
    done = run("score", "cmrc2018", predictions, own)
    assert done.returncode == 0 and "Please cite" not in done.stderr
    proven = run("prove", "baseline:first", own, "--attacks", "none", "--out", tmp_path / "run", "--json")
    facts = json.loads(proven.stdout)["runs"][0]["scores"]["run"]["data"]
    assert (facts.get("citation", ""), facts.get("licence", "")) == ("", "")
    assert find(SAMPLE)[0].cited(SAMPLE)[1].startswith("Cui et al.")
    english = {"context": "Paris is in France.", "question": "Where is Paris?", "answers": {"text": ["France"]}}
    mine, theirs = ({**english, "id": name} for name in ("a", "56be4db0acb8001400a502ec"))
    task, path = find(written(tmp_path / "mine.json", [mine]))
    assert task.cited(path) == ("", "")
    task, path = find(written(tmp_path / "theirs.json", [theirs]))
    assert task.cited(path)[1].startswith("Rajpurkar")


def test_a_forgotten_reader_is_told_as_one() -> None:
    done = run("prove", SAMPLE)
    assert done.returncode == 2
    assert "a data file where READER stands" in done.stderr
    assert f"readproof prove zh {SAMPLE}" in done.stderr


@pytest.mark.parametrize("answers", [{"text": ["北京"], "answer_start": [0]}, ["北京"], [{"text": "北京"}], "北京"])
@pytest.mark.parametrize("passage", ["context", "passage"])
def test_rows_without_an_id_get_one(tmp_path: Path, passage: str, answers: object) -> None:
    key = "answer" if isinstance(answers, str) else "answers"
    row = {passage: PASSAGE, "question": QUESTION, key: answers}
    items = list(load(written(tmp_path / "mine.json", [row, row])))
    assert [item.id for item in items] == ["row-1", "row-2"]
    assert [item.golds[0].text for item in items] == ["北京", "北京"]  # type: ignore[union-attr]


def test_options_have_one_name_everywhere_and_keep_the_old_one(tmp_path: Path) -> None:
    for option in ("--out", "--output", "-o"):
        out = tmp_path / f"{option}.json"
        assert run("convert", SAMPLE, "--to", "rows", option, out).returncode == 0
        assert out.is_file()
    for command in ("prove", "harden", "suite build"):
        told = run(*command.split(), "--help").stdout
        assert "--attacks" in told and "--attack" in told.replace("--attacks", "")


def test_a_hub_name_without_an_organisation_is_taken_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(KINDS, "get", lambda kind: lambda name, _: opened.append(f"{kind}:{name}"))
    names = ["bert-base-chinese", "xlm-roberta-base", "distilbert-base-uncased-distilled-squad", "albert-base-v2"]
    for name in names:
        load_reader(name)
    assert opened == [f"hf:{name}" for name in names]
    typo = run("prove", "my-reader", SAMPLE)
    assert typo.returncode == 2 and "hf:my-reader" in typo.stderr


def test_a_suites_command_names_its_file(tmp_path: Path) -> None:
    suite = tmp_path / "own suite.jsonl"
    built = run("suite", "build", SAMPLE, "--attacks", "typo", "--limit", "3", "-o", suite)
    assert built.returncode == 0, built.stderr
    done = run("prove", "baseline:first", "--suite", suite, "--out", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "run/report.html").read_text(encoding="utf-8")
    assert f"readproof prove baseline:first --suite &#39;{suite}&#39;" in page


def test_the_first_estimate_waits_until_it_can_be_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [0.0]
    monkeypatch.setattr(_output.time, "monotonic", lambda: now[0])
    tell = _output._lines("questions", None)
    for at, done in ((0.0, 0), (11.0, 3), (22.0, 80), (40.0, 200)):
        now[0] = at
        tell(done, 1000)
    first, *later = capsys.readouterr().err.splitlines()
    # after eleven seconds, most of them spent on opening the reader, it would have said an hour
    assert first == "3 of 1000 questions"
    assert [line.rpartition(", ")[2] for line in later] == ["about 4 min left", "about 3 min left"]
