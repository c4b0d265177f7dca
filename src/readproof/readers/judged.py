"""What a reader shows of how it read options: a score for each, and the sentences it was judged by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from readproof.items import Answer, ChoiceItem

# what the stem asks for: the option that is true of the passage, the one that is not, or the one that answers best
Asked = Literal["true", "false", "best"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A piece of the raw passage, and how much it has to do with the option: 1 is most."""

    start: int
    end: int
    weight: float


@dataclass(frozen=True, slots=True)
class JudgedOption:
    """`score` is the probability that the option is true of the passage, or, as an answer, that it is right."""

    score: float
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """A question with options, answered, with the reasons for each option."""

    answer: Answer
    asked: Asked
    options: tuple[JudgedOption, ...]


@runtime_checkable
class Judges(Protocol):
    """A reader that shows how it came to its letter."""

    def judge(self, item: ChoiceItem) -> Judged: ...
