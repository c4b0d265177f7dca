"""The records of a run: the questions that were put, as lines of variants.jsonl, and the answers, of answers.jsonl.

`cases` reads both files together: each question with what was answered to it and to the clean question of its item.
All lines of one item and attack stand together and count themselves (`number`, `of`), so that a file that was cut short
shows which item was in hand.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

from readproof.attacks.records import from_line, to_line
from readproof.errors import InputError
from readproof.items import Answer, ChoiceItem, Edit, Item, SpanItem, Triple, Variant
from readproof.journal import lines
from readproof.lang.api import get_language
from readproof.lang.cleaning import clean_golds
from readproof.lang.cleaning import cleaned as clean_text
from readproof.proof.results import CLEAN, PROBE, Fault, PartName
from readproof.readers.options import EvidenceSpan, JudgedOption
from readproof.tasks.convert import mapped

VARIANTS, ANSWERS = "variants.jsonl", "answers.jsonl"
# who answers: the reader, the hardened one, or a baseline by its name
READER, HARDENED = "reader", "hardened"

# what can be put to a reader by itself
Single = SpanItem | ChoiceItem

# enough to tell two answers apart; the digits behind them differ from one kind of processor to the next
_DIGITS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question put to the reader, made of the item number `at` of the run.

    `search` says of a search how many queries it took and how far it got.
    """

    at: int
    attack: str
    item: Single
    origin: str
    number: int = 0
    of: int = 1
    strategy: str = ""
    truth: str = "kept"
    edits: tuple[Edit, ...] = ()
    search: Mapping[str, Any] = field(default_factory=dict)
    rejected: Mapping[str, int] = field(default_factory=dict)

    @property
    def attacked(self) -> bool:
        """Whether an attack made it: it is neither clean nor a probe."""
        return self.attack != CLEAN and self.probe == ""

    @property
    def probe(self) -> str:
        """The name of the probe that made it, or ""."""
        return self.attack.removeprefix(PROBE) if self.attack.startswith(PROBE) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """An item of which a probe or an attack could make nothing."""

    at: int
    attack: str
    origin: str
    reason: str
    rejected: Mapping[str, int] = field(default_factory=dict)


# what became of one item under one attack
Group = tuple[Question, ...] | tuple[Skipped]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """A reader's answer to one question, and how it scores.

    `measured` is by metric from 0 to 1. `belief` is how much the reader believes in the gold answer: for a span the
    F1 to be expected by its own probabilities. `options` and `asked` are what a reader shows that judges options.
    """

    answer: Answer
    measured: Mapping[str, float] = field(default_factory=dict)
    belief: float | None = None
    options: tuple[JudgedOption, ...] = ()
    asked: str = ""
    fault: Fault | None = None

    @property
    def is_empty(self) -> bool:
        """Whether the reader gave no answer."""
        return self.answer.choice is None and not self.answer.text.strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A question to be answered by somebody, as it stands or with its texts sanitised."""

    question: Question
    by: str = READER
    sanitised: bool = False

    def is_answered_by(self, line: Mapping[str, Any]) -> bool:
        """Whether a line of answers.jsonl answers this."""
        named = (line.get("at"), line.get("attack"), line.get("id"), line.get("by"), line.get("sanitised", False))
        question = self.question
        return named == (question.at, question.attack, question.item.id, self.by, self.sanitised)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A question of a run and its answers.

    `clean` and `before` are the clean question of the same item and the reader's answer to it; for a clean question
    they are the question itself. `sanitised` is None where sanitising changes nothing, or where the reader does it
    itself; `hardened` where there is no hardened reader. `baselines` are given for clean questions and some probes.
    """

    question: Question
    prediction: Prediction
    clean: Question
    before: Prediction
    sanitised: Prediction | None = None
    hardened: Prediction | None = None
    baselines: Mapping[str, Prediction] = field(default_factory=dict)

    @property
    def broken(self) -> bool:
        """Whether an attack made a right answer worse."""
        main = "accuracy" if "accuracy" in self.prediction.measured else "f1"
        return self.question.attacked and self.prediction.measured[main] < self.before.measured[main]


def part_of(item: Item) -> PartName:
    """The part of a run that an item belongs to."""
    return "spans" if isinstance(item, SpanItem) else "options"


def single(item: Item) -> Single:
    """The item as one question: of a triple the original one."""
    if isinstance(item, Triple):
        return item.original
    if isinstance(item, SpanItem | ChoiceItem):
        return item
    raise TypeError(type(item).__name__)


