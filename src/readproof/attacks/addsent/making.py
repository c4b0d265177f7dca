"""From an item to its added sentences: alter the question, fake an answer, state it, check it, and place it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import TypeVar

from readproof.attacks.addsent.rules import AddedSentence, Alteration, Rules, Slots, rules_of
from readproof.attacks.base import AttackOutput, SearchOutput, random_for, skipped, variant_id
from readproof.attacks.checks import fall
from readproof.attacks.edits import inserted, variant
from readproof.attacks.search import JudgedAnswer, groups, judge
from readproof.items import Item, SpanItem, Variant
from readproof.readers.api import Reader
from readproof.tasks.metrics.cmrc import longest_common

# What makes an added sentence a lie about nothing: it neither answers the question nor denies the gold answer.


# a check of a user's or of the package: an item and the new sentence give a reason to refuse, or ""
Check = Callable[[SpanItem, str], str]

# so many characters of a gold answer in a row, if they are most of it, are too many
_SHARED = 3
_MOST_SHARED = 0.6
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
    if not counted and shared >= _SHARED and shared > _MOST_SHARED * min(len(answer), len(gold)):
        return True
    return answer == gold or (len(answer) > 1 and answer in gold) or (len(gold) > 1 and gold in answer)


# The worst of several sentences: the one after which the reader's answer is worst, or its trust in the gold least.


# items whose variants go to the reader together
_TOGETHER = 32


def searched(
    items: Sequence[SpanItem], reader: Reader, make: Callable[[SpanItem], AttackOutput]
) -> Iterator[SearchOutput]:
    """One result an item, in order: the clean answer is asked for first, then all variants of a group of items."""
    for group in groups(items, _TOGETHER):
        tried = [make(item) for item in group]
        asked: list[SpanItem] = []
        for item, made in zip(group, tried, strict=True):
            if made.variants:
                asked += [item, *(one.item for one in made.variants if isinstance(one.item, SpanItem))]
        judged = iter(judge(reader, asked))
        for made in tried:
            if not made.variants:
                yield SearchOutput(made=made if made.skipped else skipped("no budget", made.rejected))
                continue
            before = next(judged)
            yield _worst(made, before, [next(judged) for _ in made.variants])


def _worst(made: AttackOutput, before: JudgedAnswer, judged: Sequence[JudgedAnswer]) -> SearchOutput:
    best = min(range(len(judged)), key=lambda number: (judged[number].f1, judged[number].expected, number))
    after = judged[best]
    return SearchOutput(
        made=AttackOutput(variants=(made.variants[best],), rejected=made.rejected),
        queries=1 + len(judged),
        clean=before.expected,
        attacked=after.expected,
        before=before.answer,
        after=after.answer,
    )


T = TypeVar("T")

PLACES = ("end", "start", "random")
_MOST = 24
# a sentence of a higher rank is not the first; one of a still higher rank is none at all
_DOUBTED, _WORST = 4, 5
# of so many sentences the most usual is taken
_CHOICE = 3


def made(
    item: Item, *, name: str, seed: int, count: int, place: str, slots: Slots, checks: Sequence[Check]
) -> AttackOutput:
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
    tried = list(islice(sentences(item, rules, slots, checks, random, rejected), _CHOICE * count))
    told = [] if slots.filled else list(islice(facts(item, rules, checks, random, rejected), count))
    found = _in_order(item, rules, [*most_usual(item, tried), *told])[:count]
    if not found:
        return skipped(_why_none(item, rules, slots, random, rejected), dict(rejected))
    variants = tuple(_variant(item, rules, one, place, name, number, random) for number, one in enumerate(found))
    return AttackOutput(variants=variants, rejected=dict(rejected))


def _in_order(item: SpanItem, rules: Rules, tried: Sequence[AddedSentence]) -> list[AddedSentence]:
    """The sentence that most surely makes sense first; then those in the question's own words, which tempt more."""
    # stable: of equal ranks what reads most usual stays first, and the likest fact
    ranked = [one for one in sorted(tried, key=lambda one: rules.rank(item, one)) if rules.rank(item, one) <= _WORST]
    if not ranked or rules.rank(item, ranked[0]) > _DOUBTED:
        return []
    return [*ranked[:1], *sorted(ranked[1:], key=lambda one: not one.alteration.edits)]


def facts(
    item: SpanItem, rules: Rules, checks: Sequence[Check], random: Random, rejected: Counter[str]
) -> Iterator[AddedSentence]:
    """Facts of other things that pass the checks, about the likest first."""
    for one in rules.facts(item, random):
        reason = refusal(item, rules, one.alteration, one.answer, one.text)
        reason = reason or next((found for check in checks if (found := check(item, one.text))), "")
        if not reason:
            yield one
        else:
            rejected[reason] += 1


def most_usual(item: SpanItem, tried: Sequence[AddedSentence]) -> list[AddedSentence]:
    """The sentences that read most usual first, of each kind of alteration in the order of the kinds: a name that fits
    is better than a word that reads well."""
    kinds = list(dict.fromkeys(one.alteration.kind for one in tried))
    return sorted(
        tried, key=lambda one: (kinds.index(one.alteration.kind), fall(one.text, item.question, item.language))
    )


def _why_none(item: SpanItem, rules: Rules, slots: Slots, random: Random, rejected: Counter[str]) -> str:
    if rejected:
        return f"rejected: {rejected.most_common(1)[0][0]}"
    return "no fake answer" if next(rules.alter(item, slots, random), None) else "no altered word"


def sentences(
    item: SpanItem, rules: Rules, slots: Slots, checks: Sequence[Check], random: Random, rejected: Counter[str]
) -> Iterator[AddedSentence]:
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
            yield AddedSentence(text, alteration, answer)
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
    item: SpanItem, rules: Rules, sentence: AddedSentence, place: str, name: str, number: int, random: Random
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
