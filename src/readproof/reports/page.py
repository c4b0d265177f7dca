"""The page of a run: one HTML file that holds everything it shows and loads nothing.

Texts out of the data meet the page in two ways only: escaped by the template, with control characters spelt out, or
packed in base64 for the browser of failures, whose script sets them as text. The page forbids itself any script but
its own, by the hash of it.
"""

from __future__ import annotations

import base64
import gzip
import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from readproof.attacks.known import ATTACKS, make_attack
from readproof.errors import ReadproofError
from readproof.proof.plan import ALL, FAST, NONE, AttackSelection, chosen
from readproof.proof.results import (
    AttackFacts,
    Calibration,
    CoveragePoint,
    Figure,
    Figures,
    Part,
    ReaderFacts,
    RunFacts,
    Scores,
    Timings,
)
from readproof.proof.verdict import STANDS
from readproof.reports import charts, tables, verdicts
from readproof.reports.failures import KINDS, Failures, faults_of_data, telling
from readproof.reports.grids import FEW, Grid, milliseconds, percent, span, value
from readproof.reports.labels import Label, Language, Words, both, label, named
from readproof.reports.shell import rendered
from readproof.reports.tables import CALIBRATED, calibrated, own_attacks, part_title
from readproof.text import encodable

# What the page shows beside its tables: tiles, plots with their legends, facts.


# The command that makes a run again, by what the run was asked for.


def command(run: RunFacts, thresholds: str = "") -> str:
    """`readproof prove …`; "" where the reader or the items were objects in Python, which no command names."""
    if not run.reader.spec or not (run.data.given or run.suite):
        return ""
    words = ["readproof", "prove", run.reader.spec]
    words += ["--suite", run.suite.given or "SUITE"] if run.suite else [run.data.given]
    words += _attacks(run)
    words += ["--seed", str(run.seed)] if run.seed else []
    words += ["--limit", str(run.limit)] if run.limit is not None else []
    words += ["--no-answer"] if run.reader.no_answer else []
    words += ["--hardened", run.hardened.spec] if run.hardened and run.hardened.spec else []
    words += ["--fail-under", thresholds] if thresholds else []
    return shlex.join(words)


def _attacks(run: RunFacts) -> list[str]:
    own = run.suite.attacks if run.suite else ()
    made = [one for one in run.attacks if one.attack not in own]
    left = [one.attack for one in run.left if one.attack not in own]
    named = [*dict.fromkeys([*(one.attack for one in made), *left])]
    words: list[str] = []

    def all_of(selection: str) -> bool:
        return set(named) == set(chosen(AttackSelection(attacks=(selection,)))) - set(own)

    # beside a suite there are none by default, else the fast ones
    if named and all_of(ALL):
        words += ["--attacks", ALL]
    elif not named or not all_of(FAST):
        words += ["--attacks", ",".join(named) or NONE] if named or not run.suite else []
    elif run.suite:
        words += ["--attacks", FAST]
    budgets = sorted({one.budget for one in made if one.searched})
    # different budgets are those of the set itself
    words += ["--budget", str(budgets[0])] if len(budgets) == 1 else []
    counts = sorted({one.count for one in made if not one.searched})
    words += ["--count", str(counts[-1])] if counts and counts[-1] > 1 else []
    settings = dict.fromkeys(setting for one in made for setting in _settings(one))
    return words + [word for setting in settings for word in ("--set", setting)]


def _settings(made: AttackFacts) -> list[str]:
    """What differs from the attack as it comes."""
    try:
        usual = make_attack(made.attack) if made.attack in ATTACKS.names() else None
    except ReadproofError:
        usual = None
    return [
        f"{made.attack}.{name}={value}"
        for name, value in made.settings.items()
        if getattr(usual, name, None) != value and (name, value) != ("truth", "kept")
    ]


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


def tiles(timings: Timings, part: Part) -> list[Tile]:
    """The headline figures of one kind of question."""
    metric, single = both(named("metric", part.main)), both(named("metric", part.single))
    found = [_tile("clean", part.clean, part.main, metric)]
    if part.hardened:
        found.append(_tile("hardened", part.hardened, part.single, single))
    if part.worst:
        found.append(_tile("worst", part.worst, part.single, single))
    found += _probe_tiles(part)
    if calibrated(part.calibration):
        found.append(Tile(label("tile.calibration"), f"{part.calibration.error:.3f}"))
    speed = timings.speed.get(part.name)
    if speed:
        found.append(Tile(label("tile.speed"), milliseconds(speed.median)))
    return found


