"""The texts of a fresh suite as items, and what was written for each of them as variants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from pathlib import Path
from random import Random
from statistics import mean

from tools.fresh.texts import ChoiceText, FreshText, OptionText, SpanText, Substitute, insertion

from readproof.attacks.base import random_of, variant_id
from readproof.attacks.edits import PASSAGE, QUESTION, variant
from readproof.attacks.options.blind import telltale
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
# what counts most in choosing a mixture: how long, how true by its wording, how near to the passage, how believable
_WEIGHTS = (1, 0.5, 1, 6)
# of how many mixtures the least telling is taken
_DRAWN = 160

# the options of a question, and which of them are true
Mixture = tuple[list[str], list[bool]]


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
    negative options such that exactly one fits the stem, and where it stands says nothing of the original's letter.

    Of many mixtures the one is taken that tells least: see `_least_telling`. For that the original question, too, may
    have an option in the words of its rewrite, or another answer than was written.
    """
    turned = get_language(text.language).flip_stem(choice.stem)
    if turned is None:
        raise ValueError(f"{id}: no contrary of the stem {choice.stem!r}")
    random = random_of(f"fresh|{id}")
    guessed = beliefs(text.language, choice)
    texts, truths = _least_telling(list(_as_written(choice)), choice.asks, text.passage, guessed, random)
    options = [_said(one, chosen) for one, chosen in zip(choice.options, texts, strict=True)]
    positive, negative = (
        _least_telling([_mixed(options, asks, random) for _ in range(_DRAWN)], asks, text.passage, guessed, random)
        for asks in (choice.asks, not choice.asks)
    )
    return Triple(
        id=id,
        original=_question(text, choice.stem, texts, truths, choice.asks, f"{id}#original"),
        positive=_question(text, choice.stem, *positive, choice.asks, f"{id}#positive"),
        negative=_question(text, turned, *negative, not choice.asks, f"{id}#negative"),
    )


def _as_written(choice: ChoiceText) -> Iterator[Mixture]:
    """The options in their own words or those of their rewrites, then with another one as the answer."""
    truths = [one.truth for one in choice.options]
    for way in product(*((one.text, one.positive) for one in choice.options)):
        yield list(way), truths
    own = truths.index(choice.asks)
    for other in range(len(truths)):
        if other != own:
            changed = [truth is not (at in (own, other)) for at, truth in enumerate(truths)]
            yield [one.negative if at in (own, other) else one.text for at, one in enumerate(choice.options)], changed


def _said(option: OptionText, text: str) -> OptionText:
    """The option as the original question has it: what was written for it serves as its rewrites."""
    if text == option.negative:
        return replace(option, text=text, truth=not option.truth, positive=text, negative=option.positive)
    return replace(option, text=text, positive=option.text if text == option.positive else option.positive)


@lru_cache(maxsize=4)
def _guesses(language: str) -> dict[str, float]:
    """How far a reader without the passages believed a statement, in which of two it had to choose: -3 to 3."""
    path = Path(__file__).parent / "readings" / language / "guesses.tsv"
    if not path.is_file():
        return {}
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return {statement: float(belief) for statement, belief in rows}


def beliefs(language: str, choice: ChoiceText) -> dict[str, float]:
    """The same of all wordings of a question's options; what is said otherwise is as believable as it was."""
    known = _guesses(language)
    found = {}
    for one in choice.options:
        found[one.text] = found[one.positive] = known.get(one.text, 0.0)
        found[one.negative] = known.get(one.negative, 0.0)
    return found


def _least_telling(
    ways: Sequence[Mixture], asks: bool, passage: str, guessed: Mapping[str, float], random: Random
) -> Mixture:
    """Of several ways to say the options the one whose answer is about as long, sounds about as true, and shares about
    as much with the passage among them as drawn; and is the least easily believed, as most are believed rightly."""
    wanted = [random.randrange(len(ways[0][0])) for _ in range(4)]
    wanted[3] = 0 if asks else len(ways[0][0]) - 1
    spoken = get_language("zh")
    held = spoken.overlap_units(passage)

    def far(way: Mixture) -> float:
        options, truths = way
        answer = truths.index(asks)
        lengths, sounds = [float(len(one)) for one in options], [telltale(one) for one in options]
        shared = [mean(unit in held for unit in spoken.overlap_units(one)) for one in options]
        believed = [guessed.get(one, 0.0) for one in options]
        ranks = [_rank(values, answer) for values in (lengths, sounds, shared, believed)]
        return sum(abs(rank - one) * weight for rank, one, weight in zip(ranks, wanted, _WEIGHTS, strict=True))

    return min(ways, key=far)


def _rank(values: Sequence[float], at: int) -> float:
    """How many of the values are lower than one of them; equal ones count half."""
    own = values[at]
    return sum(one < own for one in values) + sum(one == own for one in values) / 2 - 0.5


def _mixed(options: Sequence[OptionText], asks: bool, random: Random) -> Mixture:
    """Options of which the one at a drawn place fits, in places of their own."""
    order = random.sample(options, len(options))
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
