"""The tables of a run's scores: how it stands under attack, whether it reads, by strategy, by question type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeGuard

from readproof.attacks.quality import Quality
from readproof.proof.results import (
    AttackFacts,
    AttackResult,
    BreakdownRow,
    Calibration,
    Check,
    Outcome,
    Part,
    Probe,
    Scores,
    Timings,
)
from readproof.readers.baselines import PREFIX
from readproof.readers.usage import Usage, latency, money, seconds
from readproof.reports.grids import (
    NONE,
    Cell,
    Grid,
    count,
    grid,
    heads,
    interval,
    megabytes,
    milliseconds,
    percent,
    value,
)
from readproof.reports.labels import Label, Words, both, label, named
from readproof.reports.verdicts import check_texts

# The tables of what is not a score: confidence, cost, the checks of the verdict, how the attacks were made.


def confidence_grid(scores: Scores) -> Grid | None:
    """The calibration error, and what the score would be if only the surest questions were answered."""
    rows: list[list[Words]] = []
    for part in scores.parts:
        title = label(f"part.{part.name}")
        for key, found in (("row.part-clean", part.calibration), ("row.part-attacked", part.attacked_calibration)):
            if calibrated(found):
                cells = [count(found.questions), f"{found.error:.3f}", *_at_shares(found)]
                rows.append([label(key).filled(part=title), *cells])
    titles = heads("confidence", "questions", "error", "all", "surest80", "surest50")
    return grid("confidence", label("table.confidence"), titles, rows) if rows else None


# of fewer answers a calibration error is mostly chance
CALIBRATED = 50


def calibrated(found: Calibration | None) -> TypeGuard[Calibration]:
    """Whether there were answers enough to say how well a reader knows what it knows."""
    return found is not None and found.questions >= CALIBRATED


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
    for usage in timings.usage.values():
        rows += _usage_rows(usage)
    machine = ", ".join(f"{name} {one}" for name, one in timings.machine.items())
    note = label("note.cost").filled(machine=machine) if machine else None
    return grid("cost", label("table.cost"), heads("cost", "value"), rows, note=note)


def _usage_rows(usage: Usage) -> list[list[Words]]:
    """What a language model was asked; a count of what went wrong is told where there is any."""
    rows: list[list[Words]] = [
        [label("usage.requests"), count(usage.requests)],
        [label("usage.cache_hits"), count(usage.cache_hits)],
        [label("usage.tokens_in"), count(usage.tokens_in)],
        [label("usage.reused_tokens_in"), count(usage.reused_tokens_in)],
        [label("usage.tokens_out"), count(usage.tokens_out)],
    ]
    if usage.priced:
        rows.append([label("usage.cost"), money(usage.cost)])
    spent = latency(usage.latencies)
    rows += [[label(f"usage.{name}"), seconds(one)] for name, one in spent.items()]
    if usage.options:
        rows.append([label("usage.unparsed"), f"{count(usage.unparsed)} / {count(usage.options)}"])
    if usage.spans:
        rows.append([label("usage.not_in_the_passage"), f"{count(usage.not_in_the_passage)} / {count(usage.spans)}"])
        rows.append([label("usage.aligned"), f"{count(usage.aligned)} / {count(usage.spans)}"])
    for name in ("failed_tries", "refused", "withheld", "cut_off", "unconstrained"):
        if getattr(usage, name):
            rows.append([label(f"usage.{name}"), count(getattr(usage, name))])
    return rows


def checks_grid(scores: Scores) -> Grid:
    """Everything that was held against a limit."""
    rows = [[one.name, Cell(one.outcome_text, outcome=one.outcome), one.why] for one in check_texts(scores.verdict)]
    return grid("checks", label("table.checks"), heads("check", "verdict", "why"), rows, left=(1, 2))


def made_grid(scores: Scores) -> Grid | None:
    """How hard every attack tried, and what it could do nothing with."""
    rows = [
        [one.attack, _settings(one.made), count(one.variants), *quality_cells(one.quality), *map(_counts, why)]
        for one in scores.attacks
        for why in [(one.skipped, one.rejected)]
    ]
    titles = heads("attack", "settings", "variants", *QUALITY, "skipped", "rejected")
    left = (1, len(titles) - 2, len(titles) - 1)
    return grid("made", label("table.made"), titles, rows, left=left, note=label("note.quality")) if rows else None


QUALITY = ("edited", "bleu", "perplexity", "grammar")


def quality_cells(found: Quality | None) -> list[str]:
    """How the variants of an attack read: what was changed, BLEU, perplexity before and after, the grammar score."""
    if found is None:
        return ["", "", "", ""]
    known = found.perplexity is not None and found.original_perplexity is not None
    change = f"{found.original_perplexity:.0f} → {found.perplexity:.0f}" if known else ""
    grammar = "" if found.grammar is None else percent(found.grammar)
    return [percent(found.edit_rate), f"{found.bleu:.2f}", change, grammar]


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


# the rules that a probe of another name is held against
RULES_OF = {
    "fresh-question": ("fresh-first-half", "fresh-second-half"),
    "fresh-options": ("fresh-fact", "fresh-statement"),
}
WORST_FIRST: tuple[Outcome, ...] = ("failed", "unclear", "unmeasured", "passed")


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


def baselines_grid(part: Part) -> Grid | None:
    """The clean score beside those of readers that do not read."""
    if not part.baselines:
        return None
    metrics = [name for name in part.clean if name in part.baselines[0].figures]
    rows: list[list[Words]] = [[label("row.reader"), "", *(interval(part.clean, name) for name in metrics)]]
    for one in part.baselines:
        habit = one.name.removeprefix(PREFIX)
        does = label("baseline.letter") if len(habit) == 1 else named("baseline", habit)
        rows.append([one.name, does, *(interval(one.figures, name) for name in metrics)])
    titles = [*heads("baseline", "does"), *(named("metric", name) for name in metrics)]
    title = label("table.baselines").filled(part=part_title(part))
    return grid(f"baselines-{part.name}", title, titles, rows, note=label("note.baselines"), left=(1,))


def attacks_grid(scores: Scores, part: Part) -> Grid | None:
    """What every attack did; None where none was made."""
    own = own_attacks(scores, part)
    if not own:
        return None
    checks = own_checks(scores, part, "stands")
    keys = ("attack", "verdict", "clean", "attacked", "worst", "kept", "sanitised", "hardened", "wrong", "shaken")
    titles = heads(*keys, "variants", "queries")
    rows = [_attack_row(one, part.single, checks.get(one.attack)) for one in own]
    return grid(
        f"attacks-{part.name}",
        _titled("attacks", part),
        titles,
        rows,
        note=label("note.attacks"),
        left=(1,),
        counts=[one.items for one in own],
    )


def _attack_row(one: AttackResult, metric: str, check: Check | None) -> list[Cell | Words]:
    success = one.success
    if not one.variants:
        return [Cell(one.attack), label("note.nothing"), *("" for _ in range(8)), "0", ""]
    return [
        Cell(one.attack, attack=one.attack),
        Cell(label(f"stands.{check.outcome}"), outcome=check.outcome) if check else "",
        interval(one.clean, metric),
        interval(one.attacked, metric),
        interval(one.worst, metric),
        NONE if one.kept is None else percent(one.kept),
        interval(one.sanitised, metric),
        interval(one.hardened, metric),
        f"{success.wrong}/{success.right}",
        f"{success.shaken}/{success.judged}" if success.judged else "",
        count(one.variants),
        count(one.queries) if one.made.searched else "",
    ]


def probes_grid(scores: Scores, part: Part) -> Grid | None:
    """The same questions changed so that the answers of a reader must change."""
    if not part.probes:
        return None
    checks = own_checks(scores, part, "reads")
    rows: list[list[Cell | Words]] = []
    for probe in part.probes:
        own = [check for name, check in checks.items() if name in RULES_OF.get(probe.name, (probe.name,))]
        outcome = next((one for one in WORST_FIRST if any(check.outcome == one for check in own)), None)
        rows.append(
            [
                Cell(named("probe", probe.name), attack=f"probe/{probe.name}"),
                Cell(label(f"reads.{outcome}"), outcome=outcome) if outcome else "",
                count(probe.questions),
                interval(probe.clean, part.single),
                interval(probe.figures, part.single) or NONE,
                NONE if probe.lost is None else percent(probe.lost),
                _shares(probe),
            ]
        )
    titles = heads("probe", "verdict", "questions", "clean", "probed", "lost", "shares")
    return grid(
        f"probes-{part.name}",
        _titled("probes", part),
        titles,
        rows,
        note=label("note.probes"),
        left=(1, 6),
        counts=[probe.questions for probe in part.probes],
    )


def _shares(probe: Probe) -> Words:
    """What a probe counts, in words; of two outcomes the first says it all."""
    shares = list(probe.shares.items())
    if len(shares) == 2:
        shares = shares[:1]
    found = [label(f"share.{name}").filled(share=percent(one)) for name, one in shares]
    return Label(", ".join(one.en for one in found), "，".join(one.zh for one in found)) if found else ""


def strategies_grid(scores: Scores, part: Part) -> Grid | None:
    """What each strategy of an attack did: of our own variants, as data files carry no such label."""
    rows: list[list[Cell | Words]] = [
        [Cell(one.attack, attack=one.attack), row.name, *_row(row, part.single)]
        for one in own_attacks(scores, part)
        for row in one.strategies
    ]
    titles = heads("attack", "strategy", "variants", "clean", "attacked", "worst")
    counts = [row.questions for one in own_attacks(scores, part) for row in one.strategies]
    title = _titled("strategies", part)
    return grid(f"strategies-{part.name}", title, titles, rows, left=(1,), counts=counts) if rows else None


def types_grid(part: Part) -> Grid | None:
    """The scores by what a question asks for."""
    rows = [[named("type", row.name), *_row(row, part.single)] for row in part.types]
    titles = heads("type", "questions", "clean", "attacked", "worst")
    counts = [row.questions for row in part.types]
    title = _titled("types", part)
    return grid(f"types-{part.name}", title, titles, rows, note=label("note.types"), counts=counts) if rows else None


def _row(row: BreakdownRow, metric: str) -> Sequence[str]:
    return [count(row.questions), value(row.clean, metric), value(row.attacked, metric), value(row.worst, metric)]


def _titled(key: str, part: Part) -> Label:
    return label(f"table.{key}").filled(part=part_title(part), metric=both(metric_title(part)))


# The tables of a run that go into a paper or a README, in their order.


def all_grids(scores: Scores, timings: Timings) -> list[Grid]:
    """Every table that is not empty."""
    around = [made_grid(scores), left_grid(scores)]
    return [
        checks_grid(scores),
        *figure_grids(scores, timings),
        *(one for one in around if one is not None),
    ]


def figure_grids(scores: Scores, timings: Timings) -> list[Grid]:
    """The tables of figures alone."""
    found: list[Grid | None] = []
    for part in scores.parts:
        found += [clean_grid(part), baselines_grid(part), probes_grid(scores, part)]
        found += [attacks_grid(scores, part)]
        found += [strategies_grid(scores, part), types_grid(part)]
    found += [confidence_grid(scores), cost_grid(scores, timings)]
    return [one for one in found if one is not None]
