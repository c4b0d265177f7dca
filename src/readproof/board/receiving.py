"""Uploads: streamed to disk within limits, checked at once, counted against the day's quota in one transaction.

The file is in its final place before its row is written, so that an accepted submission always has its file. A file
without a row is what a fall in between left behind; it is swept away later.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from readproof.board import rates
from readproof.board.audit import note
from readproof.board.board import Board
from readproof.board.definition import Competition
from readproof.board.scorers import check_upload
from readproof.board.tables import Account, Extension, Member, Submission, Team, TechnicalReport
from readproof.board.teams import membership
from readproof.board.times import day_of, next_day, written
from readproof.board.words import Refusal

COUNTED = ("waiting", "scored")
UNCOUNTED = ("refused", "failed")
_ODD = re.compile(r"[^\w.\-]+")
# in bytes of UTF-8: a file system takes 255
_LONGEST_NAME = 120
_LONGEST_WORDS = 2000
_FORGOTTEN = timedelta(hours=2)


@dataclass(frozen=True, slots=True)
class QuotaUse:
    """Where a team stands today: accepted and refused uploads, their limits, and when the day ends."""

    accepted: int
    limit: int
    refused: int
    cap: int
    resets: datetime

    @property
    def left(self) -> int:
        return max(0, self.limit - self.accepted)


class Upload:
    """A file on its way in. Once `handed` to `receive`, only that decides whether it stays."""

    def __init__(self, board: Board, name: str, largest: int) -> None:
        self.id = uuid.uuid4().hex
        self.largest = largest
        self.folder = board.settings.uploads / self.id
        self.folder.mkdir(mode=0o700)
        self.path = self.folder / safe_name(name)
        self.size = 0
        self.handed = False
        self._hash = hashlib.sha256()
        self._file = self.path.open("xb")

    def write(self, piece: bytes) -> None:
        self.size += len(piece)
        if self.size > self.largest:
            raise Refusal("refused.large", 413, most=self.largest >> 20)
        self._hash.update(piece)
        self._file.write(piece)

    def close(self) -> str:
        """The file is on the disk when this returns; gives its SHA-256."""
        if not self._file.closed:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            # the names too: a file that no folder knows is lost with the power
            for folder in (self.folder, self.folder.parent):
                _keep_names(folder)
        return self._hash.hexdigest()


@contextmanager
def incoming(board: Board, name: str, largest: int) -> Iterator[Upload]:
    """An upload whose file is gone again unless a submission was made of it."""
    upload = Upload(board, name, largest)
    try:
        yield upload
    except BaseException:
        # a server that ends gives up its requests, but what `receive` does in its thread goes on
        if not upload.handed:
            upload.close()
            drop(board, upload.id)
        raise
    upload.close()


def _keep_names(folder: Path) -> None:
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def drop(board: Board, number: str) -> None:
    """The file of an upload."""
    shutil.rmtree(board.settings.uploads / number, ignore_errors=True)


def file_of(board: Board, submission: Submission) -> Path:
    return board.settings.uploads / submission.id / submission.file


def safe_name(name: str) -> str:
    """The last part of a name, of plain characters: it becomes a file's name and is shown again."""
    last = name.replace("\\", "/").rpartition("/")[2]
    plain = _ODD.sub("_", last).strip("._").encode()[-_LONGEST_NAME:].decode(errors="ignore")
    return plain.strip("._") or "upload"


def may_send(board: Board, competition: Competition, account: Account) -> Member:
    """Everything that can be refused before a byte has come in, whatever the track."""
    member = membership(board, competition, account)
    if member is None:
        raise Refusal("refused.no-team", 403)
    with board.database.writing() as session:
        rates.take(session, "upload", str(account.id), board.clock())
    refuse_now(board, competition, member)
    return member


def refuse_now(board: Board, competition: Competition, member: Member) -> None:
    """What stands in the way of a team at this moment, if anything."""
    at = board.clock()
    if member.team.disqualified_at:
        raise Refusal("refused.disqualified", 403)
    if member.agreed_at is None:
        raise Refusal("refused.agreement", 403)
    if not competition.ready:
        raise Refusal("refused.unready", 503)
    with board.database.reading() as session:
        is_late(session, competition, member.team_id, at)
        # a track that has room is enough
        found = [used(session, competition, member.team_id, track, at) for track in competition.tracks]
    _refuse_over(competition, min(found, key=lambda one: (one.left == 0, one.refused)))


def may_submit(board: Board, competition: Competition, account: Account, track: str) -> Member:
    """The same for a track that is known already."""
    _refuse_track(competition, track)
    member = may_send(board, competition, account)
    with board.database.reading() as session:
        _refuse_over(competition, used(session, competition, member.team_id, track, board.clock()))
    return member


def sent_before(board: Board, competition: Competition, account: Account, key: str | None) -> Submission | None:
    """What was accepted under this key when the answer was lost; it is no new submission and needs no quota."""
    member = membership(board, competition, account) if key else None
    if member is None:
        return None
    with board.database.reading() as session:
        return _by_key(session, member.team_id, key)


def refuse_other(known: Submission, digest: str, phase: str, track: str) -> None:
    """A key stands for one file in one place: another one under it would be lost in silence."""
    if (known.digest, known.phase, known.track) != (digest, phase, track):
        raise Refusal("refused.key-used", 409)


def used(session: Session, competition: Competition, team: int, track: str, at: datetime) -> QuotaUse:
    """What a team has used of its day."""
    day = day_of(at, competition.zone)
    wanted = select(Submission.status, func.count()).where(
        Submission.team_id == team, Submission.day == day, Submission.phase == competition.stage
    )
    if competition.quota.counted == "track":
        wanted = wanted.where(Submission.track == track)
    rows = session.execute(wanted.group_by(Submission.status))
    counts = {str(status): int(count) for status, count in rows}
    return QuotaUse(
        sum(counts.get(one, 0) for one in COUNTED),
        competition.quota.accepted,
        sum(counts.get(one, 0) for one in UNCOUNTED),
        competition.quota.refused,
        next_day(at, competition.zone),
    )


