"""Accounts, teams, quotas, scoring: the rules themselves, without the web, on both databases."""

from __future__ import annotations

import json
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import func, select

from readproof.board import accounts, audit, managing, receiving, teams
from readproof.board.board import Board, open_board
from readproof.board.ranking import standings, view
from readproof.board.tables import CompetitionState, Event, Result, Submission
from readproof.board.words import Refusal
from readproof.board.worker import ScoringWorker
from readproof.tasks.scoring import score
from tests.board.made_board import KEYS, PASSWORD, Clock, captain, letters, made_folder, person, submit
from tests.shared_data import SHARED, needs_shared


def refused(key: str) -> pytest.RaisesExc[Refusal]:
    return pytest.RaisesExc(Refusal, check=lambda error: error.key == key)


def test_an_account_opens_with_its_password_only(board: Board) -> None:
    made = person(board, "an")
    account, secret = accounts.log_in(board, "AN@example.org ", PASSWORD)
    assert account.id == made.id
    assert accounts.account_of(board, secret).id == made.id  # type: ignore[union-attr]
    assert accounts.account_of(board, secret + "x") is None
    with refused("refused.login"):
        accounts.log_in(board, "an@example.org", "wrong password")
    with refused("refused.mail-taken"):
        person(board, "an")
    accounts.log_out(board, secret)
    assert accounts.account_of(board, secret) is None


def test_a_session_ends_after_two_weeks(board: Board) -> None:
    person(board, "an")
    _, secret = accounts.log_in(board, "an@example.org", PASSWORD)
    board.clock.forward(days=15)  # type: ignore[attr-defined]
    assert accounts.account_of(board, secret) is None


def test_guessing_passwords_is_stopped_for_a_while(board: Board) -> None:
    person(board, "an")
    for _ in range(10):
        with refused("refused.login"):
            accounts.log_in(board, "an@example.org", "wrong password")
    with refused("refused.rate"):
        accounts.log_in(board, "an@example.org", PASSWORD)
    board.clock.forward(minutes=16)  # type: ignore[attr-defined]
    assert accounts.log_in(board, "an@example.org", PASSWORD)


def test_one_person_is_in_one_team(board: Board) -> None:
    reading = board.competitions["reading"]
    first, second = captain(board, "an"), person(board, "bo")
    code = teams.membership(board, reading, first).team.invite  # type: ignore[union-attr]
    with refused("refused.code"):
        teams.join(board, reading, second, "abcdefghjkmn")
    assert teams.join(board, reading, second, f" {code.upper()} ").name == "Team an"
    with refused("refused.has-team"):
        teams.make_team(board, reading, second, "Another", "", "")
    with refused("refused.captain"):
        teams.leave(board, reading, first)
    teams.leave(board, reading, second)
    assert teams.membership(board, reading, second) is None
    with refused("refused.team-taken"):
        teams.make_team(board, reading, second, "TEAM AN", "", "")
    teams.new_code(board, reading, first)
    with refused("refused.code"):
        teams.join(board, reading, second, code)


def test_a_team_has_so_many_members_and_no_more(board: Board) -> None:
    reading = board.competitions["reading"]
    code = teams.membership(board, reading, captain(board, "an")).team.invite  # type: ignore[union-attr]
    for name in ("bo", "cy"):
        teams.join(board, reading, person(board, name), code)
    with refused("refused.full"):
        teams.join(board, reading, person(board, "di"), code)


def test_after_registration_nobody_joins(board: Board) -> None:
    late = person(board, "late")
    board.clock.moment = datetime(2031, 1, 2, tzinfo=UTC)  # type: ignore[attr-defined]
    with refused("refused.registration"):
        teams.make_team(board, board.competitions["reading"], late, "Late", "", "")


