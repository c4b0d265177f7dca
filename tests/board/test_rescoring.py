"""A corrected gold, a fault of ours, one submission out of the ranking: nothing lost, nothing mixed in silence."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from readproof.board import audit, managing, rescoring
from readproof.board.basis import basis_of
from readproof.board.board import Board
from readproof.board.ranking import as_record, standings, view
from readproof.board.scorers import score_upload
from readproof.board.tables import PastResult, Result, Submission
from readproof.board.web.app import make_app
from readproof.board.worker import ScoringWorker
from readproof.cli import board as commands
from readproof.errors import InputError
from tests.board.made_board import KEYS, captain, letters, person, submit
from tests.board.test_core import refused
from tests.board.test_web import csrf, enter, work


def corrected(board: Board, count: int = 6) -> None:
    """Another answer to the first triples of the gold, as an organiser's correction."""
    gold = board.competitions["reading"].gold
    data = json.loads(gold.read_text("utf-8"))
    for row in data["data"][:count]:
        row.update({key: "D" if row[key] != "D" else "C" for key in KEYS})
    gold.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")


def rows(board: Board, **more: bool) -> list[tuple[str, float, bool]]:
    reading = board.competitions["reading"]
    found = standings(board, reading, "closed", view(board, reading, **more)).rows
    return [(row.name, round(row.score, 4), row.entry.outdated) for row in found if row.entry]


def test_rows_of_an_earlier_gold_are_marked_until_they_are_scored_again(board: Board) -> None:
    reading, account = board.competitions["reading"], captain(board, "an")
    one = submit(board, account, letters(1))
    work(board)
    assert rows(board) == [("Team an", 1.0, False)] and rescoring.announced(board) == []
    before = basis_of(reading)
    corrected(board)
    assert basis_of(reading) != before
    assert rows(board) == [("Team an", 1.0, True)]
    assert "1 result rests on another gold" in rescoring.announced(board)[0]
    seen = view(board, reading)
    record = as_record(reading, "closed", seen, standings(board, reading, "closed", seen), board.clock())
    assert record["rows"][0]["outdated"] is True
    assert rescoring.queue(board, reading, "outdated") == 1
    # it keeps its place until the worker is there
    assert rows(board) == [("Team an", 1.0, True)]
    work(board)
    assert rows(board) == [("Team an", 0.75, False)] and rescoring.announced(board) == []
    with board.database.reading() as session:
        (past,) = session.scalars(select(PastResult))
        assert (past.submission_id, past.score, past.gold) == (one.id, 1.0, before.gold)
    told = [event.details for event, _ in audit.log(board, reading).rows if event.action == "submission.rescored"]
    assert told == [{"before": 1.0, "after": 0.75}]
    assert rescoring.queue(board, reading, "outdated") == 0


def test_the_same_file_under_another_name_is_the_same_gold(small: Board) -> None:
    reading = small.competitions["reading"]
    before = basis_of(reading)
    text = reading.gold.read_bytes()
    reading.gold.unlink()
    assert basis_of(reading).gold == ""
    reading.gold.write_bytes(text)
    assert basis_of(reading) == before


def test_new_submissions_are_scored_before_old_ones_again(small: Board) -> None:
    reading, an, bo = small.competitions["reading"], captain(small, "an"), captain(small, "bo")
    old = submit(small, an, letters(0.5))
    work(small)
    rescoring.queue(small, reading, "all")
    new = submit(small, bo, letters(1))
    worker = ScoringWorker(small)
    assert [(worker.once() or "")[:32] for _ in range(3)] == [new.id, old.id, ""]


