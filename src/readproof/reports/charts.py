"""Plots as inline SVG, drawn by pygal: no script, no style of their own, so that the page's colours and themes hold.

All words stand in HTML beside a plot; inside there are numbers and the names of attacks only, which are the same in
every language. Plots are drawn narrow, so that their figures can still be read on a telephone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log10, sqrt
from typing import Any
from xml.etree import ElementTree

from markupsafe import Markup, escape

from readproof.proof.results import Bin, CoveragePoint, Figure

# a plot of pygal's, which has no types
Graph = Any

_WIDTH, _HEIGHT = 480, 320
_BAR, _GAP, _AXIS = 12, 14, 44
_CAP = 3.5
_BINS = 16
_SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True, slots=True)
class Series:
    """Some bars or a line; `name` is the class that gives the colour."""

    name: str
    values: Sequence[Figure | None]


@dataclass(frozen=True, slots=True)
class Dots:
    """One row of a dot plot: a name, its score before and after, the lowest, and the score that it must not go below.

    `few` is a row of too few questions to be looked at closely.
    """

    name: str
    before: Figure
    after: Figure
    worst: Figure | None = None
    limit: float | None = None
    few: bool = False


_ROW, _LEFT, _RIGHT = 26, 178, 40


def dots(rows: Sequence[Dots]) -> Markup:
    """Before → after for every row, from 0 to 100, with the limit as a broken line; the caller sorts the rows."""
    height = _ROW * len(rows) + 30
    inner = _WIDTH - _LEFT - _RIGHT

    def at(value: float) -> str:
        return f"{_LEFT + inner * max(0.0, min(100.0, value)) / 100:.1f}"

    bottom = _ROW * len(rows) + 4
    drawing = ['<g class="axis x">']
    for tick in range(0, 101, 20):
        drawing.append(f'<path class="guide line" d="M{at(tick)} 2V{bottom}"/>')
        drawing.append(f'<text x="{at(tick)}" y="{bottom + 18}">{tick}</text>')
    drawing.append("</g>")
    for number, row in enumerate(rows):
        middle = _ROW * number + _ROW / 2 + 2
        drawing.append(f'<g class="dots{" few" if row.few else ""}">')
        drawing.append(f'<text class="name" x="{_LEFT - 12}" y="{middle + 4.5:g}">{escape(_cut(row.name))}</text>')
        if row.limit is not None:
            top = _ROW * number + 2
            drawing.append(f'<path class="of-limit line" d="M{at(row.limit)} {top}V{top + _ROW}"/>')
        if row.after.low is not None and row.after.high is not None:
            span = f"M{at(row.after.low)} {middle:g}H{at(row.after.high)}"
            drawing.append(f'<path class="range of-attacked" d="{span}"/>')
        drawing.append(f'<path class="change" d="M{at(row.before.value)} {middle:g}H{at(row.after.value)}"/>')
        points = [("clean", row.before, 4.5), ("attacked", row.after, 5.0)]
        points += [("worst", row.worst, 3.5)] if row.worst else []
        for name, figure, size in points:
            title = f"<title>{_short(round(figure.value, 1))}</title>"
            drawing.append(
                f'<circle class="of-{name}" cx="{at(figure.value)}" cy="{middle:g}" r="{size:g}">{title}</circle>'
            )
        value = f"{row.after.value:.0f}"
        drawing.append(f'<text class="value" x="{_WIDTH - 4}" y="{middle + 4.5:g}">{value}</text></g>')
    start = f'<svg xmlns="http://www.w3.org/2000/svg" class="plot dotted" viewBox="0 0 {_WIDTH} {height}"'
    return Markup(f'{start} aria-hidden="true" focusable="false">{"".join(drawing)}</svg>')


def gaps(rows: Sequence[tuple[str, float, float, float]]) -> Markup:
    """Differences with their intervals (name, difference, low, high) about the line of no difference."""
    most = max([1.0, *(abs(end) for _, _, low, high in rows for end in (low, high))])
    step = step_of(most / 3)
    reach = step * -(-most // step)
    height, inner = _ROW * len(rows) + 30, _WIDTH - _LEFT - _RIGHT
    bottom = _ROW * len(rows) + 4

    def at(value: float) -> str:
        return f"{_LEFT + inner * (value + reach) / (2 * reach):.1f}"

    drawing = ['<g class="axis x">']
    tick = -reach
    while tick <= reach + step / 2:
        name = "axis line" if abs(tick) < step / 2 else "guide line"
        drawing.append(f'<path class="{name}" d="M{at(tick)} 2V{bottom}"/>')
        drawing.append(f'<text x="{at(tick)}" y="{bottom + 18}">{round(tick, 6):+g}</text>')
        tick += step
    drawing.append("</g>")
    for number, (name, gap, low, high) in enumerate(rows):
        middle = _ROW * number + _ROW / 2 + 2
        tone = "hardened" if low <= 0 <= high else "sanitised" if low > 0 else "worst-gap"
        drawing.append(
            f'<g class="dots"><text class="name" x="{_LEFT - 12}" y="{middle + 4.5:g}">{escape(_cut(name))}</text>'
            f'<path class="range of-{tone}" d="M{at(low)} {middle:g}H{at(high)}"/>'
            f'<circle class="of-{tone}" cx="{at(gap)}" cy="{middle:g}" r="5"/>'
            f'<text class="value" x="{_WIDTH - 2}" y="{middle + 4.5:g}">{gap:+.1f}</text></g>'
        )
    start = f'<svg xmlns="http://www.w3.org/2000/svg" class="plot dotted" viewBox="0 0 {_WIDTH} {height}"'
    return Markup(f'{start} aria-hidden="true" focusable="false">{"".join(drawing)}</svg>')


def sparkline(values: Sequence[float]) -> Markup:
    """Some scores in the order of their runs, the last one marked; no axis, as it stands beside its figures."""
    wide, high = 96, 22
    lowest, highest = min(values), max(values)
    spread = (highest - lowest) or 1.0
    places = [
        (4 + (wide - 8) * at / max(1, len(values) - 1), high - 4 - (high - 8) * (one - lowest) / spread)
        for at, one in enumerate(values)
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    x, y = places[-1]
    told = ", ".join(f"{one:.1f}" for one in values)
    return Markup(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="spark" width="{wide}" height="{high}" role="img" '
        f'aria-label="{told}" viewBox="0 0 {wide} {high}"><polyline points="{line}"/>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"/></svg>'
    )


def bars(names: Sequence[str], series: Sequence[Series], *, step: float = 20.0, steps: int = 5) -> Markup:
    """A group of bars for every name, from top to bottom, with their intervals."""
    height = _AXIS + len(names) * (len(series) * _BAR + _GAP)
    ticks = [step * number for number in range(steps + 1)]
    graph = _pygal().HorizontalBar(**_settings(height), range=(0, ticks[-1]), y_labels=ticks, truncate_label=-1)
    graph.value_formatter = _short
    # pygal begins at the bottom
    graph.x_labels = [_cut(name) for name in reversed(names)]
    for one in series:
        graph.add(one.name, [_bar(figure) for figure in reversed(one.values)])
    return drawn(graph, [one.name for one in series])


def seconds(phases: Mapping[str, float]) -> Markup:
    """One bar for every step of a run."""
    most = max([*phases.values(), 1e-3])
    step = step_of(most / 6)
    values = [Figure(value=value) for value in phases.values()]
    return bars(list(phases), [Series("clean", values)], step=step, steps=int(-(-most // step)))


def calibration(found: Mapping[str, Sequence[Bin]]) -> Markup:
    """Share of right answers over confidence: the diagonal is a reader that is as right as it is sure."""
    graph = axes((0.0, 1.0), (0.0, 1.0), 0.2)
    graph.add("ideal", [(0, 0), (1, 1)], show_dots=False)
    for name, bins in found.items():
        most = max((one.count for one in bins), default=1)
        points = [
            {"value": (one.confidence, one.right), "node": {"r": 2.5 + 4.5 * sqrt(one.count / most)}} for one in bins
        ]
        graph.add(name, points)
    return drawn(graph, ["ideal", *found])


def coverage(found: Mapping[str, Sequence[CoveragePoint]]) -> Markup:
    """Score over the share of questions that are answered, the surest first."""
    lowest = min((point.score for points in found.values() for point in points), default=0.0)
    tick = 10 if lowest >= 55 else 20
    graph = axes((0.0, 100.0), (tick * (max(0.0, lowest - 2.0) // tick), 100.0), tick)
    for name, points in found.items():
        graph.add(name, [(100 * point.share, point.score) for point in points], show_dots=len(points) < 3)
    return drawn(graph, list(found))


def histogram(samples: Sequence[float]) -> Markup:
    """How many questions took how many milliseconds."""
    step = step_of(max(samples) / _BINS)
    counts: dict[int, int] = {}
    for one in samples:
        counts[int(one // step)] = counts.get(int(one // step), 0) + 1
    graph = _pygal().Histogram(**_settings(_HEIGHT), margin_right=16)
    graph.value_formatter = _short
    graph.x_value_formatter = _short
    last = max(counts) + 1
    every = -(-last // 8)
    graph.x_labels = [number * step for number in range(0, last + 1, every)]
    most = max(counts.values())
    tick = max(1, round(step_of(most / 4)))
    graph.y_labels = list(range(0, most + tick, tick))
    graph.add("clean", [(number, at * step, (at + 1) * step) for at, number in sorted(counts.items())])
    return drawn(graph, ["clean"])


def axes(across: tuple[float, float], up: tuple[float, float], tick: float) -> Graph:
    graph = _pygal().XY(**_settings(_HEIGHT), xrange=across, range=up, dots_size=2.5, margin_right=16)
    graph.value_formatter = _short
    graph.x_value_formatter = _short
    graph.x_labels = [across[0] + (across[1] - across[0]) * number / 5 for number in range(6)]
    graph.y_labels = [up[0] + tick * number for number in range(round((up[1] - up[0]) / tick) + 1)]
    return graph


def _pygal() -> Any:
    import pygal  # type: ignore[import-untyped]

    return pygal


def _settings(height: int) -> dict[str, Any]:
    # pygal lays labels out by these sizes; the page's CSS has the same
    style = _pygal().style.Style(label_font_size=13, major_label_font_size=13, font_family="sans-serif")
    return {
        "width": _WIDTH,
        "height": height,
        "style": style,
        "show_legend": False,
        "js": (),
        "margin": 6,
        "spacing": 6,
        "no_data_text": "–",
    }


def _bar(figure: Figure | None) -> dict[str, Any] | None:
    if figure is None:
        return None
    if figure.low is None or figure.high is None:
        return {"value": figure.value}
    return {"value": figure.value, "ci": {"low": figure.low, "high": figure.high}}


def drawn(graph: Graph, names: Sequence[str]) -> Markup:
    """The graph without what a page has no use for: styles, scripts, comments, notes for tooltips."""
    # pygal draws with lxml where it is installed, whose elements behave otherwise
    root = ElementTree.fromstring(graph.render())
    root.attrib.pop("id", None)
    root.set("class", "plot")
    root.set("aria-hidden", "true")
    root.set("focusable", "false")
    _swept(root, names)
    for element in root.iter():
        element.tag = str(element.tag).removeprefix(_SVG)
    # ElementTree escapes what comes out of the data: names of attacks
    return Markup(ElementTree.tostring(root, encoding="unicode", short_empty_elements=True))


def _swept(element: Any, names: Sequence[str]) -> None:
    for child in list(element):
        kind = str(child.tag).removeprefix(_SVG)
        classes = child.get("class", "").split()
        if kind == "desc" and classes == ["value"]:
            # shown by browsers when the pointer rests on it
            child.tag = "title"
            child.attrib.clear()
            continue
        if not isinstance(child.tag, str) or kind in ("defs", "style", "script", "title", "desc"):
            element.remove(child)
            continue
        if "tooltip-overlay" in classes or "text-overlay" in classes or "background" in classes:
            element.remove(child)
            continue
        child.attrib.pop("style", None)
        child.set("class", " ".join(_renamed(one, names) for one in classes))
        if "ci" in classes:
            for path in child:
                path.set("d", _with_short_caps(path.get("d", "")))
        for name in ("x", "y", "width", "height", "cx", "cy", "d"):
            if name in child.attrib:
                child.set(name, _rounded(child.get(name)))
        _swept(child, names)


def _renamed(name: str, names: Sequence[str]) -> str:
    """The class of a colour by the name of its series."""
    found = re.fullmatch(r"color-(\d+)", name)
    return f"of-{names[int(found[1])]}" if found else name


def _with_short_caps(path: str) -> str:
    """An interval whose ends are no higher than the bars; pygal's are of a fixed size."""
    numbers = [float(one) for one in re.findall(r"-?\d+(?:\.\d+)?", path)]
    across, up = numbers[0::2], numbers[1]
    ends = "".join(f"M{at:.1f} {up - _CAP:.1f}v{2 * _CAP:.1f}" for at in (min(across), max(across)))
    return f"M{min(across):.1f} {up:.1f}H{max(across):.1f}{ends}"


_NUMBER: Callable[[re.Match[str]], str] = lambda found: f"{float(found[0]):.1f}".removesuffix(".0")  # noqa: E731


def _rounded(text: str) -> str:
    return re.sub(r"-?\d+\.\d+", _NUMBER, text)


def _short(value: float) -> str:
    return f"{value:.4g}"


def _cut(name: str) -> str:
    return name if len(name) <= 24 else f"{name[:23]}…"


def step_of(rough: float) -> float:
    """The round number (1, 2 or 5 times a power of ten) that is not under this one."""
    if rough <= 0:
        return 1.0
    power = 10.0 ** int(log10(rough) // 1)
    return float(next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999))
