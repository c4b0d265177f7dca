"""GCRC_advRobust triples made of plain questions: the original, a positive question and a negative one.

The positive question keeps its stem; its options are said otherwise, with their truth kept. The negative question asks
for the contrary, and its options are a mixture of original, positive and negative ones, turned so that exactly one
answers the turned stem. Options keep their order. Which of the possible mixtures is taken is chance by the item's seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import ClassVar

from readproof.attacks.base import About, Made, random_for, skipped
from readproof.attacks.options import cause, keyword, logic, spacetime
from readproof.attacks.options.change import FALL, Rewrite, fluent
from readproof.attacks.options.making import SHORTEST, Ways, by_turns, truths_of
from readproof.items import ChoiceItem, Edit, Item, Triple, Variant
from readproof.lang.zh.stems import flip_stem, polarity

NAME = "triples"
STRATEGIES: dict[str, Ways] = {
    "keyword": keyword.rewrites,
    "logic": logic.rewrites,
    "spacetime": spacetime.rewrites,
    "cause": cause.rewrites,
}

# how often an option that could be left as it is, is: a quarter of the official options equal the original
_LEFT = 0.25


@dataclass(frozen=True, slots=True)
class Turned:
    """What can become of an option: rewrites that keep its truth, and rewrites that flip it, the best first."""

    kept: tuple[Rewrite, ...]
    flipped: tuple[Rewrite, ...]


@dataclass(frozen=True, slots=True)
class Built:
    """A triple with the rewrites that made its positive and its negative options; None where one is the original."""

    triple: Triple
    positive: tuple[Rewrite | None, ...]
    negative: tuple[Rewrite | None, ...]


def build_triple(
    item: ChoiceItem, seed: int = 0, strategies: Sequence[str] = tuple(STRATEGIES), *, limit: float = FALL
) -> Triple | str:
    """The triple of a question, or why there is none."""
    made = build(item, seed, strategies, limit=limit)
    return made if isinstance(made, str) else made.triple


def build(
    item: ChoiceItem, seed: int = 0, strategies: Sequence[str] = tuple(STRATEGIES), *, limit: float = FALL
) -> Built | str:
    """The triple of a question with the rewrites it is made of, or why there is none."""
    if item.language != "zh":
        return "not Chinese"
    asked, stem = polarity(item.question), flip_stem(item.question)
    if asked is None or stem is None:
        return "stem does not ask for the right or the wrong option"
    truths = truths_of(item)
    if not truths:
        return "truth of the options not known"
    fitting = [number for number, truth in enumerate(truths) if truth is asked]
    if len(fitting) != 1:
        return "not one answer"
    if item.answer is not None and item.answer != fitting[0]:
        return "answer and truths disagree"
    random = random_for(seed, NAME, item.id)
    turned = [_turned(item, number, truths[number], strategies, limit, random) for number in range(len(truths))]
    positive = _positive(turned, random)
    if not any(positive):
        return "no option can be said otherwise"
    negative = _negative(turned, truths, asked, random)
    if negative is None:
        return "too few options can be turned"
    return Built(_triple(item, stem, truths, positive, negative, fitting[0]), tuple(positive), tuple(negative))


def _turned(
    item: ChoiceItem, number: int, truth: bool, strategies: Sequence[str], limit: float, random: Random
) -> Turned:
    option = item.options[number]
    if len(option) < SHORTEST:
        return Turned((), ())
    found = [(number, rewrite) for name in strategies for rewrite in STRATEGIES[name](option, item.passage, truth)]
    ordered = [rewrite for _, rewrite in by_turns(found, random.random)]
    return Turned(_first(option, ordered, "kept", limit), _first(option, ordered, "flipped", limit))


def _first(option: str, rewrites: Sequence[Rewrite], truth: str, limit: float) -> tuple[Rewrite, ...]:
    """The first two that read well: one for each question."""
    found: list[Rewrite] = []
    for rewrite in rewrites:
        if rewrite.truth == truth and fluent(option, rewrite, limit):
            found.append(rewrite)
            if len(found) == 2:
                break
    return tuple(found)


def _positive(turned: Sequence[Turned], random: Random) -> list[Rewrite | None]:
    """Every option said otherwise where it can be, some left as they are; at least one changed."""
    chosen: list[Rewrite | None] = [
        random.choice(one.kept) if one.kept and random.random() >= _LEFT else None for one in turned
    ]
    able = [number for number, one in enumerate(turned) if one.kept]
    if able and not any(chosen):
        number = random.choice(able)
        chosen[number] = turned[number].kept[0]
    return chosen


def _negative(
    turned: Sequence[Turned], truths: tuple[bool, ...], asked: bool, random: Random
) -> list[Rewrite | None] | None:
    """Options of which exactly one answers the turned stem; None where too few can be flipped."""
    wanted = not asked
    ways = []
    for number in range(len(truths)):
        flips = {other for other, truth in enumerate(truths) if (truth is wanted) is not (other == number)}
        if all(turned[other].flipped for other in flips):
            ways.append((sum(_plain(turned[other]) for other in flips), number, flips))
    if not ways:
        return None
    # a mixture with fewer options denied as a whole reads more like an exam
    least = min(denials for denials, _, _ in ways)
    _, _, flips = random.choice([way for way in ways if way[0] == least])
    return [
        one.flipped[0]
        if number in flips
        else random.choice(one.kept)
        if one.kept and random.random() >= _LEFT
        else None
        for number, one in enumerate(turned)
    ]


def _plain(one: Turned) -> bool:
    return all(rewrite.strategy.endswith("/denial") for rewrite in one.flipped)


def _triple(
    item: ChoiceItem,
    stem: str,
    truths: tuple[bool, ...],
    positive: Sequence[Rewrite | None],
    negative: Sequence[Rewrite | None],
    answer: int,
) -> Triple:
    turned = tuple(
        truth is not (rewrite is not None and rewrite.truth == "flipped")
        for truth, rewrite in zip(truths, negative, strict=True)
    )
    asked = polarity(stem)
    negative_answer = turned.index(bool(asked))
    original = replace(item, id=f"{item.id}#original", truths=truths, answer=answer)
    return Triple(
        id=item.id,
        original=original,
        positive=replace(original, id=f"{item.id}#positive", options=_options(item, positive)),
        negative=replace(
            original,
            id=f"{item.id}#negative",
            question=stem,
            options=_options(item, negative),
            truths=turned,
            answer=negative_answer,
        ),
    )


def _options(item: ChoiceItem, rewrites: Sequence[Rewrite | None]) -> tuple[str, ...]:
    return tuple(
        option if rewrite is None else rewrite.of(option)
        for option, rewrite in zip(item.options, rewrites, strict=True)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Triples:
    """Whole triples of questions whose options are known true or false."""

    strategies: str = field(
        default="keyword,logic,spacetime,cause",
        metadata={"help": "the strategies to use, with commas: keyword, logic, spacetime, cause"},
    )
    fall: float = field(default=FALL, metadata={"help": "by how much the n-gram score of a changed place may fall"})

    about: ClassVar[About] = About(
        name=NAME,
        does="makes a GCRC triple of a question: the same, said otherwise, and turned round with its stem",
        languages=("zh",),
        kinds=("choice",),
        truth="both",
        layout="gcrc",
    )

    def make(self, item: Item, *, seed: int = 0, count: int = 1) -> Made:
        """One triple; its negative question is of the contrary truth, so the variant counts as flipped."""
        if not isinstance(item, ChoiceItem):
            return skipped("not a question with options")
        names = [name.strip() for name in self.strategies.split(",") if name.strip() in STRATEGIES]
        if not names or count < 1:
            return skipped("no strategy")
        built = build(item, seed, names, limit=self.fall)
        if isinstance(built, str):
            return skipped(built)
        variant = Variant(
            item=built.triple,
            origin=item.id,
            attack=NAME,
            strategy=_strategies(built),
            truth="flipped",
            edits=_edits(built),
        )
        return Made(variants=(variant,))


def _strategies(built: Built) -> str:
    used = {rewrite.strategy for rewrite in (*built.positive, *built.negative) if rewrite is not None}
    return ",".join(sorted(used))


def _edits(built: Built) -> tuple[Edit, ...]:
    """The edits of both questions; `where` names the question and the option."""
    forms = (("positive", built.positive), ("negative", built.negative))
    return tuple(
        replace(edit, where=f"{form} option {number}")
        for form, rewrites in forms
        for number, rewrite in enumerate(rewrites)
        if rewrite is not None
        for edit in rewrite.edits
    )
