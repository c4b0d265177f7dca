"""AddSent's rules for English. What asks stands first, so the altered question is turned round to make a statement."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

from readproof.attacks.addsent.altering import in_turn
from readproof.attacks.addsent.entargets import targets
from readproof.attacks.addsent.rules import Alteration
from readproof.attacks.addsent.slots import Slots
from readproof.items import SpanItem
from readproof.lang.en.entities import kin
from readproof.lang.en.fakes import fakes
from readproof.lang.en.questions import question_of
from readproof.lang.en.statements import statement
from readproof.lang.en.things import asked_head, heads
from readproof.lang.en.words import words
from readproof.text import applied

_SENTENCE_END = re.compile('[.!?]+["”\')]*(?=\\s+[A-Z0-9"“(])|\n+')
_ENDED = re.compile("[.!?:;\"”')]\\s*$")
_LONGEST = 320
_DOUBLED = re.compile("\\b(in|on|at|of|the|a|by|to|is|was|from|and) \\1\\b", re.IGNORECASE)
_CLASH = re.compile("\\b(?:in by|by in|in at|in with|of in|a the|the a|because of because|in on)\\b", re.IGNORECASE)

# orders that the rules do not bring into a statement: an object with a long tail, a clause put in, whose, it takes
_TANGLED = re.compile(
    "how many \\w+ (?:do|does|did) .*\\b(?:have to|after|before|in order)\\b|\\bwhose\\b"
    "|\\bhow long (?:do|does|did) it take|\\bhow old (?:is|was|are|were)\\b[^?]*\\b(?:when|while|during|at|in)\\b"
    "|\\b(?:can|did|does|do|could|will|would) [^,?]{3,60},|\\bdo for\\b|\\bwhen (?:was|were) [^?]*\\b\\w+ly \\w+ing\\b"
    "|\\ban example of\\?",
    re.IGNORECASE,
)
_AND_BEFORE = re.compile("(?:\\band|\\bor|&) (?:the )?$")
_AND_BEHIND = re.compile(" (?:and|or|&) (?!\\w+(?:ed|s)\\b [a-z])")
# a time, a place or a number put first says of what the rest is true; other openings leave it as it was
_SETTING = re.compile("(?:in|on|during|by|since|at|before|after) (?:the )?[A-Z0-9]", re.IGNORECASE)
_SET = frozenset({"number", "time", "place"})
# a preposition that has lost what it belongs to, a question's own verb that stayed
_DANGLING = re.compile(
    "\\b(?:of|with|for|from|by|about) (?:to|in|on|of|with|by|after|during)\\b"
    "|\\b(?:did|does) (?!not\\b)(?:the|an?|[A-Z])"
)


class EnglishRules:
    """See `Rules`."""

    def question_phrase(self, item: SpanItem) -> str | None:
        found = question_of(item.question)
        if found and found.type == "thing" and re.search("\\d", _gold(item)):
            return "number"
        return found.type if found else None

    def alter(self, item: SpanItem, slots: Slots, random: Random) -> Iterator[Alteration]:
        found = question_of(item.question)
        if found is None:
            return
        shift = len(item.question) - len(item.question.lstrip())
        fixed = [(found.start + shift, found.end + shift)]
        # the answer is of the kind of this noun, so it stays
        head = asked_head(found) if found.type == "thing" and not found.head else ""
        if head in heads() and (at := item.question.find(f" {head}", fixed[0][1])) >= 0:
            fixed.append((at + 1, at + 1 + len(head)))
        before = item.question[: fixed[0][0]]
        opening = len(before) if found.place == "front" or before.rstrip().endswith(",") else 0
        for streams in targets(item.question, fixed, slots, random):
            for alteration in in_turn(streams):
                if alteration.kind == "other" or _halved(item.question, alteration):
                    continue
                if not _only_opens(item.question[:opening], alteration):
                    yield alteration

    def fake_answers(self, item: SpanItem, random: Random) -> Iterator[str]:
        found = question_of(item.question)
        if found is not None:
            yield from fakes(found, _gold(item), random, item.passage)

    def statement(self, item: SpanItem, alteration: Alteration, answer: str, slots: Slots) -> str:
        altered = applied(item.question, sorted(alteration.edits, key=lambda edit: edit.start)).clean
        if slots.statement is not None:
            return slots.statement(altered, answer)
        found = question_of(altered)
        return statement(found, answer) if found else ""

    def sentence_ends(self, passage: str) -> Sequence[int]:
        return [found.end() for found in _SENTENCE_END.finditer(passage) if found.end() < len(passage.rstrip())]

    def joined(self, before: str, sentence: str) -> str:
        if not before.strip():
            return f"{sentence} "
        return f" {sentence}" if _ENDED.search(before) else f". {sentence}"

    def content_words(self, text: str) -> frozenset[str]:
        return frozenset(
            one.text.lower()
            for one in words(text)
            if one.tag not in ("f", "x") and (one.tag not in ("v", "nv") or one.text in kin())
        )

    def refuses(self, item: SpanItem, statement: str) -> str:
        if _TANGLED.search(item.question):
            return "tangled question"
        if _DOUBLED.search(statement) and not _DOUBLED.search(item.question):
            return "doubled word"
        if "?" in statement:
            return "question mark"
        if _CLASH.search(statement):
            return "clashing words"
        if _DANGLING.search(statement):
            return "dangling word"
        return "too long" if len(statement) > _LONGEST else ""


def _halved(question: str, alteration: Alteration) -> bool:
    """Whether one of a pair is altered: the other half still stands, and with it what was asked about."""
    return any(
        _AND_BEFORE.search(question[: edit.start]) or _AND_BEHIND.match(question[edit.end :])
        for edit in alteration.edits
    )


def _only_opens(opening: str, alteration: Alteration) -> bool:
    """Whether all that is altered stands before what asks, so that what is asked stays as it was."""
    before = bool(opening.strip()) and all(edit.end <= len(opening) for edit in alteration.edits)
    return before and not (_SETTING.match(opening) and alteration.kind in _SET)


def _gold(item: SpanItem) -> str:
    return next((one.text for one in item.golds if one.text), "")


RULES = EnglishRules()
