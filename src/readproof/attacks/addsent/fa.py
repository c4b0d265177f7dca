"""AddSent's rules for Persian. What asks stands where the answer would, so the answer takes its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random

from readproof.attacks.addsent.fatargets import targets
from readproof.attacks.addsent.rules import Alteration, Rules, Slots, in_turn
from readproof.attacks.base import random_of
from readproof.items import Edit, SpanItem
from readproof.lang.fa.fakes import fakes
from readproof.lang.fa.questions import Phrase, phrases, pools
from readproof.lang.fa.words import key, words
from readproof.text import applied

_SENTENCE_END = re.compile('[.!؟?؛]+[»”")]*(?=\\s)|\n+')
_ENDED = re.compile('[.!؟?؛:»”")]\\s*$')
_LEFT = re.compile("(?<![\\w\u200c])(?:چه|کدام|چرا|چگونه|کجا|کجاست|چیست|کیست|چند|چقدر|چطور|آیا|کدامند)(?![\\w\u200c])")
_DOUBLED = re.compile("(?<!\\w)(در|به|از|را|با|است|بود|سال|نام|شهر|کشور|برای|و)\\s+\\1(?!\\w)|در در|به به|در به\\s")
# an answer that brings its noun before the noun itself: «۷۲۸ شرکت شرکت»
_TWICE = re.compile("(?<![\\w\u200c])([\\w\u200c]{3,}) \\1(?![\\w\u200c])")
_IS = re.compile("\\s*(?:است|بود|می‌باش|می باش|هست|بودند)")
# the ending of a noun that is asked for, written apart: «چه نوع ماده ای»
_LOOSE = re.compile("[\\w\u200c\u064b-\u0655]+ (?:ای|ایی)(?![\\w\u200c])")
_LONGEST = 330
_ORDER = re.compile("(?:کنید|ببرید|بنویسید|بدهید|دهید|بگویید|نمایید|بیاورید|بزنید)\\.$")


class PersianRules(Rules):
    """See `Rules`."""

    def question_phrase(self, item: SpanItem) -> str | None:
        found = phrases(item.question)
        family = _family(found[0]) if found else None
        return "number" if family in ("thing", "what") and re.search("\\d", _gold(item)) else family

    def alter(self, item: SpanItem, slots: Slots, random: Random) -> Iterator[Alteration]:
        found = phrases(item.question)
        # «که ببینند چرا …»: a second question inside the first has no answer to take its place
        if any(one.type == "reason" for one in found[1:]):
            return
        fixed = [(one.start, one.end) for one in found]
        for streams in targets(item.question, fixed, slots, random):
            yield from in_turn(streams)

    def fake_answers(self, item: SpanItem, random: Random) -> Iterator[str]:
        yield from fakes(phrases(item.question)[0], _gold(item), item.question, random)

    def statement(self, item: SpanItem, alteration: Alteration, answer: str, slots: Slots) -> str:
        if slots.statement is not None:
            altered = applied(item.question, sorted(alteration.edits, key=lambda edit: edit.start)).clean
            return slots.statement(altered, answer)
        found = phrases(item.question)
        random = random_of(f"{item.id}|{answer}")
        answers = [answer, *(next(fakes(one, "", item.question, random), "") for one in found[1:])]
        edits = [_edit(item.question, one, text) for one, text in zip(found, answers, strict=True)]
        edits = [_parted(one, alteration) for one in edits]
        named = answer not in pools()["personrole"]
        parted = [_set_off(one, found) if named else one for one in alteration.edits]
        both = sorted([*edits, *parted], key=lambda edit: (edit.start, edit.end))
        if any(one.end > other.start or (one.start == other.start and one.old) for one, other in pairwise(both)):
            return ""
        text = applied(item.question, both).clean
        text = re.sub("\\s+", " ", re.sub("[\\s؟?.!:؛،\u200c\u200e\u200f]+$", "", text)).strip()
        return f"{_smooth(text)}." if text else ""

    def sentence_ends(self, passage: str) -> Sequence[int]:
        return [found.end() for found in _SENTENCE_END.finditer(passage) if found.end() < len(passage.rstrip())]

    def joined(self, before: str, sentence: str) -> str:
        if not before.strip():
            return f"{sentence} "
        return f" {sentence}" if _ENDED.search(before) else f". {sentence}"

    def content_words(self, text: str) -> frozenset[str]:
        return frozenset(key(word.text) for word in words(text) if word.tag != "f")

    def refuses(self, item: SpanItem, statement: str) -> str:
        kept = item.question
        for phrase in sorted(phrases(kept), key=lambda one: -one.start):
            kept = kept[: phrase.start] + "_" + kept[phrase.end :]
        if any(left[0] not in kept for left in _LEFT.finditer(statement)):
            return "question word left"
        if any(found[0] not in item.question for found in _DOUBLED.finditer(statement)):
            return "doubled word"
        spaced = re.sub("\\s+", " ", item.question)
        if any(found[0] not in spaced for found in _LOOSE.finditer(statement)):
            return "loose ending"
        if _ORDER.search(statement):
            return "an order"
        return "too long" if len(statement) > _LONGEST else ""


def _family(phrase: Phrase) -> str:
    """The type in the words that the checks know."""
    if phrase.type in ("year", "years", "date", "century", "decade", "time", "day", "month"):
        return "time"
    return "number" if phrase.type in ("number", "ordinal", "ordinalmost") else phrase.type


def _gold(item: SpanItem) -> str:
    return next((one.text for one in item.golds if one.text), "")


def _edit(question: str, phrase: Phrase, answer: str) -> Edit:
    frame = phrase.frame
    # an answer that brings the noun of the frame with it needs no second one
    lead = frame.split("{}", 1)[0].strip()
    if lead == "جنگ" and answer.startswith("نبرد "):
        frame = "{}"
    if lead and answer.startswith(lead.split()[-1] + " "):
        frame = frame.replace(lead.split()[-1] + " ", "", 1)
    if (
        phrase.head == "رنگ"
        and not re.search("به\\s*$", question[: phrase.start])
        and _IS.match(question[phrase.end :])
    ):
        frame = f"به {frame}"
    if phrase.type == "reason" and not question[: phrase.start].strip():
        frame += "،"
    return Edit(phrase.start, question[phrase.start : phrase.end], frame.replace("{}", answer), "answer")


def _set_off(edit: Edit, found: Sequence[Phrase]) -> Edit:
    """Two names in a row want a comma between them."""
    meets = any(one.type == "person" and edit.end + 1 == one.start for one in found)
    return replace(edit, new=f"{edit.new}،") if edit.why == "person" and meets else edit


def _parted(answer: Edit, alteration: Alteration) -> Edit:
    """The same where the answer comes first."""
    meets = any(one.why == "person" and answer.end + 1 == one.start for one in alteration.edits)
    return replace(answer, new=f"{answer.new}،") if meets and not answer.new.endswith("،") else answer


def _smooth(text: str) -> str:
    """Joints that a replacement leaves: two spaces, a space before a comma, «هستند» after one thing."""
    text = re.sub("\\s+([،؛.])", "\\1", text)
    text = re.sub("(\\d{4}) (?=\\d)", "\\1، ", text)
    text = re.sub("است (?:است|بود)", "است", text)
    return _TWICE.sub("\\1", text)


RULES = PersianRules()
