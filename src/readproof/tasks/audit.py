"""What is wrong with a data file, with ids: offsets, options, letters, ids, and the traces of how it was made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import combinations
from math import sqrt

from readproof.items import ChoiceItem, Item, LabelItem, SpanItem, TagItem, Triple, letter
from readproof.tasks.offsets import fault, usable

SHORT_OPTION = 4
_SKEW_DEVIATIONS = 3.0
# three independent letters out of four all differ in 4·3·2 of 64 cases
_ALL_DIFFER_BY_CHANCE = 0.375
_ALL_DIFFER_SUSPECT = 0.9


@dataclass(slots=True)
class AuditFinding:
    """One kind of defect: a stable code, what it means, and the items that have it."""

    code: str
    meaning: str
    ids: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Audit:
    """Counts of what is there, findings of what is wrong, and shares (of letters, labels, types) worth knowing."""

    counts: Counter[str] = field(default_factory=Counter)
    findings: dict[str, AuditFinding] = field(default_factory=dict)
    shares: dict[str, Counter[str]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    labels: frozenset[str] = frozenset()

    def found(self, code: str, name: str) -> None:
        if code not in self.findings:
            self.findings[code] = AuditFinding(code, MEANINGS[code])
        self.findings[code].ids.append(name)

    def number(self, code: str) -> int:
        return len(self.findings[code].ids) if code in self.findings else 0


MEANINGS = {
    "duplicate-id": "the id was used before in this file",
    "empty-passage": "the passage is empty",
    "empty-question": "the question is empty",
    "offset-negative": "gold answer with a negative offset (usually -1)",
    "offset-wrong": "gold offset does not cut the gold answer",
    "offset-not-given": "gold answer without an offset",
    "answer-not-in-passage": "gold answer text does not occur in the passage",
    "no-right-offset": "no gold offset of the question cuts its answer, as the file stands",
    "no-usable-answer": "no gold answer of the question occurs in the passage",
    "no-gold": "no gold answer",
    "option-empty": "an option is empty",
    "option-short": f"an option has fewer than {SHORT_OPTION} characters",
    "option-duplicate": "two options of one question are the same",
    "options-not-four": "the question has other than four options",
    "letters-all-differ": "the three gold letters of the triple all differ",
    "negative-question-same": "the negative question has the same stem as the original",
    "no-label": "no gold label",
    "label-unknown": "a label, tag or type outside the task's own set",
    "duplicate-text": "the same text (or pair) was there before",
    "marks-overlap": "two marks overlap",
}
# findings that describe how a file is laid out rather than a mistake in it
_PLAIN = frozenset(
    {"offset-not-given", "letters-all-differ", "option-short", "options-not-four", "no-gold", "no-label"}
)


def audit(items: Iterable[Item], labels: Iterable[str] = ()) -> Audit:
    """Look at every item once; where the task has a closed set of `labels`, others are reported."""
    result = Audit(labels=frozenset(labels))
    seen: set[str] = set()
    texts: set[int] = set()
    passages: set[int] = set()
    for item in items:
        result.counts["items"] += 1
        if item.id in seen:
            result.found("duplicate-id", item.id)
        seen.add(item.id)
        _LOOKS[type(item)](item, result)
        if isinstance(item, SpanItem | ChoiceItem):
            passages.add(hash(item.passage))
        elif isinstance(item, Triple):
            passages.add(hash(item.original.passage))
        elif isinstance(item, LabelItem):
            key = hash((item.text, item.pair))
            if key in texts:
                result.found("duplicate-text", item.id)
            texts.add(key)
    if passages:
        result.counts["passages"] = len(passages)
    _conclude(result)
    return result


def defects(result: Audit) -> list[AuditFinding]:
    """The findings that are mistakes."""
    return [finding for finding in result.findings.values() if finding.code not in _PLAIN]


def _span(item: SpanItem, result: Audit) -> None:
    _texts(item.id, item.passage, item.question, result)
    if item.impossible:
        result.counts["unanswerable"] += 1
        return
    if not item.golds:
        result.found("no-gold", item.id)
        return
    faults = [fault(item, gold) for gold in item.golds]
    for gold, wrong in zip(item.golds, faults, strict=True):
        result.counts["answers"] += 1
        if wrong:
            result.found(f"offset-{wrong.replace(' ', '-')}", item.id)
        if gold.text not in item.passage:
            result.found("answer-not-in-passage", item.id)
    if all(faults) and set(faults) != {"not given"}:
        result.found("no-right-offset", item.id)
    if not usable(item):
        result.found("no-usable-answer", item.id)


def _choice(item: ChoiceItem, result: Audit, form: str = "answer") -> None:
    _texts(item.id, item.passage, item.question, result, passage_needed=form != "answer")
    result.counts["options"] += len(item.options)
    if len(item.options) != 4:
        result.found("options-not-four", item.id)
    for option in item.options:
        if not option.strip():
            result.found("option-empty", item.id)
        elif len(option.strip()) < SHORT_OPTION:
            result.found("option-short", item.id)
    for one, other in combinations(item.options, 2):
        if one == other:
            result.found("option-duplicate", item.id)
    if item.answer is None:
        result.found("no-gold", item.id)
    else:
        result.shares.setdefault(f"{form} letter", Counter())[letter(item.answer)] += 1


def _triple(item: Triple, result: Audit) -> None:
    for form, question in zip(("original", "positive", "negative"), item.questions, strict=True):
        _choice(question, result, form)
    first, second, third = item.questions
    answers = [question.answer for question in item.questions]
    if None not in answers and len(set(answers)) == 3:
        result.found("letters-all-differ", item.id)
    if first.question == third.question:
        result.found("negative-question-same", item.id)
    for ours, theirs, name in (
        (first, second, "positive options equal to the original"),
        (first, third, "negative options equal to the original"),
        (second, third, "positive options equal to the negative"),
    ):
        result.counts[name] += sum(map(str.__eq__, ours.options, theirs.options))


def _label(item: LabelItem, result: Audit) -> None:
    if item.label is None:
        result.found("no-label", item.id)
    else:
        result.shares.setdefault("label", Counter())[item.label] += 1
        if result.labels and item.label not in result.labels:
            result.found("label-unknown", item.id)


def _tags(item: TagItem, result: Audit) -> None:
    if item.marks is None:
        result.found("no-gold", item.id)
        return
    end = 0
    for mark in sorted(item.marks, key=lambda mark: (mark.start, mark.end)):
        result.counts["marks"] += 1
        result.shares.setdefault("type", Counter())[mark.type] += 1
        if result.labels and mark.type not in result.labels:
            result.found("label-unknown", item.id)
        if mark.start < end:
            result.found("marks-overlap", item.id)
        end = max(end, mark.end)


_LOOKS: dict[type, Callable[..., None]] = {
    SpanItem: _span,
    ChoiceItem: _choice,
    Triple: _triple,
    LabelItem: _label,
    TagItem: _tags,
}


def _texts(name: str, passage: str, question: str, result: Audit, passage_needed: bool = True) -> None:
    if passage_needed and not passage.strip():
        result.found("empty-passage", name)
    if not question.strip():
        result.found("empty-question", name)


def _conclude(result: Audit) -> None:
    """Warnings about the file as a whole: what a reader could learn from it without reading."""
    for name, share in result.shares.items():
        if name.endswith("letter"):
            _warn_of_skew(name, share, result)
    triples = min(
        (share.total() for name, share in result.shares.items() if name in ("positive letter", "negative letter")),
        default=0,
    )
    differing = result.number("letters-all-differ")
    if triples and differing / triples > _ALL_DIFFER_SUSPECT:
        result.warnings.append(
            f"The three gold letters of a triple differ in {differing} of {triples} triples "
            f"({_ALL_DIFFER_BY_CHANCE:.1%} would by chance): a trace of how the set was made. "
            "A reader must answer each question by itself."
        )


def _warn_of_skew(name: str, share: Counter[str], result: Audit) -> None:
    total = share.total()
    letters = max(len(share), 2)
    top, times = share.most_common(1)[0]
    expected = total / letters
    spread = sqrt(expected * (1 - 1 / letters))
    if times > expected + _SKEW_DEVIATIONS * spread:
        result.warnings.append(
            f"{name}: {top} is right in {times} of {total} questions "
            f"({times / total:.1%}; even would be {1 / letters:.1%})"
        )
