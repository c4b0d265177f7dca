"""The try-it page: paste a passage and a question, or options, and see the reader answer, attacked and not."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from fastapi import APIRouter, Request, Response

from readproof.attacks.base import Attack
from readproof.attacks.known import make_attack
from readproof.board import rates
from readproof.board.rates import Turns
from readproof.board.web.pages import page
from readproof.board.web.visit import Fields, Visitor, Who, keep_form
from readproof.board.words import Refusal, word
from readproof.items import Answer, ChoiceItem, Edit, Gold, SpanItem, letter
from readproof.lang.api import detect
from readproof.readers.api import Reader
from readproof.readers.factory import load_reader, reader_for
from readproof.text import encodable

# The try-it page's work: a passage and a question read, attacked, and read again; what changed is marked.
#
# Nobody knows the right answer here, so the reader's own answer to the clean text is what an attack must leave
# standing.


# attacks that need no search, so that they answer at once
ATTACKS = ("addsent", "paraphrase", "invisible", "homoglyph", "reorder", "script", "typo")
LONGEST = {"passage": 3000, "question": 300, "options": 2000}
_SEED = 0
_EVIDENCE = 2
# reading takes a core: one at a time, and others are told to come back
_READING = Turns(1, 3)


@dataclass(frozen=True, slots=True)
class MarkedPiece:
    """A piece of a text; `kinds` are the marks that lie over it."""

    text: str
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TriedReading:
    """What the reader said of the text as given, or of an attacked one; `skipped` says why there is none."""

    attack: str
    answer: str = ""
    confidence: float | None = None
    pieces: tuple[MarkedPiece, ...] = ()
    question: str = ""
    same: bool = True
    skipped: str = ""


@dataclass(frozen=True, slots=True)
class TriedOption:
    """An option with its score and the sentences that it was judged by."""

    letter: str
    text: str
    score: float | None
    chosen: bool
    evidence: tuple[str, ...]


def read_spans(passage: str, question: str, attacks: Iterable[str]) -> list[TriedReading]:
    """The answer to the clean text, then one for each attack."""
    with _READING:
        item = SpanItem(id="try", passage=passage, question=question, language=detect(passage))
        reader = _reader(reader_for(passage))
        first = reader.answer([item])[0]
        found = [_read("", item, first, (), True)]
        if first.start is None or not first.raw:
            return found
        known = SpanItem(
            id="try",
            passage=passage,
            question=question,
            golds=(Gold(first.raw, first.start),),
            language=item.language,
        )
        for name in attacks:
            found.append(_attacked(name, known, reader, first.text))
        return found


def read_options(passage: str, question: str, options: Sequence[str]) -> list[TriedOption]:
    """Each option with what it was judged by."""
    from readproof.readers.options import JudgesOptions

    with _READING:
        language = detect(passage)
        item = ChoiceItem(id="try", passage=passage, question=question, options=tuple(options), language=language)
        reader = _reader(reader_for(passage))
        if not isinstance(reader, JudgesOptions):
            raise Refusal("refused.try-options")
        judged = reader.judge(item)
    found = []
    for at, (text, option) in enumerate(zip(options, judged.options, strict=True)):
        evidence = tuple(visible(passage[one.start : one.end]) for one in option.evidence[:_EVIDENCE])
        found.append(TriedOption(letter(at), text, option.score, at == judged.answer.choice, evidence))
    return found


def _attacked(name: str, item: SpanItem, reader: Reader, before: str) -> TriedReading:
    attack = make_attack(name)
    if not isinstance(attack, Attack) or not attack.about.speaks(item.language):
        return TriedReading(name, skipped="language")
    made = attack.make(item, seed=_SEED, count=1)
    if not made.variants:
        return TriedReading(name, skipped=made.skipped or "nothing")
    variant = made.variants[0]
    if not isinstance(variant.item, SpanItem):
        return TriedReading(name, skipped="nothing")
    answer = reader.answer([variant.item])[0]
    return _read(name, variant.item, answer, variant.edits, answer.text == before)


def _read(name: str, item: SpanItem, answer: Answer, edits: Sequence[Edit], same: bool) -> TriedReading:
    marks = [(start, end, "new") for start, end in _new(edits)]
    if answer.start is not None and answer.end is not None:
        marks.append((answer.start, answer.end, "answer"))
    pieces = _pieces(item.passage, marks)
    return TriedReading(name, visible(answer.text), answer.confidence, pieces, visible(item.question), same)


def _new(edits: Sequence[Edit]) -> list[tuple[int, int]]:
    """Where the edits of the passage stand in the new one."""
    found, moved = [], 0
    for edit in sorted((one for one in edits if one.where in ("", "passage")), key=lambda one: one.start):
        start = edit.start + moved
        found.append((start, start + len(edit.new)))
        moved += len(edit.new) - len(edit.old)
    return found


def _pieces(text: str, marks: Sequence[tuple[int, int, str]]) -> tuple[MarkedPiece, ...]:
    """The text cut where marks begin and end."""
    cuts = sorted({0, len(text), *(min(max(at, 0), len(text)) for start, end, _ in marks for at in (start, end))})
    pieces = []
    for first, last in pairwise(cuts):
        kinds = tuple(dict.fromkeys(kind for start, end, kind in marks if start <= first and last <= end))
        pieces.append(MarkedPiece(visible(text[first:last]), kinds))
    return tuple(pieces)


def visible(text: str) -> str:
    """A text for a page: what cannot be seen, or turns other text round, is shown by its number."""
    odd = ("Cf", "Cc", "Co", "Cn")
    return "".join(
        one if one in "\n\u200c" or unicodedata.category(one) not in odd else f"⟨U+{ord(one):04X}⟩"
        for one in encodable(text)
    )


@lru_cache(maxsize=2)
def _reader(name: str) -> Reader:
    return load_reader(name, threads=1)


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
    given = {name: fields.get(name, "").replace("\r\n", "\n").strip() for name in LONGEST}
    attacks = tuple(name for name in ATTACKS if fields.get(f"attack-{name}"))
    try:
        return _shown(request, who, given, attacks, **_read_and_attack(who, given, attacks))
    except Refusal as refusal:
        told = word(refusal.key, **refusal.values).of(who.language)
        return _shown(request, who, given, attacks, refusal.status, wrong=told)


def _read_and_attack(who: Visitor, given: Mapping[str, str], attacks: tuple[str, ...]) -> dict[str, Any]:
    for name, most in LONGEST.items():
        if len(given[name]) > most:
            raise Refusal("refused.try-long", 413, most=most)
    if not given["passage"] or not given["question"]:
        raise Refusal("refused.try-empty")
    with who.board.database.writing() as session:
        rates.take(session, "try", rates.network(who.address), who.board.clock())
    options = [line.strip() for line in given["options"].split("\n") if line.strip()]
    if not options:
        return {"spans": read_spans(given["passage"], given["question"], attacks)}
    if not 2 <= len(options) <= 8:
        raise Refusal("refused.try-options")
    return {"judged": read_options(given["passage"], given["question"], options)}


def _shown(
    request: Request, who: Visitor, given: Mapping[str, str], attacks: tuple[str, ...], status: int = 200, **values: Any
) -> Response:
    _refuse_off(who)
    results = {"spans": [], "judged": [], "wrong": ""} | values
    response = page(
        request, who, "try.html", status, given=given, attacks=ATTACKS, on=attacks, longest=LONGEST,
        **results,
    )  # fmt: skip
    keep_form(response, who)
    return response


def _refuse_off(who: Visitor) -> None:
    if not who.board.settings.try_it:
        raise Refusal("refused.no-page", 404)
