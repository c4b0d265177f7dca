"""From the files of a run to its scores. No reader is asked: every answer was measured once, when it was given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from readproof.attacks.quality import TextQuality, measured, quality_of
from readproof.items import ChoiceItem, SpanItem, Triple, letter
from readproof.proof.measure import (
    RIGHT,
    Measured,
    Value,
    calibrated,
    confident,
    figures,
    mean_of,
    share_of_score,
    worst_of,
)
from readproof.proof.probes import FACT_ASKED, FALSE_ASKED
from readproof.proof.probes import NAMES as PROBE_NAMES
from readproof.proof.records import Case, Prediction, Skipped, part_of, passage_of, records, text_key, type_of
from readproof.proof.results import (
    CLEAN,
    AttackFacts,
    AttackResult,
    BaselineResult,
    BreakdownRow,
    Calibration,
    Check,
    Fault,
    Figure,
    Figures,
    Part,
    PartName,
    Probe,
    RunFacts,
    Scores,
    Success,
    Verdict,
    read_run,
)
from readproof.proof.thresholds import Results, judged, parse, passed
from readproof.proof.verdict import (
    Rule,
    RuleEvidence,
    headline,
    held,
    part_verdict,
    rule_named,
    rules_for,
    stands,
    with_more,
)
from readproof.readers.baselines import PREFIX, SEARCHING
from readproof.tasks.metrics.triples import PredictedTriple as TripleRow
from readproof.tasks.metrics.triples import TriplePredictions, official

_SHAKEN = 0.1
# of so many variants of an attack it is measured how they read
_READ = 200
_MAIN: dict[PartName, str] = {"spans": "f1", "options": "accuracy"}
# a probe to which so few are answered is refused
_REFUSED = 0.1
_OVERLAP = f"{PREFIX}overlap"
# a reader that goes by the words of the options alone takes its own answer and the rival one about equally often
_OWN = 0.6
# of these it is known that the answer must change, and not into which
_WITHOUT_GOLD = ("another-question", "stem-turned")
_STEMS = {"fresh-fact": FACT_ASKED, "fresh-statement": FALSE_ASKED}
_HALVES = {"fresh-first-half": "first half", "fresh-second-half": "second half"}
_FORMS = ("positive", "negative")
# more letters than any question has options
_OPTIONS = ("",) * 26


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredAnswer:
    """One answered question without its texts. `texts` marks what was read; `choice` and `gold` are of options."""

    at: int
    attack: str
    number: int
    identity: str
    texts: bytes
    strategy: str
    prediction: Prediction
    sanitised: Measured
    hardened: Measured | None
    gold: int | None
    outside: bool
    baselines: Mapping[str, Measured]

    @property
    def measured(self) -> Measured:
        return self.prediction.measured


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanOutcome:
    """A clean question: its passage, its type, by how much chance it is right, and its outcome."""

    group: Hashable
    type: str
    chance: float
    answerable: bool
    outcome: ScoredAnswer

    @property
    def baselines(self) -> Mapping[str, Measured]:
        return self.outcome.baselines


@dataclass(slots=True)
class PartOutcomes:
    """All outcomes on questions of one kind, by the number of the item."""

    clean: dict[int, CleanOutcome] = field(default_factory=dict)
    probes: dict[str, list[ScoredAnswer]] = field(default_factory=dict)
    attacks: dict[str, list[ScoredAnswer]] = field(default_factory=dict)
    skipped: dict[str, Counter[str]] = field(default_factory=dict)
    rejected: dict[str, Counter[str]] = field(default_factory=dict)
    queries: Counter[str] = field(default_factory=Counter)
    quality: dict[str, list[TextQuality]] = field(default_factory=dict)


@dataclass(slots=True)
class RunOutcomes:
    """The outcomes of a run by part; how many questions were put, and the errors that the reader raised."""

    parts: dict[PartName, PartOutcomes] = field(default_factory=dict)
    asked: int = 0
    faults: Counter[Fault] = field(default_factory=Counter)


def outcomes(folder: Path) -> RunOutcomes:
    """The outcomes of a finished run."""
    run = RunOutcomes()
    kinds: dict[int, PartName] = {}
    for one in records(folder):
        if isinstance(one, Skipped):
            part = run.parts[kinds[one.at]]
            part.skipped.setdefault(one.attack, Counter())[one.reason] += 1
            part.rejected.setdefault(one.attack, Counter()).update(one.rejected)
            continue
        question = one.question
        name = kinds[question.at] = part_of(question.item)
        part = run.parts.setdefault(name, PartOutcomes())
        outcome = _outcome(one)
        run.asked += 1
        if one.prediction.fault is not None:
            run.faults[one.prediction.fault] += 1
        if question.attack == CLEAN:
            part.clean[question.at] = _clean(one, outcome)
        elif question.probe:
            part.probes.setdefault(question.probe, []).append(outcome)
        else:
            part.attacks.setdefault(question.attack, []).append(outcome)
            read = part.quality.setdefault(question.attack, [])
            text = measured(one.clean.item, question.item, question.edits) if len(read) < _READ else None
            read += [text] if text is not None else []
            part.rejected.setdefault(question.attack, Counter()).update(question.rejected)
            if question.number == 0:
                part.queries[question.attack] += int(question.search.get("queries", 0))
    return run


def _outcome(case: Case) -> ScoredAnswer:
    question, item = case.question, case.question.item
    answer = case.prediction.answer
    return ScoredAnswer(
        at=question.at,
        attack=question.attack,
        number=question.number,
        identity=item.id,
        texts=text_key(item)[:12],
        strategy=question.strategy,
        prediction=replace(case.prediction, options=()),
        sanitised=(case.sanitised or case.prediction).measured,
        hardened=case.hardened.measured if case.hardened else None,
        gold=item.answer if isinstance(item, ChoiceItem) else None,
        outside=isinstance(item, SpanItem) and answer.start is None and bool(answer.text.strip()),
        baselines={name: one.measured for name, one in case.baselines.items()},
    )


def _clean(case: Case, outcome: ScoredAnswer) -> CleanOutcome:
    item = case.question.item
    options = len(item.options) if isinstance(item, ChoiceItem) else 0
    return CleanOutcome(
        group=passage_of(item),
        type=type_of(item),
        chance=100.0 / max(1, options) if options else 0.0,
        answerable=not (isinstance(item, SpanItem) and (item.impossible or not item.golds)),
        outcome=outcome,
    )


def by_item(found: Iterable[ScoredAnswer]) -> dict[int, list[ScoredAnswer]]:
    """Outcomes by the number of their item, in order."""
    numbered: dict[int, list[ScoredAnswer]] = {}
    for one in found:
        numbered.setdefault(one.at, []).append(one)
    return numbered


def scored(folder: Path, thresholds: str = "") -> Scores:
    """The scores of a finished run, held against the rules and the user's thresholds."""
    facts = read_run(folder)
    wanted = parse(thresholds)
    run = outcomes(folder)
    parts, attacks, checks, verdicts = [], [], [], []
    for name in ("spans", "options"):
        found = run.parts.get(name)
        if found is None:
            continue
        scorer = Scorer(name, found, facts)
        parts.append(scorer.part())
        attacks += [scorer.attack(one) for one in facts.attacks if one.part == name]
        own = scorer.checks()
        passages = len({one.group for one in found.clean.values()})
        verdict = with_more(part_verdict(name, own), len(found.clean), passages)
        verdicts.append(verdict)
        # whether a reader stands is no question where it does not read
        checks += own if verdict.reads == "yes" else [check for check in own if check.kind == "reads"]
    checks += judged(wanted, Results(parts=parts, attacks=attacks, verdicts=verdicts))
    return Scores(
        run=facts,
        verdict=Verdict(
            headline=headline(verdicts, checks),
            parts=tuple(verdicts),
            checks=tuple(checks),
            thresholds=thresholds,
            passed=passed(checks),
        ),
        parts=tuple(parts),
        attacks=tuple(attacks),
        asked=run.asked,
        queries=sum(one.queries for one in attacks),
        faults=tuple(replace(fault, questions=count) for fault, count in _most_frequent(run.faults)),
    )


