"""Clean and attacked scores with their intervals: what hardening is judged by, after every epoch and in the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from readproof.attacks.base import Attack
from readproof.items import SpanItem, Variant
from readproof.stats import Sample, intervals
from readproof.training.adversarial.attack_refresh import (
    MADE,
    SEARCHED,
    AttackPool,
    AttackWorker,
    MakeTask,
    OnDone,
    ScoreTask,
    SearchResult,
    SearchTask,
    first_of,
    parts,
)
from readproof.training.adversarial.reading import Windowed
from readproof.training.adversarial.recipe import AttackMix

CLEAN = "clean"


@dataclass(frozen=True, slots=True)
class HardeningFigure:
    """EM and F1 in percent, the 95 % interval of F1 over passages, and on how many questions.

    `attacked` is how many of them got a variant; the others count as they are. `queries` is a mean.
    """

    exact: float
    f1: float
    low: float
    high: float
    questions: int
    attacked: int = 0
    queries: float = 0.0


def figures(
    doses: Sequence[tuple[int, int]],
    numbers: Sequence[int],
    shop: AttackWorker,
    crew: AttackPool,
    model: Windowed,
    *,
    seed: int,
    on_done: OnDone | None = None,
) -> dict[str, HardeningFigure]:
    """The clean score, and that under each dose (its number, and the queries it may make), renewed for this reader."""
    tasks: list[Any] = [ScoreTask(part) for part in parts(numbers, MADE)]
    for dose, budget in doses:
        kind = SearchTask if budget else MakeTask
        tasks += [
            SearchTask(dose, part, seed, budget) if kind is SearchTask else MakeTask(dose, part, seed)
            for part in parts(numbers, SEARCHED)
        ]
    found = dict(zip(range(len(tasks)), crew.run(tasks, model, on_done), strict=True))
    clean = [pair for at, task in enumerate(tasks) if isinstance(task, ScoreTask) for pair in found[at]]
    out = {CLEAN: _figure(clean, [shop.items[number] for number in numbers])}
    for dose, _ in doses:
        variants: list[Variant | None] = []
        queries: list[int] = []
        for at, task in enumerate(tasks):
            if isinstance(task, ScoreTask) or task.dose != dose:
                continue
            for one in found[at]:
                searched = isinstance(one, SearchResult)
                variants.append(one.variant if searched else first_of(one))
                queries.append(one.queries if searched else 0)
        scoring = [
            ScoreTask(tuple(numbers[at] for at in part), tuple(variants[at] for at in part))
            for part in parts(range(len(numbers)), MADE)
        ]
        scores = [pair for result in crew.run(scoring, model) for pair in result]
        items = [shop.items[number] for number in numbers]
        there = sum(one is not None for one in variants)
        out[shop.doses[dose].name] = _figure(scores, items, attacked=there, queries=float(np.mean(queries)))
    return out


def _figure(
    scores: Sequence[tuple[float, float]], items: Sequence[SpanItem], *, attacked: int = 0, queries: float = 0.0
) -> HardeningFigure:
    groups = {passage: at for at, passage in enumerate(dict.fromkeys(item.passage for item in items))}
    exact, f1 = (float(np.mean([pair[at] for pair in scores])) * 100 for at in (0, 1))
    sample = Sample(
        columns=([pair[1] for pair in scores], [1.0] * len(scores)),
        groups=[groups[item.passage] for item in items],
        statistic=lambda sums: {"f1": 100 * sums[..., 0] / sums[..., 1]},
    )
    low, high = intervals(sample).get("f1", (f1, f1))
    return HardeningFigure(exact, f1, low, high, len(scores), attacked, queries)


def budgets(doses: Sequence[AttackMix], given: Mapping[str, int]) -> list[tuple[int, int]]:
    """Every dose with the queries it may make in a table; those that need no reader and have none make none."""
    out = []
    for at, dose in enumerate(doses):
        free = not dose.search and isinstance(dose.made(), Attack)
        out.append((at, 0 if free else given.get(dose.name, given.get(dose.attack, 0)) or dose.queries()))
    return out


def plain(found: Mapping[str, HardeningFigure]) -> dict[str, Any]:
    """For a file."""
    return {name: {key: round(value, 4) for key, value in asdict(one).items()} for name, one in found.items()}


def rows(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[list[str]]:
    """The table for a person: attack, F1 before and after with intervals, and each as a share of its clean F1."""
    out = []
    for name in before:
        line = [name]
        for side in (before, after):
            one, clean = side[name], side[CLEAN]["f1"]
            share = f" {100 * one['f1'] / clean:.1f} %" if clean and name != CLEAN else ""
            line += [f"{one['f1']:.2f} ({one['low']:.1f}-{one['high']:.1f})", share.strip()]
        out.append([*line, f"{after[name]['f1'] - before[name]['f1']:+.2f}"])
    return out


HEADS = ("attack", "F1 before (95 %)", "of clean", "F1 after (95 %)", "of clean", "change")