def test_a_gold_that_changes_while_it_is_read_gives_no_score(small: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    one = submit(small, captain(small, "an"), letters(1))

    def meanwhile(*given: object) -> object:
        found = score_upload(*given)  # type: ignore[arg-type]
        corrected(small)
        return found

    monkeypatch.setattr("readproof.board.worker.score_upload", meanwhile)
    assert "tried again" in (ScoringWorker(small).once() or "")
    monkeypatch.undo()
    small.clock.forward(minutes=2)  # type: ignore[attr-defined]
    assert ScoringWorker(small).once() == f"{one.id}: 0.75"


def test_what_failed_by_our_fault_is_queued_again(board: Board) -> None:
    reading = board.competitions["reading"]
    one = submit(board, captain(board, "an"), letters(1))
    gold = reading.gold.read_bytes()
    reading.gold.write_bytes(b"{")
    for _ in range(4):
        work(board)
        board.clock.forward(minutes=5)  # type: ignore[attr-defined]
    with board.database.reading() as session:
        assert session.get(Submission, one.id).status == "failed"  # type: ignore[union-attr]
    reading.gold.write_bytes(gold)
    assert rescoring.queue(board, reading, "failed") == 1
    work(board)
    assert rows(board) == [("Team an", 1.0, False)]
    with board.database.reading() as session:
        found = session.get(Submission, one.id)
        assert found is not None and (found.status, found.fault) == ("scored", "")


def test_a_rescoring_that_fails_leaves_the_score(small: Board) -> None:
    reading = small.competitions["reading"]
    one = submit(small, captain(small, "an"), letters(1))
    work(small)
    reading.gold.write_bytes(b"{")
    rescoring.queue_one(small, reading, one.id)
    for _ in range(4):
        work(small)
        small.clock.forward(minutes=5)  # type: ignore[attr-defined]
    assert rows(small) == [("Team an", 1.0, True)]
    with small.database.reading() as session:
        found = session.get(Submission, one.id)
        assert found is not None and found.status == "scored" and found.rescore_at is None and "gold" in found.fault


def test_a_frozen_ranking_shows_what_it_showed(board: Board) -> None:
    reading, chair = board.competitions["reading"], person(board, "chair", organiser=True)
    for number, name in enumerate(("an", "bo")):
        submit(board, captain(board, name), letters(1 - 0.5 * number))
    work(board)
    with board.database.reading() as session:
        first = session.scalar(select(Result.submission_id).order_by(Result.score.desc()).limit(1)) or ""
    managing.freeze(board, reading, chair, True)
    frozen = [(name, score) for name, score, _ in rows(board)]
    board.clock.forward(minutes=1)  # type: ignore[attr-defined]
    corrected(board)
    rescoring.queue(board, reading, "outdated", chair)
    work(board)
    board.clock.forward(minutes=1)  # type: ignore[attr-defined]
    rescoring.invalidate(board, reading, chair, first, "not reproducible")
    assert [(name, score) for name, score, _ in rows(board)] == frozen
    assert [name for name, _, _ in rows(board, organiser=True)] == ["Team bo"]
    managing.freeze(board, reading, chair, False)
    assert rows(board) == rows(board, organiser=True)


def test_one_submission_is_taken_out_and_put_back(board: Board) -> None:
    reading, chair, an = board.competitions["reading"], person(board, "chair", organiser=True), captain(board, "an")
    best, other = submit(board, an, letters(1)), submit(board, an, letters(0.5))
    work(board)
    with refused("refused.reason"):
        rescoring.invalidate(board, reading, chair, best.id, "x")
    with refused("refused.no-page"):
        rescoring.invalidate(board, reading, chair, "0" * 32, "no such thing")
    rescoring.invalidate(board, reading, chair, best.id, "hand labels")
    assert rows(board)[0][1] < 1.0
    rescoring.invalidate(board, reading, chair, other.id, "hand labels")
    assert rows(board) == []
    rescoring.restore(board, reading, chair, best.id)
    assert rows(board)[0][1] == 1.0


@pytest.fixture
def client(small: Board) -> Iterator[TestClient]:
    person(small, "chair", organiser=True)
    with TestClient(make_app(small), follow_redirects=False) as made:
        yield made


def test_organisers_do_it_by_buttons(client: TestClient, small: Board) -> None:
    one = submit(small, captain(small, "an"), letters(1))
    work(small)
    corrected(small)
    enter(client, "chair")
    text = client.get("/c/reading/manage").text
    assert "Scored by earlier gold answers or an earlier scorer: 1." in text and "Score 1 outdated again" in text
    token = {"csrf": csrf(client, "/c/reading/manage")}
    assert client.post("/c/reading/manage/rescore", data=token | {"which": "x"}).status_code == 400
    answer = client.post("/c/reading/manage/rescore", data=token | {"which": "outdated"})
    assert answer.headers["location"] == "/c/reading/manage?said=rescore"
    assert "It is being scored again" in client.get(f"/c/reading/submissions/{one.id}").text
    work(small)
    assert "75.00" in client.get(f"/c/reading/submissions/{one.id}").text
    place = f"/c/reading/manage/submissions/{one.id}"
    assert client.post(f"{place}/invalidate", data=token | {"reason": "labelled by hand"}).status_code == 303
    enter(client, "an")
    text = client.get(f"/c/reading/submissions/{one.id}").text
    assert "Reason: labelled by hand" in text and "/restore" not in text
    assert "invalid" in client.get("/c/reading/submissions").text
    enter(client, "chair")
    token = {"csrf": csrf(client, "/c/reading/manage")}
    assert client.post(f"{place}/restore", data=token).status_code == 303
    assert client.post(f"{place}/rescore", data=token).status_code == 303
    assert client.post(f"/c/reading/manage/submissions/{'0' * 32}/rescore", data=token).status_code == 404


def test_the_command(small: Board, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path(small.settings.folder)
    one = submit(small, captain(small, "an"), letters(1))
    work(small)
    commands.rescore(folder)
    assert capsys.readouterr().err == "reading: 0 submissions wait to be scored again\n"
    corrected(small)
    for given in ({}, {"everything": True}, {"number": one.id}):
        commands.rescore(folder, **given)
        assert capsys.readouterr().err == "reading: 1 submission waits to be scored again\n"
        work(small)
    assert rows(small) == [("Team an", 0.75, False)]
    for wrong, told in (
        ({"number": "x"}, "the id of a submission"),
        ({"competition": "y"}, "one of reading"),
        ({"failed": True, "everything": True}, "one of them"),
    ):
        with pytest.raises(InputError, match=re.escape(told)):
            commands.rescore(folder, **wrong)
