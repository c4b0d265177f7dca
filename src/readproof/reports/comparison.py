"""Runs side by side as a page or in LaTeX: what changed, how sure that is, and one table of readers by attacks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from readproof import __version__
from readproof.errors import InputError
from readproof.proof.compare import Comparison, Difference, compare
from readproof.proof.results import PartName
from readproof.proof.run import RunResults, open_results
from readproof.reports import charts, latex
from readproof.reports.grids import NONE, Cell, Grid, count, grid, heads, value
from readproof.reports.labels import Label, Language, Words, both, label, named
from readproof.reports.shell import rendered

ComparisonFormat = Literal["html", "markdown", "latex"]
COMPARISON_FORMATS: tuple[ComparisonFormat, ...] = get_args(ComparisonFormat)
_SURE = 0.05
# an interval of so many points says little of how large a difference is
_WIDE = 10.0
_PARTS: tuple[PartName, ...] = ("spans", "options")
_SHOWN = 40


def comparison(
    runs: Sequence[RunResults | str | Path],
    *,
    format: ComparisonFormat = "html",
    language: Language | None = None,
    found: Comparison | None = None,
) -> str:
    """Two runs or more as a page (html), or as tables (markdown, latex); `found` saves comparing them again."""
    from readproof.reports import markdown

    opened = [one if isinstance(one, RunResults) else open_results(one) for one in runs]
    result = found or compare([one.folder for one in opened])
    if format not in COMPARISON_FORMATS:
        expected = f"one of {', '.join(COMPARISON_FORMATS)}"
        raise InputError(place="--format", found=repr(format), expected=expected)
    grids = [*matrix_grids(result.runs, opened), *(differences_grid(result, later) for later in result.runs[1:])]
    spoken: Language = language or "en"
    if format == "latex":
        head = "% \\usepackage{booktabs,graphicx}\n\n"
        return head + "\n\n".join(latex.table(one, spoken) for one in grids) + "\n"
    if format == "markdown":
        return "\n\n".join(markdown.table(one, spoken) for one in grids) + "\n"
    return rendered("sheet.html", _context(result, opened), language=language)


def matrix_grids(names: Sequence[str], runs: Sequence[RunResults]) -> list[Grid]:
    """For each kind of question one table: a row for each reader, a column for the clean score and each attack."""
    return [one for part in _PARTS if (one := _matrix(part, names, runs)) is not None]


def _matrix(part: PartName, names: Sequence[str], runs: Sequence[RunResults]) -> Grid | None:
    """Clean and attacked scores; the best of a column is marked as such."""
    scores = [run.scores for run in runs]
    attacks = list(dict.fromkeys(one.attack for each in scores for one in each.attacks if one.part == part))
    own = [(name, each, found) for name, each in zip(names, scores, strict=True) if (found := each.part(part))]
    if not own:
        return None
    metric = own[0][2].single
    table = []
    for _, each, found in own:
        attacked = {one.attack: one.attacked for one in each.attacks if one.part == part and one.variants}
        table.append([value(found.clean, metric), *(value(attacked.get(attack), metric) for attack in attacks)])
    best = [max((float(row[at]) for row in table if row[at]), default=None) for at in range(len(attacks) + 1)]
    rows: list[list[Cell | Words]] = []
    for (name, _, _), row in zip(own, table, strict=True):
        cells: list[Cell | Words] = [name]
        for cell, top in zip(row, best, strict=True):
            strong = bool(cell) and len(own) > 1 and float(cell) == top
            cells.append(Cell(cell or NONE, strong=strong))
        rows.append(cells)
    kind = label(f"part.{part}")
    title = label("compare.matrix").filled(part=kind, metric=both(named("metric", metric)))
    titles: list[Words] = [*heads("reader", "clean"), *attacks]
    return grid(f"matrix-{part}", title, titles, rows, note=label("compare.matrix-note"))


def differences_grid(found: Comparison, later: str) -> Grid:
    """Every row of a later run against the first."""
    rows: list[list[Cell | Words]] = []
    own = [row for row in found.differences if row.later == later]
    for row in own:
        gap = f"{row.difference:+.1f}"
        rows.append(
            [
                f"{row.attack}{'' if row.same else ' *'}",
                _outcome(row),
                gap,
                f"{row.low:+.1f} … {row.high:+.1f}",
                f"{row.first_score:.1f}",
                f"{row.later_score:.1f}",
                count(row.items),
                chance(row.p_holm),
                count(row.won),
                count(row.lost),
                chance(row.mcnemar_holm),
            ]
        )
    keys = ("attack", "change", "gap", "interval", "first", "later", "questions", "p", "won", "lost-items", "mcnemar")
    title = label("compare.table").filled(first=found.runs[0], later=later)
    note = label("compare.note" if all(row.same for row in own) else "compare.note-apart")
    name = f"differences-{found.runs.index(later)}"
    return grid(name, title, heads(*keys), rows, left=(1,), note=note, counts=[row.items for row in own])


def _outcome(row: Difference) -> Cell:
    """Better or worse where the interval and the corrected p both say so."""
    if row.p_holm >= _SURE or row.low <= 0 <= row.high:
        return Cell(label("change.unclear"), outcome="unclear")
    return (
        Cell(label("change.better"), outcome="passed") if row.low > 0 else Cell(label("change.worse"), outcome="failed")
    )


def explained(row: Difference) -> Label | None:
    """Why the interval and the p values of a row seem to disagree; None where they do not."""
    key = _seeming(row)
    if not key:
        return None
    return label(f"explained.{key}").filled(
        attack=row.attack,
        low=f"{row.low:+.1f}",
        high=f"{row.high:+.1f}",
        p=chance(row.p_holm),
        alone=chance(row.p),
        mcnemar=chance(row.mcnemar_holm),
        passages=row.passages,
        more=4 * row.passages,
    )


def _seeming(row: Difference) -> str:
    inside = row.low <= 0 <= row.high
    if inside and row.mcnemar_holm < _SURE:
        return "grouped"
    if inside and row.p_holm < _SURE:
        return "border"
    if not inside and row.p_holm >= _SURE:
        return "corrected"
    return "wide" if not inside and row.high - row.low >= _WIDE else ""


def explanations(rows: Sequence[Difference]) -> list[Label]:
    """What there is to explain in a table; of rows that need the same words, the one with the widest interval."""
    found: dict[str, list[Difference]] = {}
    for row in rows:
        key = _seeming(row)
        if key:
            found.setdefault(key, []).append(row)
    told = []
    for alike in found.values():
        widest = max(alike, key=lambda row: row.high - row.low)
        words = explained(widest)
        others = [row.attack for row in alike if row is not widest]
        if words is not None:
            told.append(label("explained.others").filled(words=words, names=", ".join(others)) if others else words)
    return told


def chance(p: float) -> str:
    """A p value without digits that nobody can rely on."""
    return f"{p:.3f}" if p >= 0.001 else "< 0.001"


def _context(found: Comparison, runs: Sequence[RunResults]) -> dict[str, Any]:
    blocks: list[dict[str, Any]] = [_block(one) for one in matrix_grids(found.runs, runs)]
    for later in found.runs[1:]:
        own = [row for row in found.differences if row.later == later]
        items: list[tuple[Words, str]] = []
        for row in own:
            for key, names in (("better", row.better), ("worse", row.worse)):
                if names:
                    more = f" + {len(names) - _SHOWN}" if len(names) > _SHOWN else ""
                    items.append((label(f"compare.{key}").filled(attack=row.attack), ", ".join(names[:_SHOWN]) + more))
        blocks.append(_block(differences_grid(found, later), notes=explanations(own), names=items, plot=_plot(own)))
    about = label("compare.about").filled(first=found.runs[0], data=runs[0].scores.run.data.name)
    return {"title": label("compare.title"), "about": about, "version": __version__, "blocks": blocks}


def _block(
    one: Grid,
    *,
    notes: Sequence[Words] = (),
    names: Sequence[tuple[Words, str]] = (),
    plot: Any = None,
) -> dict[str, Any]:
    title = label("compare.items")
    return {"grid": one, "notes": notes, "names": names, "names_title": title, "plot": plot}


def _plot(rows: Sequence[Difference]) -> dict[str, Any] | None:
    """The differences with their intervals, about the line of no difference."""
    if not rows:
        return None
    drawn = charts.gaps([(row.attack, row.difference, row.low, row.high) for row in rows])
    title = label("chart.gaps").filled(first=rows[0].first, later=rows[0].later)
    return {"title": title, "about": label("chart.gaps-alt"), "series": (), "svg": drawn}


__all__ = [
    "COMPARISON_FORMATS",
    "ComparisonFormat",
    "chance",
    "comparison",
    "explained",
    "explanations",
    "matrix_grids",
]
