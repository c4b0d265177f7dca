"""From an item to its added sentences: alter the question, fake an answer, state it, check it, and place it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import TypeVar

from readproof.attacks.addsent.checks import Check, refusal
from readproof.attacks.addsent.rules import Alteration, Rules, rules_of
from readproof.attacks.addsent.slots import Slots
from readproof.attacks.base import Made, random_for, skipped, variant_id
from readproof.attacks.edits import inserted, variant
from readproof.items import Item, SpanItem, Variant

T = TypeVar("T")

PLACES = ("end", "start", "random")
_MOST = 24


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence to be added, and how it came about."""

    text: str
    alteration: Alteration
    answer: str


def made(item: Item, *, name: str, seed: int, count: int, place: str, slots: Slots, checks: Sequence[Check]) -> Made:
    """At most `count` variants of the item, each with another sentence."""
    if not isinstance(item, SpanItem):
        return skipped("not a span item")
    rules = rules_of(item.language)
    if rules is None:
        return skipped(f"no rules for {item.language}")
    if not item.passage.strip() or not item.question.strip():
        return skipped("empty text")
    if rules.question_phrase(item) is None:
        return skipped("no question phrase")
    random = random_for(seed, name, item.id)
    rejected: Counter[str] = Counter()
    found = list(islice(sentences(item, rules, slots, checks, random, rejected), count))
    if not found:
        return skipped(_why_none(item, rules, slots, random, rejected), dict(rejected))
    variants = tuple(_variant(item, rules, one, place, name, number, random) for number, one in enumerate(found))
    return Made(variants=variants, rejected=dict(rejected))


def _why_none(item: SpanItem, rules: Rules, slots: Slots, random: Random, rejected: Counter[str]) -> str:
    if rejected:
        return f"rejected: {rejected.most_common(1)[0][0]}"
    return "no fake answer" if next(rules.alter(item, slots, random), None) else "no altered word"


def sentences(
    item: SpanItem, rules: Rules, slots: Slots, checks: Sequence[Check], random: Random, rejected: Counter[str]
) -> Iterator[Sentence]:
    """Sentences that pass the checks, none twice; each with another alteration and another fake answer if it can."""
    alterations = _different(rules.alter(item, slots, random), lambda one: one.news)
    answers = _different(rules.fake_answers(item, random), lambda one: one)
    seen: set[str] = set()
    for turn in range(max(len(alterations), len(answers)) + _MOST):
        if not alterations or not answers:
            return
        alteration = alterations[turn % len(alterations)]
        answer = answers[(turn + turn // len(alterations) // max(len(answers), 1)) % len(answers)]
        text = rules.statement(item, alteration, answer, slots)
        if text in seen and text:
            continue
        reason = refusal(item, rules, alteration, answer, text)
        reason = reason or next((found for check in checks if (found := check(item, text))), "")
        if not reason:
            seen.add(text)
            yield Sentence(text, alteration, answer)
            continue
        rejected[reason] += 1
        # what can never pass is not tried again
        if reason in ("fake answer is gold", "fake answer in passage", "fake answer in question"):
            answers.remove(answer)
        elif reason == "altered word in passage":
            alterations.remove(alteration)


def _different(found: Iterator[T], key: Callable[[T], Hashable]) -> list[T]:
    """The first of each, at most as many as are worth trying."""
    kept: dict[Hashable, T] = {}
    for one in islice(found, 4 * _MOST):
        kept.setdefault(key(one), one)
        if len(kept) >= _MOST:
            break
    return list(kept.values())


def _variant(
    item: SpanItem, rules: Rules, sentence: Sentence, place: str, name: str, number: int, random: Random
) -> Variant:
    at = place_of(item, rules, place, random)
    text = rules.joined(item.passage[:at], sentence.text)
    edit = inserted(item, at, text, why=f"{sentence.alteration.kind} altered, fake answer {sentence.answer!r}")
    id = variant_id(item.id, name, number)
    return variant(item, [edit], id=id, attack=name, strategy=sentence.alteration.kind)


def place_of(item: SpanItem, rules: Rules, place: str, random: Random) -> int:
    """Where the sentence goes: between sentences, and never inside a gold answer."""
    end = len(item.passage.rstrip())
    if place == "end":
        return end
    if place == "start":
        return 0
    spans = [(gold.start, gold.end) for gold in item.golds if gold.start is not None and gold.end is not None]
    free = [at for at in (0, *rules.sentence_ends(item.passage), end) if not any(a < at < b for a, b in spans)]
    return random.choice(free)