def receive(
    board: Board,
    competition: Competition,
    member: Member,
    track: str,
    upload: Upload,
    *,
    key: str | None = None,
    address: str = "",
    declared: Mapping[str, str] | None = None,
) -> Submission:
    """Check an upload that is complete and write it down: it waits for the worker, or is refused with every problem.

    What counts is when it had arrived whole, however long the check takes.
    """
    upload.handed = True
    try:
        _refuse_track(competition, track)
        said = _declared(competition, track, declared or {})
        digest, at = upload.close(), board.clock()
        with board.database.reading() as session:
            late = is_late(session, competition, member.team_id, at)
        verdict = check_upload(competition, upload.path, track)
        made = Submission(
            id=upload.id,
            contest=competition.slug,
            phase=competition.stage,
            late=late,
            declared=said or None,
            track=track,
            team_id=member.team_id,
            account_id=member.account_id,
            created_at=at,
            day=day_of(at, competition.zone),
            file=upload.path.name,
            size=upload.size,
            digest=digest,
            key=key,
            status="waiting" if verdict.taken else "refused",
            problems=verdict.problems,
            attempts=0,
            fault="",
        )
        known = _written(board, competition, made, address)
    except DBAPIError:
        # a database that fell may have kept the row all the same; a file without one is swept away later
        raise
    except BaseException:
        upload.close()
        drop(board, upload.id)
        raise
    if known is not made or made.status == "refused":
        drop(board, upload.id)
    return known


def _written(board: Board, competition: Competition, made: Submission, address: str) -> Submission:
    """The row, counted against the day; or the one that was written before under the same key."""
    with board.database.writing() as session:
        # whoever holds the team's row counts and adds alone
        team = session.execute(select(Team).where(Team.id == made.team_id).with_for_update()).scalar_one()
        if team.disqualified_at:
            raise Refusal("refused.disqualified", 403)
        known = _by_key(session, team.id, made.key)
        if known is not None:
            refuse_other(known, made.digest, made.phase, made.track)
            return known
        _refuse_over(competition, used(session, competition, team.id, made.track, made.created_at))
        session.add(made)
        details: dict[str, Any] = {
            "sha256": made.digest, "size": made.size, "phase": made.phase, "track": made.track,
            **({"late": True} if made.late else {}),
        }  # fmt: skip
        action = "submission.accepted" if made.status == "waiting" else "submission.refused"
        note(
            session, made.created_at, action, account=made.account_id, contest=competition.slug, subject=made.id,
            address=address, **details,
        )  # fmt: skip
    return made


def _by_key(session: Session, team: int, key: str | None) -> Submission | None:
    """What a program sent before under the same key, when it did not hear the answer."""
    if not key:
        return None
    return session.scalar(select(Submission).where(Submission.team_id == team, Submission.key == key))


def _declared(competition: Competition, track: str, given: Mapping[str, str]) -> dict[str, Any]:
    """What a track asks its teams to declare, all of it; whatever else was sent is left out."""
    found: dict[str, Any] = {}
    for one in competition.declarations.get(track, ()):
        text = given.get(one.name, "").strip()
        if not text or len(text) > _LONGEST_WORDS:
            raise Refusal("refused.declare", 400, text=one.text, most=_LONGEST_WORDS)
        found[one.name] = text if one.written else True
    return found


def _refuse_track(competition: Competition, track: str) -> None:
    if track not in competition.tracks:
        raise Refusal("refused.track", tracks=", ".join(competition.tracks))


def deadline(session: Session, competition: Competition, team: int) -> datetime:
    """Until when what a team sends counts."""
    wanted = select(Extension.until).where(Extension.team_id == team, Extension.phase == competition.stage)
    more = session.scalar(wanted)
    return max(competition.dates.submission_closes, more) if more else competition.dates.submission_closes


def is_late(session: Session, competition: Competition, team: int, at: datetime) -> bool:
    """Whether what comes now is taken but not ranked; a refusal where it is not taken at all."""
    opens, closes = competition.dates.submission_opens, deadline(session, competition, team)
    if opens <= at < closes:
        return False
    if closes <= at and competition.late_until is not None and at < competition.late_until:
        return True
    key = "refused.closed" if at >= closes else "refused.early"
    last = max(closes, competition.late_until) if competition.late_until else closes
    raise Refusal(key, 403, opens=written(opens, competition.zone), closed=written(last, competition.zone))


def _refuse_over(competition: Competition, found: QuotaUse) -> None:
    resets = written(found.resets, competition.zone)
    if found.accepted >= found.limit:
        raise Refusal("refused.quota", 429, limit=found.limit, resets=resets)
    if found.refused >= found.cap:
        raise Refusal("refused.cap", 429, cap=found.cap, resets=resets)


def sweep(board: Board) -> int:
    """Files that no row speaks of, left by a fall between the two; young ones may still be on their way."""
    with board.database.reading() as session:
        known = set(session.scalars(select(Submission.id).where(Submission.status != "refused")))
        known |= set(session.scalars(select(TechnicalReport.id)))
    oldest = board.clock().timestamp() - _FORGOTTEN.total_seconds()
    gone = 0
    for folder in board.settings.uploads.iterdir():
        # another server may be sweeping too
        with suppress(FileNotFoundError):
            if folder.is_dir() and folder.name not in known and folder.stat().st_mtime < oldest:
                drop(board, folder.name)
                gone += 1
    return gone
