"""A fourth language from outside the package: Esperanto, as far as a page of code takes it.

    import examples.esperanto            # registers it
    readproof.prove(reader, items)       # items with language="eo"

A package does the same with entry points: `readproof.languages` for the language, `readproof.addsent_rules` for
AddSent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from readproof.attacks.addsent.rules import RULES, Alteration, Rules, Slots
from readproof.items import Edit, SpanItem
from readproof.lang.api import LANGUAGES, Language, TypedSpan
from readproof.lang.cloze import Blank

COMMON = """la de kaj en al estas estis ne kun por sur ke li ĝi ili per ankaŭ sed aŭ kiu kiam kie post antaŭ ĉe dum tre
"""
PEOPLE = ("Maria Berg", "Petro Nagy", "Anna Lang", "Karlo Varga", "Ivo Bauer", "Klara Novak")
PLACES = ("Prago", "Vieno", "Romo", "Parizo", "Lisbono", "Oslo")
NUMBERS = ("3", "7", "12", "25", "40", "88")
YEARS = ("1743", "1802", "1866", "1921", "1948", "1975")
POOLS = {"person": PEOPLE, "place": PLACES, "number": NUMBERS, "time": YEARS}
ASKS = (("en kiu jaro", "time"), ("kiam", "time"), ("kiom da", "number"), ("kie", "place"), ("kiu", "person"))
_YEAR = re.compile(r"\b(?:1\d{3}|20\d{2})\b")
_NUMBER = re.compile(r"\b\d{1,3}\b")
_PERSON = re.compile(r"\b(?!Kie |Kiu |Kiam |En )[A-ZĈĜĤĴŜŬ][a-zĉĝĥĵŝŭ]+ [A-ZĈĜĤĴŜŬ][a-zĉĝĥĵŝŭ]+\b")
_PLACE = re.compile(r"\b(?:en|al|el) ([A-ZĈĜĤĴŜŬ][a-zĉĝĥĵŝŭ]+)\b(?! [A-Z])")
_KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


class Esperanto(Language):
    """What readproof asks of a language; all that is not here has a default."""

    code = "eo"
    name = "Esperanto"
    neutral_questions = ("Bonvolu respondi.", "?")

    def common_words(self) -> tuple[str, ...]:
        return tuple(COMMON.split())

    def asked_type(self, question: str) -> str:
        return next((type for words, type in ASKS if re.search(rf"\b{words}\b", question, re.IGNORECASE)), "")

    def typed_spans(self, text: str) -> tuple[TypedSpan, ...]:
        found = [TypedSpan(*one.span(), "time") for one in _YEAR.finditer(text)]
        found += [TypedSpan(*one.span(), "number") for one in _NUMBER.finditer(text)]
        found += [TypedSpan(*one.span(), "person") for one in _PERSON.finditer(text)]
        found += [TypedSpan(*one.span(1), "place") for one in _PLACE.finditer(text)]
        return tuple(sorted(found, key=lambda one: one.start))

    def blanks(self, sentence: str) -> Iterator[Blank]:
        """«Ŝi venis en 1921 al Romo.» → «Ŝi venis en kiu jaro al Romo?»"""
        words = {"time": "kiu jaro", "person": "kiu", "place": "kiu loko"}
        for span in self.typed_spans(sentence):
            if span.type in words and len(sentence.split()) > 4:
                asked = (sentence[: span.start] + words[span.type] + sentence[span.end :]).rstrip(".! ") + "?"
                yield Blank(asked, span.start, span.end, span.type, (sentence[span.start : span.end],))

    def slips(self, kind: str = "both") -> Mapping[str, str]:  # noqa: ARG002
        """The keys beside the right one."""
        return {key: row[max(0, at - 1) : at] + row[at + 1 : at + 2] for row in _KEYS for at, key in enumerate(row)}


class EsperantoRules(Rules):
    """What AddSent asks of a language: another question, a false answer to it, and both as a sentence."""

    def question_phrase(self, item: SpanItem) -> str | None:
        return ESPERANTO.asked_type(item.question) or None

    def alter(self, item: SpanItem, slots: Slots, random: Random) -> Iterator[Alteration]:  # noqa: ARG002
        """Another name, place, year or number in the question."""
        for span in ESPERANTO.typed_spans(item.question):
            old = item.question[span.start : span.end]
            for new in random.sample(POOLS[span.type], len(POOLS[span.type])):
                if new not in item.passage:
                    yield Alteration((Edit(span.start, old, new, span.type),), span.type)

    def fake_answers(self, item: SpanItem, random: Random) -> Iterator[str]:
        type = ESPERANTO.asked_type(item.question)
        yield from random.sample(POOLS.get(type, ()), len(POOLS.get(type, ())))

    def statement(self, item: SpanItem, alteration: Alteration, answer: str, slots: Slots) -> str:  # noqa: ARG002
        edit = alteration.edits[0]
        question = item.question[: edit.start] + edit.new + item.question[edit.end :]
        for words, type in ASKS:
            found = re.search(rf"\b{words}\b", question, re.IGNORECASE)
            if found:
                text = question[: found.start()] + _in_place(answer, type) + question[found.end() :]
                text = text.rstrip("? ")
                return text[:1].upper() + text[1:] + "."
        return ""

    def sentence_ends(self, passage: str) -> Sequence[int]:
        return [end for _, end in ESPERANTO.sentences(passage)][:-1]

    def joined(self, before: str, sentence: str) -> str:
        return f" {sentence}" if before.strip() else f"{sentence} "

    def content_words(self, text: str) -> frozenset[str]:
        return ESPERANTO.overlap_units(text) - frozenset(COMMON.split())

    def refuses(self, item: SpanItem, statement: str) -> str:  # noqa: ARG002
        return "a question" if "?" in statement else ""


def _in_place(answer: str, type: str) -> str:
    return f"en {answer}" if type in ("time", "place") else answer


ESPERANTO = Esperanto()
LANGUAGES.add("eo", ESPERANTO)
RULES.add("eo", EsperantoRules())
