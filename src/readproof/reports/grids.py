"""A table that knows no format: heads, rows and a note in both languages; HTML, Markdown and LaTeX are made of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from readproof.proof.results import Figures, Outcome
from readproof.reports.labels import Label, Words, label

# where there is no figure, or none that means anything
NONE = "–"
# rows over fewer questions are grey
FEW = 10


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell. `outcome` gives it the mark of a check; `attack` leads to that attack's failures, `link` to a file.

    `strong` is the best of its column, `svg` a drawing in place of words.
    """

    words: Words
    outcome: Outcome | None = None
    attack: str = ""
    link: str = ""
    strong: bool = False
    svg: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table; the first column names the rows, those in `left` hold words and all others figures.

    `few` are the rows over too few questions to be trusted.
    """

    name: str
    title: Label
    heads: tuple[Words, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: Label | None = None
    left: frozenset[int] = frozenset({0})
    few: frozenset[int] = frozenset()


def grid(
    name: str,
    title: Label,
    heads: Sequence[Words],
    rows: Iterable[Sequence[Cell | Words]],
    *,
    note: Label | None = None,
    left: Iterable[int] = (),
    counts: Sequence[int] = (),
) -> Grid:
    """A table without the columns that are empty in every row; `counts` are the questions behind each row."""
    cells = [tuple(one if isinstance(one, Cell) else Cell(one) for one in row) for row in rows]
    kept = [at for at in range(len(heads)) if at == 0 or any(row[at].words or row[at].svg for row in cells)]
    words = {0, *left}
    return Grid(
        name=name,
        title=title,
        heads=tuple(heads[at] for at in kept),
        rows=tuple(tuple(row[at] for at in kept) for row in cells),
        note=note,
        left=frozenset(new for new, at in enumerate(kept) if at in words),
        few=frozenset(at for at, number in enumerate(counts) if number < FEW),
    )


def heads(*keys: str) -> list[Words]:
    """Labels of columns by their keys."""
    return [label(f"head.{key}") for key in keys]


def value(figures: Figures | None, metric: str) -> str:
    """A score with one digit; "" where there is none."""
    return f"{figures[metric].value:.1f}" if figures and metric in figures else ""


def interval(figures: Figures | None, metric: str) -> str:
    """A score with its interval."""
    if not figures or metric not in figures:
        return ""
    one = figures[metric]
    return (
        value(figures, metric)
        if one.low is None or one.high is None
        else f"{one.value:.1f} ({span(one.low, one.high)})"
    )


def span(low: float, high: float) -> str:
    """From low to high, without digits that nobody can rely on."""
    return f"{low:.0f}–{high:.0f}"


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def count(number: int) -> str:
    """A whole number with thin spaces, as both languages read it."""
    return f"{number:,}".replace(",", "\u2009")


def megabytes(size: int) -> str:
    return f"{size / 1e6:.0f} MB" if size >= 1e7 else f"{size / 1e6:.1f} MB"


def milliseconds(value: float) -> str:
    return f"{value:.0f}" if value >= 1 else "< 1"
