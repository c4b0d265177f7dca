"""What people said of other things: short facts out of Chinese encyclopaedias, found by the question they answer.

A made-up answer of the right type need not make sense (a tomb that holds an office, a parrot clever in farming). What
somebody wrote in answer to a like question about another subject does. `facts.tsv` holds such questions with their
subject, answer and the statement made of both; `tools/facts.py` makes it of training data.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import log

from readproof.lang.api import lines
from readproof.lang.zh.questions import Phrase, bare

# a feature that more questions share than this says nothing
_COMMON = 1200
_SUBJECT, _ASKED = "□", "◇"


@dataclass(frozen=True, slots=True)
class KnownFact:
    """What is known of a subject: a question about it (its type of answer and the noun asked for), the answer, and both
    as a statement."""

    type: str
    head: str
    kind: str
    subject: str
    frame: str
    answer: str
    statement: str


def frame_of(question: str, phrase: Phrase, subject: tuple[int, int] | None) -> str:
    """The question without its subject and its question phrase: what it wants to know of a thing."""
    text = bare(question)
    spans = [(phrase.start, phrase.end, _ASKED), *([(*subject, _SUBJECT)] if subject else [])]
    for start, end, sign in sorted(spans, reverse=True):
        text = text[:start] + sign + text[end:]
    return text


def like_facts(frame: str, type: str, most: int) -> Iterator[tuple[float, KnownFact]]:
    """The facts that answer the likest questions for the same type of answer, with how alike they are (0 to 1)."""
    index = _index()
    own = _features(frame)
    weight = sum(index.weight(one) for one in own)
    shared: defaultdict[int, float] = defaultdict(float)
    for one in own:
        for number in index.places.get(one, ()):
            shared[number] += index.weights[one]
    alike = (
        (common / (weight + index.sizes[number] - common), -number)
        for number, common in shared.items()
        if index.facts[number].type == type
    )
    for score, number in heapq.nlargest(most, alike):
        yield score, index.facts[-number]


class _Index:
    def __init__(self, facts: tuple[KnownFact, ...]) -> None:
        self.facts = facts
        found = [_features(fact.frame) for fact in facts]
        counts = Counter(one for features in found for one in features)
        self.rarest = log(len(facts) + 1)
        self.weights = {one: log((len(facts) + 1) / count) for one, count in counts.items()}
        self.sizes = [sum(self.weights[one] for one in features) for features in found]
        self.places: dict[str, list[int]] = {}
        for number, features in enumerate(found):
            for one in features:
                if counts[one] <= _COMMON:
                    self.places.setdefault(one, []).append(number)

    def weight(self, feature: str) -> float:
        return self.weights.get(feature, self.rarest)


@lru_cache(maxsize=1)
def _index() -> _Index:
    return _Index(tuple(KnownFact(*entry) for entry in lines("zh", "facts")))


def _features(frame: str) -> set[str]:
    return {*frame, *(frame[at : at + 2] for at in range(len(frame) - 1))}
