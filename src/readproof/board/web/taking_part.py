"""The pages of a participant: the competition, the team, the data, uploads and what became of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Annotated, BinaryIO

from anyio import to_thread
from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import FileResponse
from sqlalchemy import select
from sqlalchemy.orm import selectinload
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile

from readproof.board import deadlines, managing, receiving, teams
from readproof.board.audit import note
from readproof.board.basis import ScoringBasis
from readproof.board.board import Board
from readproof.board.definition import Competition, Declaration
from readproof.board.problems import grouped
from readproof.board.ranking import view
from readproof.board.tables import Member, Submission
from readproof.board.times import written
from readproof.board.web.pages import back, page
from readproof.board.web.visit import (
    Fields,
    Number,
    Task,
    Visitor,
    Who,
    check_csrf,
    drained,
    opened_form,
    plain,
    same_site,
)
from readproof.board.words import Refusal, word

router = APIRouter(include_in_schema=False, prefix="/c/{slug}")
_PIECE = 1 << 20
_NUMBER = re.compile("[0-9a-f]{32}")


def _member(competition: Task, who: Who) -> Member:
    found = teams.membership(who.board, competition, who.known())
    if found is None:
        raise Refusal("refused.no-team", 403)
    return found


Mine = Annotated[Member, Depends(_member)]


@router.get("")
def overview(request: Request, who: Who, competition: Task) -> Response:
    member = teams.membership(who.board, competition, who.account) if who.account else None
    return page(request, who, "competition.html", competition=competition, member=member, tab="about")


@router.get("/team")
def team(request: Request, who: Who, competition: Task, code: str = "") -> Response:
    member = teams.membership(who.board, competition, who.known())
    return page(
        request, who, "team.html", competition=competition, member=member, code=code[:40], kinds=teams.KINDS, tab="team"
    )


@router.post("/team")
def make_team(who: Who, competition: Task, fields: Fields) -> Response:
    given = [fields.get(name, "") for name in ("name", "organisation", "contact", "kind")]
    teams.make_team(who.board, competition, who.known(), *given)
    _agreed(who, competition, fields)
    return back(f"/c/{competition.slug}/team", "team")


@router.post("/team/join")
def join(who: Who, competition: Task, fields: Fields) -> Response:
    teams.join(who.board, competition, who.known(), fields.get("code", ""))
    _agreed(who, competition, fields)
    return back(f"/c/{competition.slug}/team", "joined")


@router.post("/team/leave")
def leave(who: Who, competition: Task, fields: Fields) -> Response:  # noqa: ARG001 - checked by being read
    teams.leave(who.board, competition, who.known())
    return back(f"/c/{competition.slug}", "left")


@router.post("/team/code")
def code(who: Who, competition: Task, fields: Fields) -> Response:  # noqa: ARG001 - checked by being read
    teams.new_code(who.board, competition, who.known())
    return back(f"/c/{competition.slug}/team", "code")


@router.post("/team/rename")
def rename(who: Who, competition: Task, fields: Fields) -> Response:
    teams.rename(who.board, competition, who.known(), fields.get("name", ""))
    return back(f"/c/{competition.slug}/team", "renamed")


@router.post("/team/invite")
def invite(who: Who, competition: Task, fields: Fields) -> Response:
    teams.invite(who.board, competition, who.known(), fields.get("mail", ""))
    return back(f"/c/{competition.slug}/team", "invited")


@router.post("/team/members/{number}/remove")
def remove(number: Number, who: Who, competition: Task, fields: Fields) -> Response:  # noqa: ARG001 - checked
    teams.remove(who.board, competition, who.known(), number)
    return back(f"/c/{competition.slug}/team", "removed")


@router.post("/team/members/{number}/captain")
def hand_over(number: Number, who: Who, competition: Task, fields: Fields) -> Response:  # noqa: ARG001 - checked
    teams.hand_over(who.board, competition, who.known(), number)
    return back(f"/c/{competition.slug}/team", "captain")


@router.get("/statistics")
def statistics(request: Request, who: Who, competition: Task) -> Response:
    found = managing.statistics(who.board, competition)
    return page(request, who, "statistics.html", competition=competition, found=found, tab="statistics")


@router.post("/agree")
def agree(who: Who, competition: Task, fields: Fields) -> Response:
    if not fields.get("agreed"):
        raise Refusal("refused.agreement", 400)
    teams.agree(who.board, competition, who.known())
    return back(f"/c/{competition.slug}/data", "agreed")


@router.get("/data")
def data(request: Request, who: Who, competition: Task) -> Response:
    member = teams.membership(who.board, competition, who.known())
    return page(request, who, "data.html", competition=competition, member=member, tab="data")


@router.get("/data/{name}")
def download(name: str, who: Who, competition: Task, member: Mine) -> Response:
    if member.team.disqualified_at:
        raise Refusal("refused.disqualified", 403)
    if member.agreed_at is None:
        raise Refusal("refused.agreement", 403)
    # names are looked up, never put together to a path
    found = next((one for one in competition.downloads if one.name == name), None)
    if found is None or not found.file.is_file():
        raise Refusal("refused.no-page", 404)
    if found.opens is not None and who.board.clock() < found.opens:
        raise Refusal("refused.data-early", 403, opens=written(found.opens, competition.zone))
    with who.board.database.writing() as session:
        note(
            session, who.board.clock(), "data.taken", account=who.known().id, contest=competition.slug, subject=name,
            address=who.address,
        )  # fmt: skip
    return FileResponse(found.file, filename=found.name, media_type="application/octet-stream")


@router.get("/submit")
def submit_form(request: Request, who: Who, competition: Task) -> Response:
    member = teams.membership(who.board, competition, who.known())
    used = _used(who.board, competition, member) if member else {}
    obstacle = _obstacle(who, competition, member) if member else ""
    closes = deadlines.deadline_of(who.board, competition, member.team_id) if member else None
    return page(
        request, who, "submit.html", competition=competition, member=member, used=used, obstacle=obstacle,
        closes=closes, tab="submit",
    )  # fmt: skip


def _obstacle(who: Visitor, competition: Competition, member: Member) -> str:
    """Why nothing can be sent now, told before a large file is on its way."""
    try:
        receiving.refuse_now(who.board, competition, member)
    except Refusal as refusal:
        return word(refusal.key, **refusal.values).of(who.language)
    return ""


@router.post("/submit")
async def submit(request: Request, who: Who, competition: Task) -> Response:
    """All but the track is asked before the body is read: nobody fills the disk with what will be refused."""
    same_site(request)
    try:
        member = await run_in_threadpool(receiving.may_send, who.board, competition, who.known())
    except Refusal as refusal:
        if refusal.status != 401:
            await drained(request)
        raise
    async with opened_form(request, max_files=1, max_fields=60) as form:
        check_csrf(who, str(form.get("csrf", "")))
        file = form.get("file")
        if not isinstance(file, UploadFile) or not file.filename:
            raise Refusal("refused.no-file")
        track = str(form.get("track", ""))
        said = {one.name: plain(str(form.get(f"declare-{track}-{one.name}", ""))) for one in _asked(competition, track)}
        take = partial(_take, who, competition, member, track, file.filename, file.file, said)
        taken = await to_thread.run_sync(take, limiter=request.app.state.checking)
    return back(f"/c/{competition.slug}/submissions/{taken.id}")


def _asked(competition: Competition, track: str) -> tuple[Declaration, ...]:
    return competition.declarations.get(track, ())


def _take(
    who: Visitor, competition: Competition, member: Member, track: str, name: str, file: BinaryIO, said: dict[str, str]
) -> Submission:
    with receiving.incoming(who.board, name, competition.largest) as upload:
        while piece := file.read(_PIECE):
            upload.write(piece)
        return receiving.receive(who.board, competition, member, track, upload, address=who.address, declared=said)


@router.get("/submissions")
def submissions(request: Request, who: Who, competition: Task) -> Response:
    member = teams.membership(who.board, competition, who.known())
    found = of_team(who.board, member) if member else []
    seen = view(who.board, competition, organiser=who.organiser)
    return page(
        request, who, "submissions.html", competition=competition, member=member, submissions=found, seen=seen,
        chosen=deadlines.chosen(who.board, member.team_id) if member else set(), tab="mine",
    )  # fmt: skip


@router.get("/submissions/{number}")
def submission(request: Request, number: str, who: Who, competition: Task) -> Response:
    # looked up before the submission: a score that comes in between is news to this page
    version = view(who.board, competition).version
    found = one(who, competition, number)
    if competition.has(found.phase):
        competition = competition.at(found.phase)
    used: dict[str, receiving.QuotaUse] = {}
    seen = replace(view(who.board, competition, organiser=who.organiser), version=version)
    member = teams.membership(who.board, competition, who.known())
    if member and member.team_id == found.team_id:
        used = _used(who.board, competition, member)
    groups, unlisted = grouped(found.problems)
    return page(
        request,
        who,
        "submission.html",
        groups=groups,
        unlisted=unlisted,
        kept=receiving.file_of(who.board, found).is_file(),
        competition=competition,
        one=found,
        used=used.get(found.track),
        outdated=_outdated(found, seen.basis),
        chosen=number in deadlines.chosen(who.board, found.team_id),
        may_choose=_may_choose(who, competition, found, member),
        seen=seen,
        tab="mine" if member and member.team_id == found.team_id else "manage",
    )


def _may_choose(who: Visitor, competition: Competition, found: Submission, member: Member | None) -> bool:
    if member is None or member.team_id != found.team_id or found.late or found.invalid_at:
        return False
    closes = deadlines.deadline_of(who.board, competition, found.team_id)
    return found.status in ("waiting", "scored") and who.board.clock() < closes


@router.get("/submissions/{number}/file")
def own_file(number: str, who: Who, competition: Task) -> Response:
    """What was uploaded, for its own team and for organisers."""
    path = receiving.file_of(who.board, one(who, competition, number))
    if not path.is_file():
        raise Refusal("refused.no-page", 404)
    return FileResponse(path, filename=path.name, media_type="application/octet-stream")


@router.post("/submissions/{number}/choose")
def choose(number: str, who: Who, competition: Task, member: Mine, fields: Fields) -> Response:
    """What counts at the end of its phase, or no longer."""
    found = one(who, competition, number)
    if not competition.has(found.phase):
        raise Refusal("refused.no-choice", 409)
    do = deadlines.unchoose if fields.get("not") else deadlines.choose
    do(who.board, competition.at(found.phase), member, found.id)
    return back(f"/c/{competition.slug}/submissions/{number}", "unchosen" if fields.get("not") else "chosen")


def _outdated(found: Submission, basis: ScoringBasis) -> bool:
    return found.result is not None and ScoringBasis(found.result.gold, found.result.scorer) != basis


def of_team(board: Board, member: Member) -> list[Submission]:
    """The submissions of a team, the newest first."""
    with board.database.reading() as session:
        wanted = select(Submission).where(Submission.team_id == member.team_id)
        ordered = wanted.order_by(Submission.created_at.desc(), Submission.id).limit(500)
        return list(session.scalars(ordered.options(selectinload(Submission.result), selectinload(Submission.account))))


def one(who: Visitor, competition: Competition, number: str) -> Submission:
    """A submission of one's own team; another team's does not exist, except for organisers."""
    account = who.known()
    if not _NUMBER.fullmatch(number):
        raise Refusal("refused.no-page", 404)
    member = teams.membership(who.board, competition, account)
    with who.board.database.reading() as session:
        wanted = select(Submission).where(Submission.id == number, Submission.contest == competition.slug)
        found = session.scalar(wanted.options(selectinload(Submission.result), selectinload(Submission.team)))
    if found is None or not (who.organiser or (member and member.team_id == found.team_id)):
        raise Refusal("refused.no-page", 404)
    return found


def _used(board: Board, competition: Competition, member: Member) -> dict[str, receiving.QuotaUse]:
    with board.database.reading() as session:
        at = board.clock()
        return {track: receiving.used(session, competition, member.team_id, track, at) for track in competition.tracks}


def _agreed(who: Visitor, competition: Competition, fields: Mapping[str, str]) -> None:
    if fields.get("agreed"):
        teams.agree(who.board, competition, who.known())
