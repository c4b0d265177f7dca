"""The tables of a run that go into a paper or a README, in their order."""

from __future__ import annotations

from readproof.prove.model import Scores, Timings
from readproof.report import abouttables, tables
from readproof.report.grids import Grid


def all_grids(scores: Scores, timings: Timings) -> list[Grid]:
    """Every table that has something to tell."""
    around = [abouttables.made_grid(scores), abouttables.left_grid(scores)]
    told = [one for one in around if one is not None]
    return [abouttables.checks_grid(scores), *figure_grids(scores, timings), *told]


def figure_grids(scores: Scores, timings: Timings) -> list[Grid]:
    """The tables of figures alone."""
    found: list[Grid | None] = []
    for part in scores.parts:
        found += [tables.clean_grid(part), tables.probes_grid(scores, part), tables.attacks_grid(scores, part)]
        found += [tables.strategies_grid(scores, part), tables.types_grid(part)]
    found += [abouttables.confidence_grid(scores), abouttables.cost_grid(scores, timings)]
    return [one for one in found if one is not None]
