"""How a page is made: a template, the words of the visitor's language, and what stands on every page."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from fastapi import Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.routing import Match

from readproof.board import markdown
from readproof.board.definition import Competition
from readproof.board.times import spanned, written
from readproof.board.web.visit import Visitor, visitor
from readproof.board.words import Refusal, word, words
from readproof.reports.labels import Label, Language

_SAID = "said."


@lru_cache(maxsize=1)
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("readproof.board.web", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def rendered(template: str, language: Language, **values: Any) -> str:
    """A template in one language; `t` gives the words of a key, `said` those of a label."""

    def t(key: str, **filled: object) -> str:
        return word(key, **filled).of(language)

    def said(label: Label | str) -> str:
        return label.of(language) if isinstance(label, Label) else label

    def marked(label: Label | str) -> Markup:
        return markdown.rendered(said(label))

    return (
        _environment()
        .get_template(template)
        .render(t=t, said=said, when=written, span=spanned, md=marked, figure=figure, language=language, **values)
    )


def page(
    request: Request, who: Visitor, template: str, status: int = 200, *, competition: Competition | None = None,
    **values: Any,
) -> HTMLResponse:  # fmt: skip
    """A whole page."""
    key = request.query_params.get("said", "")
    told = word(_SAID + key).of(who.language) if _SAID + key in words() else ""
    text = rendered(
        template,
        who.language,
        who=who,
        settings=who.board.settings,
        competition=competition,
        told=told,
        now=who.board.clock(),
        **values,
    )
    return HTMLResponse(text, status)


def back(path: str, said: str = "") -> Response:
    """To a page of ours, after a form was heeded."""
    return RedirectResponse(f"{path}?said={said}" if said else path, 303)


def figure(value: Any, competition: Competition) -> str:
    """A figure of the ranking, as exactly as anybody may know it; shares are shown as percent."""
    if not isinstance(value, (int, float)):
        return "–"
    return f"{100 * value if competition.percent else value:.{competition.decimals}f}"


def refused(request: Request, refusal: Refusal) -> HTMLResponse:
    """What was not granted, and why."""
    who = visitor(request)
    told = word(refusal.key, **refusal.values).of(who.language)
    return page(
        request, who, "refused.html", refusal.status, message=told, status_code=refusal.status, back=_up(request)
    )


def _up(request: Request) -> str:
    """The nearest page above that there is; what was sent to a page of ours goes back to that page."""
    path = request.url.path if request.method == "POST" else request.url.path.rpartition("/")[0]
    while path.strip("/"):
        scope = {"type": "http", "method": "GET", "path": path, "root_path": "", "headers": []}
        if any(route.matches(scope)[0] is Match.FULL for route in request.app.router.routes):
            return path
        path = path.rpartition("/")[0]
    return "/"
