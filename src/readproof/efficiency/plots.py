"""Points against the curve, drawn by pygal: a plot for each task, as one SVG file or as a page with its tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import chain
from typing import Any
from xml.etree import ElementTree

from readproof.efficiency.elue import Curve, TaskScore

Series = Sequence[tuple[str, TaskScore]]
Rows = Sequence[Sequence[str]]

_SVG = "{http://www.w3.org/2000/svg}"
_WIDTH, _HEIGHT, _ACROSS = 560, 380, 2
_CURVE = "#6b6b6b"
# told apart by people who see colours differently (Okabe and Ito)
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
_GIGA = 1e9
_SPARE = 0.05
_STYLE = (
    "body{font-family:sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;line-height:1.45}"
    "table{border-collapse:collapse;margin:1rem 0}th,td{padding:.2rem .9rem .2rem 0;text-align:left}"
    "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}th{border-bottom:1px solid #999}"
    ".plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(26rem,1fr));gap:1rem}figure{margin:0}svg{max-width:100%}"
)


def svg(found: Mapping[str, Series], curve: Curve | None) -> str:
    """All plots in one SVG file, two in a row."""
    rows = -(-len(found) // _ACROSS)
    across = min(_ACROSS, max(len(found), 1))
    plots = "".join(
        _plot(task, series, curve, (_WIDTH * (number % _ACROSS), _HEIGHT * (number // _ACROSS)))
        for number, (task, series) in enumerate(found.items())
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH * across} {_HEIGHT * rows}" '
        f'font-family="sans-serif"><rect width="100%" height="100%" fill="#ffffff"/>{plots}</svg>\n'
    )


def page(found: Mapping[str, Series], curve: Curve | None, tables: Sequence[tuple[str, Rows, int]]) -> str:
    """A page that needs nothing else: plots, and tables (a title, rows with the heads first, where figures begin)."""
    plots = "".join(f"<figure>{_plot(task, series, curve)}</figure>" for task, series in found.items())
    body = "".join(f"<h2>{escape(title)}</h2>{_table(rows, figures)}" for title, rows, figures in tables)
    against = f"<p>Baseline: {escape(curve.name)}</p>" if curve else ""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>ELUE</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>'
        f'<body><h1>ELUE: performance at a cost</h1>{against}<div class="plots">{plots}</div>{body}</body></html>\n'
    )


def _table(rows: Rows, figures: int) -> str:
    parts = []
    for number, row in enumerate(rows):
        cell = "th" if number == 0 else "td"
        parts.append("<tr>" + "".join(_cell(cell, at >= figures, text) for at, text in enumerate(row)) + "</tr>")
    return f"<table>{''.join(parts)}</table>"


def _cell(kind: str, figure: bool, text: str) -> str:
    return f"<{kind}{' class=n' if figure else ''}>{escape(text)}</{kind}>"


def _plot(task: str, series: Series, curve: Curve | None, at: tuple[int, int] | None = None) -> str:
    """One task: the curve as a line, each submission's points in a colour of its own."""
    import pygal  # type: ignore[import-untyped]

    baseline = curve.tasks.get(task) if curve else None
    line = [(point.flops / _GIGA, point.performance) for point in baseline.points] if baseline else []
    points = [
        [
            (gain.point.flops / _GIGA, gain.point.performance)
            for gain in scored.gains
            if gain.point.performance is not None
        ]
        for _, scored in series
    ]
    colours = ((_CURVE,) if line else ()) + tuple(_COLOURS[at % len(_COLOURS)] for at in range(len(series)))
    style = pygal.style.Style(
        background="#ffffff", plot_background="#ffffff", foreground="#222222", foreground_strong="#111111",
        colors=colours, font_family="sans-serif", label_font_size=12, legend_font_size=12, title_font_size=15,
        major_label_font_size=12,
    )  # fmt: skip
    graph = pygal.XY(
        width=_WIDTH, height=_HEIGHT, style=style, js=(), title=task, x_title="GFLOPs of an item", dots_size=4,
        y_title="percent", legend_at_bottom=True, legend_at_bottom_columns=3, truncate_legend=20, no_data_text="–",
        value_formatter=_short, x_value_formatter=_short, margin=8,
        **_ranges([*line, *chain.from_iterable(points)]),
    )  # fmt: skip
    # else a random one, and the file would differ each time
    graph.uuid = f"elue-{task}"
    if line:
        graph.add("baseline", line, dots_size=2.5)
    for (name, _), found in zip(series, points, strict=True):
        graph.add(name, found, stroke=False)
    return _text(graph.render_tree(), at)


def _ranges(points: Sequence[tuple[float, float]]) -> dict[str, tuple[float, float]]:
    if not points:
        return {}
    across, up = zip(*points, strict=True)
    return {"xrange": _wide(min(across), max(across)), "range": _wide(min(up), max(up))}


def _wide(low: float, high: float) -> tuple[float, float]:
    spare = (high - low) * _SPARE or max(abs(high) * _SPARE, 1e-6)
    return low - spare, high + spare


def _text(root: Any, at: tuple[int, int] | None) -> str:
    """The plot as text, without scripts and comments; its styles hold for itself only. `at` is its place in a file."""
    for parent in list(root.iter()):
        for child in list(parent):
            if not isinstance(child.tag, str) or child.tag.rpartition("}")[2] == "script":
                parent.remove(child)
    for element in root.iter():
        element.tag = element.tag.removeprefix(_SVG)
    if at:
        root.attrib.update({"x": str(at[0]), "y": str(at[1]), "width": str(_WIDTH), "height": str(_HEIGHT)})
    return ElementTree.tostring(root, encoding="unicode")


def _short(value: float) -> str:
    return f"{value:.4g}"
