"""`readproof score` of letters: beside the floors and the published rows, with who answered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from readproof.readers.track import track_file
from tests.cli.running import run
from tests.made_data import MADE
from tests.shared_data import SHARED, needs_shared

READING = "def answer(passage, question, options):\n    return max(range(4), key=lambda at: options[at] in passage)\n"


def made_triples(folder: Path, count: int = 40) -> Path:
    """A file of triples on as many passages; a string search finds the right option of two forms."""
    first = json.loads(MADE["gcrc"])["data"][0]
    rows = [
        {**first, "id": f"t{number}", "passage": f"第{number}处。湿地为人类提供了部分物资。"} for number in range(count)
    ]
    path = folder / "dev.json"
    path.write_text(json.dumps({"data": rows}, ensure_ascii=False), encoding="utf-8")
    (folder / "string_search.py").write_text(READING, encoding="utf-8")
    return path


@pytest.fixture
def answered(tmp_path: Path) -> Path:
    """Predictions as `readproof answer` leaves them."""
    data, out = made_triples(tmp_path), tmp_path / "p.json"
    found = run("answer", f"gcrc:{data}", "--reader", "string_search:answer", "-o", out, cwd=tmp_path)
    assert found.returncode == 0, found.stderr
    assert "read by string_search:answer, unknown parameters\nclosed track: unknown (" in found.stdout
    return out


def test_letters_beside_floors_and_published_rows(answered: Path) -> None:
    found = run("score", "gcrc", answered, answered.with_name("dev.json"))
    assert found.returncode == 0, found.stderr
    table = found.stdout[found.stdout.index("beside it, in percent") :].splitlines()
    figures = [float(line.split()[-4]) for line in table[2:15]]
    assert figures == sorted(figures, reverse=True)
    assert any(
        line.split() == ["?", "→", "these", "predictions", "50.00", "100.00", "100.00", "0.00"] for line in table
    )
    assert any(line.split() == ["uniform", "guessing", "9.06", "25.00", "10.94", "1.56"] for line in table)
    assert any(line.startswith("closed  Beijing Institute of Technology") and "22.26" in line for line in table)
    assert "Published rows were measured on the test set of the task, not on this file." in table
    assert "read by string_search:answer, unknown parameters" in table
    assert "luck" not in found.stderr
    assert max(len(line.rstrip()) for line in table[:15]) <= 80


def test_for_a_program(answered: Path) -> None:
    found = run("score", "gcrc", answered, answered.with_name("dev.json"), "--json")
    record = json.loads(found.stdout)
    assert record["Score"] == pytest.approx(0.5)
    references = record["references"]
    assert (references["unit"], references["headline"]) == ("share", "Score")
    uniform, letter = references["floors"]
    assert (uniform["name"], uniform["Score"]) == ("uniform guessing", pytest.approx(0.090625))
    assert (letter["name"], letter["Acc0"]) == ("always B", 1.0)
    assert len(references["published"]) == 10
    assert references["published"][0] == {
        "who": "Beijing Institute of Technology", "track": "closed", "measured_on": "test",
        "Score": 0.2226, "Acc0": 0.4826, "Acc1": 0.316, "Acc2": 0.0625,
    }  # fmt: skip
    assert record["read_by"]["reader"] == "string_search:answer"
    assert record["read_by"]["closed_track"] == "unknown"
    assert record["read_by"]["independent"] is True
    strict = json.loads(run("score", "gcrc", answered, answered.with_name("dev.json"), "--json", "--strict").stdout)
    assert strict["references"]["published"] == []
    assert strict["references"]["floors"][0] == uniform


def test_luck_is_told(tmp_path: Path) -> None:
    data = made_triples(tmp_path)
    rows = json.loads(data.read_text(encoding="utf-8"))["data"]
    for number, row in enumerate(rows):
        row |= {"answer": "ABCD"[number % 4], "positive_answer": "ABCD"[number // 4 % 4], "negative_answer": "D"}
    out = tmp_path / "guessed.json"
    out.write_text(json.dumps({"data": rows}), encoding="utf-8")
    found = run("score", "gcrc", out, data)
    assert "these predictions cannot be told from luck" in found.stderr
    assert "uniform guessing (0.091)" in found.stderr
    assert "read by" not in found.stdout
    record = json.loads(run("score", "gcrc", out, data, "--json").stdout)
    assert any("luck" in note for note in record["notes"])
    assert "read_by" not in record


def test_changed_predictions_lose_their_reader(answered: Path) -> None:
    text = answered.read_text(encoding="utf-8")
    answered.write_text(text.replace('"answer": "B"', '"answer": "A"', 1), encoding="utf-8")
    found = run("score", "gcrc", answered, answered.with_name("dev.json"))
    assert found.returncode == 0
    assert "read by" not in found.stdout
    assert "the reader of other predictions" in found.stderr


def test_a_joint_prompt_is_marked(answered: Path) -> None:
    path = track_file(answered)
    record = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(record | {"independent": False, "closed_track": "no"}), encoding="utf-8")
    found = run("score", "gcrc", answered, answered.with_name("dev.json"))
    assert "Not independent" in found.stderr
    assert "open    → these predictions" in found.stdout


def test_what_answer_says_for_a_program(tmp_path: Path) -> None:
    data, out = made_triples(tmp_path, 3), tmp_path / "p.json"
    found = run("answer", f"gcrc:{data}", "--reader", "string_search:answer", "-o", out, "--json", cwd=tmp_path)
    record = json.loads(found.stdout)
    kept = json.loads(Path(record["reader_file"]).read_text(encoding="utf-8"))
    for key in ("reader", "fingerprint", "parameters", "closed_track", "why", "independent"):
        assert record[key] == kept[key]
    assert track_file(out) == Path(record["reader_file"])


@needs_shared
def test_choices_beside_their_floors(tmp_path: Path) -> None:
    data = SHARED / "data/c3/c3-d-test.json"
    (tmp_path / "string_search.py").write_text(
        "def answer(passage, question, options):\n"
        "    return max(range(len(options)), key=lambda at: options[at] in passage)\n",
        encoding="utf-8",
    )
    out = tmp_path / "p.json"
    assert run("answer", f"c3:{data}", "--reader", "string_search:answer", "-o", out, cwd=tmp_path).returncode == 0
    found = run("score", "c3", out, data)
    lines = found.stdout[found.stdout.index("beside it") :].splitlines()
    assert [line.split()[0] for line in lines[1:5]] == ["who", "→", "always", "uniform"]
    assert "Published" not in found.stdout and "closed track" not in found.stdout
    assert "read by string_search:answer" in found.stdout


@needs_shared
def test_only_some_items_have_floors_of_their_own(tmp_path: Path) -> None:
    data = SHARED / "data/gcrc_advrobust/dev_a.json"
    ids = [row["id"] for row in json.loads(data.read_text(encoding="utf-8"))["data"][:30]]
    only = tmp_path / "ids.jsonl"
    only.write_text("\n".join(json.dumps({"id": one}) for one in ids), encoding="utf-8")
    predictions = SHARED / "golden/gcrc_advrobust/perfect.predictions.json"
    whole, some = (
        json.loads(run("score", "gcrc", predictions, data, "--json", *more).stdout) for more in ((), ("--only", only))
    )
    floors = [record["references"]["floors"][1]["Acc0"] for record in (whole, some)]
    assert floors[0] != floors[1]
    assert floors[1] * 30 == pytest.approx(round(floors[1] * 30))


@needs_shared
def test_only_some_items_and_their_predictions(tmp_path: Path) -> None:
    data = SHARED / "data/gcrc_advrobust/dev_a.json"
    predictions = SHARED / "golden/gcrc_advrobust/perfect.predictions.json"
    other = SHARED / "golden/gcrc_advrobust/constant_A.predictions.json"
    only = tmp_path / "ids.jsonl"
    only.write_text(json.dumps({"id": json.loads(data.read_text(encoding="utf-8"))["data"][3]["id"]}), encoding="utf-8")
    for more in ((), ("--strict", "--against", other)):
        record = json.loads(run("score", "gcrc", predictions, data, "--only", only, "--json", *more).stdout)
        assert (record["Score"], record["counts"]["items"], record["counts"]["rows"]) == (1.0, 1, 1)
    only.write_text('{"id": "ghost"}', encoding="utf-8")
    found = run("score", "gcrc", predictions, data, "--only", only)
    assert found.returncode == 2
    assert found.stderr.startswith(f"readproof: error: {only}: found 1 ids (ghost), none of them in {data}")
