"""The verdict: does a reader read, and does it stand under attack? All of its rules are in the table below.

A rule is *passed* if the figure is on the right side of its limit and its 95 % interval over passages keeps clear of
it; *failed* if the figure is on the wrong side; *unclear* in between, and where there are fewer than ten questions or
five passages. With fewer than a hundred questions only a clear interval fails a reader. A probe that the reader refused
to answer is *not measured*: silence is no evidence of reading.

A reader *reads* if no rule failed and each group of rules has one that passed. It *does not read* if a rule failed, and
is *not shown to read* otherwise. Whether it *stands* is judged only of a reader that reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Literal

from readproof.proof.measure import Value, difference, figures
from readproof.proof.results import Check, Outcome, PartName, PartVerdict, Reads

# margin: points above the best baseline, or above chance; lost: the share of the score above chance that is gone;
# share: the share of questions
Quantity = Literal["margin", "lost", "share"]
Group = Literal["score", "question", "passage", "substitution", "fresh", "order", "evidence", "facts"]

STANDS = 0.8
FEWEST = 10
FEWEST_PASSAGES = 5
ENOUGH = 100
# what decides where the questions are on too few passages
PASSAGES = "passages"
MOST_NEEDED = 5000


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One line of the table: what a reader must do (`says`), by which figure, and the least of it."""

    name: str
    part: PartName
    group: Group
    quantity: Quantity
    limit: float
    says: str
    failed: str
    # False: it may show that a reader reads, and never that it does not
    counts_against: bool = True


RULES: tuple[Rule, ...] = (
    Rule(
        name="score",
        part="spans",
        group="score",
        quantity="margin",
        limit=0.0,
        says="scores more than every baseline that ignores the passage or what is asked",
        failed="scores no more than {against}, which does not read",
    ),
    Rule(
        name="another-question",
        part="spans",
        group="question",
        quantity="share",
        limit=0.5,
        says="gives another answer to another question on the passage",
        failed="gives the same answer to another question",
    ),
    Rule(
        name="neutral-question",
        part="spans",
        group="question",
        quantity="lost",
        limit=0.5,
        says="loses its score when it is asked nothing in particular",
        failed="answers nearly as well when it is asked nothing in particular",
    ),
    Rule(
        name="no-passage",
        part="spans",
        group="passage",
        quantity="lost",
        limit=0.5,
        says="loses its score without the passage",
        failed="answers nearly as well without the passage",
    ),
    Rule(
        name="question-only",
        part="spans",
        group="passage",
        quantity="lost",
        limit=0.5,
        says="loses its score with the question in the passage's place",
        failed="answers nearly as well with the question in the passage's place",
    ),
    Rule(
        name="another-passage",
        part="spans",
        group="passage",
        quantity="lost",
        limit=0.5,
        says="loses its score with another passage",
        failed="answers nearly as well with another passage",
    ),
    Rule(
        name="half-passage",
        part="spans",
        group="passage",
        quantity="lost",
        limit=0.5,
        says="loses its score with the half of the passage that does not hold the answer",
        failed="answers nearly as well without the half of the passage that holds the answer",
    ),
    Rule(
        name="substituted",
        part="spans",
        group="substitution",
        quantity="share",
        limit=0.5,
        says="gives the new answer where the answer in the passage was replaced by another of its type",
        failed="does not follow the passage where the answer in it was replaced",
    ),
    Rule(
        name="fresh-first-half",
        part="spans",
        group="fresh",
        quantity="share",
        limit=0.4,
        says="answers fresh questions, made of sentences of the passage's first half",
        failed="cannot answer fresh questions about the first half of the passage",
    ),
    Rule(
        name="fresh-second-half",
        part="spans",
        group="fresh",
        quantity="share",
        limit=0.4,
        says="answers fresh questions, made of sentences of the passage's second half",
        failed="cannot answer fresh questions about the second half of the passage",
    ),
    Rule(
        name="rotated",
        part="spans",
        group="fresh",
        quantity="share",
        limit=0.5,
        says="keeps its right answers when the first sentence of the passage moves to the end",
        failed="loses its right answers when the first sentence of the passage moves to the end",
    ),
    Rule(
        name="score",
        part="options",
        group="score",
        quantity="margin",
        limit=0.0,
        says="is right more often than chance and than every baseline",
        failed="is right no more often than {against}, which does not read",
    ),
    Rule(
        name="stem-turned",
        part="options",
        group="question",
        quantity="share",
        limit=0.5,
        says="changes its letter when the stem asks for the contrary",
        failed="keeps its letter when the stem asks for the contrary",
    ),
    Rule(
        name="rival-option",
        part="options",
        group="question",
        quantity="margin",
        limit=0.0,
        says="tells the answer to the question from the answer to another one on the passage, better than {against}",
        failed="tells the answer to the question from the answer to another one no better than {against}",
    ),
    Rule(
        name="neutral-question",
        part="options",
        group="question",
        quantity="margin",
        limit=0.0,
        says="loses score when it is asked nothing in particular",
        failed="answers as well when it is asked nothing in particular",
        counts_against=False,
    ),
    Rule(
        name="options-reordered",
        part="options",
        group="order",
        quantity="share",
        limit=0.5,
        says="chooses the same option when the options change places",
        failed="does not choose the same option when the options change places",
    ),
    Rule(
        name="no-passage",
        part="options",
        group="passage",
        quantity="lost",
        limit=0.25,
        says="loses score without the passage",
        failed="answers nearly as well without the passage",
    ),
    Rule(
        name="another-passage",
        part="options",
        group="passage",
        quantity="lost",
        limit=0.25,
        says="loses score with another passage",
        failed="answers nearly as well with another passage",
    ),
    Rule(
        name="options-only",
        part="options",
        group="passage",
        quantity="lost",
        limit=0.25,
        says="loses score with nothing but the options",
        failed="answers nearly as well with nothing but the options",
    ),
    Rule(
        name="evidence-removed",
        part="options",
        group="evidence",
        quantity="margin",
        limit=0.0,
        says="loses score without the sentences that share most with the options",
        failed="answers as well without the sentences that share most with the options",
    ),
    Rule(
        name="fresh-fact",
        part="options",
        group="facts",
        quantity="margin",
        limit=0.0,
        says="answers fresh questions with options, made of sentences of the passage",
        failed="cannot answer fresh questions with options about the passage",
    ),
    Rule(
        name="fresh-statement",
        part="options",
        group="fresh",
        quantity="margin",
        limit=0.0,
        says="finds the one of four sentences of the passage in which a name or a number was exchanged",
        failed="cannot find the one of four sentences of the passage that was changed",
    ),
)

