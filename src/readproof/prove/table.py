"""The scores of a run as text for a terminal: the verdict first, then what it rests on, in words a newcomer knows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import StringIO

from readproof.prove.model import AttackResult, Calibration, Check, Figures, Part, Scores, Timings
from readproof.prove.verdict import READS, STANDS, percent

_WIDE = 110
_ROOM = 90
_ENDLESS = 10_000
_TITLES = {"f1": "F1", "em": "EM", "accuracy": "accuracy", "score": "Score", "acc0": "Acc0", "acc1": "Acc1"}
_TITLES["acc2"] = "Acc2"
_PROBES = {
    "no-passage": "no passage",
    "question-only": "question only",
    "another-passage": "another passage",
    "no-question": "no question",
    "options-only": "options only",
}
_READING = {"passed": "reads", "failed": "DOES NOT READ", "unclear": "unclear"}
_STANDING = {"passed": "stands", "failed": "FALLS", "unclear": "unclear"}
_NAMES = {"spans": "Spans", "options": "Options"}


def table(scores: Scores, timings: Timings, width: int = 100) -> str:
    """All of it, no line longer than `width` where words allow."""
    blocks = [_head(scores), _verdict(scores, width)]
    for part in scores.parts:
        blocks += [_clean(part, width), _reading(part, scores, width), _attacks(part, scores, width)]
    blocks += [_left(scores, width), _confidence(scores, width), _cost(scores, timings, width), _words(scores, width)]
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
            lines.append(f"  {'kept  ' if check.outcome == 'passed' else 'FAILED'}  {check.why}")
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
    return _grid(_NAMES[part.name], names, rows, width)


def _reading(part: Part, scores: Scores, width: int) -> str:
    if not part.probes:
        return ""
    checks = {check.name: check for check in _checks(scores, part, "reads")}
    rows = []
    for probe in part.probes:
        check = checks.get(probe.name)
        rows.append(
            (
                _PROBES.get(probe.name, probe.name),
                _value(probe.clean, part.single),
                _value(probe.figures, part.single),
                percent(check.value) if check else "",
                _READING[check.outcome] if check else "",
            )
        )
    return _grid("Does it read?", ("clean", "without", "lost", ""), rows, width)


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
        "kept": "" if one.kept is None else percent(one.kept),
        "sanitised": _value(one.sanitised, metric),
        "hardened": _value(one.hardened, metric) if one.hardened else "",
        "wrong": f"{success.wrong}/{success.right}",
        "shaken": f"{success.shaken}/{success.judged}" if success.judged else "",
        "variants": f"{one.variants}",
        "queries": f"{one.queries}" if one.made.searched else "",
    }
    return (one.attack, *(cells[head] for head in heads), _STANDING[check.outcome] if check else "")


def _left(scores: Scores, width: int) -> str:
    reasons: dict[str, list[str]] = {}
    for one in scores.run.left:
        reasons.setdefault(one.reason, []).append(one.attack)
    lines = [f"Not tried: {', '.join(names)} ({reason})." for reason, names in reasons.items()]
    lines += [f"Note: {note}." for note in scores.run.notes]
    if scores.faults:
        faults = ", ".join(f"{name} {count}" for name, count in scores.faults.items())
        lines.append(f"Note: the reader failed with an error on {sum(scores.faults.values())} questions ({faults}).")
    return "\n".join(_wrapped(line, width) for line in lines)


def _confidence(scores: Scores, width: int) -> str:
    rows = []
    for part in scores.parts:
        for what, found in (("clean", part.calibration), ("attacked", part.attacked_calibration)):
            if found:
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
    reader, told = scores.run.reader, []
    if reader.parameters:
        told.append(f"{reader.parameters / 1e6:.1f} M parameters")
    if reader.size:
        told.append(f"{reader.size / 1e6:.0f} MB")
    if reader.flops:
        told.append(f"{reader.flops / 1e9:.1f} GFLOPs a question")
    for part, speed in timings.speed.items():
        spent = f"{speed.median:.0f} ms" if speed.median >= 1 else "under 1 ms"
        slow = f", one in ten over {speed.p90:.0f} ms" if speed.p90 >= 1 else ""
        told.append(f"{spent} a question on {part}{slow}")
    if timings.peak_memory:
        told.append(f"peak memory {timings.peak_memory / 1e6:.0f} MB")
    asked = scores.asked + scores.queries
    told.append(f"{asked} questions asked in {timings.seconds:.0f} s")
    return _wrapped(f"Cost: {'; '.join(told)}.", width)


def _words(scores: Scores, width: int) -> str:
    lines = [
        "attacked: mean over the variants; worst: the lowest of an item's variants and the original; kept: share of "
        "the clean score (above chance) that is left; sanitised: attacked texts with invisible characters taken out "
        "first; wrong: right answers that became wrong"
        + ("; shaken: belief in the gold answer fell by over a tenth." if width >= _WIDE else "."),
        f"A reader reads if it loses at least {percent(READS)} without the passage or the question, and stands if an "
        f"attack leaves at least {percent(STANDS)}; unclear: too few questions to tell.",
    ]
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
