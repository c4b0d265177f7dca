"""The two tables in the study's layout, its own figures beside ours, as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from examples.persian_study import published
from examples.persian_study.rows import ROWS, Row
from examples.persian_study.scoring import Figures, Range

_NONE = "–"


@dataclass(frozen=True, slots=True)
class Trained:
    """One attack of the training half: the reader before and after, under the attack and on the original questions."""

    row: Row
    before_attacked: Figures
    before_original: Figures
    attacked: Figures
    original: Figures


def markdown(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A table, its first column to the left and the others to the right."""
    ruled = ["|", "---|", "---:|" * (len(heads) - 1)]
    return "\n".join([_line(heads), "".join(ruled), *map(_line, lines)]) + "\n"


def evaluation(rows: Sequence[Row], figures: Mapping[str, Figures], reader: str) -> str:
    """The study's first table."""
    heads = [
        "data",
        *(f"{one} (study)" for one in published.READERS),
        f"{reader}: raw F1 (95 %)",
        "clean F1 (95 %)",
        "kept, clean (95 %)",
        "kept, raw",
        "attacked",
    ]
    return markdown(heads, [_evaluated(row, figures.get(row.name)) for row in rows])


def training(rows: Sequence[Trained], reader: str, unmeasured: Sequence[str]) -> str:
    """The study's second table: attacked / original after training against the attack."""
    heads = [
        "trained against",
        *(f"{one} (study)" for one in published.READERS),
        f"{reader} before, clean F1",
        "after, clean F1",
        "attacked (95 %)",
        "original (95 %)",
        "after, raw F1",
    ]
    lines = [_trained(one) for one in rows]
    for name in unmeasured:
        study = [_pair(published.trained(name, one)) for one in published.READERS]
        lines.append([ROWS[name].label, *study, "not measured", *[_NONE] * 4])
    return markdown(heads, lines)


def shown(found: Range) -> str:
    """A figure with its interval."""
    return f"{found.value:.1f} ({found.low:.1f}–{found.high:.1f})"


def _evaluated(row: Row, found: Figures | None) -> list[str]:
    study = [_figure(published.evaluated(row.study, one)) for one in published.READERS]
    if found is None:
        return [row.label, *study, f"not measured: {row.missing}", *[_NONE] * 4]
    if not row.attack:
        return [row.label, *study, shown(found.raw), shown(found.clean), _NONE, _NONE, f"{found.questions}"]
    kept = f"{shown(found.clean_kept)} %" if found.clean_kept else _NONE
    raw_kept = f"{found.raw_kept.value:.1f} %" if found.raw_kept else _NONE
    counts = f"{found.attacked} of {found.questions}"
    return [row.label, *study, shown(found.raw), shown(found.clean), kept, raw_kept, counts]


def _trained(one: Trained) -> list[str]:
    study = [_pair(published.trained(one.row.study, reader)) for reader in published.READERS]
    return [
        one.row.label,
        *study,
        _pair((one.before_attacked.clean.value, one.before_original.clean.value)),
        _pair((one.attacked.clean.value, one.original.clean.value)),
        shown(one.attacked.clean),
        shown(one.original.clean),
        _pair((one.attacked.raw.value, one.original.raw.value)),
    ]


def _figure(value: float | None) -> str:
    return _NONE if value is None else f"{value:.1f}"


def _pair(values: tuple[float, float] | None) -> str:
    return _NONE if values is None else f"{values[0]:.1f} / {values[1]:.1f}"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(one.replace("|", "\\|") for one in cells) + " |"