# a group that need not have a rule that passed; it fails a reader only where the interval leaves no doubt
OPTIONAL: frozenset[Group] = frozenset({"evidence"})
# these may be impossible to measure: an English stem is not turned, a careful reader refuses without the passage
_LOSSES = frozenset({"evidence-removed", "neutral-question"})
_FORGIVEN: frozenset[Group] = frozenset({"question", "passage"})
_ANSWERABLE: frozenset[Group] = frozenset({"substitution", "fresh", "order"})
_PRIORITY: tuple[Group, ...] = ("score", "passage", "substitution", "question", "fresh", "order", "evidence", "facts")


def rules_for(part: PartName) -> tuple[Rule, ...]:
    """The rules on one kind of question."""
    return tuple(rule for rule in RULES if rule.part == part)


def rule_named(name: str, part: PartName) -> Rule:
    """One rule."""
    return next(rule for rule in RULES if rule.name == name and rule.part == part)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleEvidence:
    """What a rule is held against: the figures of the same questions, clean or under a baseline, and probed.

    `chance` is the score of a guess; `total` the questions of this kind in the run; `refused` says that next to none
    of the probe's questions was answered.
    """

    values: Sequence[Value] = ()
    other: Sequence[Value] = ()
    metric: str = "share"
    chance: float = 0.0
    total: int = 0
    refused: bool = False
    against: str = ""


@dataclass(frozen=True, slots=True)
class _Interval:
    value: float
    low: float
    high: float


