"""The work on single questions, as tasks that any process can do: make variants, search for them, cut windows.

A workshop holds the questions and the attacks; a task names questions by their numbers. What a task gives hangs on the
task and on the reader's weights alone.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from readproof.attacks.addsent import AddSent
from readproof.attacks.addsent.searching import searched
from readproof.attacks.base import Attack, Found, Made, SearchAttack, random_of, skipped
from readproof.attacks.search.judge import measure_of
from readproof.errors import ReadproofError
from readproof.items import Item, SpanItem, Variant
from readproof.lang.cleaning import clean_golds
from readproof.training.adversarial.aligned import Attacked, aligned
from readproof.training.adversarial.reading import Prepare, Windowed, WindowReader
from readproof.training.adversarial.recipe import Dose
from readproof.training.windows import Windows

# questions a task: so many are searched together, and their populations read at once
SEARCHED, MADE, CUT = 32, 64, 256


@dataclass(frozen=True, slots=True)
class Make:
    """Variants without a reader, `count` of each question."""

    dose: int
    numbers: tuple[int, ...]
    seed: int
    count: int = 1


@dataclass(frozen=True, slots=True)
class Search:
    """The variant of each question that hurts the reader most; `made` are the sentences that were made before."""

    dose: int
    numbers: tuple[int, ...]
    seed: int
    budget: int
    made: tuple[Made, ...] = ()


@dataclass(frozen=True, slots=True)
class Cut:
    """Questions as windows; with variants, these beside their originals."""

    numbers: tuple[int, ...]
    variants: tuple[Variant, ...] = ()


@dataclass(frozen=True, slots=True)
class Score:
    """Questions, or variants of them, answered and scored."""

    numbers: tuple[int, ...]
    variants: tuple[Variant | None, ...] = ()


Task = Make | Search | Cut | Score


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search left of one question."""

    variant: Variant | None = None
    queries: int = 0
    clean: float = 0.0
    attacked: float = 0.0


@dataclass(slots=True)
class Workshop:
    """Called with a task and, where the task needs one, what answers questions about windows."""

    items: Sequence[SpanItem]
    doses: Sequence[Dose]
    prepare: Prepare
    _attacks: dict[int, Attack | SearchAttack] = field(default_factory=dict)

    def __call__(self, task: Task, model: Windowed | None) -> Any:
        if isinstance(task, Make):
            return self.make(task)
        if isinstance(task, Cut):
            return self.cut(task)
        if model is None:
            raise TypeError(f"{type(task).__name__} needs a reader")
        return self.search(task, model) if isinstance(task, Search) else self.score(task, model)

    def attack(self, dose: int) -> Attack | SearchAttack:
        if dose not in self._attacks:
            self._attacks[dose] = self.doses[dose].made()
        return self._attacks[dose]

    def make(self, task: Make) -> list[Made]:
        attack = self.attack(task.dose)
        if not isinstance(attack, Attack):
            raise TypeError(f"{attack.about.name} needs a reader")
        return [made_of(attack, self.items[number], task.seed, task.count) for number in task.numbers]

    def search(self, task: Search, model: Windowed) -> list[Searched]:
        attack = self.attack(task.dose)
        items = [self.items[number] for number in task.numbers]
        reader = WindowReader(model, self.prepare)
        found: list[Found]
        if task.made:
            before = {item.id: made for item, made in zip(items, task.made, strict=True)}
            found = list(searched(items, reader, lambda item: before[item.id]))
        elif isinstance(attack, SearchAttack):
            found = list(attack.search(items, reader, seed=task.seed, budget=task.budget))
        else:
            raise TypeError(f"{attack.about.name} does not search")
        return [
            Searched(first_of(one.made), one.queries, one.clean, one.attacked) if one.made.variants else Searched()
            for one in found
        ]

    def cut(self, task: Cut) -> Windows | Attacked:
        items = [self.items[number] for number in task.numbers]
        clean = self.prepare(items)
        if not task.variants:
            return clean.windows
        news = [one.item for one in task.variants if isinstance(one.item, SpanItem)]
        return aligned(clean, self.prepare(news), list(task.variants))

    def score(self, task: Score, model: Windowed) -> list[tuple[float, float]]:
        """Exact match and F1 as the language's own tasks count them; a question without a variant is read as it is."""
        variants: Mapping[int, Variant | None] = dict(zip(task.numbers, task.variants, strict=False))
        items: list[SpanItem] = []
        for number in task.numbers:
            one = variants.get(number)
            items.append(one.item if one is not None and isinstance(one.item, SpanItem) else self.items[number])
        answers = WindowReader(model, self.prepare).answers(items)
        return [scored(item, answer.text) for item, answer in zip(items, answers, strict=True)]


def scored(item: SpanItem, answer: str) -> tuple[float, float]:
    """Exact match and F1 of an answer, texts compared clean."""
    exact, f1 = measure_of(item.language)(answer, tuple(gold.text for gold in clean_golds(item)))
    return float(exact), float(f1)


def made_of(attack: Attack, item: Item, seed: int, count: int) -> Made:
    """One bad item must not end a run over thousands."""
    try:
        return attack.make(item, seed=seed, count=count)
    except ReadproofError:
        raise
    except Exception as error:
        if os.environ.get("READPROOF_DEBUG"):
            raise
        return skipped(f"fault: {type(error).__name__}")


def first_of(made: Made) -> Variant | None:
    """The first variant that is a span question."""
    return next((one for one in made.variants if isinstance(one.item, SpanItem)), None)


def makes_before(attack: Attack | SearchAttack) -> bool:
    """Whether what a search chooses from can be made before there is a reader to ask."""
    return isinstance(attack, AddSent)


def drawn(seed: int, epoch: int, dose: Dose, item: SpanItem) -> float:
    """Where an item stands among those that a dose may take, in 0 … 1; another place every epoch."""
    return random_of(f"{seed}|{epoch}|{dose.name}|{item.id}").random()
