"""The worker: takes waiting submissions by a lease, scores them, writes each result once.

A worker that falls leaves its lease behind; when it has run out another takes the submission. A worker that was only
slow finds, when it comes to write, that the submission is no longer its own, and writes nothing.
"""

from __future__ import annotations

import threading
import traceback
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import isfinite
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, CursorResult, Update, and_, or_, select, update
from sqlalchemy.exc import SQLAlchemyError

from readproof.board.audit import note
from readproof.board.basis import basis_of
from readproof.board.board import Board, changed
from readproof.board.definition import Competition
from readproof.board.receiving import file_of
from readproof.board.scorers import ScoredUpload, plain_problem, score_upload
from readproof.board.signs import SIGN, gone, sign
from readproof.board.tables import PastResult, Result, Submission
from readproof.errors import InputError

Json = dict[str, Any]
LEASE = timedelta(seconds=60)
MOST_ATTEMPTS = 3
_IDLE = 0.5
_PAUSE = 5.0
_LONGEST_FAULT = 1900
_MOST_TOLD = 50
_RESCORED: ColumnElement[bool] = and_(Submission.status == "scored", Submission.rescore_at.is_not(None))


@dataclass(slots=True)
class ScoringWorker:
    """One worker; `lease` is how long a submission stays its own without a sign of life."""

    board: Board
    lease: timedelta = LEASE
    name: str = ""

    def __post_init__(self) -> None:
        self.name = self.name or uuid.uuid4().hex

    def run(self, stop: threading.Event, say: Callable[[str], None] = lambda _: None) -> None:
        """Until told to stop."""
        alive = threading.Thread(target=self._live, args=(stop,), daemon=True)
        alive.start()
        while not stop.is_set():
            try:
                done = self.once()
            except SQLAlchemyError as error:
                why = type(getattr(error, "orig", None) or error).__name__
                say(f"the database does not answer ({why}); again in {_PAUSE:g} s")
                stop.wait(_PAUSE)
                continue
            if done is None:
                stop.wait(_IDLE)
            else:
                say(done)
        alive.join()

    def _live(self, stop: threading.Event) -> None:
        """Signs of life for whoever looks after the board; one that fails is no harm."""
        started = self.board.clock()
        while not stop.is_set():
            with suppress(SQLAlchemyError):
                sign(self.board, self.name, started)
            stop.wait(SIGN.total_seconds())
        with suppress(SQLAlchemyError):
            gone(self.board, self.name)

    def once(self) -> str | None:
        """Score one submission; None where none waits."""
        submission = self._claim()
        if submission is None:
            return None
        known = self.board.competition(submission.contest)
        if known is None or not known.has(submission.phase):
            return self._fail(submission, f"{submission.contest} has no phase {submission.phase!r} with submission")
        competition = known.at(submission.phase)
        if submission.attempts > MOST_ATTEMPTS:
            return self._fail(submission, submission.fault or "the worker fell each time")
        with self._beating(submission):
            try:
                scored = score_upload(competition, file_of(self.board, submission))
                if basis_of(competition) != scored.basis:
                    return self._again(submission, "the gold changed while it was scored")
            except InputError as error:
                if _ours(error, competition):
                    return self._again(submission, str(error))
                return self._fail(submission, str(error), _told(error, self.board, competition))
            except Exception:
                return self._again(submission, traceback.format_exc(limit=-3))
        return self._keep(submission, scored)

    def _claim(self) -> Submission | None:
        """New ones before those that are scored again."""
        at = self.board.clock()
        free = or_(Submission.lease_until.is_(None), Submission.lease_until < at)
        known = Submission.contest.in_(list(self.board.competitions))
        with self.board.database.writing() as session:
            for wanted in (Submission.status == "waiting", _RESCORED):
                found = session.execute(
                    select(Submission)
                    .where(wanted, free, known)
                    .order_by(Submission.created_at, Submission.id)
                    .limit(1)
                    .with_for_update(skip_locked=True)
                ).scalar_one_or_none()
                if found is not None:
                    found.worker, found.lease_until = self.name, at + self.lease
                    found.attempts += 1
                    return found
        return None

    @contextmanager
    def _beating(self, submission: Submission) -> Iterator[None]:
        """Signs of life while a long job runs."""
        over = threading.Event()

        def beat() -> None:
            while not over.wait(self.lease.total_seconds() / 3):
                # a beat that fails is no harm: the next one, or another worker, makes up for it
                with suppress(SQLAlchemyError), self.board.database.writing() as session:
                    mine = self._mine(submission)
                    session.execute(mine.values(lease_until=self.board.clock() + self.lease))

        thread = threading.Thread(target=beat, daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def _mine(self, submission: Submission) -> Update:
        return update(Submission).where(
            Submission.id == submission.id,
            or_(Submission.status == "waiting", _RESCORED),
            Submission.worker == self.name,
        )

    def _keep(self, submission: Submission, scored: ScoredUpload) -> str:
        at = self.board.clock()
        done = self._mine(submission).values(status="scored", lease_until=None, rescore_at=None, fault="")
        with self.board.database.writing() as session:
            if not _changed(session.execute(done)):
                return f"{submission.id}: another worker was faster"
            before = session.get(Result, submission.id)
            values: Json = {
                "score": scored.score if scored.score is not None and isfinite(scored.score) else None,
                "scores": scored.scores,
                "final_score": scored.final if scored.final is not None and isfinite(scored.final) else None,
                "final_scores": scored.final_scores,
                "same": scored.same,
                "scored_at": at,
                "gold": scored.basis.gold,
                "scorer": scored.basis.scorer,
            }
            if before is None:
                session.add(Result(submission_id=submission.id, **values))
                note(session, at, "submission.scored", contest=submission.contest, subject=submission.id)
            else:
                session.add(_past(before, at))
                change = {"before": before.score, "after": values["score"]}
                for name, value in values.items():
                    setattr(before, name, value)
                note(session, at, "submission.rescored", contest=submission.contest, subject=submission.id, **change)
            changed(session, submission.contest)
        return f"{submission.id}: {scored.score}"

    def _fail(self, submission: Submission, fault: str, problems: Sequence[Json] = ()) -> str:
        at = self.board.clock()
        with self.board.database.writing() as session:
            values: Json = {"lease_until": None, "rescore_at": None, "fault": fault[-_LONGEST_FAULT:]}
            if submission.status == "waiting":
                # one that was scored before keeps its result, marked as outdated, and organisers see the fault
                values |= {"status": "failed", "problems": [*submission.problems, *problems]}
            if _changed(session.execute(self._mine(submission).values(**values))):
                changed(session, submission.contest)
                note(session, at, "submission.failed", contest=submission.contest, subject=submission.id)
        return f"{submission.id}: failed: {fault.splitlines()[-1] if fault else ''}"

    def _again(self, submission: Submission, fault: str) -> str:
        """Back into the row, for a fault that may pass; soon, but not at once."""
        if submission.attempts >= MOST_ATTEMPTS:
            return self._fail(submission, fault)
        with self.board.database.writing() as session:
            until = self.board.clock() + self.lease / 10
            session.execute(self._mine(submission).values(lease_until=until, fault=fault[-_LONGEST_FAULT:]))
        return f"{submission.id}: will be tried again"


def _past(result: Result, at: datetime) -> PastResult:
    """A result as it was before another takes its place."""
    return PastResult(
        submission_id=result.submission_id,
        score=result.score,
        scores=result.scores,
        final_score=result.final_score,
        final_scores=result.final_scores,
        scored_at=result.scored_at,
        replaced_at=at,
        gold=result.gold,
        scorer=result.scorer,
    )


def _ours(error: InputError, competition: Competition) -> bool:
    """Whether the organisers' own files are at fault: no word of it may reach a team, for it may quote the answers."""
    return any(Path(error.file).is_relative_to(one) for one in competition.files)


def _told(error: InputError, board: Board, competition: Competition) -> list[Json]:
    """What the team may know of it; where things lie on the server is nobody's business."""
    from readproof.efficiency.predictions import ProblemsError

    if isinstance(error, ProblemsError):
        found = [(one.file, f"line {one.line}" if one.line else "", one.found, one.expected) for one in error.problems]
    else:
        found = [("", error.place, error.found, error.expected)]

    def plain(text: str) -> str:
        return text.replace(str(competition.gold), "…").replace(str(board.settings.folder), "…")

    return [plain_problem(*map(plain, one)) for one in found[:_MOST_TOLD]]


def _changed(result: object) -> bool:
    return isinstance(result, CursorResult) and result.rowcount == 1
