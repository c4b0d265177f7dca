"""Noun phrases and clauses that can change places: who does what to whom, what is the cause of what."""

from __future__ import annotations

import re
from itertools import pairwise

from readproof.attacks.options.view import OptionView
from readproof.lang.api import Word

# a word that makes a clause of a phrase, or points outside it
_NOT_IN_PHRASE = re.compile(
    "(?:是|也|都|就|还|又|才|便|却|则|不|没有|没|未|被|把|将|使|让|令|能|会|可以|能够|应|应该|必须|要|因为|所以|但|但是|虽然|如果"
    "|只有|只要|并|从|在|对|向|由|于|比|为|以|用|通过|了|着|过|而|地|得|它|他|她|它们|他们|她们|其|这|那|这些|那些|此|之)$"
)
_ENDS = ("n", "vn", "an", "j", "l", "i", "t", "s", "eng", "v")


def words_in(view: OptionView, start: int, end: int) -> list[Word]:
    """The words of a place."""
    return [word for word in view.words if start <= word.start and word.end <= end]


def is_noun_phrase(view: OptionView, start: int, end: int, longest: int = 18) -> bool:
    """Whether a place looks like a noun phrase by itself: whole words, no adverb, no pronoun, a noun at its end."""
    if not 2 <= end - start <= longest or not view.whole(start, end):
        return False
    inside = words_in(view, start, end)
    if not inside or any(_NOT_IN_PHRASE.match(word.text) or word.tag[0] in "dpy" for word in inside):
        return False
    text = view.text[start:end]
    if text.count("“") != text.count("”") or text.count("《") != text.count("》"):
        return False
    if re.search("的$|^的|[和与及]$|^[和与及而但并使且]|是|可能|随之", text):
        return False
    if any(_acts(first, second) for first, second in pairwise(inside) if second.end < end):
        return False
    last = inside[-1]
    verbs = sum(word.tag == "v" for word in inside)
    if verbs > 1 and "的" not in text:
        return False
    return last.text in "”》’" or last.tag.startswith(_ENDS) or (last.tag == "a" and "的" in text)


def is_thing(view: OptionView, start: int, end: int) -> bool:
    """Whether a place names something that can do or undergo: a noun phrase that begins with no verb, and no time."""
    if not is_noun_phrase(view, start, end):
        return False
    inside = words_in(view, start, end)
    if re.search("时期$|时代$|年代$|时候$", view.text[start:end]):
        return False
    return inside[0].tag != "v" and any(word.tag[0] in "nj" or word.text in "”》" for word in inside)


def has_verb(view: OptionView, start: int, end: int) -> bool:
    """Whether a place holds a verb or an adjective, so that it can be a clause."""
    return any(word.tag[0] in "va" or word.text in ("是", "有", "没有") for word in words_in(view, start, end))


def _acts(first: Word, second: Word) -> bool:
    """A noun with its verb is a clause and no phrase."""
    return first.tag[0] in "njr" and (second.tag == "v" or second.text == "产生") and len(second.text) > 1
