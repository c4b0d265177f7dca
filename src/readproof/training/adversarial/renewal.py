"""The attacks of one epoch: made anew, against the reader as it is now, and kept so that a killed run has them again.

What needs no reader is made by the crew while the epoch before is still being trained. Which questions an attack takes
hangs on the seed, the epoch and the question; what a search finds, on the weights too.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from readproof.attacks.base import Attack, Made
from readproof.attacks.records import read_variants, to_line
from readproof.errors import InputError
from readproof.files import digest, writing
from readproof.items import SpanItem, Variant
from readproof.training.adversarial.aligned import Attacked, joined_attacked
from readproof.training.adversarial.crew import Crew, OnDone
from readproof.training.adversarial.reading import Windowed
from readproof.training.adversarial.recipe import Recipe
from readproof.training.adversarial.workshop import (
    CUT,
    MADE,
    SEARCHED,
    Cut,
    Make,
    Search,
    Searched,
    Workshop,
    drawn,
    first_of,
    makes_before,
)
from readproof.training.windows import Windows, joined

_SEEDS = 1000  # epochs that a seed has attack seeds for


@dataclass(frozen=True, slots=True)
class Wanted:
    """The questions that one dose takes in one epoch: those it searches for, those it takes what is made for."""

    dose: int
    searched: tuple[int, ...]
    made: tuple[int, ...]
    seed: int


@dataclass(slots=True)
class Coming:
    """An epoch's attacks on the way: what is wanted, and how to wait for what is being made."""

    epoch: int
    wanted: list[Wanted]
    made: Callable[[], list[list[Made]]]
    tasks: list[Make]


@dataclass(slots=True)
class Renewed:
    """An epoch's variants, each with the number of its question, and what their making cost."""

    numbers: list[int]
    variants: list[Variant]
    figures: dict[str, Any] = field(default_factory=dict)


class Renewal:
    """Makes, keeps and gives back the attacks of every epoch."""

    def __init__(self, recipe: Recipe, shop: Workshop, crew: Crew, numbers: Sequence[int], folder: Path) -> None:
        self.recipe, self.shop, self.crew = recipe, shop, crew
        self.numbers = tuple(numbers)
        self.folder = folder
        self._number = {shop.items[number].id: number for number in self.numbers}
        if len(self._number) < len(self.numbers):
            raise InputError(found="questions with the same id", expected="an id a question")

    def file(self, epoch: int) -> Path:
        return self.folder / f"epoch-{epoch + 1}.jsonl"

    def begin(self, epoch: int) -> Coming:
        """Has all made that needs no reader; nothing, where the epoch's attacks are kept already."""
        if self.file(epoch).exists():
            return Coming(epoch, [], list, [])
        wanted = self._wanted(epoch)
        tasks = []
        for one in wanted:
            early = (*one.searched, *one.made) if makes_before(self.shop.attack(one.dose)) else one.made
            count = max(1, self.recipe.doses[one.dose].queries() - 1) if early != one.made else 1
            tasks += [Make(one.dose, part, one.seed, count) for part in parts(early, MADE)]
        return Coming(epoch, wanted, self.crew.begin(tasks), tasks)

    def renewed(self, coming: Coming, model: Windowed, on_done: OnDone | None = None) -> Renewed:
        """The epoch's variants: kept ones, or new ones, which are then kept."""
        path = self.file(coming.epoch)
        if path.exists():
            return self._kept(path)
        begun = time.monotonic()
        made: dict[tuple[int, int], Made] = {}
        for task, results in zip(coming.tasks, coming.made(), strict=True):
            made.update({(task.dose, number): one for number, one in zip(task.numbers, results, strict=True)})
        tasks = [
            Search(one.dose, part, one.seed, self.recipe.doses[one.dose].queries(), _found(made, one.dose, part))
            for one in coming.wanted
            for part in parts(one.searched, SEARCHED)
        ]
        found: dict[tuple[int, int], Searched] = {}
        for task_, results_ in zip(tasks, self.crew.run(tasks, model, on_done), strict=True):
            found.update({(task_.dose, number): one for number, one in zip(task_.numbers, results_, strict=True)})
        numbers, variants, figures = [], [], {}
        for one in coming.wanted:
            chosen = [(number, found[one.dose, number].variant) for number in one.searched]
            chosen += [(number, first_of(made[one.dose, number])) for number in one.made]
            pairs = [(number, variant) for number, variant in chosen if variant is not None and _sound(variant)]
            there = sorted(pairs, key=lambda pair: pair[0])
            numbers += [number for number, _ in there]
            variants += [variant for _, variant in there]
            figures[self.recipe.doses[one.dose].name] = _figures(
                len(chosen), len(there), [found[one.dose, number] for number in one.searched]
            )
        self.folder.mkdir(parents=True, exist_ok=True)
        # first what is told of them: where the variants are, all is there
        told = {"attacks": figures, "seconds": round(time.monotonic() - begun, 1)}
        with writing(path.with_suffix(".json")) as file:
            file.write(json.dumps(told, ensure_ascii=False, indent=1) + "\n")
        with writing(path) as file:
            for variant in variants:
                file.write(json.dumps(to_line(variant), ensure_ascii=False) + "\n")
        return Renewed(numbers, variants, {**told, "sha256": digest(path)})

    def windows(self, renewed: Renewed, clean: Windows) -> Attacked:
        """The variants as windows beside those of their originals."""
        order = list(range(len(renewed.variants)))
        tasks = [
            Cut(tuple(renewed.numbers[at] for at in part), tuple(renewed.variants[at] for at in part))
            for part in parts(order, CUT)
        ]
        found: list[Attacked] = self.crew.run(tasks)
        place = {number: at for at, number in enumerate(self.numbers)}
        first_window = np.searchsorted(clean.questions, np.arange(len(self.numbers)), side="left")
        firsts = []
        for task, part in zip(tasks, found, strict=True):
            begins = np.asarray([first_window[place[number]] for number in task.numbers], dtype=np.int32)
            firsts.append(begins[part.windows.questions])
        windows = joined([part.windows for part in found]) if found else _none(clean)
        return joined_attacked(found, firsts, windows)

    def clean_windows(self) -> Windows:
        """The questions themselves as windows."""
        return joined(self.crew.run([Cut(part) for part in parts(self.numbers, CUT)]))

    def _wanted(self, epoch: int) -> list[Wanted]:
        recipe, out = self.recipe, []
        share = recipe.searched_share()
        items = self.shop.items
        answered = [number for number in self.numbers if items[number].golds]
        for at, dose in enumerate(recipe.doses):
            places = [(number, drawn(recipe.fit.seed, epoch, dose, items[number])) for number in answered]
            edge = dose.rate * share if dose.queries() else 0.0
            able = isinstance(self.shop.attack(at), Attack)
            searched = tuple(number for number, place in places if place < edge)
            made = tuple(number for number, place in places if edge <= place < dose.rate and able)
            out.append(Wanted(at, searched, made, recipe.fit.seed * _SEEDS + epoch + 1))
        return out

    def _kept(self, path: Path) -> Renewed:
        variants = list(read_variants(path))
        told = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        return Renewed([self._number[one.origin] for one in variants], variants, {**told, "sha256": digest(path)})


