"""The tables of a run's scores: how it stands under attack, whether it reads, by strategy, by question type."""

from __future__ import annotations

from collections.abc import Sequence

from readproof.prove.model import AttackResult, Check, Part, Row, Scores
from readproof.report.grids import Cell, Grid, count, grid, heads, interval, percent, value
from readproof.report.labels import Label, Words, both, label, named


def part_title(part: Part) -> Label:
    """What the questions of a part are called."""
    return label(f"part.{part.name}")


def metric_title(part: Part) -> Words:
    """The metric that one question of a part is measured by."""
    return named("metric", part.single)


def own_attacks(scores: Scores, part: Part) -> list[AttackResult]:
    """The attacks on the questions of one part."""
    return [one for one in scores.attacks if one.part == part.name]


def own_checks(scores: Scores, part: Part, kind: str) -> dict[str, Check]:
    """The checks of one kind on one part, by what was checked."""
    found = scores.verdict.checks
    return {check.name: check for check in found if check.kind == kind and check.part == part.name}


def clean_grid(part: Part) -> Grid:
    """The scores as the questions stand, and in the worst case."""
    metrics = list(dict.fromkeys((part.main, *part.clean)))
    rows: list[list[Words]] = [[label("row.clean"), *(interval(part.clean, name) for name in metrics)]]
    if part.hardened:
        rows.append([label("row.hardened"), *(interval(part.hardened, name) for name in metrics)])
    if part.worst:
        rows.append([label("row.worst"), *(interval(part.worst, name) for name in metrics)])
    titles = [label("head.case"), *(named("metric", name) for name in metrics)]
    title = label("table.clean").filled(part=part_title(part))
    return grid(f"clean-{part.name}", title, titles, rows, note=label("note.interval"))


def attacks_grid(scores: Scores, part: Part) -> Grid | None:
    """What every attack did; None where none was made."""
    own = own_attacks(scores, part)
    if not own:
        return None
    checks = own_checks(scores, part, "stands")
    keys = ("attack", "clean", "attacked", "worst", "kept", "sanitised", "hardened", "wrong", "shaken", "variants")
    titles = heads(*keys, "queries", "verdict")
    rows = [_attack_row(one, part.single, checks.get(one.attack)) for one in own]
    title = _titled("attacks", part)
    return grid(f"attacks-{part.name}", title, titles, rows, note=label("note.attacks"), left=(len(titles) - 1,))


def _attack_row(one: AttackResult, metric: str, check: Check | None) -> list[Cell | Words]:
    success = one.success
    if not one.variants:
        return [Cell(one.attack), *("" for _ in range(8)), "0", "", label("note.nothing")]
    return [
        Cell(one.attack, attack=one.attack),
        interval(one.clean, metric),
        interval(one.attacked, metric),
        interval(one.worst, metric),
        "" if one.kept is None else percent(one.kept),
        interval(one.sanitised, metric),
        interval(one.hardened, metric),
        f"{success.wrong}/{success.right}",
        f"{success.shaken}/{success.judged}" if success.judged else "",
        count(one.variants),
        count(one.queries) if one.made.searched else "",
        Cell(label(f"stands.{check.outcome}"), outcome=check.outcome) if check else "",
    ]


def probes_grid(scores: Scores, part: Part) -> Grid | None:
    """The same questions with something taken away."""
    if not part.probes:
        return None
    checks = own_checks(scores, part, "reads")
    rows: list[list[Cell | Words]] = []
    for probe in part.probes:
        check = checks.get(probe.name)
        rows.append(
            [
                Cell(named("probe", probe.name)),
                count(probe.questions),
                interval(probe.clean, part.single),
                interval(probe.figures, part.single),
                percent(check.value) if check else "",
                Cell(label(f"reads.{check.outcome}"), outcome=check.outcome) if check else "",
            ]
        )
    titles = heads("probe", "questions", "clean", "without", "lost", "verdict")
    title = _titled("probes", part)
    return grid(f"probes-{part.name}", title, titles, rows, note=label("note.probes"), left=(5,))


def strategies_grid(scores: Scores, part: Part) -> Grid | None:
    """What each strategy of an attack did: of our own variants, as data files carry no such label."""
    rows: list[list[Cell | Words]] = [
        [Cell(one.attack, attack=one.attack), row.name, *_row(row, part.single)]
        for one in own_attacks(scores, part)
        for row in one.strategies
    ]
    titles = heads("attack", "strategy", "variants", "clean", "attacked", "worst")
    return grid(f"strategies-{part.name}", _titled("strategies", part), titles, rows, left=(1,)) if rows else None


def types_grid(part: Part) -> Grid | None:
    """The scores by what a question asks for."""
    rows = [[named("type", row.name), *_row(row, part.single)] for row in part.types]
    titles = heads("type", "questions", "clean", "attacked", "worst")
    return grid(f"types-{part.name}", _titled("types", part), titles, rows, note=label("note.types")) if rows else None


def _row(row: Row, metric: str) -> Sequence[str]:
    return [count(row.questions), value(row.clean, metric), value(row.attacked, metric), value(row.worst, metric)]


def _titled(key: str, part: Part) -> Label:
    return label(f"table.{key}").filled(part=part_title(part), metric=both(metric_title(part)))
