"""GCRC_advRobust triples made of plain questions: the original, a positive question and a negative one.

The positive question keeps its stem, the negative one asks for the contrary. The options of both are a mixture of
original, positive (truth kept) and negative (truth flipped) ones, of which exactly one fits the stem. Which letter it
has is drawn first, so that it says nothing of the original's; where no mixture has the answer there, the options are
rotated until it has. A reader that sees the options alone must guess: see `blind`.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random
from statistics import fmean
from typing import ClassVar, Literal

from readproof.attacks.base import AttackInfo, AttackOutput, random_for, skipped
from readproof.attacks.options.blind import telltale
from readproof.attacks.options.change import FALL
from readproof.attacks.options.making import SHORTEST, cannot_attack, truths_of
from readproof.attacks.options.rewriting import STRATEGIES, Rewrite, rewrites
from readproof.items import ChoiceItem, Item, Triple, Variant
from readproof.lang.zh.stems import flip_stem, polarity

NAME = "triples"
FORMS: tuple[Form, ...] = ("positive", "negative")
Form = Literal["positive", "negative"]

# how often an option that could be left as it is, is: a quarter of the official options equal the original
_LEFT = 0.25
# how many rewrites of each kind an option is given, and of how many mixtures the best is taken
_WAYS = 8
_DRAWN = 64
# by how much more than any other option the answer may sound like it, in log odds
_GIVEN_AWAY = 0.4


@dataclass(frozen=True, slots=True)
class OptionRewrites:
    """What can become of an option: rewrites that keep its truth, and such that flip it."""

    kept: tuple[Rewrite, ...]
    flipped: tuple[Rewrite, ...]


@dataclass(frozen=True, slots=True)
class Mixture:
    """The options of one question: for each place the original option that stands there, and its rewrite, if any."""

    order: tuple[int, ...]
    rewrites: tuple[Rewrite | None, ...]
    answer: int


@dataclass(frozen=True, slots=True)
class BuiltTriple:
    """A triple with the mixtures that its positive and its negative options are."""

    triple: Triple
    positive: Mixture
    negative: Mixture


def build(
    item: ChoiceItem,
    seed: int = 0,
    strategies: Sequence[str] = STRATEGIES,
    *,
    limit: float = FALL,
    denial: bool = False,
    balanced: bool = True,
) -> BuiltTriple | str:
    """The triple of a question with the mixtures it is made of, or why there is none.

    Without `balanced` any mixture will do: what its options tell of the answer is what blind readers learn from.
    """
    reason = cannot_attack(item)
    if reason:
        return reason
    asked, stem, truths = polarity(item.question), flip_stem(item.question), truths_of(item)
    if asked is None or stem is None:
        return "stem does not ask for the right or the wrong option"
    if not truths:
        return "truth of the options not known"
    fitting = [number for number, truth in enumerate(truths) if truth is asked]
    if len(fitting) != 1:
        return "not one answer"
    if item.answer is not None and item.answer != fitting[0]:
        return "answer and truths disagree"
    random = random_for(seed, NAME, item.id)
    known = [
        _rewrites_of(item, number, truths[number], strategies, limit, random, denial=denial)
        for number in range(len(truths))
    ]
    positive = _mixture(item, known, truths, asked, random, balanced=balanced)
    negative = _mixture(item, known, truths, not asked, random, balanced=balanced)
    if isinstance(positive, str):
        return positive
    if isinstance(negative, str):
        return negative
    original = replace(item, id=f"{item.id}#original", truths=truths, answer=fitting[0])
    triple = Triple(
        id=item.id,
        original=original,
        positive=_question(original, "positive", item.question, positive),
        negative=_question(original, "negative", stem, negative),
    )
    return BuiltTriple(triple, positive, negative)


def build_triple(item: ChoiceItem, seed: int = 0) -> Triple | str:
    """The triple of a question, or why there is none."""
    built = build(item, seed)
    return built if isinstance(built, str) else built.triple


def _rewrites_of(
    item: ChoiceItem,
    number: int,
    truth: bool,
    strategies: Sequence[str],
    limit: float,
    random: Random,
    *,
    denial: bool,
) -> OptionRewrites:
    option = item.options[number]
    if len(option) < SHORTEST:
        return OptionRewrites((), ())
    found = []
    for wanted in ("kept", "flipped"):
        ways = rewrites(option, item.passage, truth, wanted, random, strategies=strategies, limit=limit, denial=denial)
        found.append(tuple(islice(ways, _WAYS)))
    return OptionRewrites(*found)


def _mixture(
    item: ChoiceItem,
    known: Sequence[OptionRewrites],
    truths: Sequence[bool],
    asked: bool,
    random: Random,
    *,
    balanced: bool,
) -> Mixture | str:
    """Options of which exactly one fits the stem; or why there are none.

    Where the answer stands, how long it is among the options and how true it sounds among them is drawn before the
    options are: of many mixtures the one nearest to that is taken, so that none of it says which option is the answer.
    """
    count = len(known)
    able = []
    for answer in range(count):
        flips = {number for number, truth in enumerate(truths) if (truth is asked) is not (number == answer)}
        if all(known[number].flipped for number in flips):
            able.append((answer, flips))
    if not able:
        return "too few options can be changed"
    place, long, sound = (random.randrange(count) for _ in range(3))
    drawn: list[tuple[float, bool, int, list[Rewrite | None]]] = []
    for _ in range(_DRAWN if balanced else 1):
        answer, flips = random.choice(able)
        chosen = _chosen(known, flips, random)
        if any(chosen):
            texts = [old if one is None else one.of(old) for old, one in zip(item.options, chosen, strict=True)]
            lengths, sounds = [len(text) for text in texts], [telltale(text) for text in texts]
            far = abs(_rank(lengths, answer) - long) / 2 + abs(_rank(sounds, answer) - sound)
            drawn.append((far + abs(_gap(sounds, answer)), _lead(sounds, answer, asked) > _GIVEN_AWAY, answer, chosen))
    if not drawn:
        return "too few options can be changed"
    _, given_away, answer, chosen = min(drawn, key=lambda one: one[0])
    if balanced and given_away:
        return "the options would give the answer away"
    order = tuple((answer - place + at) % count for at in range(count))
    return Mixture(order, tuple(chosen[number] for number in order), place)


def _chosen(known: Sequence[OptionRewrites], flips: Container[int], random: Random) -> list[Rewrite | None]:
    """A rewrite for each option that is to be flipped, for most others one that keeps."""
    return [
        random.choice(one.flipped)
        if number in flips
        else random.choice(one.kept)
        if one.kept and random.random() >= _LEFT
        else None
        for number, one in enumerate(known)
    ]


def _rank(values: Sequence[float], at: int) -> int:
    """How many of the values are lower than one of them; of equal ones the first is the lowest."""
    return sum((value, place) < (values[at], at) for place, value in enumerate(values))


def _gap(sounds: Sequence[float], answer: int) -> float:
    """How much truer the answer sounds than the other options do on average."""
    return sounds[answer] - fmean(sound for number, sound in enumerate(sounds) if number != answer)


def _lead(sounds: Sequence[float], answer: int, asked: bool) -> float:
    """By how much the answer sounds more like what the stem asks for than any other option."""
    others = [sound for number, sound in enumerate(sounds) if number != answer]
    return sounds[answer] - max(others) if asked else min(others) - sounds[answer]


def _question(original: ChoiceItem, form: Form, stem: str, mixture: Mixture) -> ChoiceItem:
    options, truths = [], []
    for number, rewrite in zip(mixture.order, mixture.rewrites, strict=True):
        options.append(original.options[number] if rewrite is None else rewrite.of(original.options[number]))
        truths.append(original.truths[number] is not (rewrite is not None and rewrite.truth == "flipped"))
    return replace(
        original,
        id=f"{original.id.removesuffix('#original')}#{form}",
        question=stem,
        options=tuple(options),
        truths=tuple(truths),
        answer=mixture.answer,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Triples:
    """Whole triples of questions whose options are known true or false."""

    strategies: str = field(
        default=",".join(STRATEGIES),
        metadata={"help": "the strategies to use, with commas: keyword, logic, cause, spacetime"},
    )
    fall: float = field(default=FALL, metadata={"help": "by how much the n-gram score of a changed place may fall"})
    denial: bool = field(
        default=False, metadata={"help": "whether a whole option may be denied (认为…，这种看法不符合文意)"}
    )

    about: ClassVar[AttackInfo] = AttackInfo(
        name=NAME,
        does="makes a GCRC triple of a question: the same, said otherwise, and turned round with its stem",
        languages=("zh",),
        kinds=("choice",),
        truth="both",
        layout="gcrc",
    )

    def make(self, item: Item, *, seed: int = 0, count: int = 1) -> AttackOutput:
        """One triple; its negative question is of the contrary truth, so the variant counts as flipped."""
        if not isinstance(item, ChoiceItem):
            return skipped("not a question with options")
        names = [name.strip() for name in self.strategies.split(",") if name.strip() in STRATEGIES]
        if not names or count < 1:
            return skipped("no strategy")
        built = build(item, seed, names, limit=self.fall, denial=self.denial)
        if isinstance(built, str):
            return skipped(built)
        variant = Variant(
            item=built.triple,
            origin=item.id,
            attack=NAME,
            strategy=",".join(sorted({rewrite.strategy for _, _, rewrite in _changed(built)})),
            truth="flipped",
            edits=tuple(
                replace(edit, where=f"{form} option {place}", why=rewrite.strategy)
                for form, place, rewrite in _changed(built)
                for edit in rewrite.edits
            ),
        )
        return AttackOutput(variants=(variant,))


def _changed(built: BuiltTriple) -> list[tuple[Form, int, Rewrite]]:
    """The options that were changed: of which question, at which place, and how."""
    mixtures: tuple[tuple[Form, Mixture], ...] = (("positive", built.positive), ("negative", built.negative))
    return [
        (form, place, rewrite)
        for form, mixture in mixtures
        for place, rewrite in enumerate(mixture.rewrites)
        if rewrite is not None
    ]