def held(rule: Rule, evidence: RuleEvidence) -> Check:
    """A rule held against its evidence."""
    if not evidence.values:
        return _check(rule, evidence, None, "unmeasured", "no such question could be made of these data")
    if evidence.refused:
        # no answer is the right answer to some probes; to a question that the passage answers it is a wrong one
        outcome: Outcome = "failed" if rule.quantity == "share" and rule.group in _ANSWERABLE else "unmeasured"
        return _check(rule, evidence, None, outcome, "the reader gave no answer to the probe")
    found = _found(rule, evidence)
    if found is None:
        return _check(rule, evidence, None, "unclear", "the clean score is not above chance")
    right = found.value > rule.limit if rule.quantity == "margin" else found.value >= rule.limit
    low = found.low > (0.0 if rule.quantity != "share" else rule.limit)
    count = len(evidence.values)
    if is_few(evidence.values):
        return _check(rule, evidence, found, "unclear", _told(rule, evidence, found))
    if right and low:
        outcome = "passed"
    elif (
        (not right and count >= ENOUGH) or found.high < rule.limit or (rule.quantity == "margin" and _never_more(found))
    ):
        outcome = "failed"
    else:
        outcome = "unclear"
    if outcome == "failed" and (not rule.counts_against or (rule.group in OPTIONAL and found.high > 0)):
        outcome = "unclear"
    return _check(rule, evidence, found, outcome, _told(rule, evidence, found))


def _never_more(found: _Interval) -> bool:
    """Whether a margin is clearly none: below zero, or zero wherever one looks."""
    return found.high < 0 or found.low == found.high == 0


def is_few(values: Sequence[Value]) -> bool:
    """Too few to tell: questions, or passages, over which the interval is drawn."""
    return len(values) < FEWEST or len({one.group for one in values}) < FEWEST_PASSAGES


def _found(rule: Rule, evidence: RuleEvidence) -> _Interval | None:
    """The figure of a rule with its interval; None where there is nothing that could be lost."""
    values, metric = evidence.values, evidence.metric
    if rule.quantity == "share" or not evidence.other:
        figure = figures(values)[metric]
        base, unit = (0.0, 100.0) if rule.quantity == "share" else (evidence.chance, 1.0)
        value, low, high = (
            ((figure.value if one is None else one) - base) / unit for one in (figure.value, figure.low, figure.high)
        )
        return _Interval(value, low, high)
    gap = difference(values, evidence.other, metric)
    if rule.quantity == "margin":
        return _Interval(gap.difference, gap.low, gap.high)
    above = figures(values, with_intervals=False)[metric].value - evidence.chance
    return _Interval(gap.difference / above, gap.low / above, gap.high / above) if above > 0 else None


def _told(rule: Rule, evidence: RuleEvidence, found: _Interval) -> str:
    """The figure in words, with its interval and its limit."""
    if rule.quantity == "margin":
        beside = "lost" if not evidence.against and rule.name in _LOSSES else f"against {evidence.against or 'chance'}"
        return f"{found.value:+.1f} points {beside} ({found.low:+.1f} to {found.high:+.1f})"
    value, low, high = (percent(min(1.0, max(0.0, one))) for one in (found.value, found.low, found.high))
    what = "lost" if rule.quantity == "lost" else "of the questions"
    return f"{value} {what} ({low} to {high}), at least {percent(rule.limit)}"


def _check(rule: Rule, evidence: RuleEvidence, found: _Interval | None, outcome: Outcome, told: str) -> Check:
    value = None
    if found is not None:
        value = found.value if rule.quantity == "margin" else min(1.0, max(0.0, found.value))
    words = {"passed": rule.says, "failed": rule.failed, "unclear": rule.says, "unmeasured": rule.says}[outcome]
    return Check(
        kind="reads",
        name=rule.name,
        part=rule.part,
        what=rule.quantity,
        value=value,
        limit=rule.limit,
        outcome=outcome,
        why=f"{words.format(against=evidence.against or 'chance')}: {told}",
        questions=len(evidence.values),
        against=evidence.against,
        needed=_needed(rule, evidence, found) if outcome == "unclear" else None,
    )


def _needed(rule: Rule, evidence: RuleEvidence, found: _Interval | None) -> int | None:
    """About how many questions a run needs for this figure to be clear, or for a figure on the wrong side to decide."""
    count = len(evidence.values)
    edge = rule.limit if rule.quantity == "share" else 0.0
    if found is None or found.value <= edge or (rule.quantity == "lost" and found.value < rule.limit):
        wanted = float(ENOUGH)
    else:
        wide = max(found.value - found.low, 1e-9)
        wanted = max(FEWEST, count * (wide / (found.value - edge)) ** 2)
    passages = len({one.group for one in evidence.values})
    wanted = max(wanted, count * FEWEST_PASSAGES / passages)
    return ceil(evidence.total * wanted / count)