def passage_of(item: Single) -> str:
    """What says which questions share a passage."""
    return item.passage_id or item.passage


def type_of(item: Single) -> str:
    """What a question asks for: person, place, time, number, …; of options what the stem wants: right, wrong, other."""
    if isinstance(item, SpanItem):
        return "unanswerable" if item.impossible else get_language(item.language).asked_type(item.question) or "other"
    asked = get_language(item.language).stem_polarity(item.question)
    return "other" if asked is None else "right" if asked else "wrong"


def grouped(questions: list[Question], rejected: Mapping[str, int] | None = None) -> tuple[Question, ...]:
    """The questions of one item and attack, numbered; what checks refused stands with the first."""
    count = len(questions)
    return tuple(
        replace(one, number=number, of=count, rejected=(rejected or {}) if number == 0 else {})
        for number, one in enumerate(questions)
    )


def text_key(item: Single) -> bytes:
    """Two questions with the same key read the same."""
    options = list(item.options) if isinstance(item, ChoiceItem) else None
    texts = [item.language, item.title, item.passage, item.question, options]
    return hashlib.sha256(json.dumps(texts).encode("ascii")).digest()


def answer_key(item: Single) -> bytes:
    """Two questions with the same key read the same and want the same answer, so that one answer serves both."""
    wanted = (
        [item.answer] if isinstance(item, ChoiceItem) else [item.impossible, *(gold.text for gold in clean_golds(item))]
    )
    return text_key(item) + hashlib.sha256(json.dumps(wanted).encode("ascii")).digest()


def cleaned(item: Single) -> Single | None:
    """The item with all its texts sanitised and its golds in place; None where that changes nothing."""
    new = single(mapped(item, clean_text))
    return None if text_key(new) == text_key(item) else new


# lines of variants.jsonl


def question_line(question: Question | Skipped) -> dict[str, Any]:
    """A line of variants.jsonl."""
    head = {"at": question.at, "attack": question.attack, "origin": question.origin}
    rejected = {"rejected": dict(question.rejected)} if question.rejected else {}
    if isinstance(question, Skipped):
        return head | {"skipped": question.reason} | rejected
    variant = Variant(
        item=question.item,
        origin=question.origin,
        attack=question.attack,
        strategy=question.strategy,
        truth="flipped" if question.truth == "flipped" else "kept",
        edits=question.edits,
    )
    search = {"search": dict(question.search)} if question.search else {}
    counted = {"number": question.number, "of": question.of}
    return head | counted | to_line(variant) | search | rejected


def question_of(line: Any, path: Path, place: str) -> Question | Skipped:
    """The question, or the skipped item, of a line of variants.jsonl."""
    try:
        at, attack, origin = int(line["at"]), str(line["attack"]), str(line["origin"])
        rejected = dict(line.get("rejected", {}))
        if "skipped" in line:
            return Skipped(at=at, attack=attack, origin=origin, reason=str(line["skipped"]), rejected=rejected)
        number, of, search = int(line["number"]), int(line["of"]), dict(line.get("search", {}))
    except (KeyError, TypeError, ValueError, AttributeError):
        expected = "a question of a run: at, attack, origin, number, of, item"
        raise InputError(file=path, place=place, found="a line that is none", expected=expected) from None
    variant = from_line(line, path, place)
    if not isinstance(variant.item, SpanItem | ChoiceItem):
        raise InputError(file=path, place=place, found=type(variant.item).__name__, expected="one question")
    return Question(
        at=at,
        attack=attack,
        origin=origin,
        item=variant.item,
        number=number,
        of=of,
        strategy=variant.strategy,
        truth=variant.truth,
        edits=variant.edits,
        search=search,
        rejected=rejected,
    )


def ends_group(line: Mapping[str, Any]) -> bool:
    """Whether a line of variants.jsonl is the last of its item and attack."""
    return "skipped" in line or line.get("number", 0) + 1 == line.get("of", 1)


# lines of answers.jsonl


