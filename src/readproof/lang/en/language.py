"""English as the rest of the package asks for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from readproof.lang.api import Language, TypedSpan, column
from readproof.lang.cloze import Blank, Wording
from readproof.lang.en.entities import entities
from readproof.lang.en.questions import question_of
from readproof.lang.en.words import words

# Answer types in English: see `readproof.lang.api.TypedSpan`.


_PEOPLE = ("person", "given", "surname")
_PLACES = ("country", "city", "state", "continent", "river", "superpower")
_ORGANISATIONS = ("team", "company", "broadcaster", "organisation", "university", "acronym", "contest")
_YEAR = re.compile(r"1\d{3}|20[0-3]\d")


def asked_type(question: str) -> str:
    """The type by the words that ask."""
    found = question_of(question)
    return found.type if found else ""


def typed_spans(text: str) -> tuple[TypedSpan, ...]:
    """Names and numbers as `entities` finds them; a number of four digits that can be a year is a time."""
    return tuple(TypedSpan(one.start, one.end, _type(one.kind, one.text)) for one in entities(text))


def _type(kind: str, text: str) -> str:
    if kind in ("number", "numberword", "ordinal"):
        return "time" if _YEAR.fullmatch(text) else "number"
    if kind in ("month", "weekday", "century"):
        return "time"
    for type, kinds in (("person", _PEOPLE), ("place", _PLACES), ("organisation", _ORGANISATIONS)):
        if kind in kinds:
            return type
    return "work" if kind == "series" else "name"


# Fresh questions in English: a question word in the place of the answer, as in a quiz (He was born in which year?).


_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_DATE = re.compile(f"\\b(?:(?:{_MONTHS}) \\d{{1,2}}(?:, \\d{{4}})?|(?:\\d{{1,2}} )?(?:{_MONTHS}) \\d{{4}})\\b")
_DATED = re.compile(r"\b(?:in|on|since|until|till|by|from|of|during|before|after)\s+$", re.IGNORECASE)
_YEAR_IN_TEXT = re.compile(r"\b(?:1\d{3}|20[0-3]\d)\b(?![–—-])")
_SHARE = re.compile(r"(?<![\d.,–-])(\d+(?:\.\d+)?)(?:%| percent\b| per cent\b)")
_COUNTED = re.compile(r" ([a-z]{3,}(?:s|men|people|million|billion|metres|feet))\b")
_NUMBERED = re.compile(r"(?:[$£€\d,.]|\bof|\bto|\band|\bor|–|-)\s*$")
_IN = re.compile(r"\b(?:in|from|to|at|near)\s+$")


def blanks(sentence: str) -> Iterator[Blank]:
    """The questions that can be made of one sentence."""
    yield from _times(sentence)
    for found in _SHARE.finditer(sentence):
        more = (found[1], f"{found[1]}%", f"{found[1]} percent")
        yield from _asked(sentence, *found.span(), "what percentage", "number", more)
    for span in typed_spans(sentence):
        before, after = sentence[: span.start], sentence[span.end :]
        answer = sentence[span.start : span.end]
        if span.type == "number" and answer[:1].isdigit() and (counted := _COUNTED.match(after)):
            if not _NUMBERED.search(before):
                yield from _asked(sentence, span.start, span.end, "how many", "number", (f"{answer} {counted[1]}",))
        elif span.type == "person" and " " in answer and _stands_alone(before, after):
            yield from _asked(sentence, span.start, span.end, "who", "person")
        elif (
            span.type == "place"
            and _IN.search(before)
            and (after[:1] in (",", ".", ";", "") or re.match(r" [a-z]", after))
            and not re.match(r",? [A-Z]", after)
        ):
            yield from _asked(sentence, span.start, span.end, "which place", "place")


def _times(sentence: str) -> Iterator[Blank]:
    """Dates and years; where a whole date stands, only that is asked for."""
    dates = [found.span() for found in _DATE.finditer(sentence)]
    for start, end in dates:
        if _DATED.search(sentence[:start]):
            word = "what date" if re.search(r"\b\d{1,2}\b", sentence[start:end]) else "which month"
            yield from _asked(sentence, start, end, word, "time")
    for found in _YEAR_IN_TEXT.finditer(sentence):
        inside = any(start < found.end() and found.start() < end for start, end in dates)
        if not inside and _DATED.search(sentence[: found.start()]):
            yield from _asked(sentence, *found.span(), "which year", "time")


def _asked(sentence: str, start: int, end: int, word: str, type: str, more: tuple[str, ...] = ()) -> Iterator[Blank]:
    for one in _WORDING.asked(sentence, start, end, word, type, more):
        yield Blank(one.question[:1].upper() + one.question[1:], start, end, type, one.answers)


def _stands_alone(before: str, after: str) -> bool:
    """A name that is neither part of a longer one nor of a list, and has nobody's 's behind it."""
    if re.search(r"(?:[A-Z][\w.]*|,|\band|\bor|\bof|\bthe)\s+$", before):
        return False
    return bool(re.match(r"(?: [a-z]|[.]?$)", after)) and not re.match(r" (?:and|or)\b", after)


def _size(text: str) -> int:
    return len(words(text))


_WORDING = Wording(
    clause=re.compile("[^,;]+[,;]?(?=\\s|$)|[^,;]+[,;]"),
    asks=re.compile(r"\b(?:who|whom|whose|what|which|where|when|why|how)\b", re.IGNORECASE),
    pairs=("“”", "()", "[]"),
    size=_size,
    whole=34,
    fewest=6,
    wanted=16,
    most=38,
    ends=".!,;: ",
    mark="?",
)


class English(Language):
    """A full stop behind one capital letter is an initial's."""

    code = "en"
    name = "English"
    full_stop = " ."
    neutral_questions = ("Please answer.", "?", "Answer from the text.")
    truth_stems = (
        "Which statement is true according to the passage?",
        "Which statement is false according to the passage?",
    )
    has_ngrams = True

    def common_words(self) -> tuple[str, ...]:
        return column("en", "common")

    def asked_type(self, question: str) -> str:

        return asked_type(question)

    def typed_spans(self, text: str) -> tuple[TypedSpan, ...]:
        return _typed_spans(text)

    def blanks(self, sentence: str) -> Iterator[Blank]:

        return blanks(sentence)


@lru_cache(maxsize=512)
def _typed_spans(text: str) -> tuple[TypedSpan, ...]:

    return typed_spans(text)


ENGLISH = English()
