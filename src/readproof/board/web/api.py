"""The interface for programs: reading is open to all, submitting needs a token. Described in /api/v1/openapi.json."""

from __future__ import annotations

from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Depends, Header, Path, Query, Request
from fastapi.responses import JSONResponse
from starlette.concurrency import run_in_threadpool

from readproof.board import receiving, teams
from readproof.board.accounts import account_of_token, organised_by
from readproof.board.definition import Competition
from readproof.board.ranking import as_record, view
from readproof.board.tables import Submission
from readproof.board.times import written
from readproof.board.web.ranking_pages import cached
from readproof.board.web.taking_part import of_team, one
from readproof.board.web.visit import Visitor, board_of, drained, hashed_body, plain, the_competition
from readproof.board.words import Refusal, word

Json = dict[str, Any]
REFUSED: dict[int | str, Json] = {
    code: {"description": text, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refused"}}}}
    for code, text in {
        400: "what was asked for makes no sense",
        401: "no token, or one that is not known",
        403: "not now, or not by you",
        404: "there is no such thing",
        409: "the key was used for something else",
        413: "too large",
        429: "too many for today, or too many in a while",
        503: "not ready",
    }.items()
}
router = APIRouter(prefix="/api/v1", responses=REFUSED)
Slug = Annotated[str, Path(pattern="^[a-z0-9][a-z0-9-]{0,39}$")]


Phase = Annotated[str, Query(max_length=40, description="a phase with submission; without it the one that runs")]


async def _competition(slug: Slug, request: Request, phase: Phase = "") -> Competition:  # noqa: ARG001 - described
    return await the_competition(slug, request)


def _program(request: Request, authorization: Annotated[str | None, Header()] = None) -> Visitor:
    kind, _, token = (authorization or "").partition(" ")
    board = board_of(request)
    account = account_of_token(board, token.strip()) if kind.lower() == "bearer" and token.strip() else None
    if account is None:
        raise Refusal("refused.token", 401)
    address, slug = request.client.host if request.client else "", str(request.path_params.get("slug", ""))
    return Visitor(board, account, "en", "", "", address, request.url.path, organised_by(board, account), slug)


Task = Annotated[Competition, Depends(_competition)]
Program = Annotated[Visitor, Depends(_program)]


@router.get("/competitions")
def competitions(request: Request) -> Json:
    """Every competition with its phase, dates, tracks and quota."""
    board = board_of(request)
    return {"competitions": [_about(one.now(board.clock()), board.clock) for one in board.competitions.values()]}


@router.get("/competitions/{slug}/ranking")
def ranking(request: Request, competition: Task, track: Annotated[str, Query(max_length=40)] = "") -> Json:
    """The ranking of a track, as everybody sees it."""
    board = board_of(request)
    track = track or next(iter(competition.tracks))
    if track not in competition.tracks:
        raise Refusal("refused.track", 404, tracks=", ".join(competition.tracks))
    seen = view(board, competition)
    found = cached(request, competition, track, seen)
    return as_record(competition, track, seen, found, board.clock())


@router.get("/competitions/{slug}/submissions")
def submissions(who: Program, competition: Task) -> Json:
    """Those of one's own team, the newest first."""
    member = teams.membership(who.board, competition, who.known())
    if member is None:
        raise Refusal("refused.no-team", 403)
    hidden = view(who.board, competition, organiser=who.organiser).hidden_until is not None
    return {"submissions": [_record(found, competition, hidden) for found in of_team(who.board, member)]}


@router.get("/competitions/{slug}/submissions/{number}")
def submission(number: Annotated[str, Path(pattern="^[0-9a-f]{32}$")], who: Program, competition: Task) -> Json:
    """What became of a submission."""
    hidden = view(who.board, competition, organiser=who.organiser).hidden_until is not None
    return _record(one(who, competition, number), competition, hidden)


@router.post(
    "/competitions/{slug}/submissions",
    status_code=201,
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
        }
    },
    responses={422: {"description": "the package was checked and refused; `problems` lists everything"}},
)
async def submit(
    request: Request,
    who: Program,
    competition: Task,
    track: Annotated[str, Query(max_length=40)],
    file: Annotated[str, Query(max_length=200, description="the name of the file")],
    declared: Annotated[
        list[str],
        Query(
            max_length=20,
            description="what the track asks teams to declare: NAME, or NAME:TEXT where a text is asked for; repeat it",
        ),
    ] = [],  # noqa: B006 - FastAPI copies it
    key: Annotated[
        str | None,
        Header(
            alias="Idempotency-Key",
            max_length=80,
            pattern="^[!-~]*$",
            description="the same key gives the same submission again",
        ),
    ] = None,
) -> JSONResponse:
    """Send a package as the body. It is checked at once; the answer comes before it is scored."""
    known = await run_in_threadpool(receiving.sent_before, who.board, competition, who.known(), key)
    if known is not None:
        digest = await hashed_body(request)
        # without a word on the phase the one that it came in is meant, whichever runs by now
        phase = competition.stage if request.query_params.get("phase") else known.phase
        receiving.refuse_other(known, digest, phase, track)
        return _answer(known, competition)
    try:
        member = await run_in_threadpool(receiving.may_submit, who.board, competition, who.known(), track)
    except Refusal:
        await drained(request)
        raise
    with receiving.incoming(who.board, file, competition.largest) as upload:
        async for piece in request.stream():
            upload.write(piece)

        def take() -> Submission:
            said = {name: text or "yes" for name, _, text in (plain(one).partition(":") for one in declared)}
            return receiving.receive(
                who.board, competition, member, track, upload, key=key or None, address=who.address, declared=said
            )

        found = await to_thread.run_sync(take, limiter=request.app.state.checking)
    return _answer(found, competition)