def _probe_tiles(part: Part) -> list[Tile]:
    """Whether the reader follows the passage or remembers; of options what the passage is worth to it."""
    probes = {probe.name: probe for probe in part.probes}
    found = []
    shares = probes["substituted"].shares if "substituted" in probes else {}
    for name in ("follows", "sticks"):
        if name in shares:
            found.append(Tile(label(f"tile.{name}"), percent(shares[name])))
    lost = probes["no-passage"].lost if "no-passage" in probes else None
    if lost is not None and not found:
        found.append(Tile(label("tile.lost"), percent(lost)))
    return found


def _tile(key: str, figures: Figures, metric: str, title: Label) -> Tile:
    one = figures[metric]
    more = f"95 %: {span(one.low, one.high)}" if one.low is not None and one.high is not None else ""
    return Tile(label(f"tile.{key}").filled(metric=title), value(figures, metric), more)


def attacks_plot(scores: Scores, part: Part) -> Plot | None:
    """Clean → attacked under every attack that made something, the greatest loss first, with what must be left."""
    own = [one for one in own_attacks(scores, part) if one.variants]
    rows = []
    for one in own:
        clean, attacked = _figure(one.clean, part.single), _figure(one.attacked, part.single)
        if clean is None or attacked is None:
            continue
        limit = None if one.kept is None else part.chance + STANDS * (clean.value - part.chance)
        worst = _figure(one.worst, part.single)
        rows.append(charts.Dots(one.attack, clean, attacked, worst, limit, few=one.items < FEW))
    series = ["clean", "attacked", "worst", *(["limit"] if any(row.limit is not None for row in rows) else [])]
    return _dots("attacks", part, rows, series)


def probes_plot(part: Part) -> Plot | None:
    """The score as the questions stand and as they were changed, of the probes that have one."""
    rows = []
    for one in part.probes:
        clean, after = _figure(one.clean, part.single), _figure(one.figures, part.single)
        if clean is not None and after is not None and one.measured:
            rows.append(charts.Dots(one.name, clean, after, few=one.questions < FEW))
    return _dots("probes", part, rows, ["clean", "without"])


def _dots(key: str, part: Part, rows: list[charts.Dots], series: list[str]) -> Plot | None:
    if not rows:
        return None
    rows.sort(key=lambda row: (row.few, row.after.value - row.before.value))
    return _plot(key, part, charts.dots(rows), series)


def confidence_plots(part: Part) -> list[Plot]:
    """Is it as right as it is sure, and what is the score of the surest answers?"""
    known = {"clean": part.calibration, "attacked": part.attacked_calibration}
    found = {name: one for name, one in known.items() if calibrated(one)}
    if not found:
        return []
    bins = charts.calibration({name: one.bins for name, one in found.items()})
    plots = [_plot("calibration", part, bins, ["ideal", *found])]
    curves = {name: _steady(one) for name, one in found.items()}
    if any(len(points) > 1 for points in curves.values()):
        plots.append(_plot("coverage", part, charts.coverage(curves), list(found)))
    return plots


def _steady(found: Calibration) -> list[CoveragePoint]:
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
    told += [Fact(label(f"fact.{name}"), one, code=name == "commit") for name, one in timings.made.items()]
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
    notes = [
        label("note.outside").filled(count=part.outside, all=part.questions) for part in scores.parts if part.outside
    ]
    notes += [label("note.empty").filled(count=part.empty, all=part.questions) for part in scores.parts if part.empty]
    for fault in scores.faults:
        words = ": ".join(filter(None, (fault.error, fault.message))) + (f" ({fault.where})" if fault.where else "")
        notes.append(label("note.fault").filled(fault=words, count=fault.questions))
    told += [Fact(label("fact.note"), note) for note in notes]
    return [*told, Fact(label("fact.files"), label("files.note"))]


def _reader(reader: ReaderFacts, key: str) -> list[Fact]:
    name = f"{reader.name} — {reader.title}" if reader.title else reader.name
    told = [Fact(label(f"fact.{key}"), encodable(name)), Fact(label("fact.fingerprint"), reader.fingerprint, code=True)]
    return told + ([Fact(label("fact.reader-licence"), reader.licence)] if reader.licence else [])


