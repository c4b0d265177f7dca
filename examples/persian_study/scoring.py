"""What answers are worth by two metrics: raw, as the study scored, and clean, as a person would compare them.

Both compare with the gold answers of the file *before* the attack: no attack of the study changes what is right.
Raw: SQuAD's F1 of the slice that the reader cut from the attacked passage. Clean: PersianQA's `squad2` (SQuAD 2.0's F1,
a ZWNJ counted as a space) after everything invisible was removed from both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy

from examples.persian_study.cells import Cell
from examples.persian_study.rows import Row
from readproof.items import Gold, SpanItem
from readproof.lang.cleaning import clean_golds
from readproof.stats import Sample, intervals
from readproof.tasks import TASKS
from readproof.tasks.metrics import squad
from readproof.tasks.metrics.spans import SpanPredictions


@dataclass(frozen=True, slots=True)
class Range:
    """A figure in percent with its 95 % interval, by bootstrap over passages."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """One row measured: F1 by both metrics, and the share of the original F1 (same questions) that is left by each.

    `attacked` is how many questions got a variant; the others count as they were answered in the original. A share of
    nothing is None.
    """

    questions: int
    attacked: int
    raw: Range
    clean: Range
    raw_kept: Range | None
    clean_kept: Range | None
    raw_exact: float
    clean_exact: float
    queries: float
    skipped: dict[str, int]

    def plain(self) -> dict[str, Any]:
        """For a file."""
        return asdict(self)


Pair = tuple[float, float]


def raw_measure(answer: str, golds: Sequence[Gold]) -> Pair:
    """Exact match and F1 as the study's metric gives them."""
    return squad.version_1(answer, [gold.text for gold in golds])


def clean_measure(answer: str, item: SpanItem) -> Pair:
    """Exact match and F1 of a clean answer by PersianQA's squad2; `item` is the question before the attack."""
    golds = clean_golds(item)
    plain = SpanItem(id="0", passage="", question="", golds=golds, language=item.language)
    found = TASKS.get("persianqa").metrics["squad2"]([plain], SpanPredictions(Path(), {"0": answer}))
    columns = found.sample.columns
    return columns[0][0], columns[1][0]


def measured(row: Row, items: Sequence[SpanItem], cells: Sequence[Cell], originals: Sequence[Cell]) -> Figures:
    """A row's figures; `originals` are the answers to the same questions as they stand in the file."""
    clean_text = [cell.text if not cell.skipped else old.text for cell, old in zip(cells, originals, strict=True)]
    raw_text = [cell.raw if not cell.skipped else old.raw for cell, old in zip(cells, originals, strict=True)]
    raw = [raw_measure(text, item.golds) for item, text in zip(items, raw_text, strict=True)]
    clean = [clean_measure(text, item) for item, text in zip(items, clean_text, strict=True)]
    raw_before = [raw_measure(old.raw, item.golds) for item, old in zip(items, originals, strict=True)]
    clean_before = [clean_measure(old.text, item) for item, old in zip(items, originals, strict=True)]
    columns = {"raw": raw, "clean": clean, "raw before": raw_before, "clean before": clean_before}
    found = _ranges(items, {name: [pair[1] for pair in pairs] for name, pairs in columns.items()})
    skipped: dict[str, int] = {}
    for cell in cells:
        if cell.skipped:
            skipped[cell.skipped] = skipped.get(cell.skipped, 0) + 1
    return Figures(
        questions=len(items),
        attacked=len(items) - sum(skipped.values()) if row.attack else 0,
        raw=found["raw"],
        clean=found["clean"],
        raw_kept=found.get("raw kept"),
        clean_kept=found.get("clean kept"),
        raw_exact=_percent([pair[0] for pair in raw]),
        clean_exact=_percent([pair[0] for pair in clean]),
        queries=sum(cell.queries for cell in cells) / len(cells),
        skipped=dict(sorted(skipped.items())),
    )


def _ranges(items: Sequence[SpanItem], columns: dict[str, list[float]]) -> dict[str, Range]:
    names = [*columns]
    shares = [name for name in ("raw", "clean") if sum(columns[f"{name} before"])]

    def statistic(sums: Any) -> dict[str, Any]:
        out = {name: 100 * sums[..., at] / sums[..., len(names)] for at, name in enumerate(names)}
        for name in shares:
            before = out[f"{name} before"]
            # of a draw without a single right answer nothing can be lost
            out[f"{name} kept"] = numpy.where(before == 0, 100.0, 100 * out[name] / (before + (before == 0)))
        return out

    values = [*columns.values(), [1.0] * len(items)]
    groups = {passage: at for at, passage in enumerate(dict.fromkeys(item.passage for item in items))}
    drawn = intervals(Sample(values, [groups[item.passage] for item in items], statistic))
    centre = statistic(numpy.array([sum(column) for column in values]))
    return {name: Range(float(value), *drawn.get(name, (float(value),) * 2)) for name, value in centre.items()}


def _percent(values: Sequence[float]) -> float:
    return 100 * sum(values) / len(values)
