"""The organiser's page of a competition."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse

from readproof.board import audit, crosscheck, deadlines, managing, rescoring
from readproof.board.certificates import certificate, find_font, winner_of
from readproof.board.crosscheck import CrossCheckPair, drawn
from readproof.board.definition import Competition
from readproof.board.ranking import RankingRow, StandingsView, standings, view
from readproof.board.receiving import file_of
from readproof.board.web.pages import back, page
from readproof.board.web.taking_part import one
from readproof.board.web.visit import Fields, Number, Organiser, Task, Visitor
from readproof.board.words import Refusal

router = APIRouter(include_in_schema=False, prefix="/c/{slug}/manage")


@router.get("")
def manage(request: Request, who: Organiser, competition: Task) -> Response:
    open_view, own_view = view(who.board, competition), view(who.board, competition, organiser=True)
    return page(
        request, who, "manage.html", competition=competition, tab="manage", seen=open_view, own=own_view,
        teams=managing.teams(who.board, competition), identical=managing.identical(who.board, competition),
        crosscheck=_crosscheck(who, competition, own_view), winners=_winners(who, competition, own_view),
        scoring=rescoring.scoring_state(who.board, competition),
        dashboard=managing.dashboard(who.board, competition),
        checks=crosscheck.checks(who.board, competition),
        withdrawals=crosscheck.withdrawals(who.board, competition),
        organisers=managing.organisers(who.board, competition),
        extensions=deadlines.extensions(who.board, competition),
    )  # fmt: skip


def _crosscheck(
    who: Visitor, competition: Competition, seen: StandingsView
) -> dict[str, tuple[str, list[CrossCheckPair]]]:
    found = {}
    for track in competition.tracks:
        rows = standings(who.board, competition, track, seen).rows
        found[track] = drawn(competition.slug, track, rows)
    return found


def _winners(who: Visitor, competition: Competition, seen: StandingsView) -> dict[str, list[RankingRow]]:
    """Those who get a prize, once submission has closed."""
    if competition.phase(who.board.clock()) != "closed":
        return {}
    return {
        track: [row for row in standings(who.board, competition, track, seen).rows if competition.prize(row.award)]
        for track in competition.tracks
    }


@router.post("/rescore")
def rescore(who: Organiser, competition: Task, fields: Fields) -> Response:
    """Everything of a kind is scored again by the workers."""
    which = next((one for one in rescoring.WHICH if one == fields.get("which")), None)
    if which is None:
        raise Refusal("refused.request")
    rescoring.queue(who.board, competition, which, who.known())
    return back(f"/c/{competition.slug}/manage", "rescore")


@router.post("/submissions/{number}/rescore")
def rescore_one(number: str, who: Organiser, competition: Task, fields: Fields) -> Response:  # noqa: ARG001 - checked
    rescoring.queue_one(who.board, competition, one(who, competition, number).id, who.known())
    return back(f"/c/{competition.slug}/submissions/{number}", "rescore")


@router.post("/submissions/{number}/invalidate")
def invalidate(number: str, who: Organiser, competition: Task, fields: Fields) -> Response:
    found = one(who, competition, number)
    rescoring.invalidate(who.board, competition, who.known(), found.id, fields.get("reason", ""))
    return back(f"/c/{competition.slug}/submissions/{number}", "invalid")


@router.post("/submissions/{number}/restore")
def restore(number: str, who: Organiser, competition: Task, fields: Fields) -> Response:  # noqa: ARG001 - checked
    rescoring.restore(who.board, competition, who.known(), one(who, competition, number).id)
    return back(f"/c/{competition.slug}/submissions/{number}", "restored")


@router.post("/freeze")
def freeze(who: Organiser, competition: Task, fields: Fields) -> Response:
    frozen = fields.get("frozen") == "yes"
    managing.freeze(who.board, competition, who.known(), frozen)
    return back(f"/c/{competition.slug}/manage", "frozen" if frozen else "thawed")


def moment(competition: Competition, given: str) -> datetime | None:
    """A time of a form, in the competition's zone; None where the field is empty."""
    try:
        found = datetime.fromisoformat(given.strip()) if given.strip() else None
        return found and (found if found.tzinfo else found.replace(tzinfo=competition.zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise Refusal("refused.date") from None


@router.post("/organisers")
def promote(who: Organiser, competition: Task, fields: Fields) -> Response:
    managing.promote(who.board, competition, who.known(), fields.get("mail", ""))
    return back(f"/c/{competition.slug}/manage", "promoted")


@router.post("/organisers/{number}/demote")
def demote(number: Number, who: Organiser, competition: Task, fields: Fields) -> Response:  # noqa: ARG001 - checked
    managing.demote(who.board, competition, who.known(), number)
    return back(f"/c/{competition.slug}/manage", "demoted")


@router.post("/extend")
def extend(who: Organiser, competition: Task, fields: Fields) -> Response:
    """More time for one team; a time before the end of the phase takes it back."""
    until, team = moment(competition, fields.get("until", "")), fields.get("team", "")
    if until is None:
        raise Refusal("refused.date")
    if not team.isascii() or not team.isdigit() or int(team) > _MOST:
        raise Refusal("refused.no-such-team", 404)
    deadlines.extend(who.board, competition, who.known(), int(team), until, fields.get("reason", ""))
    return back(f"/c/{competition.slug}/manage", "extended")


@router.post("/hide")
def hide(who: Organiser, competition: Task, fields: Fields) -> Response:
    """The time is that of the competition's zone."""
    until = moment(competition, "" if fields.get("show") else fields.get("until", ""))
    managing.hide(who.board, competition, who.known(), until)
    # the competition's file may say a later date
    hidden = view(who.board, competition).hidden_until
    return back(f"/c/{competition.slug}/manage", "hidden" if hidden else "shown")


@router.post("/teams/{number}/disqualify")
def disqualify(number: Number, who: Organiser, competition: Task, fields: Fields) -> Response:
    managing.disqualify(who.board, competition, who.known(), number, fields.get("reason", ""))
    return back(f"/c/{competition.slug}/manage", "disqualified")


@router.post("/teams/{number}/reinstate")
def reinstate(number: Number, who: Organiser, competition: Task, fields: Fields) -> Response:  # noqa: ARG001 - checked
    managing.reinstate(who.board, competition, who.known(), number)
    return back(f"/c/{competition.slug}/manage", "reinstated")


@router.post("/crosscheck")
def draw(who: Organiser, competition: Task, fields: Fields) -> Response:  # noqa: ARG001 - checked by being read
    """Keep the draw: the teams see whose submission they run again."""
    crosscheck.draw(who.board, competition, who.known())
    return back(f"/c/{competition.slug}/manage", "drawn")


@router.post("/awards/{track}/{number}")
def award_of(track: str, number: Number, who: Organiser, competition: Task, fields: Fields) -> Response:
    """A prize is withdrawn with a reason, or given back."""
    if fields.get("restore"):
        crosscheck.restore_award(who.board, competition, who.known(), number, track)
        return back(f"/c/{competition.slug}/manage", "award-back")
    crosscheck.withdraw_award(who.board, competition, who.known(), number, track, fields.get("reason", ""))
    return back(f"/c/{competition.slug}/manage", "award-gone")


@router.get("/certificates/{track}/{number}.pdf")
def award(track: str, number: Number, who: Organiser, competition: Task) -> Response:
    """The certificate of a team that has won something, when submission has closed."""
    board = who.board
    if track not in competition.tracks or competition.phase(board.clock()) != "closed":
        raise Refusal("refused.no-page", 404)
    rows = standings(board, competition, track, view(board, competition, organiser=True)).rows
    row = next((row for row in rows if row.entry and row.entry.team == number), None)
    winner = winner_of(competition, row, managing.people(board, number)) if row else None
    if winner is None:
        raise Refusal("refused.no-page", 404)
    font = find_font(board.settings.font)
    at = competition.dates.submission_closes
    made = certificate(competition, competition.tracks[track], winner, at, board.settings.title, font)
    name = f'attachment; filename="certificate-{competition.slug}-{track}-{winner.rank}-{number}.pdf"'
    return Response(made, media_type="application/pdf", headers={"content-disposition": name})


@router.get("/files/{number}")
def package(number: str, who: Organiser, competition: Task) -> Response:
    """The uploaded file itself, to reproduce it."""
    found = one(who, competition, number)
    path = file_of(who.board, found)
    if not path.is_file():
        raise Refusal("refused.no-page", 404)
    return FileResponse(path, filename=path.name, media_type="application/octet-stream")


# The organiser's lists: all submissions, the log, the people.


# the largest number that every database takes for a team
_MOST = 2**31 - 1


@router.get("/submissions")
def submissions(
    request: Request, who: Organiser, competition: Task, state: str = "", team: int = 0, at: int = 1
) -> Response:
    """Those of all teams, or of one; what could not be scored comes with the reason."""
    state = state if state in audit.STATES else ""
    team = team if 0 < team <= _MOST else 0
    found = audit.submissions(who.board, competition, state=state, team=team, place=at)
    chosen = {"state": state, "team": team}
    return page(
        request, who, "all_submissions.html", competition=competition, found=found, chosen=chosen, states=audit.STATES,
        teams=managing.teams(who.board, competition), query=urlencode(chosen), tab="manage",
    )  # fmt: skip


@router.get("/log")
def log(request: Request, who: Organiser, competition: Task, of: str = "", at: int = 1) -> Response:
    """What was done in this competition, or on the whole board: accounts and logins belong to none."""
    # accounts and logins are for organisers of the whole board
    everything = of == "all" and who.known().organiser
    found = audit.log(who.board, None if everything else competition, at)
    query = urlencode({"of": of} if everything else {})
    return page(
        request, who, "log.html", competition=competition, found=found, everything=everything, query=query, tab="manage"
    )


@router.get("/people.csv")
def people(who: Organiser, competition: Task) -> Response:
    name = f'attachment; filename="{competition.slug}-people.csv"'
    text = audit.people_csv(who.board, competition)
    return Response(text, media_type="text/csv; charset=utf-8", headers={"content-disposition": name})
