"""The texts of a fresh suite as items, and what was written for each of them as variants."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from tools.fresh.texts import ChoiceText, FreshText, OptionText, SpanText, Substitute, insertion

from readproof.attacks.base import random_of, variant_id
from readproof.attacks.edits import PASSAGE, QUESTION, variant
from readproof.items import ChoiceItem, Edit, Gold, Item, SpanItem, Triple, Variant
from readproof.lang.api import get_language
from readproof.text import applied

# what was written for span questions: the name of the attack, and what it does
WRITTEN = {
    "written/distractor": "adds a sentence, written for this question, that looks like its answer and is not",
    "written/two-sentences": "adds two sentences, written for this question, that mislead only together",
    "written/paraphrase": "asks the same in other words, written for this question",
    "written/substitute": "has another answer in the passage, written to fit; that is then the right one",
}
# how often an option keeps its words where it keeps its truth: a quarter of the official options equal the original
_LEFT = 0.25


@dataclass(frozen=True, slots=True)
class FreshItem:
    """An item, the text it was made of, and its variants by attack."""

    item: Item
    text: FreshText
    variants: dict[str, Variant]


def items_of(text: FreshText) -> Iterator[FreshItem]:
    """The items of a passage: span questions, then triples."""
    for number, question in enumerate(text.questions, start=1):
        item = span_item(text, question, f"{text.id}-q{number}")
        yield FreshItem(item, text, variants_of(text, question, item))
    for number, choice in enumerate(text.choices, start=1):
        yield FreshItem(triple_of(text, choice, f"{text.id}-o{number}"), text, {})


def span_item(text: FreshText, question: SpanText, id: str) -> SpanItem:
    golds: list[Gold] = []
    if question.answer:
        at = text.passage.find(question.context) if question.context else 0
        golds = [Gold(question.answer, text.passage.index(question.answer, max(0, at)))]
        golds += [Gold(one, text.passage.index(one)) for one in question.also]
    return SpanItem(
        id=id,
        passage=text.passage,
        question=question.question,
        golds=tuple(golds),
        impossible=not golds,
        language=text.language,
        title=text.title,
        passage_id=text.id,
    )


def variants_of(text: FreshText, question: SpanText, item: SpanItem) -> dict[str, Variant]:
    """What was written for a span question, by attack."""
    asked = Edit(0, item.question, question.paraphrase, "paraphrase", QUESTION)
    edits = {
        "written/distractor": [insertion(text, question, question.distractor)],
        "written/two-sentences": [insertion(text, question, question.distractor2)],
        "written/paraphrase": [asked],
    }
    made = {
        name: variant(item, some, id=variant_id(item.id, name, 0), attack=name, strategy="written")
        for name, some in edits.items()
    }
    if question.substitute is not None:
        name = "written/substitute"
        made[name] = _substituted(item, question.substitute, variant_id(item.id, name, 0), name)
    return made


def _substituted(item: SpanItem, substitute: Substitute, id: str, attack: str) -> Variant:
    edits = substitution_edits(item.passage, substitute)
    passage = applied(item.passage, edits).clean
    if passage != substitute.of(item.passage):
        raise ValueError(f"{item.id}: the substitutions run into each other")
    start = item.golds[0].start or 0
    # the answer that stands nearest to where the old one stood
    shift = sum(len(one.new) - len(one.old) for one in edits if one.end <= start)
    wanted = substitute.answer
    places = [at for at in range(len(passage)) if passage.startswith(wanted, at)]
    if not places:
        raise ValueError(f"{item.id}: {wanted!r} does not stand in the substituted passage")
    golds = (Gold(wanted, min(places, key=lambda at: abs(at - start - shift))),)
    new = replace(item, id=id, passage=passage, golds=golds)
    return Variant(item=new, origin=item.id, attack=attack, strategy="written", truth="flipped", edits=tuple(edits))


def substitution_edits(passage: str, substitute: Substitute) -> list[Edit]:
    """All replacements by their places, the earlier named before the later where they overlap."""
    taken: list[Edit] = []
    for old, new in substitute.edits:
        at = passage.find(old)
        while at >= 0:
            if not any(one.start < at + len(old) and at < one.end for one in taken):
                taken.append(Edit(at, old, new, "substituted", PASSAGE))
            at = passage.find(old, at + len(old))
    return sorted(taken, key=lambda one: one.start)


def triple_of(text: FreshText, choice: ChoiceText, id: str) -> Triple:
    """The question with its positive and its negative form, as GCRC_advRobust mixes them: of original, positive and
    negative options such that exactly one fits the stem, and where it stands says nothing of the original's letter."""
    turned = get_language(text.language).flip_stem(choice.stem)
    if turned is None:
        raise ValueError(f"{id}: no contrary of the stem {choice.stem!r}")
    random = random_of(f"fresh|{id}")
    texts, truths = [one.text for one in choice.options], [one.truth for one in choice.options]
    original = _question(text, choice.stem, texts, truths, choice.asks, f"{id}#original")
    positive = _question(text, choice.stem, *_mixed(choice, choice.asks, random), choice.asks, f"{id}#positive")
    negative = _question(text, turned, *_mixed(choice, not choice.asks, random), not choice.asks, f"{id}#negative")
    return Triple(id=id, original=original, positive=positive, negative=negative)


def _mixed(choice: ChoiceText, asks: bool, random: Random) -> tuple[list[str], list[bool]]:
    """Options of which the one at a drawn place fits, in places of their own."""
    order = random.sample(choice.options, len(choice.options))
    answer = random.randrange(len(order))
    truths = [asks if at == answer else not asks for at in range(len(order))]
    return [_worded(one, truth, random) for one, truth in zip(order, truths, strict=True)], truths


def _worded(option: OptionText, truth: bool, random: Random) -> str:
    if truth is not option.truth:
        return option.negative
    return option.text if random.random() < _LEFT else option.positive


def _question(text: FreshText, stem: str, options: list[str], truths: list[bool], asks: bool, id: str) -> ChoiceItem:
    return ChoiceItem(
        id=id,
        passage=text.passage,
        question=stem,
        options=tuple(options),
        answer=truths.index(asks),
        truths=tuple(truths),
        language=text.language,
        title=text.title,
        passage_id=text.id,
    )
