"""Cause and effect turned: reversed, denied, cut, purpose for result, or said in other words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import ClassVar

from readproof.attacks.base import About, Made
from readproof.attacks.options.causality import causality
from readproof.attacks.options.change import FALL, Change, Rewrite, judged
from readproof.attacks.options.links import links
from readproof.attacks.options.making import Truths, made
from readproof.attacks.options.tables import by_table
from readproof.attacks.options.view import View, view_of
from readproof.items import Item

NAME = "options/cause"


def changes(view: View) -> Iterator[Change]:
    """What the strategy can do to an option."""
    for change in by_table(view, "connectives", "connective"):
        yield replace(change, detail="denied") if change.meaning == "contrary" else change
    yield from causality(view)
    yield from links(view)


def rewrites(option: str, passage: str, truth: bool | None) -> list[Rewrite]:  # noqa: ARG001 - all strategies take it
    """Every option of known truth that the strategy makes of this one."""
    return list(judged(option, changes(view_of(option)), truth, "cause"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """Cause, effect and purpose in one option of a question."""

    truth: Truths = field(
        default="both",
        metadata={"help": "what becomes of the option's truth", "values": ("kept", "flipped", "both")},
    )
    fall: float = field(default=FALL, metadata={"help": "by how much the n-gram score of a changed place may fall"})

    about: ClassVar[About] = About(
        name=NAME,
        does="turns cause and effect in an option, denies or cuts them, or says them in other words",
        languages=("zh",),
        kinds=("choice",),
        truth="both",
    )

    def make(self, item: Item, *, seed: int = 0, count: int = 1) -> Made:
        """At most `count` variants, one option changed in each."""
        return made(item, NAME, rewrites, truth=self.truth, limit=self.fall, seed=seed, count=count)