# attacks


def stands(name: str, part: PartName, evidence: RuleEvidence) -> Check:
    """One attack: at least four fifths of the score above chance must be left."""
    limit = 1 - STANDS

    def check(value: float | None, outcome: Outcome, why: str) -> Check:
        return Check(
            kind="stands",
            name=name,
            part=part,
            what="kept",
            value=value,
            limit=STANDS,
            outcome=outcome,
            why=why,
            questions=len(evidence.values),
        )

    if not evidence.values:
        return check(None, "unmeasured", "nothing could be attacked")
    gap = difference(evidence.values, evidence.other, evidence.metric)
    clean = figures(evidence.values)[evidence.metric]
    above = clean.value - evidence.chance
    if above <= 0 or clean.low is None or clean.low <= evidence.chance:
        return check(
            None, "unclear", f"the clean score {clean.value:.1f} of these questions is not clearly above chance"
        )
    lost, low, high = gap.difference / above, gap.low / above, gap.high / above
    of = "of the score above chance" if evidence.chance else "of the score"
    why = f"{name} takes {percent(min(1.0, max(0.0, lost)))} {of}; at most {percent(limit)} may go"
    value = min(1.0, max(0.0, 1 - lost))
    if is_few(evidence.values):
        return check(value, "unclear", f"{why}; {len(evidence.values)} questions are too few to tell")
    outcome: Outcome = "unclear" if low < limit < high else "passed" if lost <= limit else "failed"
    if outcome == "unclear":
        open_ = f"{percent(max(0.0, low))} to {percent(min(1.0, high))}"
        why = f"{why}; {len(evidence.values)} questions leave it open ({open_})"
    return check(value, outcome, why)


# all together


def part_verdict(part: PartName, checks: Iterable[Check]) -> PartVerdict:
    """What the checks on one kind of question come to."""
    own = [check for check in checks if check.part == part]
    by_group: dict[Group, list[Check]] = {rule.group: [] for rule in rules_for(part)}
    for check in own:
        if check.kind == "reads":
            by_group[rule_named(check.name, part).group].append(check)
    reads, deciding = _reads(by_group)
    more = _more(by_group) if reads == "not shown" else None
    if reads != "yes":
        return PartVerdict(part=part, reads=reads, because=deciding, more=more)
    found = {
        outcome: tuple(check.name for check in own if check.kind == "stands" and check.outcome == outcome)
        for outcome in ("failed", "passed", "unclear")
    }
    return PartVerdict(
        part=part, reads=reads, falls_for=found["failed"], stands=found["passed"], unclear=found["unclear"]
    )


def _reads(by_group: dict[Group, list[Check]]) -> tuple[Reads, str]:
    """Whether the reader reads, and the check that decided where it does not."""
    for group in _PRIORITY:
        failed = [check for check in by_group.get(group, ()) if check.outcome == "failed"]
        if failed:
            return "no", min(failed, key=lambda check: check.value or 0.0).name
    missing = [
        [check for check in by_group[group] if check.outcome != "passed"]
        for group in _PRIORITY
        if group in by_group and not _has_passed(group, by_group)
    ]
    if not missing:
        return "yes", ""
    # first what no number of questions would help
    unmeasured = next((checks for checks in missing if all(one.outcome == "unmeasured" for one in checks)), None)
    return "not shown", (unmeasured or missing[0])[0].name


def _has_passed(group: Group, by_group: dict[Group, list[Check]]) -> bool:
    """Whether a group has what it needs: for `fresh` every rule, for most others one.

    What a reader refuses cannot be held against it: then the substituted answers and the fresh questions decide alone,
    which nobody gets right by refusing.
    """
    outcomes = [check.outcome for check in by_group[group]]
    if group in OPTIONAL:
        return True
    if group in _FORGIVEN and set(outcomes) <= {"unmeasured"}:
        return True
    if group == "fresh":
        return set(outcomes) == {"passed"}
    if group == "facts":  # passages of opinions hold few facts
        return all(check.outcome == "passed" or check.questions < FEWEST for check in by_group[group])
    return "passed" in outcomes