def answer_line(request: Request, prediction: Prediction) -> dict[str, Any]:
    """A line of answers.jsonl; what is empty is left out."""
    question = request.question
    line: dict[str, Any] = {"at": question.at, "attack": question.attack, "id": question.item.id, "by": request.by}
    if request.sanitised:
        line["sanitised"] = True
    line["answer"] = _answer(prediction.answer)
    line["measured"] = {name: _round(value) for name, value in prediction.measured.items()}
    if prediction.belief is not None:
        line["belief"] = _round(prediction.belief)
    if prediction.options:
        line["asked"] = prediction.asked
        line["options"] = [
            {
                "score": _round(option.score),
                "evidence": [[one.start, one.end, _round(one.weight)] for one in option.evidence],
            }
            for option in prediction.options
        ]
    if prediction.fault is not None:
        line["fault"] = {name: one for name, one in asdict(prediction.fault).items() if name != "questions" and one}
    return line


def prediction_of(line: Mapping[str, Any], path: Path) -> Prediction:
    """The prediction in a line of answers.jsonl."""
    try:
        answer = dict(line["answer"])
        scores = tuple(answer.pop("scores", ()))
        if "start" in answer:
            answer.setdefault("raw", answer["text"])
        return Prediction(
            answer=Answer(id=str(line["id"]), scores=scores, **answer),
            measured=dict(line["measured"]),
            belief=line.get("belief"),
            options=tuple(
                JudgedOption(option["score"], tuple(EvidenceSpan(*one) for one in option["evidence"]))
                for option in line.get("options", ())
            ),
            asked=line.get("asked", ""),
            fault=Fault(**line["fault"]) if "fault" in line else None,
        )
    except (KeyError, TypeError, ValueError):
        expected = "an answer of a run: at, attack, id, by, answer, measured"
        raise InputError(file=path, found=str(line)[:80], expected=expected) from None


def _answer(answer: Answer) -> dict[str, Any]:
    record: dict[str, Any] = {}
    if answer.choice is not None:
        record["choice"] = answer.choice
    record["text"] = answer.text
    if answer.start is not None:
        record |= {"raw": answer.raw} if answer.raw != answer.text else {}
        record |= {"start": answer.start, "end": answer.end}
    if answer.confidence is not None:
        record["confidence"] = _round(answer.confidence)
    if answer.scores:
        record["scores"] = [_round(score) for score in answer.scores]
    return record


def _round(value: float) -> float:
    return round(float(value), _DIGITS)


# both files together


def cases(folder: str | Path) -> Iterator[Case]:
    """Every question of a finished run with its answers, in order."""
    return (found for found in records(Path(folder)) if isinstance(found, Case))


def records(folder: Path) -> Iterator[Case | Skipped]:
    """Every line of variants.jsonl: a question with its answers, or an item that was skipped."""
    answers = lines(folder / ANSWERS)
    ahead: list[Mapping[str, Any]] = []
    clean: dict[int, tuple[Question, Prediction]] = {}

    def take(request: Request) -> Prediction | None:
        line = ahead.pop() if ahead else next(answers, None)
        if line is None:
            return None
        if not request.is_answered_by(line):
            ahead.append(line)
            return None
        return prediction_of(line, folder / ANSWERS)

    def take_baselines(question: Question) -> dict[str, Prediction]:
        found: dict[str, Prediction] = {}
        while line := ahead.pop() if ahead else next(answers, None):
            by = str(line.get("by"))
            if by in (READER, HARDENED) or not Request(question=question, by=by).is_answered_by(line):
                ahead.append(line)
                break
            found[by] = prediction_of(line, folder / ANSWERS)
        return found

    for number, line in enumerate(lines(folder / VARIANTS), start=1):
        place = f"line {number}"
        question = question_of(line, folder / VARIANTS, place)
        if isinstance(question, Skipped):
            yield question
            continue
        prediction = take(Request(question=question))
        if prediction is None:
            raise _unfinished(folder, place)
        sanitised = take(Request(question=question, sanitised=True))
        hardened = take(Request(question=question, by=HARDENED))
        baselines = take_baselines(question)
        if question.attack == CLEAN:
            clean[question.at] = question, prediction
        if question.at not in clean:
            raise _unfinished(folder, place)
        first, before = clean[question.at]
        yield Case(
            question=question,
            prediction=prediction,
            clean=first,
            before=before,
            sanitised=sanitised,
            hardened=hardened,
            baselines=baselines,
        )
    if next(chain(ahead, answers), None) is not None:
        raise _unfinished(folder, "its end")


def _unfinished(folder: Path, place: str) -> InputError:
    return InputError(
        file=folder / VARIANTS,
        place=place,
        found="questions and answers that do not belong together",
        expected="the files of one finished run",
        do="Run the same `readproof prove` command again: it resumes where it was stopped.",
    )
