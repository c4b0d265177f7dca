"""The whole job on made packages: points, scores, problems of all files at once."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from readproof.efficiency.elue import load_curve
from readproof.efficiency.evaluate import ElueSettings, evaluate
from readproof.efficiency.predictions import ProblemsError
from readproof.errors import InputError
from readproof.tasks.scoring import score as plain_score
from tests.efficiency.made import TASK_NAMES, made_curve, made_gold, made_package, zipped
from tests.efficiency.test_flops import here
from tests.efficiency.test_rules import closed_formula
from tests.shared_data import SHARED, needs_shared

COUNT = 60


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("elue")
    gold = made_gold(folder / "gold", COUNT)
    made_package(folder / "mine", gold, {3: 0.6, 12: 0.8})
    made_curve(folder / "curve.json")
    return folder


@pytest.fixture
def settings(place: Path) -> ElueSettings:
    return ElueSettings(curve=load_curve(place / "curve.json"), gold=place / "gold")


def test_points_are_what_the_parts_say(place: Path, settings: ElueSettings) -> None:
    found = evaluate(place / "mine", settings).score
    assert list(found.tasks) == list(TASK_NAMES)
    for task, scored in found.tasks.items():
        assert [gain.point.file for gain in scored.gains] == ["3.jsonl", "12.jsonl"]
        (gold,) = (place / "gold").glob(f"{task}.*")
        for gain in scored.gains:
            path = place / "mine/submission_files" / task / gain.point.file
            official = plain_score(task, path, gold)
            headline = "accuracy" if task in ("ccpm", "chnc") else "f1"
            assert gain.point.performance == official.exact[headline]
            assert gain.point.interval == official.intervals[headline]
            assert settings.curve is not None
            assert gain.baseline == settings.curve.tasks[task].at(gain.point.flops)
    lengths = [8 + number % 20 for number in range(COUNT)]
    assert found.tasks["chnc"].gains[1].point.flops == 2 * sum(map(closed_formula, lengths)) / COUNT
    # a tagger's head sees every token, and there is no pooler
    tagging = [closed_formula(length) - 768 * 768 - 1536 + length * 1536 for length in lengths]
    assert found.tasks["cmeee"].gains[1].point.flops == 2 * sum(tagging) / COUNT
    assert found.mean == pytest.approx(sum(one.score or 0 for one in found.tasks.values()) / 5)


def test_the_interval_holds_the_score(place: Path, settings: ElueSettings) -> None:
    found = evaluate(place / "mine", settings).score
    for scored in found.tasks.values():
        assert scored.score is not None and scored.interval is not None
        assert scored.interval[0] <= scored.score <= scored.interval[1]
    assert found.mean is not None and found.interval is not None
    assert found.interval[0] < found.mean < found.interval[1]


def test_a_zip_file_is_the_same(place: Path, settings: ElueSettings) -> None:
    one, other = evaluate(place / "mine", settings), evaluate(zipped(place / "mine"), settings)
    assert replace(other.score, name="mine") == one.score


def test_without_gold_costs_only(place: Path) -> None:
    found = evaluate(place / "mine", ElueSettings()).score
    assert found.mean is None
    assert all(gain.point.performance is None for scored in found.tasks.values() for gain in scored.gains)
    assert found.tasks["ccpm"].gains[0].point.flops > 1e8


def test_missing_tasks_and_the_limit(place: Path, settings: ElueSettings, tmp_path: Path) -> None:
    part = made_package(tmp_path / "part", place / "gold", {4: 0.5}, tasks=("ccpm", "chnc"))
    found = evaluate(part, settings).score
    assert found.missing == ("cmeee", "pku-segpos", "wordseg-weibo")
    assert found.mean is None
    assert found.tasks["ccpm"].score is not None
    small = evaluate(place / "mine", replace(settings, limit=100_000_000)).score
    assert small.mean is None
    assert small.over_limit == TASK_NAMES


def test_both_conventions_of_span_ends(place: Path, settings: ElueSettings, tmp_path: Path) -> None:
    mine = made_package(tmp_path / "a", place / "gold", {4: 1.0}, tasks=("pku-segpos",))
    path = mine / "submission_files/pku-segpos/4.jsonl"
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for record in records:
        for span in record["span_list"]:
            span["end"] -= 1
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")

    def performance(inclusive: bool) -> float | None:
        return (
            evaluate(mine, replace(settings, inclusive=inclusive)).score.tasks["pku-segpos"].gains[0].point.performance
        )

    assert performance(True) == 100.0
    assert (performance(False) or 0.0) < 50.0


def test_problems_of_all_files_at_once(place: Path, settings: ElueSettings, tmp_path: Path) -> None:
    mine = made_package(tmp_path / "mine", place / "gold", {3: 0.5, 4: 0.5}, tasks=("ccpm", "chnc", "cmeee"))
    for name, line in (("ccpm/3.jsonl", 5), ("chnc/4.jsonl", 7)):
        path = mine / "submission_files" / name
        rows = path.read_text(encoding="utf-8").splitlines()
        rows[line - 1] = rows[line - 1].replace("),emb", "),,emb")
        path.write_text("\n".join(rows), encoding="utf-8")
    short = mine / "submission_files/cmeee/3.jsonl"
    short.write_text(short.read_text(encoding="utf-8").split("\n", 1)[1], encoding="utf-8")
    with pytest.raises(ProblemsError) as caught:
        evaluate(zipped(mine), settings)
    found = [(problem.file, problem.line) for problem in caught.value.problems]
    assert found == [("mine.zip/ccpm/3.jsonl", 5), ("mine.zip/chnc/4.jsonl", 7), ("mine.zip/cmeee/3.jsonl", 0)]
    assert caught.value.problems[2].found == "59 lines"


def test_modules_that_cannot_be_counted_are_told_at_their_line(
    place: Path, settings: ElueSettings, tmp_path: Path
) -> None:
    mine = made_package(tmp_path / "mine", place / "gold", {3: 0.5}, tasks=("ccpm",))
    path = mine / "submission_files/ccpm/3.jsonl"
    rows = path.read_text(encoding="utf-8").splitlines()
    rows[9:12] = [row.replace("layer_3", "layer_13") for row in rows[9:12]]
    path.write_text("\n".join(rows), encoding="utf-8")
    with pytest.raises(ProblemsError) as caught:
        evaluate(mine, settings)
    assert [problem.line for problem in caught.value.problems] == [10, 11, 12]
    first = caught.value.problems[0]
    assert "layer_13 in 1 line: the description has no such module; it has emb, layer_1, " in first.found
    assert rows[9][first.column - 1 :].startswith("(17,768),layer_13")


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("def", "found no valid Python in line 1 (invalid syntax); expected a file of Python"),
        ("raise ValueError(__file__)", "found a file that fails when it runs: ValueError: {label}; expected"),
        ("module_list = []", "found module_list, a list; expected the dictionary module_list"),
    ],
)
def test_a_model_file_is_named_as_it_stands_in_its_package(
    model: str, words: str, place: Path, settings: ElueSettings, tmp_path: Path
) -> None:
    pytest.importorskip("torch", reason="needs the extra [elue]")
    mine = zipped(made_package(tmp_path / "mine", place / "gold", {3: 0.5}, tasks=("ccpm",), model=model))
    with pytest.raises(InputError) as caught:
        evaluate(mine, replace(settings, trust=True, run=here))
    label = "mine.zip/ccpm/model_to_eval.py"
    assert caught.value.file == label
    assert f"{label}: {words.format(label=label)}" in str(caught.value)
    assert str(caught.value).count("found") == 1


def test_a_description_is_named_as_it_stands_in_its_package(
    place: Path, settings: ElueSettings, tmp_path: Path
) -> None:
    mine = made_package(tmp_path / "mine", place / "gold", {3: 0.5}, tasks=("ccpm",))
    (mine / "submission_files/ccpm/model_to_eval.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        evaluate(zipped(mine), settings)
    assert caught.value.file == "mine.zip/ccpm/model_to_eval.json"


def test_copies_are_told_and_the_score_is_the_published_mean(
    place: Path, settings: ElueSettings, tmp_path: Path
) -> None:
    mine = made_package(tmp_path / "mine", place / "gold", {3: 0.5, 12: 0.9}, tasks=("chnc",))
    before = evaluate(mine, settings)
    assert not before.notes
    folder = mine / "submission_files/chnc"
    for name in "abc":
        (folder / f"{name}.jsonl").write_bytes((folder / "12.jsonl").read_bytes())
    after = evaluate(mine, settings)
    gains = [gain.gain or 0.0 for gain in after.score.tasks["chnc"].gains]
    assert len(gains) == 5
    assert after.score.tasks["chnc"].score == pytest.approx(sum(gains) / 5)
    (note,) = after.notes
    assert "mine/chnc: copies of one file: a.jsonl, b.jsonl, c.jsonl, 12.jsonl; the score is the mean" in note


def test_a_layer_that_is_left_out_is_told(place: Path, settings: ElueSettings, tmp_path: Path) -> None:
    mine = made_package(tmp_path / "mine", place / "gold", {3: 0.5}, tasks=("chnc",))
    path = mine / "submission_files/chnc/3.jsonl"
    rows = path.read_text(encoding="utf-8").splitlines()
    rows[4] = rows[4].replace("(12,768),layer_2;", "")
    path.write_text("\n".join(rows), encoding="utf-8")
    (note,) = evaluate(mine, settings).notes
    assert note == "mine/chnc/3.jsonl: layer_3 without layer_2: is its cost left out? (line 5)"


def test_notes_on_other_gold(place: Path, settings: ElueSettings, tmp_path: Path) -> None:
    path = tmp_path / "curve.json"
    whole = json.loads((place / "curve.json").read_text(encoding="utf-8"))
    whole["tasks"]["ccpm"]["items"] = 2720
    path.write_text(json.dumps(whole), encoding="utf-8")
    notes = evaluate(place / "mine", replace(settings, curve=load_curve(path))).notes
    assert any("measured on 2,720 items, these are 60" in note for note in notes)


def test_gold_in_folders(place: Path, settings: ElueSettings, tmp_path: Path) -> None:
    gold = tmp_path / "gold"
    for path in (place / "gold").iterdir():
        folder = gold / path.name.partition(".")[0]
        folder.mkdir(parents=True)
        (folder / f"valid{path.suffix}").write_bytes(path.read_bytes())
        (folder / f"train{path.suffix}").write_bytes(b"")
    found = evaluate(place / "mine", replace(settings, gold=gold)).score
    assert found.mean == evaluate(place / "mine", settings).score.mean
    (gold / "ccpm/valid.jsonl").rename(gold / "ccpm/other.jsonl")
    with pytest.raises(InputError, match=r"other.jsonl, train.jsonl for ccpm") as caught:
        evaluate(place / "mine", replace(settings, gold=gold))
    assert str(gold / "ccpm.*") in caught.value.do
    (gold / "ccpm/other.jsonl").unlink()
    (gold / "ccpm/train.jsonl").unlink()
    with pytest.raises(InputError, match=r"nothing for ccpm.*without --gold only costs"):
        evaluate(place / "mine", replace(settings, gold=gold))


def test_the_published_names_of_gold(place: Path, settings: ElueSettings, tmp_path: Path) -> None:
    mine = made_package(tmp_path / "mine", place / "gold", {3: 0.5}, tasks=("wordseg-weibo",))
    folder = tmp_path / "gold/wordseg-weibo"
    folder.mkdir(parents=True)
    text = (place / "gold/wordseg-weibo.txt").read_bytes()
    (folder / "nlpcc2016-wordseg-dev.dat").write_bytes(text)
    (folder / "nlpcc2016-word-seg-train.dat.xz").write_bytes(b"")
    found = evaluate(mine, replace(settings, gold=tmp_path / "gold")).score
    assert found.tasks["wordseg-weibo"].score is not None


@needs_shared
@pytest.mark.parametrize(
    ("task", "file"),
    [
        ("ccpm", "ccpm/valid.jsonl"),
        ("cmeee", "cmeee/valid.txt"),
        ("wordseg-weibo", "wordseg-weibo/nlpcc2016-wordseg-dev.dat"),
    ],
)
def test_public_sets_with_right_answers(task: str, file: str, settings: ElueSettings, tmp_path: Path) -> None:
    gold = tmp_path / "gold"
    gold.mkdir()
    (gold / f"{task}{Path(file).suffix}").symlink_to(SHARED / "data/celue" / file)
    mine = made_package(tmp_path / "mine", gold, {6: 1.0}, tasks=(task,))
    (gain,) = evaluate(mine, replace(settings, gold=gold)).score.tasks[task].gains
    assert gain.point.performance == 100.0
    assert gain.point.items > 1500
    assert gain.gain == pytest.approx(100.0 - (gain.baseline or 0.0))
