"""The reasoning of an option turned: conditions, induction, comparison, premises, who does what to whom.

Deduction: 只有…才 and 只要…就, a condition and what follows from it, a premise dropped. Induction: a part becomes the
whole, one of several the only one. Agents: who says or does it; two sides of a relation change places.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from readproof.attacks.base import About, Made
from readproof.attacks.options.change import FALL, Change, Rewrite, judged
from readproof.attacks.options.making import Truths, made
from readproof.attacks.options.premises import inductions, premises
from readproof.attacks.options.reasoning import comparisons, conditions, contrasts, progressions
from readproof.attacks.options.relations import agents, relations
from readproof.attacks.options.tables import by_synonyms
from readproof.attacks.options.view import View, view_of
from readproof.attacks.options.voices import voices
from readproof.items import Item

NAME = "options/logic"


def changes(view: View, passage: str) -> Iterator[Change]:
    """What the strategy can do to an option."""
    yield from conditions(view, passage)
    yield from contrasts(view)
    yield from progressions(view)
    yield from comparisons(view)
    yield from premises(view)
    yield from inductions(view)
    yield from relations(view)
    yield from agents(view, passage)
    yield from voices(view)
    yield from by_synonyms(view, "connective", "logic")


def rewrites(option: str, passage: str, truth: bool | None) -> list[Rewrite]:
    """Every option of known truth that the strategy makes of this one."""
    return list(judged(option, changes(view_of(option), passage), truth, "logic"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Logic:
    """The reasoning in one option of a question: deduction, induction, comparison, agents, premises."""

    truth: Truths = field(
        default="both",
        metadata={"help": "what becomes of the option's truth", "values": ("kept", "flipped", "both")},
    )
    fall: float = field(default=FALL, metadata={"help": "by how much the n-gram score of a changed place may fall"})

    about: ClassVar[About] = About(
        name=NAME,
        does="turns the reasoning of an option: condition, part and whole, comparison, premise, who does what",
        languages=("zh",),
        kinds=("choice",),
        truth="both",
    )

    def make(self, item: Item, *, seed: int = 0, count: int = 1) -> Made:
        """At most `count` variants, one option changed in each."""
        return made(item, NAME, rewrites, truth=self.truth, limit=self.fall, seed=seed, count=count)