def test_nothing_is_taken_before_agreement_or_after_the_end(board: Board) -> None:
    account = person(board, "an")
    with refused("refused.no-team"):
        submit(board, account, letters(1))
    teams.make_team(board, board.competitions["reading"], account, "Team", "", "")
    with refused("refused.agreement"):
        submit(board, account, letters(1))
    teams.agree(board, board.competitions["reading"], account)
    with refused("refused.track"):
        submit(board, account, letters(1), track="third")
    board.clock.moment = datetime(2031, 1, 2, tzinfo=UTC)  # type: ignore[attr-defined]
    with refused("refused.closed"):
        submit(board, account, letters(1))


def test_the_sixth_of_a_day_is_refused_until_midnight_in_shanghai(board: Board) -> None:
    account = captain(board, "an")
    for number in range(5):
        assert submit(board, account, letters(0.5, number)).status == "waiting"
    with refused("refused.quota") as caught:
        submit(board, account, letters(1))
    assert caught.value.values["resets"] == "2027-05-21 00:00 (Asia/Shanghai)"
    # 23:59 there, then one minute more
    board.clock.moment = datetime(2027, 5, 20, 15, 59, 30, tzinfo=UTC)  # type: ignore[attr-defined]
    with refused("refused.quota"):
        submit(board, account, letters(1))
    board.clock.forward(minutes=1)  # type: ignore[attr-defined]
    assert submit(board, account, letters(1)).status == "waiting"


def test_refused_packages_do_not_count_but_have_a_cap(board: Board) -> None:
    account = captain(board, "an")
    for _ in range(8):
        found = submit(board, account, letters(1).replace(b'"A"', b'"x"'))
        assert found.status == "refused"
        assert {one["code"] for one in found.problems} == {"G222"}
        assert "negative_answer" in found.problems[0]["place"]["zh"] + found.problems[0]["found"]["zh"]
    with refused("refused.cap"):
        submit(board, account, letters(1))
    with board.database.reading() as session:
        member = teams.membership(board, board.competitions["reading"], account)
        used = receiving.used(session, board.competitions["reading"], member.team_id, "closed", board.clock())  # type: ignore[union-attr]
    assert (used.accepted, used.left, used.refused) == (0, 5, 8)
    # nothing of a refused package is kept
    assert list(board.settings.uploads.iterdir()) == []


def test_the_quota_holds_when_all_come_at_once(board: Board) -> None:
    account = captain(board, "an")
    told: list[str] = []

    def one(number: int) -> None:
        try:
            told.append(submit(board, account, letters(0.5, number)).status)
        except Refusal as refusal:
            told.append(refusal.key)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(told) == ["refused.quota"] * 15 + ["waiting"] * 5
    assert len(list(board.settings.uploads.iterdir())) == 5


def test_a_program_that_asks_again_gets_the_same_answer(board: Board) -> None:
    account = captain(board, "an")
    first = submit(board, account, letters(0.5), key="one")
    assert submit(board, account, letters(0.5), key="one").id == first.id
    assert submit(board, account, letters(0.5), key="two").id != first.id
    assert len(list(board.settings.uploads.iterdir())) == 2


def test_too_large_is_told_while_it_comes_in(board: Board) -> None:
    account = captain(board, "an")
    with refused("refused.large"):
        submit(board, account, b" " * (1 << 20) + b"x")
    assert list(board.settings.uploads.iterdir()) == []


@pytest.mark.parametrize(
    ("given", "safe"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\x\\GCRC_advRobust.json", "GCRC_advRobust.json"),
        ("...", "upload"),
        ("a b\n<c>.zip", "a_b_c_.zip"),
        ("", "upload"),
    ],
)
def test_names_of_files_lead_nowhere(given: str, safe: str) -> None:
    assert receiving.safe_name(given) == safe


def test_scores_come_from_the_official_scorer(board: Board) -> None:
    account = captain(board, "an")
    perfect = submit(board, account, letters(1))
    none = submit(board, account, letters(0, 1), track="open")
    worker = ScoringWorker(board)
    while worker.once():
        pass
    with board.database.reading() as session:
        assert session.get(Result, perfect.id).score == 1.0  # type: ignore[union-attr]
        assert session.get(Result, perfect.id).scores["Acc2"] == 1.0  # type: ignore[union-attr]
        assert session.get(Result, none.id).score == 0.0  # type: ignore[union-attr]