def parts(numbers: Iterable[int], size: int) -> list[tuple[int, ...]]:
    """Numbers in runs of `size`."""
    flat = tuple(numbers)
    return [flat[at : at + size] for at in range(0, len(flat), size)]


def _found(made: dict[tuple[int, int], Made], dose: int, numbers: Sequence[int]) -> tuple[Made, ...]:
    return tuple(made[dose, number] for number in numbers) if all((dose, one) in made for one in numbers) else ()


def _sound(variant: Variant) -> bool:
    """Whether there is an answer left to learn: one whose place is known."""
    item = variant.item
    return isinstance(item, SpanItem) and any(
        gold.text and gold.start is not None and item.passage.startswith(gold.text, gold.start) for gold in item.golds
    )


def _figures(asked: int, there: int, searched: Sequence[Searched]) -> dict[str, Any]:
    """How many questions were drawn, how many got a variant, and what the searches did to the reader."""
    figures: dict[str, Any] = {"questions": asked, "variants": there}
    hit = [one for one in searched if one.variant is not None]
    if hit:
        figures["queries"] = round(sum(one.queries for one in hit) / len(hit), 1)
        figures["expected_clean"] = round(100 * sum(one.clean for one in hit) / len(hit), 2)
        figures["expected_attacked"] = round(100 * sum(one.attacked for one in hit) / len(hit), 2)
    return figures


def _none(clean: Windows) -> Windows:
    """No windows, of the same kind."""
    empty = np.zeros(0, np.int32)
    return Windows(
        frame=clean.frame,
        ids=empty,
        offsets=np.zeros(1, np.int64),
        questions=empty,
        heads=empty,
        firsts=empty,
        golds=clean.golds[:0],
        labelled=clean.labelled[:0],
    )


def data_hash(items: Iterable[SpanItem]) -> str:
    """One SHA-256 over questions, passages and answers."""
    found = hashlib.sha256()
    for item in items:
        golds = [(gold.text, gold.start) for gold in item.golds]
        record = json.dumps([item.id, item.passage, item.question, golds], ensure_ascii=True)
        found.update(record.encode("utf-8", "surrogatepass"))
    return found.hexdigest()
