"""The scores of a run as text for a terminal: the verdict first, then what it rests on, in words a newcomer knows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import StringIO

from readproof.proof.results import AttackResult, Calibration, Check, Figures, Part, Probe, Scores, Timings
from readproof.proof.verdict import STANDS, percent
from readproof.readers.baselines import DOES, PREFIX
from readproof.readers.usage import figures_of, in_words
from readproof.reports.labels import label
from readproof.reports.tables import calibrated, quality_cells

_WIDE = 110
_ROOM = 90
_ENDLESS = 10_000
_FAULTS = 3
_TITLES = {"f1": "F1", "em": "EM", "accuracy": "accuracy", "score": "Score", "acc0": "Acc0", "acc1": "Acc1"}
_TITLES["acc2"] = "Acc2"
_PROBES = {
    "question-only": "question as passage",
    "fresh-question": "fresh questions",
    "fresh-options": "fresh options",
}
_SHARES = {
    "another-question": "another answer to {changed}",
    "substituted": "follows {follows}, sticks {sticks}, neither {neither}",
    "fresh-question": "right {right}",
    "rotated": "still right {kept}",
    "contrast-question": "right {follows}, the other answer {sticks}",
    "rival-option": "own answer {own}",
    "stem-turned": "another letter for {changed}",
    "options-reordered": "same option for {moved}",
}
_FEW_WORDS = {
    "another-question": "another {changed}",
    "substituted": "follows {follows}, sticks {sticks}",
    "contrast-question": "right {follows}, other {sticks}",
    "stem-turned": "another {changed}",
    "options-reordered": "same {moved}",
}
_OUTCOMES = {"passed": "ok", "failed": "FAILED", "unclear": "unclear", "unmeasured": "not measured"}
_STANDING = {"passed": "stands", "failed": "FALLS", "unclear": "unclear", "unmeasured": ""}
_NAMES = {"spans": "Spans", "options": "Options"}
# where there is no figure, or none that means anything
_NONE = "–"


def table(scores: Scores, timings: Timings, width: int = 100) -> str:
    """All of it, no line longer than `width` where words allow."""
    blocks = [_head(scores), _verdict(scores, width)]
    for part in scores.parts:
        blocks += [_clean(part, width), _reading(part, scores, width), _attacks(part, scores, width)]
    blocks += [
        _quality(scores, width),
        _left(scores, width),
        _confidence(scores, width),
        _cost(scores, timings, width),
        _words(scores, width),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _head(scores: Scores) -> str:
    run = scores.run
    counts = []
    for part in scores.parts:
        if part.name == "spans":
            counts.append(f"{part.questions} span questions")
        elif part.triples:
            counts.append(f"{part.triples} triples of questions with options")
        else:
            counts.append(f"{part.questions} questions with options")
    suite = f", frozen suite {run.suite.digest[:12]}" if run.suite else ""
    return f"{run.reader.name} on {run.data.name}: {', '.join(counts)}{suite}; seed {run.seed}"


def _verdict(scores: Scores, width: int) -> str:
    verdict = scores.verdict
    lines = [_wrapped(f"Verdict: {verdict.headline}", width)]
    for check in verdict.checks:
        if check.kind == "threshold":
            lines.append(f"  {'met   ' if check.outcome == 'passed' else 'MISSED'}  {check.why}")
        elif check.outcome == "failed" and check.kind == "reads":
            lines.append(_wrapped(f"  failed  {check.why}", width))
    return "\n".join(lines)


def _clean(part: Part, width: int) -> str:
    names = [name for name in (part.main, *part.clean) if name in part.clean]
    names = list(dict.fromkeys(names))
    sure = names if len(names) < 4 or width >= _WIDE else [part.main]

    def cells(what: str, found: Figures) -> tuple[str, ...]:
        return (what, *(_interval(found, name) if name in sure else _value(found, name) for name in names))

    rows = [cells("clean", part.clean)]
    if part.hardened:
        rows.append(cells("hardened reader", part.hardened))
    if part.worst:
        rows.append(cells("worst of all attacks", part.worst))
    rows += [cells(one.name, one.figures) for one in part.baselines]
    return _grid(_NAMES[part.name], names, rows, width)


def _reading(part: Part, scores: Scores, width: int) -> str:
    if not part.probes:
        return ""
    checks = {check.name: check for check in _checks(scores, part, "reads")}
    score = checks.pop("score", None)
    rows: list[tuple[str, ...]] = []
    if score is not None:
        margin = _NONE if score.value is None else f"{score.value:+.1f} points"
        against = f"beside {score.against or 'chance'}"
        rows.append((against, f"{score.questions}", *("",) * 3, _OUTCOMES[score.outcome], margin))
    rows += [_probe_row(probe, part, checks, width) for probe in part.probes]
    heads = ("questions" if width >= _ROOM else "n", "clean", "probed", "lost", "", "")
    kept = [at for at in range(len(heads) + 1) if at != 2 or width >= _ROOM]  # in a narrow window not the clean score
    return _grid(
        "Does it read?",
        [heads[at - 1] for at in kept[1:]],
        [tuple(row[at] for at in kept) for row in rows],
        width,
    )


def _probe_row(probe: Probe, part: Part, checks: dict[str, Check], width: int) -> tuple[str, ...]:
    own = [checks[name] for name in _RULES_OF.get(probe.name, (probe.name,)) if name in checks]
    lost = percent(probe.lost) if probe.lost is not None else _NONE
    judged = any(check.what == "lost" for check in own)
    known = _SHARES if width >= _WIDE else _SHARES | _FEW_WORDS
    shares = {name: percent(one) for name, one in probe.shares.items()}
    words = known.get(probe.name, "").format(**shares) if shares else ""
    return (
        _PROBES.get(probe.name, probe.name.replace("-", " ")),
        f"{probe.questions}",
        _value(probe.clean, part.single),
        _value(probe.figures, part.single) or _NONE,
        lost if judged or not own else _NONE,
        _worst_outcome(own),
        words,
    )


_RULES_OF = {
    "fresh-question": ("fresh-first-half", "fresh-second-half"),
    "fresh-options": ("fresh-fact", "fresh-statement"),
}


def _worst_outcome(checks: Sequence[Check]) -> str:
    """The outcome of a probe's rules: the worst of them; of a probe without a rule nothing."""
    for outcome in ("failed", "unclear", "unmeasured", "passed"):
        if any(check.outcome == outcome for check in checks):
            return _OUTCOMES[outcome]
    return ""