def _more(by_group: dict[Group, list[Check]]) -> int | None:
    """About how many more questions it would take; None where no number of questions like these would do."""
    wanted = 0
    for group, checks in by_group.items():
        if _has_passed(group, by_group):
            continue
        open_ = [check for check in checks if check.outcome != "passed"]
        needed = [check.needed for check in open_ if check.needed is not None]
        if not needed or (group == "fresh" and len(needed) < len(open_)):
            return None
        wanted = max(wanted, max(needed) if group == "fresh" else min(needed))
    return wanted


def with_more(verdict: PartVerdict, questions: int, passages: int) -> PartVerdict:
    """`more` as what is missing beside the questions that there are, rounded up to tens."""
    if verdict.reads == "not shown" and passages < FEWEST_PASSAGES:
        return replace(verdict, because=PASSAGES, more=None)
    if verdict.more is None:
        return verdict
    return replace(verdict, more=max(10, 10 * ceil((verdict.more - questions) / 10)))


def headline(parts: Sequence[PartVerdict], checks: Sequence[Check]) -> str:
    """The verdict in a sentence for each kind of question."""
    sentences = []
    for part in parts:
        lead = f"{part.part.capitalize()}: " if len(parts) > 1 else ""
        told = f"{_reading(part, checks)}{_standing(part)}."
        sentences.append(lead + (told if lead else told[0].upper() + told[1:]))
    return " ".join(sentences)


def _reading(part: PartVerdict, checks: Sequence[Check]) -> str:
    if part.reads == "yes":
        return "reads"
    if part.because == PASSAGES:
        return f"not shown to read: questions on at least {FEWEST_PASSAGES} passages are needed"
    deciding = deciding_check(part, checks)
    if part.reads == "no":
        why = rule_named(part.because, part.part).failed if deciding else "no rule was passed"
        return f"does not read: it {why.format(against=(deciding.against if deciding else '') or 'chance')}"
    if deciding is not None and deciding.outcome == "unmeasured":
        rule = rule_named(part.because, part.part)
        return f"not shown to read: whether it {rule.says} could not be measured"
    if part.more is None or part.more > MOST_NEEDED:
        return f"not shown to read: more than {MOST_NEEDED} questions would be needed to tell"
    against = no_better_than(deciding)
    so_far = f"so far no better than {against}, which does not read; " if against else ""
    return f"not shown to read: {so_far}about {part.more} more questions are needed to tell"


def no_better_than(check: Check | None) -> str:
    """The baseline whose score a reader's is not above, where that is what decided; else ""."""
    if check is None or check.name != "score" or (check.value or 0.0) > 0:
        return ""
    return check.against


def deciding_check(part: PartVerdict, checks: Sequence[Check]) -> Check | None:
    """The check that decided, where the reader was not shown to read."""
    own = (one for one in checks if one.kind == "reads" and one.part == part.part)
    return next((one for one in own if one.name == part.because), None)


def _standing(part: PartVerdict) -> str:
    if part.reads != "yes":
        return ""
    if part.falls_for:
        return f", but falls for {listed(part.falls_for)}"
    if part.unclear:
        return f"; nothing proved against it, unclear under {listed(part.unclear)}"
    return ", and stands under every attack tried" if part.stands else "; no attack was tried"


def percent(share: float) -> str:
    """A share in percent."""
    return f"{100 * share:.0f} %"


def listed(names: Sequence[str]) -> str:
    """a, b and c."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def explained() -> str:
    """The rules as text, for `readproof prove --explain` and the docs."""
    titles = {"spans": "Span questions: a reader …", "options": "Questions with options: a reader …"}
    blocks = []
    for part, title in titles.items():
        rows = [f"  {rule.name:<20}{_limit(rule):<26}{rule.says}" for rule in RULES if rule.part == part]
        blocks.append("\n".join([title, *rows]))
    doc = (__doc__ or "").split("\n\n", 1)[1].strip()
    return "\n\n".join([*blocks, doc, _stands_in_words()])


def _limit(rule: Rule) -> str:
    if rule.quantity == "margin":
        return "more than 0 points"
    return f"at least {percent(rule.limit)}{' lost' if rule.quantity == 'lost' else ' of questions'}"


def _stands_in_words() -> str:
    return (
        f"An attack must leave at least {percent(STANDS)} of the score above chance; where the interval leaves both "
        "sides open, or there are too few questions, it is unclear whether the reader stands."
    )
