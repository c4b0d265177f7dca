"""Can the reader be trusted? What is held against which limit, when there is too little to tell, and the headline.

*Reads*: taking the passage away, or the question, must cost at least half of the score above chance. *Stands*: an
attack must leave at least four fifths of it. A check is *unclear* where the 95 % interval over passages leaves both
open, or where there are fewer than ten questions: a verdict that chance could turn round is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from readproof.prove.figures import Value, difference, figures
from readproof.prove.model import Check, Outcome, PartName, PartVerdict, Reads

READS = 0.5
STANDS = 0.8
FEWEST = 10
FEWEST_PASSAGES = 5

_WITHOUT = {
    "no-passage": "without the passage",
    "question-only": "with the question in the passage's place",
    "another-passage": "with another passage",
    "no-question": "without the question",
    "options-only": "with nothing but the options",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """The same questions as they stand and under a probe or an attack; `chance` is the score of a guess."""

    kind: Literal["reads", "stands"]
    name: str
    part: PartName
    metric: str
    chance: float
    clean: Sequence[Value]
    other: Sequence[Value]


def checked(pair: Pair) -> Check:
    """One probe or attack held against its limit."""
    if not pair.clean:
        return _check(pair, 0.0, "unclear", "nothing could be attacked")
    gap = difference(pair.clean, pair.other, pair.metric)
    clean = figures(pair.clean, sure=False)[pair.metric].value
    above = clean - pair.chance
    if above <= 0:
        return _check(pair, 0.0, "unclear", f"the clean score {clean:.1f} is no better than chance")
    lost = gap.difference / above
    low, high = gap.low / above, gap.high / above
    share = f"{percent(_capped(lost))} of the score{' above chance' if pair.chance else ''}"
    if pair.kind == "reads":
        why = f"{_WITHOUT.get(pair.name, pair.name)} it loses {share}; a reader loses at least {percent(READS)}"
        outcome: Outcome = "passed" if lost >= READS and low > 0 else "failed" if high < READS else "unclear"
        value = _capped(lost)
    else:
        why = f"{pair.name} takes {share}; at most {percent(1 - STANDS)} may go"
        limit = 1 - STANDS
        outcome = "unclear" if low < limit < high else "passed" if lost <= limit else "failed"
        value = max(0.0, 1 - lost)
    if _few(pair.clean):
        return _check(pair, value, "unclear", f"{why}; {len(pair.clean)} questions are too few to tell")
    if outcome == "unclear":
        why = f"{why}; {len(pair.clean)} questions leave it open ({percent(low)} to {percent(min(1.0, high))})"
    return _check(pair, value, outcome, why)


def _few(values: Sequence[Value]) -> bool:
    """Too few to tell: questions, or passages, over which the interval is drawn."""
    return len(values) < FEWEST or len({one.group for one in values}) < FEWEST_PASSAGES


def above_chance(part: PartName, metric: str, chance: float, clean: Sequence[Value]) -> Check:
    """A reader that is no better than a guess has not shown that it reads."""
    figure = figures(clean)[metric]
    low, high = (figure.value if one is None else one for one in (figure.low, figure.high))
    outcome: Outcome = "passed" if low > chance else "failed" if high <= chance else "unclear"
    if _few(clean) or figure.low is None:
        outcome = "unclear"
    why = f"{metric} {figure.value:.1f} ({low:.1f} to {high:.1f}) against {chance:.1f} by chance"
    return Check(
        kind="reads",
        name="clean",
        part=part,
        what=metric,
        value=figure.value,
        limit=chance,
        outcome=outcome,
        why=why,
    )


def part_verdict(part: PartName, checks: Iterable[Check]) -> PartVerdict:
    """What the checks on one kind of question come to."""
    own = [check for check in checks if check.part == part]
    reading = [check.outcome for check in own if check.kind == "reads"]
    reads: Reads = "no" if "failed" in reading else "unclear" if "unclear" in reading or not reading else "yes"
    found = {
        outcome: tuple(check.name for check in own if check.kind == "stands" and check.outcome == outcome)
        for outcome in ("failed", "passed", "unclear")
    }
    return PartVerdict(
        part=part, reads=reads, falls_for=found["failed"], stands=found["passed"], unclear=found["unclear"]
    )


def headline(parts: Sequence[PartVerdict], checks: Sequence[Check]) -> str:
    """The verdict in a sentence for each kind of question."""
    sentences = []
    for part in parts:
        lead = f"{part.part.capitalize()}: " if len(parts) > 1 else ""
        said = f"{_reading(part, checks)}{_standing(part)}."
        sentences.append(lead + (said if lead else said[0].upper() + said[1:]))
    return " ".join(sentences)


def _reading(part: PartVerdict, checks: Sequence[Check]) -> str:
    own = [check for check in checks if check.part == part.part and check.kind == "reads"]
    if part.reads == "yes":
        return "reads"
    failed = [check for check in own if check.outcome == "failed"]
    if part.reads == "unclear":
        return "too few questions to tell whether it reads"
    if any(check.name == "clean" for check in failed):
        return "does not read, it is no better than chance"
    worst = min(failed, key=lambda check: check.value)
    return f"does not read, it answers {_WITHOUT.get(worst.name, worst.name)} nearly as well"


def _standing(part: PartVerdict) -> str:
    if part.falls_for:
        return f"{', but' if part.reads == 'yes' else ', and'} falls for {listed(part.falls_for)}"
    if part.reads == "unclear" and part.unclear and not part.stands:
        return " or stands"
    if part.unclear:
        return f"; nothing proved against it, unclear under {listed(part.unclear)}"
    return ", and stands under every attack tried" if part.stands else "; no attack was tried"


def percent(share: float) -> str:
    """A share in percent."""
    return f"{100 * share:.0f} %"


def _capped(share: float) -> float:
    """Below chance nothing more can be lost; a score that rose lost nothing."""
    return min(1.0, max(0.0, share))


def listed(names: Sequence[str]) -> str:
    """a, b and c."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _check(pair: Pair, value: float, outcome: Outcome, why: str) -> Check:
    what, limit = ("lost", READS) if pair.kind == "reads" else ("kept", STANDS)
    return Check(
        kind=pair.kind, name=pair.name, part=pair.part, what=what, value=value, limit=limit, outcome=outcome, why=why
    )
