"""The two long files of a run read together: each question with what was said to it, and to the clean question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from readproof.errors import InputError
from readproof.prove.answers import Reading, Said, said_of
from readproof.prove.logs import lines
from readproof.prove.model import CLEAN
from readproof.prove.questions import Question, Skipped, question_of

VARIANTS, ANSWERS = "variants.jsonl", "answers.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A question of a run and its answers.

    `clean` and `before` are the clean question of the same item and the reader's answer to it; for a clean question
    they are the question itself. `sanitised` is None where sanitising changes nothing, or where the reader does it
    itself; `hardened` where there is no hardened reader.
    """

    question: Question
    said: Said
    clean: Question
    before: Said
    sanitised: Said | None = None
    hardened: Said | None = None

    @property
    def broken(self) -> bool:
        """Whether an attack made a right answer worse."""
        main = "accuracy" if "accuracy" in self.said.measured else "f1"
        return self.question.attacked and self.said.measured[main] < self.before.measured[main]


def cases(folder: str | Path) -> Iterator[Case]:
    """Every question of a finished run with its answers, in order."""
    return (found for found in told(Path(folder)) if isinstance(found, Case))


def told(folder: Path) -> Iterator[Case | Skipped]:
    """Every line of variants.jsonl: a question with its answers, or an item that an attack skipped."""
    answers = lines(folder / ANSWERS)
    ahead: list[Mapping[str, Any]] = []
    clean: dict[int, tuple[Question, Said]] = {}

    def take(reading: Reading) -> Said | None:
        line = ahead.pop() if ahead else next(answers, None)
        if line is None:
            return None
        if not reading.is_of(line):
            ahead.append(line)
            return None
        return said_of(line, folder / ANSWERS)

    for number, line in enumerate(lines(folder / VARIANTS), start=1):
        place = f"line {number}"
        question = question_of(line, folder / VARIANTS, place)
        if isinstance(question, Skipped):
            yield question
            continue
        said = take(Reading(question=question))
        if said is None:
            raise _unfinished(folder, place)
        sanitised = take(Reading(question=question, sanitised=True))
        hardened = take(Reading(question=question, by="hardened"))
        if question.attack == CLEAN:
            clean[question.at] = question, said
        if question.at not in clean:
            raise _unfinished(folder, place)
        first, before = clean[question.at]
        yield Case(question=question, said=said, clean=first, before=before, sanitised=sanitised, hardened=hardened)
    if next(chain(ahead, answers), None) is not None:
        raise _unfinished(folder, "its end")


def _unfinished(folder: Path, place: str) -> InputError:
    return InputError(
        file=folder / VARIANTS,
        place=place,
        found="questions and answers that do not belong together",
        expected="the files of one finished run",
        do="Run the same `readproof prove` command again: it goes on where it was stopped.",
    )
