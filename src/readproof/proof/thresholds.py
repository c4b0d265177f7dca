"""`--fail-under`: the user's own thresholds, in a small grammar.

    f1=80                    the clean score is at least 80
    addsent.f1=60            the score under an attack is at least 60; addsent=60 means its main metric
    addsent.kept=0.7         an attack leaves at least 0.7 of the clean score above chance
    attacked.f1=50           the lowest score under any attack; worst.f1=40 the worst case over all of them
    no-passage.f1<=20        a score under a probe is at most 20
    calibration<=0.1         the expected calibration error is at most 0.1
    substituted.follows=0.8  of a probe, the share of questions with an outcome (follows, sticks, changed, right, …)
    reads, stands            the verdict says so of every kind of question

Thresholds are separated by commas. `=` and `>=` mean at least.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from readproof.errors import InputError
from readproof.proof.probes import NAMES as PROBES
from readproof.proof.results import AttackResult, Check, Part, PartVerdict

METRICS = ("f1", "em", "accuracy", "score", "acc0", "acc1", "acc2")
WORDS = ("reads", "stands")
SHARES = (
    "changed",
    "same",
    "follows",
    "sticks",
    "neither",
    "right",
    "wrong",
    "moved",
    "stayed",
    "kept",
    "lost",
    "own",
    "rival",
)
_THRESHOLD = re.compile(r"\s*([^\s<>=]+)\s*(>=|<=|=)\s*([0-9]+(?:\.[0-9]+)?)\s*")


@dataclass(frozen=True, slots=True)
class Threshold:
    """The figure that `name` names is at least (or at most) `limit`; a bare word has no limit."""

    name: str
    at_least: bool = True
    limit: float = 0.0

    @property
    def is_word(self) -> bool:
        return self.name in WORDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """What there is to hold against thresholds."""

    parts: Sequence[Part]
    attacks: Sequence[AttackResult]
    verdicts: Sequence[PartVerdict]


def parse(text: str) -> tuple[Threshold, ...]:
    """The thresholds in a text; anything else is refused."""
    thresholds = []
    for piece in filter(None, (one.strip() for one in text.split(","))):
        found = _THRESHOLD.fullmatch(piece)
        if piece in WORDS:
            thresholds.append(Threshold(piece))
        elif found:
            thresholds.append(Threshold(found[1], found[2] != "<=", float(found[3])))
        else:
            raise _refused(piece)
    return tuple(thresholds)


def check_names(thresholds: Sequence[Threshold], attacks: Collection[str]) -> None:
    """Thresholds on attacks that are not made, or on nothing at all, are refused before the run begins."""
    for threshold in thresholds:
        if not threshold.is_word:
            _place(threshold.name, attacks)


def judged(thresholds: Sequence[Threshold], results: Results) -> list[Check]:
    """Each threshold, met or missed; a figure that the run does not have is a threshold missed."""
    return [_word(threshold, results) if threshold.is_word else _held(threshold, results) for threshold in thresholds]


def passed(checks: Sequence[Check]) -> bool | None:
    """Whether all thresholds were met; None where there were none."""
    own = [check.outcome == "passed" for check in checks if check.kind == "threshold"]
    return all(own) if own else None


def _word(threshold: Threshold, results: Results) -> Check:
    if threshold.name == "reads":
        bad = [one.part for one in results.verdicts if one.reads != "yes"]
    else:
        bad = [one.part for one in results.verdicts if one.falls_for or one.unclear or not one.stands]
    why = f"{threshold.name}: not shown for {', '.join(bad)}" if bad else f"{threshold.name}: yes"
    return Check(
        kind="threshold",
        name=threshold.name,
        part=None,
        what=threshold.name,
        value=float(not bad),
        limit=1.0,
        outcome="failed" if bad else "passed",
        why=why,
    )


def _held(threshold: Threshold, results: Results) -> Check:
    place, figure = _place(threshold.name, [one.attack for one in results.attacks])
    values = _values(place, figure, results)
    sign = "at least" if threshold.at_least else "at most"
    if not values:
        value, kept, why = None, False, f"{threshold.name}: this run has no such figure"
    else:
        value = min(values) if threshold.at_least else max(values)
        kept = value >= threshold.limit if threshold.at_least else value <= threshold.limit
        why = f"{threshold.name} is {value:.4g}, wanted {sign} {threshold.limit:g}"
    return Check(
        kind="threshold",
        name=threshold.name,
        part=None,
        what=figure,
        value=value,
        limit=threshold.limit,
        outcome="passed" if kept else "failed",
        why=why,
    )


def _place(name: str, attacks: Collection[str]) -> tuple[str, str]:
    """What a name speaks of: "" (clean), attacked, worst, calibration, a probe or an attack; and the figure."""
    if name in METRICS:
        return "", name
    if name == "calibration" or name in PROBES or name in attacks:
        return name, ""
    place, _, figure = name.rpartition(".")
    if place in attacks and (figure in METRICS or figure in ("kept", "worst")):
        return place, figure
    if place in PROBES and figure in SHARES:
        return place, figure
    if figure in METRICS and (place in PROBES or place in ("attacked", "worst")):
        return place, figure
    raise _refused(name, attacks)


def _values(place: str, figure: str, results: Results) -> list[float]:
    if place == "":
        return [part.clean[figure].value for part in results.parts if figure in part.clean]
    if place == "calibration":
        return [part.calibration.error for part in results.parts if part.calibration]
    if place == "worst":
        return [part.worst[figure].value for part in results.parts if part.worst and figure in part.worst]
    if place in PROBES and figure in SHARES:
        found = [probe for part in results.parts for probe in part.probes if probe.name == place]
        return [probe.shares[figure] for probe in found if figure in probe.shares]
    if place in PROBES:
        return [
            probe.figures[figure or part.single].value
            for part in results.parts
            for probe in part.probes
            if probe.name == place and (figure or part.single) in probe.figures
        ]
    singles = {part.name: part.single for part in results.parts}
    own = [one for one in results.attacks if one.items and (place == "attacked" or one.attack == place)]
    if figure == "kept":
        return [one.kept for one in own if one.kept is not None]
    pick: Callable[[AttackResult], Mapping[str, float]] = _worst if figure == "worst" else _attacked
    named = [(pick(one), singles[one.part] if figure in ("", "worst") else figure) for one in own]
    return [scores[metric] for scores, metric in named if metric in scores]


def _attacked(one: AttackResult) -> Mapping[str, float]:
    return {name: figure.value for name, figure in one.attacked.items()}


def _worst(one: AttackResult) -> Mapping[str, float]:
    return {name: figure.value for name, figure in one.worst.items()}


def _refused(found: str, attacks: Collection[str] = ()) -> InputError:
    made = f"; attacks of this run: {', '.join(sorted(set(attacks)))}" if attacks else ""
    expected = f"f1=80, addsent.f1=60, addsent.kept=0.7, no-passage.f1<=20, reads, …; metrics: {', '.join(METRICS)}"
    return InputError(place="--fail-under", found=repr(found), expected=f"limits such as {expected}{made}")
