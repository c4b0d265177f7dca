"""Scoring again: after the gold was corrected, after a fault of ours, or one submission; and making one invalid.

A scored submission keeps its result until the worker has another, so that nobody falls out of the ranking meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import Session

from readproof.board.audit import note
from readproof.board.basis import ScoringBasis, basis_of
from readproof.board.board import Board, changed, lock
from readproof.board.definition import Competition
from readproof.board.mail import write
from readproof.board.tables import Account, Result, Submission
from readproof.board.words import Refusal, counted

Which = Literal["outdated", "failed", "all"]
WHICH: tuple[Which, ...] = ("outdated", "failed", "all")
_REASON = 1000


@dataclass(frozen=True, slots=True)
class ScoringState:
    """How a competition stands: what is scored, what waits, what could not be scored, what rests on an earlier gold."""

    basis: ScoringBasis
    scored: int
    waiting: int
    rescoring: int
    failed: int
    outdated: int


def scoring_state(board: Board, competition: Competition) -> ScoringState:
    """The counts of a competition at its phase."""
    basis = basis_of(competition)
    here = _of(competition)
    with board.database.reading() as session:
        wanted = select(Submission.status, func.count()).where(*here)
        counts = {str(status): int(number) for status, number in session.execute(wanted.group_by(Submission.status))}
        again = select(func.count()).where(*here, Submission.rescore_at.is_not(None))
        old = select(func.count()).select_from(Result).join(Submission, Submission.id == Result.submission_id)
        old = old.where(*here, is_outdated(basis))
        rescoring, outdated = session.scalar(again) or 0, session.scalar(old) or 0
    waiting, scored, failed = (counts.get(one, 0) for one in ("waiting", "scored", "failed"))
    return ScoringState(basis, scored, waiting, rescoring, failed, outdated)


def is_outdated(basis: ScoringBasis) -> ColumnElement[bool]:
    """Results of another gold or scorer."""
    return or_(Result.gold != basis.gold, Result.scorer != basis.scorer)


def _of(competition: Competition) -> tuple[ColumnElement[bool], ...]:
    return Submission.contest == competition.slug, Submission.phase == competition.stage


def queue(board: Board, competition: Competition, which: Which, account: Account | None = None) -> int:
    """Submissions of a phase to be scored again by the workers; gives how many."""
    basis = basis_of(competition)
    wanted = select(Submission).where(*_of(competition)).with_for_update()
    if which == "failed":
        wanted = wanted.where(Submission.status == "failed")
    else:
        wanted = wanted.where(Submission.status == "scored")
    if which == "outdated":
        old = select(Result.submission_id).where(is_outdated(basis))
        wanted = wanted.where(Submission.id.in_(old))
    at = board.clock()
    with board.database.writing() as session:
        lock(session, competition.slug)
        found = list(session.scalars(wanted))
        _put(session, at, found)
        changed(session, competition.slug)
        note(
            session, at, "rescoring.asked", account=account.id if account else None, contest=competition.slug,
            subject=which, phase=competition.stage, count=len(found), gold=basis.gold,
        )  # fmt: skip
    return len(found)


def queue_one(board: Board, competition: Competition, number: str, account: Account | None = None) -> Submission:
    """One submission to be scored again."""
    at = board.clock()
    with board.database.writing() as session:
        found = _locked(session, competition, number)
        if found.status not in ("scored", "failed"):
            raise Refusal("refused.not-scored", 409)
        _put(session, at, [found])
        changed(session, competition.slug)
        by = account.id if account else None
        note(session, at, "rescoring.asked", account=by, contest=competition.slug, subject=number, count=1)
    return found


def _put(session: Session, at: datetime, found: Sequence[Submission]) -> None:
    for one in found:
        one.attempts, one.fault, one.worker, one.lease_until = 0, "", None, None
        if one.status == "scored":
            one.rescore_at = at
        else:
            # what was said of the first attempt is said again if it still holds; warnings of the check stay
            one.status, one.problems = "waiting", [given for given in one.problems if _stays(given)]
    session.flush()


def _stays(problem: dict[str, Any]) -> bool:
    return problem.get("level") != "error"


def invalidate(board: Board, competition: Competition, account: Account, number: str, reason: str) -> None:
    """A submission that is not ranked; its team reads why. It counts for its day as before."""
    reason = reason.strip()
    if not 5 <= len(reason) <= _REASON:
        raise Refusal("refused.reason")
    _mark(board, competition, account, number, board.clock(), reason)


def restore(board: Board, competition: Competition, account: Account, number: str) -> None:
    """A submission that is ranked again."""
    _mark(board, competition, account, number, None, "")


def _mark(
    board: Board, competition: Competition, account: Account, number: str, at: datetime | None, reason: str
) -> None:
    with board.database.writing() as session:
        found = _locked(session, competition, number)
        found.invalid_at, found.invalid_reason = at, reason
        changed(session, competition.slug)
        for member in found.team.members if at else ():
            write(
                session,
                at or board.clock(),
                member.account.mail,
                "invalid",
                team=found.team.name,
                title=competition.title,
                reason=reason,
            )
        action = "submission.invalidated" if at else "submission.restored"
        note(
            session, board.clock(), action, account=account.id, contest=competition.slug, subject=number, reason=reason
        )


def _locked(session: Session, competition: Competition, number: str) -> Submission:
    wanted = select(Submission).where(Submission.id == number, Submission.contest == competition.slug)
    found = session.execute(wanted.with_for_update()).scalar_one_or_none()
    if found is None:
        raise Refusal("refused.no-page", 404)
    return found


def announced(board: Board) -> list[str]:
    """What a server says at its start: competitions whose results do not all rest on the gold that lies there now."""
    said = []
    for slug, known in board.competitions.items():
        for stage in known.stages:
            competition = known.at(stage.name)
            outdated = scoring_state(board, competition).outdated
            if competition.ready and outdated:
                rows = counted(outdated, "result rests", "results rest")
                said.append(
                    f"{slug}: {rows} on another gold or scorer than is here now; "
                    f"score again: readproof board rescore {board.settings.folder} --competition {slug}"
                )
        if known != board.originals.get(slug, known):
            said.append(f"{slug}: dates or texts were changed on the web; they count instead of those of its file")
        with board.database.reading() as session:
            names = [one.name for one in known.stages]
            lost = select(func.count()).where(Submission.contest == slug, Submission.phase.not_in(names))
            count = session.scalar(lost) or 0
        if count:
            rows = counted(count, "submission belongs", "submissions belong")
            said.append(f"{slug}: {rows} to a phase that its file no longer names (there are: {', '.join(names)})")
    return said
