"""From the files of a run to its scores: no reader is asked, so that a run can be scored again at any time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from readproof.prove.calibrating import calibrated
from readproof.prove.cases import told
from readproof.prove.figures import Measured, Value, figures, mean_of, worst_of
from readproof.prove.forms import read_form
from readproof.prove.measuring import measure_for
from readproof.prove.model import (
    AttackFacts,
    AttackResult,
    Calibration,
    Check,
    Figures,
    Part,
    PartName,
    Probe,
    Row,
    RunFacts,
    Scores,
    Success,
    Verdict,
)
from readproof.prove.tallying import Outcome, PartTally, by_item, sure, tallied
from readproof.prove.thresholds import Results, judged, parse, passed
from readproof.prove.triples import triple_figures
from readproof.prove.verdict import Pair, above_chance, checked, headline, part_verdict

RUN, SCORES = "run.json", "scores.json"
_SHAKEN = 0.1
_MAIN: dict[PartName, str] = {"spans": "f1", "options": "accuracy"}


def scored(folder: Path, thresholds: str = "") -> Scores:
    """The scores of a finished run, held against the user's limits."""
    facts = read_form(folder / RUN, RunFacts)
    wishes = parse(thresholds)
    run = tallied(told(folder), measure_for(facts.data.task, facts.metric))
    parts, attacks, checks = [], [], []
    for name in ("spans", "options"):
        tally = run.parts.get(name)
        if tally is not None:
            scorer = Scorer(name, tally, facts)
            parts.append(scorer.part())
            attacks += [scorer.attack(one) for one in facts.attacks if one.part == name]
            checks += scorer.checks()
    verdicts = tuple(part_verdict(part.name, checks) for part in parts)
    checks += judged(wishes, Results(parts=parts, attacks=attacks, verdicts=verdicts))
    verdict = Verdict(
        headline=headline(verdicts, checks),
        parts=verdicts,
        checks=tuple(checks),
        thresholds=thresholds,
        passed=passed(checks),
    )
    return Scores(
        run=facts,
        verdict=verdict,
        parts=tuple(parts),
        attacks=tuple(attacks),
        asked=run.asked,
        queries=sum(one.queries for one in attacks),
        faults=dict(sorted(run.faults.items())),
    )