def _most_frequent(faults: Counter[Fault]) -> list[tuple[Fault, int]]:
    return sorted(faults.items(), key=lambda one: (-one[1], one[0].error, one[0].message, one[0].where))


@dataclass(slots=True)
class Scorer:
    """The scores of one kind of question."""

    name: PartName
    found: PartOutcomes
    facts: RunFacts

    @property
    def single(self) -> str:
        return _MAIN[self.name]

    def part(self) -> Part:
        found, clean = self.found, self._clean(self.found.clean)
        whole = triple_figures(found) if self.facts.triples and self.name == "options" else {}
        hardened = [value for value in (self._value(at, _hardened) for at in found.clean) if value is not None]
        return Part(
            name=self.name,
            main="score" if whole else self.single,
            single=self.single,
            metric=self.facts.metric if self.name == "spans" else "official",
            questions=len(clean),
            triples=self.facts.triples if self.name == "options" else 0,
            chance=self._chance(found.clean),
            clean={**whole, **figures(clean)},
            hardened=figures(hardened) if hardened else None,
            worst=figures(self._over_all(found.clean, worst_of)) if any(found.attacks.values()) else None,
            empty=sum(one.outcome.prediction.is_empty for one in found.clean.values()),
            outside=sum(one.outcome.outside for one in found.clean.values()),
            baselines=self._baselines(),
            probes=tuple(self._probe(name) for name in PROBE_NAMES if name in found.probes),
            types=self._types(),
            calibration=_calibration(one.outcome for one in found.clean.values()),
            attacked_calibration=_calibration(one for some in found.attacks.values() for one in some),
        )

    def attack(self, facts: AttackFacts) -> AttackResult:
        found = self.found.attacks.get(facts.attack, [])
        items = by_item(found)
        clean, attacked = self._clean(items), self._values(items, lambda one: one.measured)
        hardened = self._values(items, _hardened)
        whole = triple_figures(self.found) if facts.attack == "triples" and found else {}
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
            skipped=dict(sorted(self.found.skipped.get(facts.attack, {}).items())),
            rejected=dict(sorted(self.found.rejected.get(facts.attack, {}).items())),
            strategies=self._strategies(found),
            queries=self.found.queries[facts.attack],
            quality=quality_of(self.found.quality.get(facts.attack, [])),
        )

    def checks(self) -> list[Check]:
        """Every rule on this kind of question, then every attack."""
        checks = [self._held(rule) for rule in rules_for(self.name)]
        for one in self.facts.attacks:
            if one.part == self.name:
                checks.append(stands(one.attack, self.name, self._attacked(self.found.attacks.get(one.attack, []))))
        return checks

    def _held(self, rule: Rule) -> Check:
        check = held(rule, self._evidence(rule))
        if rule.name == "score" and check.outcome == "failed" and check.against == _OVERLAP:
            blind = held(rule, self._above_baselines([name for name in self._names() if not _searches(name)]))
            if blind.outcome != "failed":
                # to do no better than one that looks at the passage shows nothing, and is no proof of not reading
                return held(replace(rule, counts_against=False), self._evidence(rule))
        return check

    # the evidence for the rules

    def _evidence(self, rule: Rule) -> RuleEvidence:
        if rule.name == "score":
            return self._above_baselines()
        if rule.name == "rival-option":
            return self._beside_overlap(self.found.probes.get(rule.name, []))
        if rule.name in _STEMS:
            found = self._fresh(rule.name)
            return replace(self._plain(found), chance=self._chance(by_item(found)))
        if rule.quantity == "share":
            return self._share(rule.name)
        found = self.found.probes.get(rule.name, [])
        return replace(self._attacked(found), refused=_is_refused(found))

    def _above_baselines(self, names: Sequence[str] | None = None) -> RuleEvidence:
        """The reader's answers beside those of the best baseline that ignores the passage or what is asked.

        The option that shares most with the passage is such a baseline, unless the reader was seen to go by the
        question: to tell the answer to its own question from that to another one.
        """
        numbers = [at for at, one in self.found.clean.items() if one.answerable]
        if names is None:
            asks = self.name == "options" and self._goes_by_the_question()
            names = [name for name in self._names() if not (_searches(name) and (self.name == "spans" or asks))]
        known = {name: self._baseline(name, numbers) for name in names}
        means = {
            name: figures(values, with_intervals=False)[self.single].value for name, values in known.items() if values
        }
        chance = self._chance(numbers)
        best = max(means, key=lambda name: means[name], default="")
        values = self._clean(numbers)
        if not best or means[best] < chance:
            return RuleEvidence(values=values, metric=self.single, chance=chance, total=len(self.found.clean))
        return RuleEvidence(
            values=values,
            other=known[best],
            metric=self.single,
            chance=chance,
            total=len(self.found.clean),
            against=best,
        )

    def _goes_by_the_question(self) -> bool:
        """Whether the reader was seen to: it tells two right answers apart, or answers fresh questions about facts.

        Of the latter all options stand in the passage, so that their words alone do not help.
        """
        name = "rival-option"
        _, shares = self._shares(name, self.found.probes.get(name, []))
        apart = held(rule_named(name, self.name), self._evidence(rule_named(name, self.name)))
        facts = held(rule_named("fresh-fact", self.name), self._beside_overlap(self._fresh("fresh-fact")))
        return (apart.outcome == "passed" and shares["own"] >= _OWN) or facts.outcome == "passed"

    def _fresh(self, name: str) -> list[ScoredAnswer]:
        return [one for one in self.found.probes.get("fresh-options", []) if one.strategy == _STEMS[name]]

    def _beside_overlap(self, found: Sequence[ScoredAnswer]) -> RuleEvidence:
        """The answers to a probe beside those of the baseline that goes by the words of the passage alone."""
        items = by_item(one for one in found if _OVERLAP in one.baselines)
        return RuleEvidence(
            values=self._values(items, lambda one: one.measured),
            other=self._values(items, lambda one: one.baselines[_OVERLAP]),
            metric=self.single,
            total=len(self.found.clean),
            refused=_is_refused(found),
            against=_OVERLAP,
        )

    def _share(self, name: str) -> RuleEvidence:
        """A share of questions, as a metric of its own."""
        half = _HALVES.get(name)
        found = self.found.probes.get("fresh-question" if half else name, [])
        if half:
            found = [one for one in found if one.strategy == half]
        values: Sequence[Value] = [
            Value(self.found.clean[one.at].group, {"share": share})
            for one in found
            if (share := self._counts(name, one)) is not None
        ]
        refused = _is_refused(found)
        if refused:
            values = self._plain(found).values
        return RuleEvidence(values=values, total=len(self.found.clean), refused=refused)

    def _counts(self, name: str, one: ScoredAnswer) -> float | None:
        """Whether one answer counts for the share of a rule, from 0 to 1; None where the question says nothing."""
        before = self.found.clean[one.at].outcome
        if name == "another-question":
            known = not before.prediction.is_empty and not one.prediction.is_empty
            return float(one.measured["same"] < RIGHT) if known else None
        if name in ("substituted", "contrast-question"):
            return float(followed(one.measured) == "follows") if before.measured["right"] else None
        if name == "rotated":
            return one.measured["right"] if before.measured["right"] else None
        if name in _HALVES or name == "fresh-question":
            return one.measured["right"]
        if name == "stem-turned":
            return one.measured["changed"] if before.measured["accuracy"] else None
        if name == "rival-option":
            return one.measured["accuracy"] if one.measured["accuracy"] or one.measured["rival"] else None
        return one.measured["moved"] if not before.prediction.is_empty else None

    def _attacked(self, found: Sequence[ScoredAnswer]) -> RuleEvidence:
        """The clean and the other answers to the same items."""
        items = by_item(found)
        return RuleEvidence(
            values=self._clean(items),
            other=self._values(items, lambda one: one.measured),
            metric=self.single,
            chance=self._chance(items),
            total=len(self.found.clean),
        )

    def _plain(self, found: Sequence[ScoredAnswer]) -> RuleEvidence:
        """The answers to a probe by themselves."""
        values = self._values(by_item(found), lambda one: one.measured)
        return RuleEvidence(values=values, metric=self.single, total=len(self.found.clean), refused=_is_refused(found))

    # the figures

    def _names(self) -> list[str]:
        """The baselines that answered these questions."""
        known = {name for one in self.found.clean.values() for name in one.baselines}
        return [name for name in self.facts.baselines if name in known]

    def _baseline(self, name: str, numbers: Iterable[int]) -> list[Value]:
        clean = self.found.clean
        return [Value(clean[at].group, clean[at].baselines[name]) for at in numbers if name in clean[at].baselines]

    def _baselines(self) -> tuple[BaselineResult, ...]:
        found = [
            BaselineResult(name=name, figures=figures(values), blind=self.name == "options" or not _searches(name))
            for name in self._names()
            if (values := self._baseline(name, self.found.clean))
        ]
        letters = [one for one in found if len(one.name.removeprefix(PREFIX)) == 1]
        best = max(letters, key=lambda one: one.figures[self.single].value, default=None)
        # of the letters only the one that is right most often, which is what a guesser would say
        return tuple(one for one in found if one not in letters or one is best)

    def _probe(self, name: str) -> Probe:
        found = self.found.probes[name]
        items = by_item(found)
        values = self._values(items, lambda one: one.measured)
        clean, probed = figures(self._clean(items)), {} if name in _WITHOUT_GOLD else figures(values)
        probed = {metric: one for metric, one in probed.items() if metric in clean}
        refused = _is_refused(found)
        after = probed.get(self.single)
        kept = share_of_score(clean[self.single], after.value, self._chance(items)) if after else None
        counted, shares = self._shares(name, found)
        return Probe(
            name=name,
            questions=len(found),
            answered=sum(not one.prediction.is_empty for one in found),
            measured=not refused,
            clean=clean,
            figures=probed,
            lost=None if kept is None or refused else 1 - kept,
            counted=counted,
            shares=shares,
        )

    def _shares(self, name: str, found: Sequence[ScoredAnswer]) -> tuple[int, dict[str, float]]:
        """What a probe counts beside the score: how many questions, and the share of each outcome."""
        names = {
            "another-question": ("changed", "same"),
            "substituted": ("follows", "sticks", "neither"),
            "contrast-question": ("follows", "sticks", "neither"),
            "rival-option": ("own", "rival"),
            "fresh-question": ("right", "wrong"),
            "rotated": ("kept", "lost"),
            "stem-turned": ("changed", "same"),
            "options-reordered": ("moved", "stayed"),
        }.get(name)
        if names is None:
            return 0, {}
        counts: Counter[str] = Counter()
        for one in found:
            share = self._counts(name, one)
            if share is not None:
                counts[followed(one.measured) if names[0] == "follows" else names[0 if share else 1]] += 1
        total = counts.total()
        return total, {one: counts[one] / total for one in names} if total else {}

    def _strategies(self, found: Sequence[ScoredAnswer]) -> tuple[BreakdownRow, ...]:
        rows = []
        for name in sorted({one.strategy for one in found if one.strategy}):
            own = by_item([one for one in found if one.strategy == name])
            rows.append(
                BreakdownRow(
                    name=name,
                    questions=sum(map(len, own.values())),
                    clean=figures(self._clean(own), with_intervals=False),
                    attacked=figures(self._values(own, lambda one: one.measured), with_intervals=False),
                    worst=figures(self._worst(own), with_intervals=False),
                )
            )
        return tuple(rows)

    def _types(self) -> tuple[BreakdownRow, ...]:
        rows = []
        for kind in sorted({one.type for one in self.found.clean.values()}):
            numbers = [at for at, one in self.found.clean.items() if one.type == kind]
            rows.append(
                BreakdownRow(
                    name=kind,
                    questions=len(numbers),
                    clean=figures(self._clean(numbers), with_intervals=False),
                    attacked=figures(self._over_all(numbers, mean_of, original=False), with_intervals=False) or None,
                    worst=figures(self._over_all(numbers, worst_of), with_intervals=False) or None,
                )
            )
        return tuple(rows)

    def _success(self, found: Sequence[ScoredAnswer]) -> Success:
        right = wrong = known = shaken = 0
        for one in found:
            before = self.found.clean[one.at].outcome
            if before.measured[self.single] > 0:
                right += 1
                wrong += one.measured[self.single] == 0
            old, new = before.prediction.belief, one.prediction.belief
            if old is not None and new is not None:
                known += 1
                shaken += new < old - _SHAKEN
        return Success(right=right, wrong=wrong, judged=known, shaken=shaken)

    def _kept(self, numbers: Iterable[int], clean: Sequence[Value], attacked: Sequence[Value]) -> float | None:
        if not clean:
            return None
        after = figures(attacked, with_intervals=False)[self.single].value
        return share_of_score(figures(clean)[self.single], after, self._chance(numbers))

    def _chance(self, numbers: Iterable[int]) -> float:
        chances = [self.found.clean[at].chance for at in numbers]
        return sum(chances) / len(chances) if chances else 0.0

    def _clean(self, numbers: Iterable[int]) -> list[Value]:
        found = (self._value(at, lambda one: one.measured) for at in numbers)
        return [value for value in found if value is not None]

    def _value(self, at: int, pick: Callable[[ScoredAnswer], Measured | None]) -> Value | None:
        clean = self.found.clean[at]
        measured = pick(clean.outcome)
        return None if measured is None else Value(clean.group, measured)

    def _values(
        self, items: Mapping[int, Sequence[ScoredAnswer]], pick: Callable[[ScoredAnswer], Measured | None]
    ) -> list[Value]:
        """One value per item: the mean of its variants, so that an item with many does not count for many."""
        values = []
        for at, found in items.items():
            measured = [one for one in map(pick, found) if one is not None]
            if measured:
                values.append(Value(self.found.clean[at].group, mean_of(measured)))
        return values

    def _worst(self, items: Mapping[int, Sequence[ScoredAnswer]]) -> list[Value]:
        values = []
        for at, found in items.items():
            clean = self.found.clean[at]
            values.append(Value(clean.group, worst_of([clean.outcome.measured, *(one.measured for one in found)])))
        return values

    def _over_all(
        self, numbers: Iterable[int], take: Callable[[Sequence[Measured]], Measured], *, original: bool = True
    ) -> list[Value]:
        """One value per item over the variants of all attacks, with the original or without it."""
        variants: dict[int, list[Measured]] = {at: [] for at in numbers}
        for at in variants if original else ():
            variants[at].append(self.found.clean[at].outcome.measured)
        for found in self.found.attacks.values():
            for one in found:
                if one.at in variants:
                    variants[one.at].append(one.measured)
        return [Value(self.found.clean[at].group, take(found)) for at, found in variants.items() if found]