def _plot(key: str, part: Part, svg: Markup, names: Sequence[str]) -> Plot:
    title = label(f"chart.{key}").filled(part=part_title(part))
    return Plot(title, label(f"chart.{key}-alt"), svg, tuple(names))


def _figure(figures: Figures | None, metric: str) -> Figure | None:
    return figures.get(metric) if figures else None


_SCRIPTS = ("base.js", "tabs.js", "marks.js", "cards.js", "browser.js")


def page(scores: Scores, timings: Timings, failures: Failures, *, language: Language | None = None) -> str:
    """The whole page; `language` is that of its labels, None for the browser's own."""
    return rendered("page.html", _context(scores, timings, failures), scripts=_SCRIPTS, language=language)


def packed(failures: Failures) -> str:
    """The failures for the script: base64 has no sign that could end it."""
    text = json.dumps(failures.plain(), ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode("utf-8"), compresslevel=9, mtime=0)).decode("ascii")


def _context(scores: Scores, timings: Timings, failures: Failures) -> dict[str, Any]:
    run = scores.run
    return {
        "run": run,
        "scores": scores,
        "title": label("title").filled(reader=run.reader.name, data=run.data.name),
        "counts": [_counted(part) for part in scores.parts],
        "stamp": stamp(scores, timings),
        "state": verdicts.state(scores.verdict),
        "thresholds": verdicts.thresholds_met(scores.verdict),
        "checks": verdicts.check_texts(scores.verdict),
        "shown_first": verdicts.shown_first(scores.verdict),
        "parts": [_part(scores, timings, part) for part in scores.parts],
        "confidence": tables.confidence_grid(scores),
        "calibrated": CALIBRATED,
        "few": FEW,
        "cost": tables.cost_grid(scores, timings),
        "cost_plots": cost_plots(scores, timings),
        "made": tables.made_grid(scores),
        "left": tables.left_grid(scores),
        "facts": facts(scores, timings),
        "failures": failures,
        "kinds": [(kind, faults_of_data(kind)) for kind in KINDS if failures.counts[kind]],
        "packed": packed(failures) if failures.cases else "",
        "telling": telling(failures, scores.verdict.checks),
    }


def stamp(scores: Scores, timings: Timings) -> list[Words]:
    """When a run was made and of what, in a line."""
    made = timings.made
    told: list[Words] = [made["date"]] if "date" in made else []
    told += [label("stamp.commit").filled(commit=made["commit"])] if made.get("commit") else []
    told.append(label("stamp.version").filled(version=scores.run.version))
    python = timings.machine.get("python")
    return told + ([f"Python {python}"] if python else [])


def _part(scores: Scores, timings: Timings, part: Part) -> dict[str, Any]:
    grids: list[Grid | None] = [tables.strategies_grid(scores, part), tables.types_grid(part)]
    return {
        "name": part.name,
        "title": tables.part_title(part),
        "verdict": _verdict(scores, part),
        "checks": [one for one in verdicts.shown_first(scores.verdict) if one.part == part.name],
        "tiles": tiles(timings, part),
        "clean": tables.clean_grid(part),
        "baselines": tables.baselines_grid(part),
        "attacks": tables.attacks_grid(scores, part),
        "attacks_plot": attacks_plot(scores, part),
        "does": [(one.attack, _does(one.attack, one.made.does)) for one in tables.own_attacks(scores, part)],
        "probes": tables.probes_grid(scores, part),
        "probes_plot": probes_plot(part),
        "more": [one for one in grids if one],
        "confidence_plots": confidence_plots(part),
    }


def _verdict(scores: Scores, part: Part) -> tuple[Label, str] | None:
    """The verdict on one kind of question, and how good the news are."""
    own = next((one for one in scores.verdict.parts if one.part == part.name), None)
    return (verdicts.sentence(own, scores.verdict.checks), verdicts.part_state(own)) if own else None


def _counted(part: Part) -> Label:
    if part.triples:
        return label("questions.triples").filled(count=part.triples)
    return label(f"questions.{part.name}").filled(count=part.questions)


def _does(attack: str, told: str) -> Words:
    """What an attack does, in its own words where it was not ours."""
    known = named("attack", attack)
    return known if isinstance(known, Label) and known.en == told else told