def _answer(found: Submission, competition: Competition) -> JSONResponse:
    return JSONResponse(_record(found, competition, True), 422 if found.status == "refused" else 201)


def _about(competition: Competition, clock: Any) -> Json:
    dates, zone = competition.dates, competition.zone
    return {
        "slug": competition.slug,
        "title": {"en": competition.title.en, "zh": competition.title.zh},
        "task": competition.task,
        "phase": competition.state(clock()),
        "phases": [
            {
                "name": one.name,
                "title": {"en": one.title.en, "zh": one.title.zh},
                "opens": written(one.opens, zone),
                "closes": written(one.closes, zone) if one.closes else None,
                "open": sorted(one.takes),
                "runs": one.runs(clock()),
            }
            for one in competition.phases
        ],
        "timezone": zone.key,
        "declare": {name: [one.name for one in asked] for name, asked in competition.declarations.items()},
        "tracks": {name: {"en": title.en, "zh": title.zh} for name, title in competition.tracks.items()},
        "accepted_a_day": competition.quota.accepted,
        "upload_megabytes": competition.largest >> 20,
        "submission_opens": written(dates.submission_opens, zone),
        "submission_closes": written(dates.submission_closes, zone),
    }


def _record(found: Submission, competition: Competition, hidden: bool) -> Json:
    """A submission for its own team."""
    result = found.result if "result" in found.__dict__ else None
    shown = result if result and not hidden else None
    return {
        "id": found.id,
        "competition": competition.slug,
        "phase": found.phase,
        "track": found.track,
        "late": found.late,
        "declared": found.declared or {},
        "file": found.file,
        "sha256": found.digest,
        "created_at": found.created_at.isoformat(),
        "day": found.day.isoformat(),
        "status": found.status,
        "problems": found.problems,
        "percent": competition.percent,
        "score": competition.rounded(shown.score) if shown else None,
        "scores": competition.rounded(shown.scores) if shown else None,
    }


def refused(refusal: Refusal) -> JSONResponse:
    """What was not granted, in both languages."""
    told = word(refusal.key, **refusal.values)
    return JSONResponse({"refused": refusal.key, "en": told.en, "zh": told.zh}, refusal.status)
