"""What the page shows beside its tables: tiles, plots with their legends, facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from readproof.prove.model import AttackResult, Calibration, Figure, Figures, Part, Point, ReaderFacts, Scores, Timings
from readproof.report import charts
from readproof.report.commands import command
from readproof.report.grids import milliseconds, percent, span, value
from readproof.report.labels import Label, Words, both, label, named
from readproof.report.tables import own_attacks, own_checks, part_title
from readproof.text import encodable

_HANDFUL = 5


@dataclass(frozen=True, slots=True)
class Tile:
    """A figure to be seen at once; `more` stands under it."""

    title: Label
    value: str
    more: str = ""


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot with its title, what it shows in words, and the series that its legend names."""

    title: Label
    about: Label
    svg: Markup
    series: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of how to reproduce a run; `code` is shown as typed."""

    title: Label
    words: Words
    code: bool = False


def tiles(scores: Scores, timings: Timings, part: Part) -> list[Tile]:
    """The headline figures of one kind of question."""
    metric, single = both(named("metric", part.main)), both(named("metric", part.single))
    found = [_tile("clean", part.clean, part.main, metric)]
    if part.hardened:
        found.append(_tile("hardened", part.hardened, part.single, single))
    if part.worst:
        found.append(_tile("worst", part.worst, part.single, single))
    check = own_checks(scores, part, "reads").get("no-passage")
    if check:
        found.append(Tile(label("tile.lost"), percent(check.value)))
    if part.calibration:
        found.append(Tile(label("tile.calibration"), f"{part.calibration.error:.3f}"))
    speed = timings.speed.get(part.name)
    if speed:
        found.append(Tile(label("tile.speed"), milliseconds(speed.median)))
    return found


def _tile(key: str, figures: Figures, metric: str, title: Label) -> Tile:
    one = figures[metric]
    more = f"95 %: {span(one.low, one.high)}" if one.low is not None and one.high is not None else ""
    return Tile(label(f"tile.{key}").filled(metric=title), value(figures, metric), more)


def attacks_plot(scores: Scores, part: Part) -> Plot | None:
    """Clean, attacked, worst, sanitised and hardened scores under every attack that made something."""
    own = [one for one in own_attacks(scores, part) if one.variants]
    if not own:
        return None
    names = [name for name in ("clean", "attacked", "worst", "sanitised", "hardened") if _any(own, name)]
    series = [charts.Series(name, [_figure(getattr(one, name), part.single) for one in own]) for name in names]
    drawn = charts.bars([one.attack for one in own], series)
    return _plot("bars", part, drawn, names)


def probes_plot(part: Part) -> Plot | None:
    """The score as the questions stand and with something taken away."""
    if not part.probes:
        return None
    series = [
        charts.Series("clean", [_figure(one.clean, part.single) for one in part.probes]),
        charts.Series("without", [_figure(one.figures, part.single) for one in part.probes]),
    ]
    return _plot("bars", part, charts.bars([one.name for one in part.probes], series), ["clean", "without"])


def confidence_plots(part: Part) -> list[Plot]:
    """Is it as right as it is sure, and what is the score of the surest answers?"""
    known = {"clean": part.calibration, "attacked": part.attacked_calibration}
    found = {name: one for name, one in known.items() if one}
    if not found:
        return []
    bins = charts.calibration({name: one.bins for name, one in found.items()})
    plots = [_plot("calibration", part, bins, ["ideal", *found])]
    curves = {name: _steady(one) for name, one in found.items()}
    if any(len(points) > 1 for points in curves.values()):
        plots.append(_plot("coverage", part, charts.coverage(curves), list(found)))
    return plots


def _steady(found: Calibration) -> list[Point]:
    """The curve without its beginning, where a handful of answers makes it jump."""
    return [point for point in found.curve if point.share * found.questions >= _HANDFUL - 0.5]


def cost_plots(scores: Scores, timings: Timings) -> list[Plot]:
    """How long questions and steps took, where it was measured."""
    found = [
        _plot("speed", part, charts.histogram(timings.samples[part.name]), [])
        for part in scores.parts
        if len(timings.samples.get(part.name, ())) > 1
    ]
    if timings.phases:
        drawn = charts.seconds(timings.phases)
        found.append(Plot(label("chart.phases"), label("chart.phases-alt"), drawn, ()))
    return found


def facts(scores: Scores, timings: Timings) -> list[Fact]:
    """All that is needed to make the run again."""
    run = scores.run
    typed = command(run, scores.verdict.thresholds)
    told = [
        Fact(label("fact.command"), typed, code=True) if typed else Fact(label("fact.command"), label("command.python"))
    ]
    told += [Fact(label("fact.version"), run.version), *_reader(run.reader, "reader")]
    told += _reader(run.hardened, "hardened") if run.hardened else []
    told.append(Fact(label("fact.data"), run.data.given or run.data.name))
    told.append(Fact(label("fact.digest"), run.data.digest, code=True))
    told.append(Fact(label("fact.task"), " · ".join(filter(None, (run.data.task, run.metric)))))
    told.append(Fact(label("fact.seed"), str(run.seed)))
    if run.limit is not None:
        told.append(Fact(label("fact.limit"), str(run.limit)))
    if run.suite:
        told.append(Fact(label("fact.suite"), run.suite.digest, code=True))
        told += [Fact(label("fact.against"), run.suite.made_against)] if run.suite.made_against else []
    if scores.verdict.thresholds:
        told.append(Fact(label("fact.thresholds"), scores.verdict.thresholds, code=True))
    if timings.machine:
        told.append(Fact(label("fact.machine"), ", ".join(f"{name} {one}" for name, one in timings.machine.items())))
    told += [Fact(label("fact.licence"), run.data.licence)] if run.data.licence else []
    told += [Fact(label("fact.citation"), run.data.citation)] if run.data.citation else []
    told += [Fact(label("fact.note"), note) for note in run.notes]
    if scores.faults:
        faults = ", ".join(f"{name} {number}" for name, number in scores.faults.items())
        told.append(
            Fact(label("fact.note"), label("note.faults").filled(count=sum(scores.faults.values()), faults=faults))
        )
    return [*told, Fact(label("fact.files"), label("files.note"))]


def _reader(reader: ReaderFacts, key: str) -> list[Fact]:
    name = f"{reader.name} — {reader.title}" if reader.title else reader.name
    told = [Fact(label(f"fact.{key}"), encodable(name)), Fact(label("fact.fingerprint"), reader.fingerprint, code=True)]
    return told + ([Fact(label("fact.reader-licence"), reader.licence)] if reader.licence else [])


def _plot(key: str, part: Part, svg: Markup, names: Sequence[str]) -> Plot:
    title = label(f"chart.{key}").filled(part=part_title(part))
    return Plot(title, label(f"chart.{key}-alt"), svg, tuple(names))


def _any(attacks: Sequence[AttackResult], name: str) -> bool:
    return any(getattr(one, name) for one in attacks)


def _figure(figures: Figures | None, metric: str) -> Figure | None:
    return figures.get(metric) if figures else None