@needs_shared
def test_real_questions_are_scored_as_the_command_scores_them(tmp_path: Path) -> None:
    """GCRC_advRobust's own questions as gold, and always A as the answer."""
    data = SHARED / "data/gcrc_advrobust/dev_a.json"
    folder = made_folder(tmp_path / "board")
    gold = json.loads(data.read_text("utf-8"))
    (folder / "competitions/gcrc/gold.json").write_text(json.dumps(gold), encoding="utf-8")
    test = [{key: value for key, value in row.items() if key not in KEYS} for row in gold["data"]]
    (folder / "competitions/gcrc/test.json").write_text(json.dumps({"data": test}), encoding="utf-8")
    board = open_board(folder, clock=Clock(), migrate=True)
    given = tmp_path / "GCRC_advRobust.json"
    answers = [{"id": row["id"]} | dict.fromkeys(KEYS, "A") for row in gold["data"]]
    given.write_text(json.dumps({"data": answers}), encoding="utf-8")
    made = submit(board, captain(board, "an"), given.read_bytes())
    assert made.status == "waiting", made.problems[:3]
    ScoringWorker(board).once()
    wanted = score("gcrc", given, data).exact
    with board.database.reading() as session:
        found = session.get(Result, made.id)
    assert found is not None and found.score == wanted["Score"] and found.scores["Acc1"] == wanted["Acc1"]
    board.close()


def test_a_lease_that_ran_out_is_taken_over_and_the_slow_worker_writes_nothing(board: Board) -> None:
    one = submit(board, captain(board, "an"), letters(1))
    slow, quick = ScoringWorker(board), ScoringWorker(board)
    held = slow._claim()
    assert held is not None and held.id == one.id
    assert quick.once() is None
    board.clock.forward(minutes=5)  # type: ignore[attr-defined]
    assert quick.once() == f"{one.id}: 1.0"
    from readproof.board.scorers import ScoredUpload

    assert "faster" in slow._keep(held, ScoredUpload(0.5, {}, "x"))
    with board.database.reading() as session:
        assert session.get(Result, one.id).score == 1.0  # type: ignore[union-attr]
        assert session.scalar(select(func.count()).where(Event.action == "submission.scored")) == 1