def _attacks(part: Part, scores: Scores, width: int) -> str:
    own = [one for one in scores.attacks if one.part == part.name]
    if not own:
        return ""
    checks = {check.name: check for check in _checks(scores, part, "stands")}
    hard = any(one.hardened for one in own)
    heads = ["clean", "attacked", "worst", "kept", "sanitised", *(["hardened"] if hard else []), "wrong"]
    if width >= _WIDE:
        heads += ["shaken", "variants", "queries"]
    rows = [_attack_row(one, part.single, heads, checks.get(one.attack)) for one in own]
    metric = _TITLES[part.single]
    return _grid(f"{metric[0].upper()}{metric[1:]} under attack", [*heads, ""], rows, width)


def _attack_row(one: AttackResult, metric: str, heads: Sequence[str], check: Check | None) -> tuple[str, ...]:
    if not one.variants:
        return (one.attack, "no variant", *("" for _ in heads))
    success = one.success
    cells = {
        "clean": _value(one.clean, metric),
        "attacked": _value(one.attacked, metric),
        "worst": _value(one.worst, metric),
        "kept": _NONE if one.kept is None else percent(one.kept),
        "sanitised": _value(one.sanitised, metric),
        "hardened": _value(one.hardened, metric) if one.hardened else "",
        "wrong": f"{success.wrong}/{success.right}",
        "shaken": f"{success.shaken}/{success.judged}" if success.judged else "",
        "variants": f"{one.variants}",
        "queries": f"{one.queries}" if one.made.searched else "",
    }
    return (one.attack, *(cells[head] for head in heads), _STANDING[check.outcome] if check else "")


def _quality(scores: Scores, width: int) -> str:
    """How the variants of each attack read beside the originals."""
    rows = [(one.attack, *quality_cells(one.quality)) for one in scores.attacks if one.quality is not None]
    return _grid("How variants read", ("edited", "BLEU", "perplexity", "grammar"), rows, width) if rows else ""


def _left(scores: Scores, width: int) -> str:
    reasons: dict[str, list[str]] = {}
    for one in scores.run.left:
        reasons.setdefault(one.reason, []).append(one.attack)
    lines = [f"Not tried: {', '.join(names)} ({reason})." for reason, names in reasons.items()]
    lines += [f"Note: {note}." for note in scores.run.notes]
    for part in scores.parts:
        if part.outside:
            lines.append(f"Note: {part.outside} of {part.questions} answers do not stand in their passage.")
        if part.empty:
            lines.append(f"Note: {part.empty} of {part.questions} clean questions got no answer.")
    for fault in scores.faults[:_FAULTS]:
        message = f": {fault.message}" if fault.message else ""
        where = f" ({fault.where})" if fault.where else ""
        lines.append(f"Note: the reader raised {fault.error}{message}{where} on {fault.questions} questions.")
    if len(scores.faults) > _FAULTS:
        lines.append(f"Note: {len(scores.faults) - _FAULTS} other errors are in scores.json.")
    return "\n".join(_wrapped(line, width) for line in lines)


