"""The organiser's lists: all submissions, the log, the people."""

from __future__ import annotations

from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response

from readproof.board import lists, managing
from readproof.board.web.pages import page
from readproof.board.web.visit import Organiser, Task

router = APIRouter(include_in_schema=False, prefix="/c/{slug}/manage")
# the largest number that every database takes for a team
_MOST = 2**31 - 1


@router.get("/submissions")
def submissions(
    request: Request, who: Organiser, competition: Task, state: str = "", team: int = 0, at: int = 1
) -> Response:
    """Those of all teams, or of one; what could not be scored comes with the reason."""
    state = state if state in lists.STATES else ""
    team = team if 0 < team <= _MOST else 0
    found = lists.submissions(who.board, competition, state=state, team=team, place=at)
    chosen = {"state": state, "team": team}
    return page(
        request, who, "all_submissions.html", competition=competition, found=found, chosen=chosen, states=lists.STATES,
        teams=managing.teams(who.board, competition), query=urlencode(chosen), tab="manage",
    )  # fmt: skip


@router.get("/log")
def log(request: Request, who: Organiser, competition: Task, of: str = "", at: int = 1) -> Response:
    """What was done in this competition, or on the whole board: accounts and logins belong to none."""
    everything = of == "all"
    found = lists.log(who.board, None if everything else competition, at)
    query = urlencode({"of": of} if everything else {})
    return page(
        request, who, "log.html", competition=competition, found=found, everything=everything, query=query, tab="manage"
    )


@router.get("/people.csv")
def people(who: Organiser, competition: Task) -> Response:
    name = f'attachment; filename="{competition.slug}-people.csv"'
    text = lists.people_csv(who.board, competition)
    return Response(text, media_type="text/csv; charset=utf-8", headers={"content-disposition": name})
