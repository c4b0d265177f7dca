"""Who runs whose results again: drawn by lot among ranked teams, and filed. An award can be withdrawn."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from random import Random

from sqlalchemy import delete, func, select
from sqlalchemy.orm import selectinload

from readproof.board.audit import note
from readproof.board.board import Board, changed, lock
from readproof.board.definition import Competition
from readproof.board.mail import write
from readproof.board.ranking import RankingRow, standings, view
from readproof.board.tables import Account, AwardWithdrawal, CrossCheck, Member, Team
from readproof.board.words import Refusal

FIRST = 6
_REASON = 1000
_LONGEST = 4000


@dataclass(frozen=True, slots=True)
class CrossCheckPair:
    """A team, and the team whose submission it runs again."""

    checker: str
    checked: str
    submission: str
    checker_id: int = 0
    checked_id: int = 0


def drawn(slug: str, track: str, rows: Sequence[RankingRow], first: int = FIRST) -> tuple[str, list[CrossCheckPair]]:
    """The seed, and one round in which every team checks one other and is checked once.

    The seed follows from the best submissions themselves: it is not known before they are, and the same for everybody.
    """
    entries = [row.entry for row in rows if row.entry and row.rank is not None and row.rank <= first]
    whole = "|".join([slug, track, *sorted(one.submission for one in entries)])
    seed = hashlib.sha256(whole.encode()).hexdigest()[:16]
    order = sorted(entries, key=lambda one: one.team)
    if len(order) < 2:
        return seed, []
    Random(seed).shuffle(order)
    # a ring: nobody gets himself
    pairs = zip(order, [*order[1:], order[0]], strict=True)
    return seed, [CrossCheckPair(one.name, other.name, other.submission, one.team, other.team) for one, other in pairs]


def draw(board: Board, competition: Competition, account: Account) -> int:
    """Keep the draw of every track, when the final ranking is there; gives how many pairs. It is drawn once."""
    at, seen = board.clock(), view(board, competition, organiser=True)
    if not seen.final:
        raise Refusal("refused.not-final", 409)
    count = 0
    with board.database.writing() as session:
        lock(session, competition.slug)
        here = (CrossCheck.contest == competition.slug, CrossCheck.phase == competition.stage)
        if session.scalar(select(func.count()).where(*here)):
            raise Refusal("refused.drawn", 409)
        for track in competition.tracks:
            seed, pairs = drawn(competition.slug, track, standings(board, competition, track, seen).rows)
            for one in pairs:
                session.add(
                    CrossCheck(
                        contest=competition.slug, phase=competition.stage, track=track, seed=seed,
                        checker_id=one.checker_id, checked_id=one.checked_id, submission_id=one.submission,
                        drawn_at=at, words="",
                    )
                )  # fmt: skip
                count += 1
        note(session, at, "crosscheck.drawn", account=account.id, contest=competition.slug, count=count)
    return count


def checks(board: Board, competition: Competition, team: int | None = None) -> list[CrossCheck]:
    """All that were drawn in a phase, or what one team has to do."""
    wanted = select(CrossCheck).where(CrossCheck.contest == competition.slug).order_by(CrossCheck.id)
    if team is not None:
        wanted = wanted.where(CrossCheck.checker_id == team)
    else:
        wanted = wanted.where(CrossCheck.phase == competition.stage)
    both = (selectinload(CrossCheck.checker), selectinload(CrossCheck.checked), selectinload(CrossCheck.submission))
    with board.database.reading() as session:
        return list(session.scalars(wanted.options(*both)))


def check_of(board: Board, competition: Competition, number: int, team: int | None) -> CrossCheck:
    """One check, for the team that does it or, without a team, for organisers."""
    wanted = select(CrossCheck).where(CrossCheck.id == number, CrossCheck.contest == competition.slug)
    with board.database.reading() as session:
        found = session.scalar(wanted.options(selectinload(CrossCheck.submission)))
    if found is None or (team is not None and found.checker_id != team):
        raise Refusal("refused.no-page", 404)
    return found


def file(
    board: Board,
    competition: Competition,
    member: Member,
    number: int,
    reproduced: bool,
    score: float | None,
    words: str,
) -> None:
    """What came of running a submission again; filed once more it replaces what was filed."""
    words = words.strip()
    if not 5 <= len(words) <= _LONGEST or (score is not None and not isfinite(score)):
        raise Refusal("refused.check", most=_LONGEST)
    at = board.clock()
    with board.database.writing() as session:
        wanted = select(CrossCheck).where(CrossCheck.id == number, CrossCheck.contest == competition.slug)
        found = session.execute(wanted.with_for_update()).scalar_one_or_none()
        if found is None or found.checker_id != member.team_id:
            raise Refusal("refused.no-page", 404)
        found.filed_at, found.filed_by = at, member.account_id
        found.reproduced, found.score, found.words = reproduced, score, words
        note(
            session, at, "crosscheck.filed", account=member.account_id, contest=competition.slug,
            subject=found.submission_id, reproduced=reproduced, score=score,
        )  # fmt: skip


def withdraw_award(
    board: Board, competition: Competition, account: Account, team: int, track: str, reason: str
) -> None:
    """A team keeps its rank and gets no prize; the next ones move up."""
    reason = reason.strip()
    if not 5 <= len(reason) <= _REASON:
        raise Refusal("refused.reason")
    if track not in competition.tracks:
        raise Refusal("refused.track", tracks=", ".join(competition.tracks))
    at = board.clock()
    with board.database.writing() as session:
        lock(session, competition.slug)
        found = session.get(Team, team)
        if found is None or found.contest != competition.slug:
            raise Refusal("refused.no-such-team", 404)
        gone = delete(AwardWithdrawal).where(AwardWithdrawal.team_id == team, AwardWithdrawal.track == track)
        session.execute(gone)
        session.add(
            AwardWithdrawal(
                team_id=team, track=track, contest=competition.slug, reason=reason, account_id=account.id,
                withdrawn_at=at,
            )
        )  # fmt: skip
        for member in found.members:
            said = {"team": found.name, "title": competition.title, "reason": reason}
            write(session, at, member.account.mail, "award", **said)
        changed(session, competition.slug)
        note(
            session, at, "award.withdrawn", account=account.id, contest=competition.slug, subject=found.name,
            track=track, reason=reason,
        )  # fmt: skip


def restore_award(board: Board, competition: Competition, account: Account, team: int, track: str) -> None:
    """The prize is theirs again."""
    with board.database.writing() as session:
        found = session.get(AwardWithdrawal, (team, track))
        if found is None or found.contest != competition.slug:
            raise Refusal("refused.no-such-team", 404)
        name = found.team.name
        session.delete(found)
        changed(session, competition.slug)
        note(
            session, board.clock(), "award.restored", account=account.id, contest=competition.slug, subject=name,
            track=track,
        )  # fmt: skip


def withdrawals(board: Board, competition: Competition) -> list[AwardWithdrawal]:
    """Teams without their prizes, and why."""
    wanted = select(AwardWithdrawal).where(AwardWithdrawal.contest == competition.slug)
    with board.database.reading() as session:
        return list(session.scalars(wanted.options(selectinload(AwardWithdrawal.team))))