def test_what_cannot_be_scored_fails_after_three_attempts(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    one = submit(board, captain(board, "an"), letters(1))

    def broken(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("readproof.board.worker.score_upload", broken)
    for _ in range(4):
        ScoringWorker(board).once()
        board.clock.forward(minutes=5)  # type: ignore[attr-defined]
    with board.database.reading() as session:
        found = session.get(Submission, one.id)
        assert found is not None and (found.status, found.attempts) == ("failed", 3)
        assert "MemoryError" in found.fault


def test_identical_predictions_of_two_teams_are_flagged(board: Board) -> None:
    for name, data in (("an", letters(0.5, 1)), ("bo", letters(0.5, 1).replace(b", ", b",  ")), ("cy", letters(1))):
        submit(board, captain(board, name), data)
        board.clock.forward(seconds=1)  # type: ignore[attr-defined]
    worker = ScoringWorker(board)
    while worker.once():
        pass
    (same,) = managing.identical(board, board.competitions["reading"])
    assert [one.team.name for one in same.submissions] == ["Team an", "Team bo"]


def test_freezing_hiding_and_disqualifying(board: Board) -> None:
    reading, organiser = board.competitions["reading"], person(board, "chair", organiser=True)

    def names(**more: bool) -> list[str]:
        seen = view(board, reading, **more)
        return [row.name for row in standings(board, reading, "closed", seen).rows if row.rank]

    accounts_of = {name: captain(board, name) for name in ("an", "bo")}
    worker = ScoringWorker(board)
    submit(board, accounts_of["an"], letters(0.5))
    worker.once()
    before = view(board, reading).version
    managing.freeze(board, reading, organiser, True)
    board.clock.forward(minutes=1)  # type: ignore[attr-defined]
    submit(board, accounts_of["bo"], letters(1))
    worker.once()
    assert names() == ["Team an"]
    assert names(organiser=True) == ["Team bo", "Team an"]
    managing.freeze(board, reading, organiser, False)
    assert names() == ["Team bo", "Team an"]
    team = teams.membership(board, reading, accounts_of["bo"]).team_id  # type: ignore[union-attr]
    with refused("refused.reason"):
        managing.disqualify(board, reading, organiser, team, " ")
    managing.disqualify(board, reading, organiser, team, "two accounts of one person")
    assert names() == ["Team an"]
    with refused("refused.disqualified"):
        submit(board, accounts_of["bo"], letters(1))
    managing.reinstate(board, reading, organiser, team)
    managing.hide(board, reading, organiser, datetime(2027, 6, 1, tzinfo=UTC))
    assert names() == [] and names(organiser=True) == ["Team bo", "Team an"]
    board.clock.moment = datetime(2027, 6, 2, tzinfo=UTC)  # type: ignore[attr-defined]
    assert names() == ["Team bo", "Team an"]
    assert view(board, reading).version > before + 4
    actions = [event.action for event, _ in audit.log(board, reading).rows]
    assert actions[0] == "ranking.hidden" and "team.disqualified" in actions


def test_a_frozen_ranking_stays_whatever_is_decided_of_teams(board: Board) -> None:
    reading, chair = board.competitions["reading"], person(board, "chair", organiser=True)
    numbers: dict[str, int] = {}
    for at, name in enumerate(("an", "bo", "cy")):
        account = captain(board, name)
        submit(board, account, letters(1 - 0.3 * at))
        ScoringWorker(board).once()
        numbers[name] = teams.membership(board, reading, account).team_id  # type: ignore[union-attr]

    def found(**more: bool) -> tuple[list[str], list[str]]:
        seen = standings(board, reading, "closed", view(board, reading, **more))
        return [row.name for row in seen.rows if row.rank], [name for name, _ in seen.ways]

    managing.disqualify(board, reading, chair, numbers["an"], "two accounts")
    managing.freeze(board, reading, chair, True)
    frozen = found()
    assert frozen == (["Team bo", "Team cy"],) * 2
    board.clock.forward(minutes=1)  # type: ignore[attr-defined]
    managing.reinstate(board, reading, chair, numbers["an"])
    managing.disqualify(board, reading, chair, numbers["bo"], "two accounts")
    # a second press changes nothing
    managing.freeze(board, reading, chair, True)
    assert found() == frozen
    assert found(organiser=True) == (["Team an", "Team cy"],) * 2
    with board.database.writing() as session:
        # frozen by a release that noted nobody: what came later is told by its time
        session.get(CompetitionState, "reading").frozen_without = None  # type: ignore[union-attr]
    assert found()[0] == ["Team an", "Team bo", "Team cy"]
    managing.freeze(board, reading, chair, False)
    assert found() == found(organiser=True)


def test_files_without_a_row_are_swept_away(board: Board, tmp_path: Path) -> None:
    import os

    kept = submit(board, captain(board, "an"), letters(1))
    lost = board.settings.uploads / "lost"
    lost.mkdir()
    young = board.settings.uploads / "young"
    young.mkdir()
    for folder, hours in ((lost, 9), (young, 1), (board.settings.uploads / kept.id, 9)):
        at = board.clock().timestamp() - 3600 * hours
        os.utime(folder, (at, at))
    assert receiving.sweep(board) == 1
    assert sorted(one.name for one in board.settings.uploads.iterdir()) == sorted([kept.id, "young"])
