"""The four attacks on options: one option of a question changed, its truth and the question's answer kept in step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from readproof.attacks.base import AttackInfo, AttackOutput, random_for, skipped, variant_id
from readproof.attacks.edits import option as place_of
from readproof.attacks.options.change import FALL
from readproof.attacks.options.plausible import damaged
from readproof.attacks.options.rewriting import Rewrite, Strategy, rewrites
from readproof.items import ChoiceItem, Item, Truth, Variant
from readproof.lang.api import get_language
from readproof.lang.zh.stems import asks_truth, asks_wording, polarity

if TYPE_CHECKING:
    from readproof.attacks.writers.options import OptionWriter

Truths = Literal["kept", "flipped", "both"]

# an option of fewer characters says too little to be turned
SHORTEST = 8


def truths_of(item: ChoiceItem) -> tuple[bool, ...]:
    """The truth of each option: as the data say, or by the answer where the stem asks for the one right or wrong."""
    if item.truths:
        return item.truths
    asked = polarity(item.question)
    if item.answer is None or asked is None or not asks_truth(item.question):
        return ()
    return tuple((number == item.answer) is asked for number in range(len(item.options)))


def answer_of(question: str, truths: tuple[bool, ...]) -> int | None:
    """The one option that fits the stem; None where none or several do."""
    asked = polarity(question)
    fitting = [number for number, truth in enumerate(truths) if truth is asked]
    return fitting[0] if asked is not None and len(fitting) == 1 else None


def cannot_attack(item: Item) -> str:
    """Why no option of an item can be changed; "" where one may be."""
    if not isinstance(item, ChoiceItem):
        return "not a question with options"
    if not get_language(item.language).has_option_rules:
        return "not Chinese"
    if asks_wording(item.question):
        return "the stem asks about wording or technique"
    if polarity(item.question) is not None and not item.truths and not asks_truth(item.question):
        return "the stem does not ask which option is true or false"
    if all(damaged(option) for option in item.options):
        return "misprints in the options"
    return "" if any(len(option) >= SHORTEST for option in item.options) else "options too short"


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionAttack:
    """One option of a question changed by one strategy."""

    truth: Truths = field(
        default="both",
        metadata={"help": "what becomes of the option's truth", "values": ("kept", "flipped", "both")},
    )
    fall: float = field(default=FALL, metadata={"help": "by how much the n-gram score of a changed place may fall"})
    denial: bool = field(
        default=False, metadata={"help": "whether a whole option may be denied (认为…，这种看法不符合文意)"}
    )
    writer: str = field(
        default="",
        metadata={"help": "a language model that writes instead of the rules: llm:http://host:port/v1#model"},
    )
    judge: str = field(
        default="", metadata={"help": "a language model that judges what was written; none: nobody; else the writer"}
    )
    prompts: str = field(default="", metadata={"help": "a folder with prompts of your own: STRATEGY.toml, judge.toml"})

    about: ClassVar[AttackInfo]
    strategy: ClassVar[Strategy]

    def make(self, item: Item, *, seed: int = 0, count: int = 1) -> AttackOutput:
        """At most `count` variants, one option changed in each."""
        reason = cannot_attack(item)
        if reason or not isinstance(item, ChoiceItem):
            return skipped(reason)
        truths = truths_of(item)
        random = random_for(seed, self.about.name, item.id)
        wanted: tuple[Truth, ...] = ("kept", "flipped") if self.truth == "both" else (self.truth,)
        sound = [at for at, option in enumerate(item.options) if len(option) >= SHORTEST and not damaged(option)]
        turns = [(at, truth) for at in sound for truth in wanted]
        random.shuffle(turns)
        if self.writer and not truths:
            return skipped("truth of the options not known")
        open_ = [(at, self._rewrites(item, truths, at, truth, random)) for at, truth in turns]
        variants: list[Variant] = []
        refused: Counter[str] = Counter()
        doubtful: list[tuple[int, Rewrite]] = []
        while open_ and len(variants) < count:  # a turn for each option and truth, until there are enough
            at, found = open_.pop(0)
            rewrite = next(found, None)
            if isinstance(rewrite, str):
                refused[rewrite] += 1
                open_.insert(0, (at, found))
            elif rewrite is not None:
                if rewrite.doubtful:
                    doubtful.append((at, rewrite))
                else:
                    variants.append(self._variant(item, truths, at, rewrite, len(variants)))
                open_.append((at, found))
        for at, rewrite in doubtful[: count - len(variants)]:
            variants.append(self._variant(item, truths, at, rewrite, len(variants)))
        if not variants:
            reason = "nothing to turn" if truths else "nothing to turn, truth of the options not known"
            return skipped("nothing written passed the checks" if self.writer else reason, refused)
        return AttackOutput(variants=tuple(variants), rejected=refused)

    def figures(self) -> dict[str, Any]:
        """What the writer was asked and what it cost; nothing where rules wrote."""
        return self._written_by().figures() if self.writer else {}

    def _rewrites(
        self, item: ChoiceItem, truths: tuple[bool, ...], at: int, wanted: Truth, random: Random
    ) -> Iterator[Rewrite | str]:
        """New texts for an option, from the writer where there is one, else by rules."""
        if self.writer:
            option, others = item.options[at], item.options
            return self._written_by().rewrites(option, item.passage, truths[at], wanted, self.strategy, others)
        return rewrites(
            item.options[at],
            item.passage,
            truths[at] if truths else None,
            wanted,
            random,
            strategies=(self.strategy,),
            limit=self.fall,
            denial=self.denial,
        )

    def _written_by(self) -> OptionWriter:
        from readproof.attacks.writers.options import OptionWriter

        return OptionWriter(self.writer, self.judge, self.prompts)

    def _variant(self, item: ChoiceItem, truths: tuple[bool, ...], at: int, rewrite: Rewrite, number: int) -> Variant:
        flipped = rewrite.truth == "flipped"
        new_truths = tuple(truth is not (flipped and place == at) for place, truth in enumerate(truths))
        options = tuple(rewrite.of(text) if place == at else text for place, text in enumerate(item.options))
        new = replace(
            item,
            id=variant_id(item.id, self.about.name, number),
            options=options,
            truths=new_truths,
            answer=answer_of(item.question, new_truths) if flipped else item.answer,
        )
        edits = tuple(replace(edit, where=place_of(at)) for edit in rewrite.edits)
        return Variant(
            item=new,
            origin=item.id,
            attack=self.about.name,
            strategy=rewrite.strategy,
            truth=rewrite.truth,
            edits=edits,
        )


def _about(strategy: Strategy, does: str) -> AttackInfo:
    return AttackInfo(name=f"options/{strategy}", does=does, languages=("zh",), kinds=("choice",), truth="both")


class Keyword(OptionAttack):
    """Quantifiers, degree, modality, negation, scope, contraries and synonyms."""

    strategy: ClassVar[Strategy] = "keyword"
    about: ClassVar[AttackInfo] = _about(
        "keyword",
        "turns a key word of an option: how many, how much, may or must, yes or no, a contrary, a synonym",
    )


class Logic(OptionAttack):
    """Deduction, induction, comparison, agents, premises."""

    strategy: ClassVar[Strategy] = "logic"
    about: ClassVar[AttackInfo] = _about(
        "logic", "turns the reasoning of an option: condition, part and whole, comparison, premise, who does what"
    )


class SpaceTime(OptionAttack):
    """Time, order and place."""

    strategy: ClassVar[Strategy] = "spacetime"
    about: ClassVar[AttackInfo] = _about(
        "spacetime", "turns a time, an order, a length of time, a place or a direction in an option"
    )


class Cause(OptionAttack):
    """Cause, effect and purpose."""

    strategy: ClassVar[Strategy] = "cause"
    about: ClassVar[AttackInfo] = _about(
        "cause", "turns cause and effect in an option, denies or cuts them, or says them in other words"
    )
