"""The questions and answers of a run gathered for scoring: small values by item and attack, no texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

from readproof.items import ChoiceItem
from readproof.prove.answers import Said
from readproof.prove.calibrating import Sure
from readproof.prove.cases import Case
from readproof.prove.figures import Measured
from readproof.prove.kinds import type_of
from readproof.prove.measuring import Measure
from readproof.prove.model import CLEAN, PROBE, PartName
from readproof.prove.questions import Single, Skipped, cleaned, part_of, text_key


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of one question. `texts` marks what was read; `choice` and `gold` are of options."""

    at: int
    number: int
    identity: str
    texts: bytes
    strategy: str
    measured: Measured
    belief: float | None
    confidence: float | None
    sanitised: Measured
    hardened: Measured | None
    choice: int | None
    gold: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A clean question: its passage, its type, by how much chance it is right, and what came of it."""

    group: Hashable
    type: str
    chance: float
    outcome: Outcome


@dataclass(slots=True)
class PartTally:
    """All outcomes on questions of one kind, by the number of the item."""

    clean: dict[int, Asked] = field(default_factory=dict)
    probes: dict[str, list[Outcome]] = field(default_factory=dict)
    attacks: dict[str, list[Outcome]] = field(default_factory=dict)
    skipped: dict[str, Counter[str]] = field(default_factory=dict)
    rejected: dict[str, Counter[str]] = field(default_factory=dict)
    queries: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class RunTally:
    parts: dict[PartName, PartTally] = field(default_factory=dict)
    asked: int = 0
    faults: Counter[str] = field(default_factory=Counter)


def tallied(told: Iterable[Case | Skipped], measure: Measure) -> RunTally:
    """Every line of a run, measured anew from the texts that the files hold."""
    run = RunTally()
    kinds: dict[int, PartName] = {}
    for one in told:
        if isinstance(one, Skipped):
            part = run.parts[kinds[one.at]]
            part.skipped.setdefault(one.attack, Counter())[one.reason] += 1
            part.rejected.setdefault(one.attack, Counter()).update(one.rejected)
            continue
        question = one.question
        name = kinds[question.at] = part_of(question.item)
        part = run.parts.setdefault(name, PartTally())
        outcome = _outcome(one, measure)
        run.asked += 1
        run.faults.update([one.said.fault] if one.said.fault else [])
        if question.attack == CLEAN:
            item = question.item
            group = item.passage_id or item.passage
            part.clean[question.at] = Asked(group=group, type=type_of(item), chance=_chance(item), outcome=outcome)
        elif question.attack.startswith(PROBE):
            part.probes.setdefault(question.attack.removeprefix(PROBE), []).append(outcome)
        else:
            part.attacks.setdefault(question.attack, []).append(outcome)
            part.rejected.setdefault(question.attack, Counter()).update(question.rejected)
            if question.number == 0:
                part.queries[question.attack] += int(question.search.get("queries", 0))
    return run


def by_item(found: Iterable[Outcome]) -> dict[int, list[Outcome]]:
    """Outcomes by the number of their item, in order."""
    numbered: dict[int, list[Outcome]] = {}
    for one in found:
        numbered.setdefault(one.at, []).append(one)
    return numbered


def sure(outcome: Outcome) -> Sure | None:
    """The outcome as calibration takes it; None where the reader does not say how sure it is."""
    if outcome.confidence is None:
        return None
    right = outcome.measured["em"] if "em" in outcome.measured else outcome.measured["accuracy"]
    worth = outcome.measured["f1"] if "f1" in outcome.measured else outcome.measured["accuracy"]
    return Sure(min(1.0, max(0.0, outcome.confidence)), right, worth)


def _outcome(case: Case, measure: Measure) -> Outcome:
    question, item = case.question, case.question.item
    answer = case.said.answer
    measured = measure(item, answer)
    return Outcome(
        at=question.at,
        number=question.number,
        identity=item.id,
        texts=text_key(item)[:12],
        strategy=question.strategy,
        measured=measured,
        belief=case.said.belief,
        confidence=answer.confidence,
        sanitised=_measured(cleaned(item) if case.sanitised else None, case.sanitised, measure) or measured,
        hardened=_measured(item, case.hardened, measure),
        choice=answer.choice,
        gold=item.answer if isinstance(item, ChoiceItem) else None,
    )


def _measured(item: Single | None, said: Said | None, measure: Measure) -> Measured | None:
    return None if item is None or said is None else measure(item, said.answer)


def _chance(item: Single) -> float:
    """The score of a guess, in percent: options can be guessed, spans cannot."""
    return 100.0 / max(1, len(item.options)) if isinstance(item, ChoiceItem) else 0.0
