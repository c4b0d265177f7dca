"""The tables of what is not a score: confidence, cost, the checks of the verdict, how the attacks were made."""

from __future__ import annotations

from collections.abc import Mapping

from readproof.prove.model import AttackFacts, Calibration, Scores, Timings
from readproof.report.grids import Cell, Grid, count, grid, heads, megabytes, milliseconds
from readproof.report.labels import Words, label
from readproof.report.verdicts import checked


def confidence_grid(scores: Scores) -> Grid | None:
    """The calibration error, and what the score would be if only the surest questions were answered."""
    rows: list[list[Words]] = []
    for part in scores.parts:
        title = label(f"part.{part.name}")
        for key, found in (("row.part-clean", part.calibration), ("row.part-attacked", part.attacked_calibration)):
            if found:
                cells = [count(found.questions), f"{found.error:.3f}", *_at_shares(found)]
                rows.append([label(key).filled(part=title), *cells])
    titles = heads("confidence", "questions", "error", "all", "surest80", "surest50")
    return grid("confidence", label("table.confidence"), titles, rows) if rows else None


def _at_shares(found: Calibration) -> list[str]:
    near = [min(found.curve, key=lambda point: abs(point.share - share)) for share in (1.0, 0.8, 0.5)]
    return [f"{point.score:.1f}" for point in near]


def cost_grid(scores: Scores, timings: Timings) -> Grid:
    """What the reader takes in size, time and memory; what is not known has no row."""
    reader = scores.run.reader
    rows: list[list[Words]] = []
    if reader.parameters:
        rows.append([label("cost.parameters"), f"{reader.parameters / 1e6:.1f} M"])
    if reader.size:
        rows.append([label("cost.size"), megabytes(reader.size)])
    if reader.flops:
        rows.append([label("cost.flops"), f"{reader.flops / 1e9:.1f} G"])
    for part, speed in timings.speed.items():
        title = label(f"part.{part}")
        rows.append([label("cost.median").filled(part=title), milliseconds(speed.median)])
        rows.append([label("cost.p90").filled(part=title), milliseconds(speed.p90)])
    if timings.peak_memory:
        rows.append([label("cost.memory"), megabytes(timings.peak_memory)])
    rows.append([label("cost.asked"), count(scores.asked)])
    if scores.queries:
        rows.append([label("cost.queries"), count(scores.queries)])
    if timings.seconds:
        rows.append([label("cost.seconds"), f"{timings.seconds:.0f}"])
        rows.append([label("cost.reader"), f"{timings.reader_seconds:.0f}"])
    machine = ", ".join(f"{name} {one}" for name, one in timings.machine.items())
    note = label("note.cost").filled(machine=machine) if machine else None
    return grid("cost", label("table.cost"), heads("cost", "value"), rows, note=note)


def checks_grid(scores: Scores) -> Grid:
    """Everything that was held against a limit."""
    rows = [[one.name, Cell(one.said, outcome=one.outcome), one.why] for one in checked(scores.verdict)]
    return grid("checks", label("table.checks"), heads("check", "verdict", "why"), rows, left=(1, 2))


def made_grid(scores: Scores) -> Grid | None:
    """How hard every attack tried, and what it could do nothing with."""
    rows = [
        [one.attack, _settings(one.made), count(one.variants), _counts(one.skipped), _counts(one.rejected)]
        for one in scores.attacks
    ]
    titles = heads("attack", "settings", "variants", "skipped", "rejected")
    return grid("made", label("table.made"), titles, rows, left=(1, 3, 4)) if rows else None


def left_grid(scores: Scores) -> Grid | None:
    """The attacks that were not tried, and why."""
    rows = [[one.attack, one.reason] for one in scores.run.left]
    return grid("left", label("table.left"), heads("attack", "reason"), rows, left=(1,)) if rows else None


def _settings(made: AttackFacts) -> str:
    told = [f"{name}={one}" for name, one in made.settings.items()]
    told += [f"budget={made.budget}"] if made.searched else [f"count={made.count}"]
    return ", ".join(told)


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in counts.items())
