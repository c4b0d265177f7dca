"""The ranking: a page that follows the state of things by itself, its part for scripts, and exports."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from functools import partial
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse
from markupsafe import Markup
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool

from readproof.board import teams
from readproof.board.board import Board
from readproof.board.definition import Competition
from readproof.board.drawing import costs, curve_points, growth
from readproof.board.names import folded
from readproof.board.ranking import (
    RankingRow,
    Standings,
    StandingsCache,
    StandingsView,
    as_csv,
    as_record,
    standings,
    view,
)
from readproof.board.rates import network
from readproof.board.web.pages import page, rendered
from readproof.board.web.visit import Task, Visitor, Who, board_of, has_session, language_of, nobody, visitor
from readproof.board.web.watching import LiveResponse, ViewContext
from readproof.board.words import Refusal, word
from readproof.reports.labels import Language

router = APIRouter(include_in_schema=False, prefix="/c/{slug}")
ROWS = 100
# older than this, in seconds, a page has not been heard of by the database
_STALE = 5.0
Maker = Callable[[Request, Visitor, Competition, str, StandingsView, int], str]


@router.get("/ranking")
async def ranking(request: Request, competition: Task, track: str = "", at: int = 1, find: str = "") -> Response:
    """The page that many look at: for visitors without an account it is made once a change, not once a visit."""
    track = _track(competition, track)
    if find.strip():
        return await run_in_threadpool(_search, request, competition, track, find.strip()[:60])
    return await _answer(request, competition, track, at, _whole)


@router.get("/ranking/part")
async def part(request: Request, competition: Task, track: str = "", at: int = 1, version: int = 0) -> Response:
    """What a page that is open puts in the place of its ranking; at least as new as the version it heard of."""
    return await _answer(request, competition, _track(competition, track), at, _only_part, version)


async def _answer(
    request: Request, competition: Competition, track: str, at: int, make: Maker, version: int = 0
) -> Response:
    glances: ViewContext = request.app.state.glances
    if has_session(request):
        try:
            return await run_in_threadpool(_own, request, competition, track, at, make)
        except SQLAlchemyError:
            # the database is away: they get what everybody gets
            pass
    seen = await glances.get(competition, version)
    cache: StandingsCache = request.app.state.cache
    moment = glances.board.clock()
    closed, begun = competition.phase(moment) == "closed", len(competition.begun(moment))
    packed = "gzip" in request.headers.get("accept-encoding", "")
    query = "said" in request.query_params
    known: Standings | None = cache.peek(("standings", competition.slug, track, seen.key))
    # else a stranger could fill the cache with pages that do not exist
    at = _place(known, at)[0] if known else 1 if at < 1 else min(at, ROWS)
    key = (make.__name__, competition.slug, track, seen.key, at, language_of(request), closed, begun, packed)
    found = None if query else cache.peek(key)
    if found is None:
        made = partial(_public, request, competition, track, at, make, seen, packed)
        found = await run_in_threadpool(made if query else partial(cache.get, key, made))
    headers = {"vary": "accept-encoding, accept-language, cookie"} | ({"content-encoding": "gzip"} if packed else {})
    age = glances.age(competition)
    if age > _STALE:
        found = _with_note(found or b"", packed, language_of(request))
        headers["age"] = str(int(age))
    return Response(found, media_type="text/html; charset=utf-8", headers=headers)


def _with_note(found: bytes, packed: bool, language: Language) -> bytes:
    """A page that says of itself that it stands still."""
    text = gzip.decompress(found) if packed else found
    told = f'<p class="wrong" role="status">{word("stale").of(language)}</p>'.encode()
    marked = text.replace(b'<div id="ranking">', told + b'<div id="ranking">', 1)
    return gzip.compress(marked, 5) if packed else marked


def _own(request: Request, competition: Competition, track: str, at: int, make: Maker) -> Response:
    who = visitor(request)
    seen = view(who.board, competition, organiser=who.organiser)
    return HTMLResponse(make(request, who, competition, track, seen, at))


def _search(request: Request, competition: Competition, track: str, find: str) -> Response:
    who = visitor(request)
    seen = view(who.board, competition, organiser=who.organiser)
    return HTMLResponse(_whole(request, who, competition, track, seen, 1, find))


def _public(
    request: Request, competition: Competition, track: str, at: int, make: Maker, seen: StandingsView, packed: bool
) -> bytes:
    # nobody's session is asked for: this is the page of visitors without one
    who = nobody(request)
    # the page is kept for others: nothing of this visitor's own address stands in it
    who.path = f"/c/{competition.slug}/ranking?phase={competition.stage}&track={track}" + (
        f"&at={at}" if at > 1 else ""
    )
    text = make(request, who, competition, track, seen, at).encode()
    return gzip.compress(text, 5) if packed else text


def _whole(
    request: Request, who: Visitor, competition: Competition, track: str, seen: StandingsView, at: int, find: str = ""
) -> str:
    text = _part(request, who, competition, track, seen, at, find)
    # organisers see everything as it is, and are told where others do not
    open_view = view(who.board, competition) if who.organiser else StandingsView(0, None, None)
    made = page(
        request, who, "ranking.html", competition=competition, part=text, track=track, seen=seen, place=at,
        open_view=open_view, tab="ranking",
    )  # fmt: skip
    return bytes(made.body).decode()


def _only_part(
    request: Request, who: Visitor, competition: Competition, track: str, seen: StandingsView, at: int
) -> str:
    return _part(request, who, competition, track, seen, at)


@router.get("/live")
async def live(request: Request, competition: Task) -> Response:
    address = network(request.client.host) if request.client else ""
    return LiveResponse(request.app.state.watcher, competition.slug, address)


@router.get("/ranking.csv")
def table(request: Request, who: Who, competition: Task, track: str = "") -> Response:
    track = _track(competition, track)
    found, seen = _found(request, who, competition, track)
    name = f'attachment; filename="{competition.slug}-{track}.csv"'
    text = as_csv(competition, seen, found, who.board.clock())
    return Response(text, media_type="text/csv; charset=utf-8", headers={"content-disposition": name})


@router.get("/ranking.json")
def record(request: Request, who: Who, competition: Task, track: str = "") -> Response:
    track = _track(competition, track)
    found, seen = _found(request, who, competition, track)
    return JSONResponse(as_record(competition, track, seen, found, who.board.clock()))


def _found(request: Request, who: Visitor, competition: Competition, track: str) -> tuple[Standings, StandingsView]:
    seen = view(who.board, competition, organiser=who.organiser)
    return cached(request, competition, track, seen), seen


def cached(request: Request, competition: Competition, track: str, seen: StandingsView) -> Standings:
    """The standings that go with a view, made once."""
    cache: StandingsCache = request.app.state.cache
    key = ("standings", competition.slug, track, seen.key)
    return cache.get(key, lambda: standings(board_of(request), competition, track, seen))


def warm(app: FastAPI) -> None:
    """Rankings and charts made before the first visitor comes: the first drawing loads what later ones use."""
    board: Board = app.state.board
    for known in board.competitions.values():
        competition = known.now(board.clock())
        seen = view(board, competition)
        prepare(board, app.state.cache, competition, seen)
        app.state.glances.keep(competition, seen)


def prepare(board: Board, cache: StandingsCache, competition: Competition, seen: StandingsView) -> None:
    """What the pages of a view are made of."""
    for track in competition.tracks:
        key = (competition.slug, track, seen.key)
        found = cache.get(("standings", *key), partial(standings, board, competition, track, seen))
        cache.get(("charts", *key), partial(_charts, competition, found))


def _part(
    request: Request, who: Visitor, competition: Competition, track: str, seen: StandingsView, at: int, find: str = ""
) -> Markup:
    cache: StandingsCache = request.app.state.cache
    closed = competition.phase(who.board.clock()) == "closed"
    member = teams.membership(who.board, competition, who.account) if who.account else None
    own = member.team_id if member else 0
    key = ("part", competition.slug, track, seen.key, at, who.language, closed)

    def make() -> Markup:
        found = cached(request, competition, track, seen)
        place, pages = _place(found, at)
        rows = found.rows[(place - 1) * ROWS : place * ROWS]
        if find:
            wanted = folded(find)
            rows, place, pages = tuple(row for row in found.rows if _names(row, wanted))[:ROWS], 1, 1
        number = next((at for at, row in enumerate(found.rows) if row.entry and row.entry.team == own), None)
        values: dict[str, Any] = {
            "own": own,
            "own_row": found.rows[number] if number is not None else None,
            "own_page": number // ROWS + 1 if number is not None else 1,
            "find": find,
            "rows": rows,
            "charts": {},
        }
        if place == 1 and not find:
            values["charts"] = cache.get(("charts", *key[1:4]), lambda: _charts(competition, found))
        return Markup(
            rendered(
                "_ranking.html", who.language, competition=competition, track=track, seen=seen, teams=found.teams,
                prizes=seen.prizes(closed), place=place, pages=pages, **values,
            )
        )  # fmt: skip

    # what marks one's own team is for nobody else
    return make() if own or find else cache.get(key, make)


def _names(row: RankingRow, wanted: str) -> bool:
    organisation = row.entry.organisation if row.entry else ""
    return wanted in folded(row.name) or wanted in folded(organisation)


def _place(found: Standings, at: int) -> tuple[int, int]:
    """A page that there is, and how many there are."""
    pages = max(1, -(-len(found.rows) // ROWS))
    return min(max(1, at), pages), pages


def _charts(competition: Competition, found: Standings) -> dict[str, Any]:
    drawn: dict[str, Any] = {"growth": growth(found.ways, competition)}
    if competition.task == "celue":
        curve = curve_points(competition)
        tasks = sorted({task for row in found.rows for task in row.scores.get("points", {})})
        drawn |= {task: costs(found.rows, curve, task) for task in tasks}
    return {name: chart for name, chart in drawn.items() if chart}


def _track(competition: Competition, track: str) -> str:
    if not track:
        return next(iter(competition.tracks))
    if track not in competition.tracks:
        raise Refusal("refused.track", 404, tracks=", ".join(competition.tracks))
    return track
