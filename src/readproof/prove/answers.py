"""What a reader said to the questions of a run, as the lines of answers.jsonl."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from readproof.errors import InputError
from readproof.items import Answer
from readproof.prove.questions import Question
from readproof.readers.judged import Evidence, JudgedOption

By = Literal["reader", "hardened"]

# enough to tell two answers apart; the digits behind them differ from one kind of processor to the next
_DIGITS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a reader said to one question.

    `belief` is how much it believes in the gold answer: of a span the F1 to be expected by its own probabilities.
    `options` and `asked` are what a reader shows that judges options. `fault` names the error that it failed with.
    """

    answer: Answer
    measured: Mapping[str, float] = field(default_factory=dict)
    belief: float | None = None
    options: tuple[JudgedOption, ...] = ()
    asked: str = ""
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A question to be read: by the reader or the hardened one, as it stands or with its texts sanitised."""

    question: Question
    by: By = "reader"
    sanitised: bool = False

    def is_of(self, line: Mapping[str, Any]) -> bool:
        """Whether a line of answers.jsonl answers this."""
        named = (line.get("at"), line.get("attack"), line.get("id"), line.get("by"), line.get("sanitised", False))
        question = self.question
        return named == (question.at, question.attack, question.item.id, self.by, self.sanitised)


def answer_line(reading: Reading, said: Said) -> dict[str, Any]:
    """A line of answers.jsonl; what has nothing to tell is left out."""
    question = reading.question
    line: dict[str, Any] = {"at": question.at, "attack": question.attack, "id": question.item.id, "by": reading.by}
    if reading.sanitised:
        line["sanitised"] = True
    line["answer"] = _answer(said.answer)
    line["measured"] = {name: _round(value) for name, value in said.measured.items()}
    if said.belief is not None:
        line["belief"] = _round(said.belief)
    if said.options:
        line["asked"] = said.asked
        line["options"] = [
            {
                "score": _round(option.score),
                "evidence": [[one.start, one.end, _round(one.weight)] for one in option.evidence],
            }
            for option in said.options
        ]
    if said.fault:
        line["fault"] = said.fault
    return line


def said_of(line: Mapping[str, Any], path: Path) -> Said:
    """What a line of answers.jsonl tells."""
    try:
        answer = dict(line["answer"])
        scores = tuple(answer.pop("scores", ()))
        if "start" in answer:
            answer.setdefault("raw", answer["text"])
        return Said(
            answer=Answer(id=str(line["id"]), scores=scores, **answer),
            measured=dict(line["measured"]),
            belief=line.get("belief"),
            options=tuple(
                JudgedOption(option["score"], tuple(Evidence(*one) for one in option["evidence"]))
                for option in line.get("options", ())
            ),
            asked=line.get("asked", ""),
            fault=line.get("fault", ""),
        )
    except (KeyError, TypeError, ValueError):
        expected = "an answer of a run: at, attack, id, by, answer, measured"
        raise InputError(file=path, found=str(line)[:80], expected=expected) from None


def of_other(said: Said, identity: str) -> Said:
    """The same words said to a question of the same texts."""
    return replace(said, answer=replace(said.answer, id=identity))


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
