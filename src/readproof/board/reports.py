"""Technical reports: a team uploads them, organisers read and comment, the team answers. Nobody else sees them."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from sqlalchemy import func, select
from sqlalchemy.orm import selectinload

from readproof.board import rates
from readproof.board.audit import note
from readproof.board.board import Board
from readproof.board.definition import Competition
from readproof.board.receiving import incoming
from readproof.board.tables import Account, Comment, Member, Team, TechnicalReport
from readproof.board.words import Refusal

LARGEST = 20 << 20
_PIECE = 1 << 20
_MOST = 20
_LONGEST = 4000
# what a report begins with: PDF, or the zip that a Word document is
KINDS = {
    "report": {".pdf": b"%PDF-", ".docx": b"PK\x03\x04"},
    "code": {".zip": b"PK\x03\x04", ".gz": b"\x1f\x8b", ".tgz": b"\x1f\x8b"},
}


def send(
    board: Board, competition: Competition, member: Member, name: str, file: BinaryIO, *, kind: str = "report"
) -> TechnicalReport:
    """A new report, or the code of a system; earlier ones are kept."""
    if kind not in KINDS:
        raise Refusal("refused.request")
    if not competition.takes("reports", board.clock()):
        raise Refusal("refused.reports-closed", 403)
    with board.database.writing() as session:
        rates.take(session, "report", str(member.account_id), board.clock())
    with incoming(board, name, LARGEST) as upload:
        beginning = KINDS[kind].get(upload.path.suffix.lower())
        first = file.read(_PIECE)
        if beginning is None or not first.startswith(beginning):
            raise Refusal("refused.code" if kind == "code" else "refused.report")
        upload.write(first)
        while piece := file.read(_PIECE):
            upload.write(piece)
        digest, at = upload.close(), board.clock()
        with board.database.writing() as session:
            session.execute(select(Team.id).where(Team.id == member.team_id).with_for_update())
            if (session.scalar(select(func.count()).where(TechnicalReport.team_id == member.team_id)) or 0) >= _MOST:
                raise Refusal("refused.reports", 429, most=_MOST)
            made = TechnicalReport(
                id=upload.id,
                contest=competition.slug,
                team_id=member.team_id,
                account_id=member.account_id,
                created_at=at,
                file=upload.path.name,
                size=upload.size,
                digest=digest,
                kind=kind,
            )
            session.add(made)
            note(session, at, "report.sent", account=member.account_id, contest=competition.slug, subject=upload.id)
        return made


def listed(board: Board, competition: Competition, team: int | None = None) -> list[TechnicalReport]:
    """The reports of a team, or of all, the newest first."""
    wanted = (
        select(TechnicalReport)
        .where(TechnicalReport.contest == competition.slug)
        .order_by(TechnicalReport.created_at.desc(), TechnicalReport.id)
    )
    if team is not None:
        wanted = wanted.where(TechnicalReport.team_id == team)
    with board.database.reading() as session:
        return list(
            session.scalars(wanted.options(selectinload(TechnicalReport.team), selectinload(TechnicalReport.comments)))
        )


def found(
    board: Board, competition: Competition, number: str, organiser: bool, member: Member | None
) -> TechnicalReport:
    """A report for its own team or for an organiser; for others there is none."""
    with board.database.reading() as session:
        wanted = select(TechnicalReport).where(
            TechnicalReport.id == number, TechnicalReport.contest == competition.slug
        )
        comments = selectinload(TechnicalReport.comments).selectinload(Comment.account)
        one = session.scalar(wanted.options(selectinload(TechnicalReport.team), comments))
    if one is None or not (organiser or (member and member.team_id == one.team_id)):
        raise Refusal("refused.no-page", 404)
    return one


def comment(board: Board, competition: Competition, report: TechnicalReport, account: Account, words: str) -> None:
    """A remark on a report; whoever may see it may speak."""
    words = words.strip()
    if not 1 <= len(words) <= _LONGEST:
        raise Refusal("refused.words", most=_LONGEST)
    at = board.clock()
    with board.database.writing() as session:
        rates.take(session, "comment", str(account.id), at)
        session.add(Comment(report_id=report.id, account_id=account.id, created_at=at, words=words))
        note(session, at, "report.commented", account=account.id, contest=competition.slug, subject=report.id)


def path_of(board: Board, report: TechnicalReport) -> Path:
    return board.settings.uploads / report.id / report.file
