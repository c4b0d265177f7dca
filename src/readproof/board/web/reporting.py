"""The pages of technical reports: sending, reading, commenting."""

from __future__ import annotations

import re
from functools import partial
from typing import Annotated

from anyio import to_thread
from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import FileResponse
from starlette.datastructures import UploadFile

from readproof.board import crosscheck, reports, teams
from readproof.board.definition import Competition
from readproof.board.ranking import standings, view
from readproof.board.receiving import file_of
from readproof.board.reportform import report_form
from readproof.board.tables import TechnicalReport
from readproof.board.web.pages import back, page
from readproof.board.web.taking_part import Mine
from readproof.board.web.visit import Fields, Number, Task, Visitor, Who, check_csrf, opened_form, same_site
from readproof.board.words import Refusal

router = APIRouter(include_in_schema=False, prefix="/c/{slug}/reports")
_NUMBER = re.compile("[0-9a-f]{32}")


def _report(number: str, who: Who, competition: Task) -> TechnicalReport:
    if not _NUMBER.fullmatch(number):
        raise Refusal("refused.no-page", 404)
    member = teams.membership(who.board, competition, who.known())
    return reports.found(who.board, competition, number, who.organiser, member)


def _wanted(who: Visitor, competition: Competition, team: int) -> bool:
    """Whether a team is among the first, who send code and report, when that is known."""
    seen = view(who.board, competition)
    if not seen.final or seen.hidden_until:
        return False
    found = (standings(who.board, competition, track, seen).rows for track in competition.tracks)
    rows = [row for rows in found for row in rows if row.entry and row.entry.team == team]
    return any(row.rank is not None and row.rank <= crosscheck.FIRST for row in rows)


Seen = Annotated[TechnicalReport, Depends(_report)]


@router.get("")
def listed(request: Request, who: Who, competition: Task) -> Response:
    account = who.known()
    member = teams.membership(who.board, competition, account)
    found = []
    if member or who.organiser:
        team = None if who.organiser or member is None else member.team_id
        found = reports.listed(who.board, competition, team)
    mine = crosscheck.checks(who.board, competition, member.team_id) if member else []
    return page(
        request, who, "reports.html", competition=competition, member=member, reports=found, checks=mine,
        wanted=member is not None and _wanted(who, competition, member.team_id), kinds=reports.KINDS, tab="reports",
    )  # fmt: skip


@router.post("")
async def send(request: Request, who: Who, competition: Task, member: Mine) -> Response:
    same_site(request)
    async with opened_form(request, max_files=1, max_fields=5) as form:
        check_csrf(who, str(form.get("csrf", "")))
        file = form.get("file")
        if not isinstance(file, UploadFile) or not file.filename:
            raise Refusal("refused.no-file")
        kind = str(form.get("kind", "report"))
        take = partial(reports.send, who.board, competition, member, file.filename, file.file, kind=kind)
        made = await to_thread.run_sync(take, limiter=request.app.state.checking)
    return back(f"/c/{competition.slug}/reports/{made.id}", "report")


@router.get("/form.docx")
def form(who: Who, competition: Task) -> Response:  # noqa: ARG001 - anybody may have it
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    name = f'attachment; filename="{competition.slug}-report.docx"'
    return Response(report_form(competition), media_type=kind, headers={"content-disposition": name})


@router.get("/checks/{number}/file")
def checked_file(number: Number, who: Who, competition: Task, member: Mine) -> Response:
    """The submission that a team runs again."""
    found = crosscheck.check_of(who.board, competition, number, member.team_id)
    path = file_of(who.board, found.submission)
    if not path.is_file():
        raise Refusal("refused.no-page", 404)
    return FileResponse(path, filename=path.name, media_type="application/octet-stream")


@router.post("/checks/{number}")
def file_check(number: Number, who: Who, competition: Task, member: Mine, fields: Fields) -> Response:
    given = fields.get("score", "").strip()
    try:
        score = float(given) if given else None
    except ValueError:
        raise Refusal("refused.request") from None
    if score is not None and competition.percent:
        score /= 100
    reproduced = fields.get("reproduced") == "yes"
    crosscheck.file(who.board, competition, member, number, reproduced, score, fields.get("words", ""))
    return back(f"/c/{competition.slug}/reports", "filed")


@router.get("/{number}")
def one(request: Request, who: Who, competition: Task, report: Seen) -> Response:
    return page(request, who, "report.html", competition=competition, report=report, tab="reports")


@router.get("/{number}/file")
def file(who: Who, report: Seen) -> Response:
    path = reports.path_of(who.board, report)
    if not path.is_file():
        raise Refusal("refused.no-page", 404)
    return FileResponse(path, filename=path.name, media_type="application/octet-stream")


@router.post("/{number}/comments")
def comment(who: Who, competition: Task, report: Seen, fields: Fields) -> Response:
    reports.comment(who.board, competition, report, who.known(), fields.get("words", ""))
    return back(f"/c/{competition.slug}/reports/{report.id}", "comment")
