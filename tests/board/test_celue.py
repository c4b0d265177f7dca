"""A CELUE package on the board: checked, its model file run in the sandbox, scored against a curve, drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from readproof.board import accounts, receiving, teams
from readproof.board.board import Board, make_board, open_board
from readproof.board.drawing import _range, costs, curve_points
from readproof.board.ranking import standings, view
from readproof.board.scorers import _answers
from readproof.board.tables import Result, Submission
from readproof.board.worker import ScoringWorker
from tests.board.made_board import PASSWORD, Clock
from tests.efficiency.made import TASK_NAMES, TINY_FILE, made_curve, made_gold, made_package, zipped

HOSTILE = "import pathlib\nprint(pathlib.Path({gold!r}).read_text())\nraise SystemExit(3)\n"


@pytest.fixture
def celue(tmp_path: Path) -> Board:
    folder = tmp_path / "board"
    make_board(folder, title="B", address="http://localhost", database="", examples=("celue",))
    place = folder / "competitions"
    (place / "celue").mkdir()
    made_gold(place / "celue/gold", 6)
    made_curve(place / "celue/curve.json")
    toml = place / "celue.toml"
    names = {one.name.partition(".")[0]: one.name for one in (place / "celue/gold").iterdir()}
    tests = ", ".join(f'"{task}:celue/gold/{names[task]}"' for task in TASK_NAMES)
    text = toml.read_text("utf-8").replace('file = "celue/gold"', f'file = "celue/gold"\ntest = [{tests}]')
    toml.write_text(text, encoding="utf-8")
    return open_board(folder, clock=Clock(), migrate=True)


def sent(board: Board, name: str, package: Path) -> Submission:
    competition = board.competitions["celue"]
    account = accounts.register(board, f"{name}@example.org", name, PASSWORD)
    teams.make_team(board, competition, account, f"Team {name}", "", "")
    teams.agree(board, competition, account)
    member = receiving.may_submit(board, competition, account, "main")
    with receiving.incoming(board, "submission.zip", competition.largest) as upload:
        upload.write(package.read_bytes())
        return receiving.receive(board, competition, member, "main", upload)


def test_a_package_is_scored_and_drawn(celue: Board, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs torch to run a model file")
    gold = celue.competitions["celue"].gold
    package = zipped(made_package(tmp_path / "good", gold, {3: 0.6, 12: 0.9}, model=TINY_FILE))
    made = sent(celue, "an", package)
    assert made.status == "waiting", made.problems
    assert (ScoringWorker(celue).once() or "").startswith(made.id)
    with celue.database.reading() as session:
        result = session.get(Result, made.id)
        assert result is not None, session.get(Submission, made.id).fault  # type: ignore[union-attr]
    assert result.score is not None and set(result.scores["points"]) == set(TASK_NAMES)
    competition = celue.competitions["celue"]
    rows = standings(celue, competition, "main", view(celue, competition)).rows
    assert [row.rank for row in rows if row.entry] == [1]
    assert {row.name for row in rows if row.reference} == {"ElasticBERT-Chinese (0 by definition)"}
    chart = costs(rows, curve_points(competition), "ccpm")
    assert chart is not None and chart.names == ("Team an",) and "<circle" in chart.svg
    celue.close()


def test_a_model_file_that_looks_for_the_gold_finds_nothing(celue: Board, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs torch to run a model file")
    gold = celue.competitions["celue"].gold
    code = HOSTILE.format(gold=str(next(iter(gold.iterdir())))) + TINY_FILE
    made = sent(celue, "bo", zipped(made_package(tmp_path / "bad", gold, {3: 0.6}, model=code)))
    if made.status == "waiting":
        ScoringWorker(celue).once()
    with celue.database.reading() as session:
        found = session.get(Submission, made.id)
        assert found is not None and found.status in ("refused", "failed")
        told = str(found.problems)
    # neither what it read nor where things lie
    assert str(celue.settings.folder) not in told and "残灯" not in told and "答案" not in told
    celue.close()


def test_predictions_are_the_same_whatever_they_are_said_to_have_cost(tmp_path: Path) -> None:
    lines = {
        "a.jsonl": '{"answer": 1, "modules": "(8),emb"}\n{"answer": null, "modules": "(8),emb"}\n',
        "b.jsonl": '{"modules": "(9),emb", "note": "mine", "answer": 1}\n{"answer": null, "modules": "(8),emb"}\n',
        "c.tsv": "index\tpred\tmodules\n0\t1\t(8),emb\n1\t2\t(8),emb\n",
        "d.tsv": "index\tpred\tmodules\n0\t1\t(9),emb\n1\t2\t(9),emb\n",
    }
    for name, text in lines.items():
        (tmp_path / name).write_text(text)
    first, second, third, fourth = (_answers(tmp_path / name, "answer") for name in lines)
    assert first == second != third == fourth


@pytest.mark.parametrize(
    ("values", "ends"),
    [([100.0, 40.0], (40.0, 100.0)), ([60.0], (58.0, 62.0)), ([0.0], (-0.2, 0.2)), ([-3.0, 11.0], (-5.0, 15.0))],
)
def test_axes_hold_all_values_and_have_round_ends(values: list[float], ends: tuple[float, float]) -> None:
    low, high, tick = _range(values)
    assert (low, high) == pytest.approx(ends)
    assert low <= min(values) and max(values) <= high and low < high
    assert (high - low) / tick == pytest.approx(round((high - low) / tick))


@pytest.mark.parametrize(
    ("values", "ends"),
    [([100.0], (96.0, 100.0)), ([0.0], (0.0, 0.4)), ([60.0], (58.0, 62.0)), ([100.0, 40.0], (40.0, 100.0))],
)
def test_axes_of_shares_end_at_a_hundred(values: list[float], ends: tuple[float, float]) -> None:
    low, high, tick = _range(values, (0.0, 100.0))
    assert (low, high) == pytest.approx(ends)
    # some ticks to read it by
    assert (high - low) / tick >= 1.999