def followed(measured: Measured) -> str:
    """Where the answer in the passage was replaced: was the new one given (follows), the old one (sticks), neither?"""
    new, old = measured["f1"], measured["old"]
    if new > old:
        return "follows" if measured["right"] else "neither"
    return "sticks" if old > new and measured["old_right"] else "neither"


def _is_refused(found: Sequence[ScoredAnswer]) -> bool:
    """Whether next to none of a probe's questions was answered."""
    return bool(found) and sum(not one.prediction.is_empty for one in found) <= _REFUSED * len(found)


def _searches(name: str) -> bool:
    """Whether a baseline looks for something in the passage: for what is asked, or for the options."""
    return name.removeprefix(PREFIX) in SEARCHING


def _hardened(outcome: ScoredAnswer) -> Measured | None:
    return outcome.hardened


def _calibration(found: Iterable[ScoredAnswer]) -> Calibration | None:
    return calibrated([one for one in (confident(each.prediction) for each in found) if one is not None])


def main_figure(figures: Figures, part: Part) -> float:
    """The value of a part's headline metric."""
    return figures[part.main if part.main in figures else part.single].value


# the official score over whole triples


def triple_figures(part: PartOutcomes) -> Figures:
    """acc0, acc1, acc2 and score, in percent, over the items whose three questions were all asked."""
    forms: dict[int, dict[str, ScoredAnswer]] = {}
    for one in part.attacks.get("triples", ()):
        forms.setdefault(one.at, {})[one.strategy] = one
    whole = {
        at: (part.clean[at].outcome, *(found[name] for name in _FORMS))
        for at, found in forms.items()
        if all(name in found for name in _FORMS)
    }
    if not whole:
        return {}
    golds = [_gold(at, str(part.clean[at].group), found) for at, found in whole.items()]
    rows = tuple(_row(at, found) for at, found in whole.items())
    score = official("gcrc", golds, TriplePredictions(Path(), rows))
    return {
        name.lower(): Figure(value=100 * value, low=100 * score.intervals[name][0], high=100 * score.intervals[name][1])
        if name in score.intervals
        else Figure(value=100 * value)
        for name, value in sorted(score.exact.items(), key=lambda pair: pair[0] != "Score")
    }


def _gold(at: int, passage: str, found: Iterable[ScoredAnswer]) -> Triple:
    original, positive, negative = (
        ChoiceItem(id=f"{at}#{number}", passage=passage, question="", options=_OPTIONS, answer=one.gold)
        for number, one in enumerate(found)
    )
    return Triple(id=str(at), original=original, positive=positive, negative=negative)


def _row(at: int, found: Iterable[ScoredAnswer]) -> TripleRow:
    choices = [one.prediction.answer.choice for one in found]
    first, second, third = ("" if choice is None else letter(choice) for choice in choices)
    return TripleRow(str(at), (first, second, third))
