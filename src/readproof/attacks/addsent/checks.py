"""What makes an added sentence a lie about nothing: it neither answers the question nor denies the gold answer."""

from __future__ import annotations

from collections.abc import Callable

from readproof.attacks.addsent.rules import Alteration, Rules
from readproof.items import SpanItem
from readproof.tasks.metrics.cmrc import longest_common

# a check of a user's or of the package: an item and the new sentence give a reason to refuse, or ""
Check = Callable[[SpanItem, str], str]

# so many characters of a gold answer in a row, if they are most of it, are too many
_SHARED = 3
_MOST = 0.6
_SIGNS = "，、 "
# the answer to these is a word of the question itself
_SAID = ("yesno", "choice")
_VERDICTS = frozenset({"YES", "NO", ""})


def refusal(item: SpanItem, rules: Rules, alteration: Alteration, answer: str, statement: str) -> str:
    """The first reason to refuse a sentence; "" if there is none."""
    if not statement:
        return "no statement"
    golds = [gold.text for gold in item.golds if gold.text not in _VERDICTS]
    if alteration.kind != "other" and any(_is_known(item, new.strip(_SIGNS)) for new in alteration.news):
        return "altered word in passage"
    if answer in alteration.news:
        return "fake answer is altered word"
    counted = rules.question_phrase(item) in ("time", "number")
    if any(_overlaps(answer, gold, counted) for gold in golds):
        return "fake answer is gold"
    if rules.question_phrase(item) not in _SAID and len(answer) > 1:
        if answer in item.question:
            return "fake answer in question"
        if answer in item.passage:
            return "fake answer in passage"
    if any(len(gold) > 1 and gold in statement and gold not in item.question for gold in golds):
        return "gold in statement"
    if alteration.kind != "other" and rules.content_words(item.question) <= rules.content_words(statement):
        return "nothing altered"
    if statement in item.passage:
        return "statement in passage"
    return rules.refuses(item, statement)


def _is_known(item: SpanItem, word: str) -> bool:
    return word in item.passage or word in item.question


def _overlaps(answer: str, gold: str, counted: bool) -> bool:
    """Whether two answers are one, or one holds the other, or (unless they count or date) most of it."""
    if not answer:
        return False
    shared = longest_common(answer, gold)
    if not counted and shared >= _SHARED and shared > _MOST * min(len(answer), len(gold)):
        return True
    return answer == gold or (len(answer) > 1 and answer in gold) or (len(gold) > 1 and gold in answer)