@dataclass(slots=True)
class Scorer:
    """The scores of one kind of question."""

    name: PartName
    tally: PartTally
    facts: RunFacts

    @property
    def single(self) -> str:
        return _MAIN[self.name]

    def part(self) -> Part:
        tally, clean = self.tally, self._clean(self.tally.clean)
        whole = triple_figures(tally) if self.facts.triples and self.name == "options" else {}
        hardened = [value for value in (self._value(at, _hardened) for at in tally.clean) if value is not None]
        measure = self.facts.metric if self.name == "spans" else "official"
        return Part(
            name=self.name,
            main="score" if whole else self.single,
            single=self.single,
            metric=measure,
            questions=len(clean),
            triples=self.facts.triples if self.name == "options" else 0,
            chance=self._chance(tally.clean),
            clean={**whole, **figures(clean)},
            hardened=figures(hardened) if hardened else None,
            worst=figures(self._over_all(tally.clean, worst_of)) if any(tally.attacks.values()) else None,
            probes=tuple(self._probe(name, found) for name, found in tally.probes.items()),
            types=self._types(),
            calibration=_calibration(one.outcome for one in tally.clean.values()),
            attacked_calibration=_calibration(one for found in tally.attacks.values() for one in found),
        )

    def attack(self, facts: AttackFacts) -> AttackResult:
        found = self.tally.attacks.get(facts.attack, [])
        items = by_item(found)
        clean, attacked = self._clean(items), self._values(items, lambda one: one.measured)
        hardened = self._values(items, _hardened)
        whole = triple_figures(self.tally) if facts.attack == "triples" and found else {}
        return AttackResult(
            made=facts,
            items=len(items),
            variants=len(found),
            clean=figures(clean),
            attacked={**whole, **figures(attacked)},
            worst=figures(self._worst(items)),
            sanitised=figures(self._values(items, lambda one: one.sanitised)),
            hardened=figures(hardened) if hardened else None,
            kept=self._kept(items, clean, attacked),
            success=self._success(found),
            skipped=dict(sorted(self.tally.skipped.get(facts.attack, {}).items())),
            rejected=dict(sorted(self.tally.rejected.get(facts.attack, {}).items())),
            strategies=self._strategies(found),
            queries=self.tally.queries[facts.attack],
        )

    def checks(self) -> list[Check]:
        clean = self.tally.clean
        checks = [above_chance(self.name, self.single, self._chance(clean), self._clean(clean))]
        for name, found in self.tally.probes.items():
            checks.append(checked(self._pair("reads", name, found)))
        for one in self.facts.attacks:
            if one.part == self.name:
                checks.append(checked(self._pair("stands", one.attack, self.tally.attacks.get(one.attack, []))))
        return checks

    def _pair(self, kind: str, name: str, found: Sequence[Outcome]) -> Pair:
        items = by_item(found)
        return Pair(
            kind="reads" if kind == "reads" else "stands",
            name=name,
            part=self.name,
            metric=self.single,
            chance=self._chance(items),
            clean=self._clean(items),
            other=self._values(items, lambda one: one.measured),
        )

    def _probe(self, name: str, found: Sequence[Outcome]) -> Probe:
        items = by_item(found)
        values = self._values(items, lambda one: one.measured)
        return Probe(name=name, questions=len(found), clean=figures(self._clean(items)), figures=figures(values))

    def _strategies(self, found: Sequence[Outcome]) -> tuple[Row, ...]:
        rows = []
        for name in sorted({one.strategy for one in found if one.strategy}):
            own = by_item([one for one in found if one.strategy == name])
            rows.append(self._row(name, own, sum(map(len, own.values()))))
        return tuple(rows)

    def _types(self) -> tuple[Row, ...]:
        kinds = sorted({asked.type for asked in self.tally.clean.values()})
        rows = []
        for kind in kinds:
            numbers = [at for at, asked in self.tally.clean.items() if asked.type == kind]
            rows.append(
                Row(
                    name=kind,
                    questions=len(numbers),
                    clean=figures(self._clean(numbers), sure=False),
                    attacked=figures(self._over_all(numbers, mean_of, original=False), sure=False) or None,
                    worst=figures(self._over_all(numbers, worst_of), sure=False) or None,
                )
            )
        return tuple(rows)

    def _row(self, name: str, items: Mapping[int, Sequence[Outcome]], count: int) -> Row:
        return Row(
            name=name,
            questions=count,
            clean=figures(self._clean(items), sure=False),
            attacked=figures(self._values(items, lambda one: one.measured), sure=False),
            worst=figures(self._worst(items), sure=False),
        )

    def _success(self, found: Sequence[Outcome]) -> Success:
        right = wrong = known = shaken = 0
        for one in found:
            before = self.tally.clean[one.at].outcome
            if before.measured[self.single] > 0:
                right += 1
                wrong += one.measured[self.single] == 0
            if before.belief is not None and one.belief is not None:
                known += 1
                shaken += one.belief < before.belief - _SHAKEN
        return Success(right=right, wrong=wrong, judged=known, shaken=shaken)

    def _kept(self, numbers: Iterable[int], clean: Sequence[Value], attacked: Sequence[Value]) -> float | None:
        if not clean:
            return None
        chance = self._chance(numbers)
        before, after = (figures(values, sure=False)[self.single].value for values in (clean, attacked))
        return max(0.0, after - chance) / (before - chance) if before > chance else None

    def _chance(self, numbers: Iterable[int]) -> float:
        chances = [self.tally.clean[at].chance for at in numbers]
        return sum(chances) / len(chances) if chances else 0.0

    def _clean(self, numbers: Iterable[int]) -> list[Value]:
        found = (self._value(at, lambda one: one.measured) for at in numbers)
        return [value for value in found if value is not None]

    def _value(self, at: int, pick: Callable[[Outcome], Measured | None]) -> Value | None:
        asked = self.tally.clean[at]
        measured = pick(asked.outcome)
        return None if measured is None else Value(asked.group, measured)

    def _values(
        self, items: Mapping[int, Sequence[Outcome]], pick: Callable[[Outcome], Measured | None]
    ) -> list[Value]:
        """One value an item: the mean of its variants, so that an item with many does not count for many."""
        values = []
        for at, found in items.items():
            measured = [one for one in map(pick, found) if one is not None]
            if measured:
                values.append(Value(self.tally.clean[at].group, mean_of(measured)))
        return values

    def _worst(self, items: Mapping[int, Sequence[Outcome]]) -> list[Value]:
        values = []
        for at, found in items.items():
            asked = self.tally.clean[at]
            values.append(Value(asked.group, worst_of([asked.outcome.measured, *(one.measured for one in found)])))
        return values

    def _over_all(
        self, numbers: Iterable[int], take: Callable[[Sequence[Measured]], Measured], *, original: bool = True
    ) -> list[Value]:
        """One value an item over the variants of all attacks, with the original or without it."""
        variants: dict[int, list[Measured]] = {at: [] for at in numbers}
        for at in variants if original else ():
            variants[at].append(self.tally.clean[at].outcome.measured)
        for found in self.tally.attacks.values():
            for one in found:
                if one.at in variants:
                    variants[one.at].append(one.measured)
        return [Value(self.tally.clean[at].group, take(found)) for at, found in variants.items() if found]


def _hardened(outcome: Outcome) -> Measured | None:
    return outcome.hardened


def _calibration(found: Iterable[Outcome]) -> Calibration | None:
    return calibrated([one for one in map(sure, found) if one is not None])


def main_figure(figures: Figures, part: Part) -> float:
    """The value of a part's headline metric."""
    return figures[part.main if part.main in figures else part.single].value