def _confidence(scores: Scores, width: int) -> str:
    rows = []
    for part in scores.parts:
        for what, found in (("clean", part.calibration), ("attacked", part.attacked_calibration)):
            if calibrated(found):
                rows.append((f"{part.name}, {what}", f"{found.error:.3f}", *_at_shares(found)))
    return (
        _grid("Confidence", ("calibration error", "all answered", "surest 80 %", "surest 50 %"), rows, width)
        if rows
        else ""
    )


def _at_shares(found: Calibration) -> list[str]:
    """The score when all, the surest four fifths, the surest half are answered."""
    near = [min(found.curve, key=lambda point: abs(point.share - share)) for share in (1.0, 0.8, 0.5)]
    return [f"{point.score:.1f}" for point in near]


def _cost(scores: Scores, timings: Timings, width: int) -> str:
    reader, words = scores.run.reader, []
    if reader.parameters:
        words.append(f"{reader.parameters / 1e6:.1f} M parameters")
    if reader.size:
        words.append(f"{reader.size / 1e6:.0f} MB")
    if reader.flops:
        words.append(f"{reader.flops / 1e9:.1f} GFLOPs a question")
    for part, speed in timings.speed.items():
        spent = f"{speed.median:.0f} ms" if speed.median >= 1 else "under 1 ms"
        slow = f", one in ten over {speed.p90:.0f} ms" if speed.p90 >= 1 else ""
        words.append(f"{spent} a question on {part}{slow}")
    if timings.peak_memory:
        words.append(f"peak memory {timings.peak_memory / 1e6:.0f} MB")
    asked = scores.asked + scores.queries
    words.append(f"{asked} questions asked in {timings.seconds:.0f} s")
    lines = [_wrapped(f"Cost: {'; '.join(words)}.", width)]
    for by, usage in timings.usage.items():
        who = f"{usage.model} ({by})" if len(timings.usage) > 1 else usage.model
        lines += [_wrapped(f"{who}: {line}.", width) for line in in_words(figures_of(usage))]
    return "\n".join(lines)


def _words(scores: Scores, width: int) -> str:
    lines = [
        "probed: the score on the questions as they were changed; lost: share of the clean score (above chance) that "
        "is gone; kept: share that is left; –: no such figure, or the clean score is not clearly above chance.",
        "attacked: mean over the variants; worst: the lowest of an item's variants and the original; sanitised: "
        "attacked texts with invisible characters taken out first; wrong: right answers that became wrong"
        + ("; shaken: belief in the gold answer fell by over a tenth." if width >= _WIDE else "."),
        f"An attack must leave {percent(STANDS)} of the score. All rules: readproof prove --explain",
    ]
    if any(one.quality for one in scores.attacks):
        lines.insert(2, label("note.quality").en)
    habits = [one.name.removeprefix(PREFIX) for part in scores.parts for one in part.baselines]
    known = [f"{habit}: {DOES[habit]}" for habit in dict.fromkeys(habits) if habit in DOES]
    if known:
        lines.insert(0, f"Baselines: {'; '.join(known)}.")
    if scores.run.data.citation:
        lines.append(f"Data: {scores.run.data.citation}")
    return "\n".join(_wrapped(line, width) for line in lines)


def _checks(scores: Scores, part: Part, kind: str) -> list[Check]:
    return [check for check in scores.verdict.checks if check.part == part.name and check.kind == kind]


def _value(figures: Figures, metric: str) -> str:
    return f"{figures[metric].value:.1f}" if metric in figures else ""


def _interval(figures: Figures, metric: str) -> str:
    if metric not in figures:
        return ""
    figure = figures[metric]
    sure = f" ({figure.low:.0f}–{figure.high:.0f})" if figure.low is not None and figure.high is not None else ""
    return f"{figure.value:.1f}{sure}"


def _grid(title: str, heads: Iterable[str], rows: Sequence[Sequence[str]], width: int) -> str:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    grid = Table(box=None, pad_edge=False, padding=(0, 2 if width >= _ROOM else 1, 0, 0), show_edge=False)
    grid.add_column(title, no_wrap=True, min_width=20)
    for head in heads:
        grid.add_column(_TITLES.get(head, head), justify="right" if head else "left", no_wrap=True)
    for row in rows:
        first, *rest = map(escape, row)
        grid.add_row(f"  {first}", *rest)
    out = StringIO()
    # a terminal breaks a line that is too long for it; cut off, a figure would be lost or read as another
    width = max(width, Console(width=_ENDLESS).measure(grid).maximum)
    # in a notebook rich would show the table at once and leave the text without it
    plain = Console(
        file=out, width=width, color_system=None, highlight=False, legacy_windows=False, force_jupyter=False
    )
    plain.print(grid)
    return "\n".join(line.rstrip() for line in out.getvalue().rstrip("\n").splitlines())


def _wrapped(text: str, width: int) -> str:
    from textwrap import fill

    return fill(text, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
