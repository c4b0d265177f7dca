"""News, their feed, and the pages on which organisers write: texts and dates with their history."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from readproof.board import content
from readproof.board.web.manage import moment
from readproof.board.web.pages import back, page
from readproof.board.web.visit import Fields, Number, Organiser, Task, Who

router = APIRouter(include_in_schema=False, prefix="/c/{slug}")


@router.get("/news")
def news(request: Request, who: Who, competition: Task) -> Response:
    found = content.news(who.board, competition)
    return page(request, who, "news.html", competition=competition, news=found, tab="news")


@router.get("/news.atom")
def feed(who: Who, competition: Task) -> Response:
    return Response(content.feed(who.board, competition), media_type="application/atom+xml; charset=utf-8")


@router.post("/manage/news")
def publish(who: Organiser, competition: Task, fields: Fields) -> Response:
    title, body = fields.get("title", ""), fields.get("body", "")
    content.publish(who.board, competition, who.known(), title, body, mailed=bool(fields.get("mail")))
    return back(f"/c/{competition.slug}/news", "news")


@router.post("/manage/news/{number}/withdraw")
def withdraw(number: Number, who: Organiser, competition: Task, fields: Fields) -> Response:  # noqa: ARG001 - checked
    content.withdraw(who.board, competition, who.known(), number)
    return back(f"/c/{competition.slug}/news", "news-gone")


@router.get("/manage/edit")
def edit(request: Request, who: Organiser, competition: Task) -> Response:
    texts, dates = content.history(who.board, competition)
    return page(
        request, who, "edit.html", competition=competition, texts=texts, dates=dates, names=content.TEXTS, tab="manage"
    )


@router.post("/manage/texts/{name}")
def set_text(name: str, who: Organiser, competition: Task, fields: Fields) -> Response:
    content.set_text(who.board, competition, who.known(), name, fields.get("en", ""), fields.get("zh", ""))
    return back(f"/c/{competition.slug}/manage/edit", "text")


@router.post("/manage/dates/{name}")
def set_dates(name: str, who: Organiser, competition: Task, fields: Fields) -> Response:
    """Fields that are not sent stay; empty ones are taken away."""
    given = {one: moment(competition, fields[one]) for one in content.FIELDS if one in fields}
    content.set_dates(who.board, competition, who.known(), name, given)
    return back(f"/c/{competition.slug}/manage/edit", "dates")
