"""`--fail-under`: the user's own limits, in a small grammar.

    f1=80                    the clean score is at least 80
    addsent.f1=60            the score under an attack is at least 60; addsent=60 means its main metric
    addsent.kept=0.7         an attack leaves at least 0.7 of the clean score above chance
    attacked.f1=50           the lowest score under any attack; worst.f1=40 the worst case over all of them
    no-passage.f1<=20        a score under a probe is at most 20
    calibration<=0.1         the expected calibration error is at most 0.1
    reads, stands            the verdict says so of every kind of question

Wishes stand behind each other with commas. `=` and `>=` mean at least.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from readproof.errors import InputError
from readproof.prove.model import AttackResult, Check, Part, PartVerdict
from readproof.prove.probes import PROBES

METRICS = ("f1", "em", "accuracy", "score", "acc0", "acc1", "acc2")
WORDS = ("reads", "stands")
_WISH = re.compile(r"\s*([^\s<>=]+)\s*(>=|<=|=)\s*([0-9]+(?:\.[0-9]+)?)\s*")


@dataclass(frozen=True, slots=True)
class Threshold:
    """One wish: the figure that `name` names is at least (or at most) `limit`; a bare word has no limit."""

    name: str
    at_least: bool = True
    limit: float = 0.0

    @property
    def is_word(self) -> bool:
        return self.name in WORDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """What there is to hold against limits."""

    parts: Sequence[Part]
    attacks: Sequence[AttackResult]
    verdicts: Sequence[PartVerdict]


def parse(text: str) -> tuple[Threshold, ...]:
    """The wishes of a text; what is none is refused."""
    wishes = []
    for piece in filter(None, (one.strip() for one in text.split(","))):
        found = _WISH.fullmatch(piece)
        if piece in WORDS:
            wishes.append(Threshold(piece))
        elif found:
            wishes.append(Threshold(found[1], found[2] != "<=", float(found[3])))
        else:
            raise _refused(piece)
    return tuple(wishes)


def check_names(wishes: Sequence[Threshold], attacks: Collection[str]) -> None:
    """Wishes about attacks that are not made, or about nothing at all, are refused before the run begins."""
    for wish in wishes:
        if not wish.is_word:
            _place(wish.name, attacks)


def judged(wishes: Sequence[Threshold], results: Results) -> list[Check]:
    """Each wish, kept or not; a figure that there is none of is a wish not kept."""
    return [_word(wish, results) if wish.is_word else _held(wish, results) for wish in wishes]


def passed(checks: Sequence[Check]) -> bool | None:
    """Whether all wishes were kept; None where there were none."""
    own = [check.outcome == "passed" for check in checks if check.kind == "threshold"]
    return all(own) if own else None


def _word(wish: Threshold, results: Results) -> Check:
    if wish.name == "reads":
        bad = [one.part for one in results.verdicts if one.reads != "yes"]
    else:
        bad = [one.part for one in results.verdicts if one.falls_for or one.unclear or not one.stands]
    why = f"{wish.name}: not so of {', '.join(bad)}" if bad else f"{wish.name}: so it is"
    return Check(
        kind="threshold",
        name=wish.name,
        part=None,
        what=wish.name,
        value=float(not bad),
        limit=1.0,
        outcome="failed" if bad else "passed",
        why=why,
    )


def _held(wish: Threshold, results: Results) -> Check:
    place, figure = _place(wish.name, [one.attack for one in results.attacks])
    values = _values(place, figure, results)
    sign = "at least" if wish.at_least else "at most"
    if not values:
        value, kept, why = 0.0, False, f"{wish.name}: there is no such figure in this run"
    else:
        value = min(values) if wish.at_least else max(values)
        kept = value >= wish.limit if wish.at_least else value <= wish.limit
        why = f"{wish.name} is {value:.4g}, wanted {sign} {wish.limit:g}"
    return Check(
        kind="threshold",
        name=wish.name,
        part=None,
        what=figure,
        value=value,
        limit=wish.limit,
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
