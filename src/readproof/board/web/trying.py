"""The try-it page: paste a passage and a question, or options, and see the reader answer, attacked and not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request, Response

from readproof.board import rates, tryit
from readproof.board.refusal import Refusal
from readproof.board.web.pages import page
from readproof.board.web.visit import Fields, Visitor, Who, keep_form
from readproof.board.words import word

router = APIRouter(include_in_schema=False)
_USUAL = ("addsent", "invisible", "typo")
_EXAMPLE = {
    "passage": "《战国无双3》是由光荣和ω-force开发的战国无双系列的正统第三续作。本作以三大故事为主轴，"
    "分别是以武田信玄等人为主的《关东三国志》，以织田信长等人为主的《战国三杰》。",
    "question": "《战国无双3》是由哪两个公司合作开发的？",
    "options": "",
}


@router.get("/try")
def form(request: Request, who: Who) -> Response:
    return _shown(request, who, _EXAMPLE, _USUAL)


@router.post("/try")
def ask(request: Request, who: Who, fields: Fields) -> Response:
    """What was pasted stays in the form, also where it is refused."""
    _refuse_off(who)
    given = {name: fields.get(name, "").replace("\r\n", "\n").strip() for name in tryit.LONGEST}
    attacks = tuple(name for name in tryit.ATTACKS if fields.get(f"attack-{name}"))
    try:
        return _shown(request, who, given, attacks, **_read(who, given, attacks))
    except Refusal as refusal:
        told = word(refusal.key, **refusal.values).of(who.language)
        return _shown(request, who, given, attacks, refusal.status, wrong=told)


def _read(who: Visitor, given: Mapping[str, str], attacks: tuple[str, ...]) -> dict[str, Any]:
    for name, most in tryit.LONGEST.items():
        if len(given[name]) > most:
            raise Refusal("refused.try-long", 413, most=most)
    if not given["passage"] or not given["question"]:
        raise Refusal("refused.try-empty")
    with who.board.database.writing() as session:
        rates.take(session, "try", rates.network(who.address), who.board.clock())
    options = [line.strip() for line in given["options"].split("\n") if line.strip()]
    if not options:
        return {"spans": tryit.read_spans(given["passage"], given["question"], attacks)}
    if not 2 <= len(options) <= 8:
        raise Refusal("refused.try-options")
    return {"judged": tryit.read_options(given["passage"], given["question"], options)}


def _shown(
    request: Request, who: Visitor, given: Mapping[str, str], attacks: tuple[str, ...], status: int = 200, **values: Any
) -> Response:
    _refuse_off(who)
    results = {"spans": [], "judged": [], "wrong": ""} | values
    response = page(
        request, who, "try.html", status, given=given, attacks=tryit.ATTACKS, on=attacks, longest=tryit.LONGEST,
        **results,
    )  # fmt: skip
    keep_form(response, who)
    return response


def _refuse_off(who: Visitor) -> None:
    if not who.board.settings.try_it:
        raise Refusal("refused.no-page", 404)
