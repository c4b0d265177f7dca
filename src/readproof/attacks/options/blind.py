"""What a reader that never sees the passage scores on triples. More than guessing: the options give themselves away.

Three blind readers: the letters alone (the commonest letter of each of the three questions), the length of the options,
and a naive Bayes classifier of true and false options by their character pairs, trained on the other questions (five
folds, by passage). The original questions are the data's own, and so is what gives them away; triples are judged by the
questions that were made.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log

from readproof.items import ChoiceItem, Triple
from readproof.lang.api import lines
from readproof.lang.zh.stems import polarity
from readproof.stats import Sample, intervals

GUESSING = 100 * (0.2 * 0.25 + 0.3 * 0.25 * (1 - 0.75**2) + 0.5 * 0.25**3)
_FOLDS = 5

Choose = Callable[[ChoiceItem], int]


@dataclass(frozen=True, slots=True)
class BlindScore:
    """A blind reader in percent: its accuracy on the made questions with the 95 % interval over passages, its Score."""

    reader: str
    made: float
    low: float
    high: float
    chance: float
    score: float

    @property
    def guesses(self) -> bool:
        """Whether guessing is within the interval, or better."""
        return self.low <= self.chance


def blind_scores(triples: Sequence[Triple]) -> list[BlindScore]:
    """What readers without the passage score on triples whose answers are known."""
    folds = [_fold(one.original.passage) for one in triples]
    by_fold = [_trained([one for one, at in zip(triples, folds, strict=True) if at != fold]) for fold in range(_FOLDS)]
    by_length = [
        _by_length([one for one, at in zip(triples, folds, strict=True) if at != fold]) for fold in range(_FOLDS)
    ]
    letters = [_letters([one for one, at in zip(triples, folds, strict=True) if at != fold]) for fold in range(_FOLDS)]
    readers: dict[str, list[Choose]] = {
        "letters": [_by_letter(letters[fold]) for fold in folds],
        "length": [by_length[fold] for fold in folds],
        "options": [by_fold[fold] for fold in folds],
    }
    return [_scored(name, triples, choose) for name, choose in readers.items()]


def telltale(option: str) -> float:
    """How much truer than false an option sounds by its wording alone: the words of made options that tell it."""
    known = _telltales()
    return sum(known.get(one, 0.0) for one in _features(option))


@lru_cache(maxsize=1)
def _telltales() -> dict[str, float]:
    return {entry[0]: float(entry[1]) for entry in lines("zh", "telltales")}


def learnt(triples: Sequence[Triple], *, least: int = 25, worth: float = 0.15) -> dict[str, float]:
    """The character pairs that tell true options of triples from false ones: what telltales.tsv is made of.

    A pair counts once for each passage and truth, and must be used of many passages: words of a subject tell nothing.
    """
    seen: tuple[set[tuple[str, str]], set[tuple[str, str]]] = (set(), set())
    for triple in triples:
        for item in triple.questions:
            for option, truth in zip(item.options, _truths(item), strict=True):
                seen[truth].update((item.passage, one) for one in _features(option))
    counts = Counter(one for _, one in seen[False]), Counter(one for _, one in seen[True])
    found = _worths(counts)
    usual = {one for one in found if counts[True][one] + counts[False][one] >= least}
    return {one: found[one] for one in sorted(usual) if abs(found[one]) >= worth}


def _scored(name: str, triples: Sequence[Triple], choose: Sequence[Choose]) -> BlindScore:
    right = [
        [pick(one) == one.answer for one in triple.questions] for triple, pick in zip(triples, choose, strict=True)
    ]
    scores = [
        0.2 * first + 0.3 * (first and (positive or negative)) + 0.5 * (first and positive and negative)
        for first, positive, negative in right
    ]
    numbers = {passage: at for at, passage in enumerate(dict.fromkeys(one.original.passage for one in triples))}
    sample = Sample(
        columns=([sum(one[1:]) / 2 for one in right], [1.0] * len(right)),
        groups=[numbers[one.original.passage] for one in triples],
        statistic=lambda sums: {"made": 100 * sums[..., 0] / sums[..., 1]},
    )
    low, high = intervals(sample).get("made", (0.0, 100.0))
    return BlindScore(
        reader=name,
        made=100 * sum(sum(one[1:]) for one in right) / (2 * len(right)),
        low=low,
        high=high,
        chance=100 * sum(1 / len(one.original.options) for one in triples) / len(triples),
        score=100 * sum(scores) / len(scores),
    )


def _fold(passage: str) -> int:
    return hashlib.sha256(passage.encode("utf-8", "surrogatepass")).digest()[0] % _FOLDS


def _letters(triples: Sequence[Triple]) -> list[int]:
    """The commonest letter of the original, positive and negative questions."""
    counts = [Counter(one.answer for one in form) for form in zip(*(one.questions for one in triples), strict=True)]
    return [count.most_common(1)[0][0] or 0 for count in counts] or [0, 0, 0]


def _by_letter(letters: Sequence[int]) -> Choose:
    forms = {"original": 0, "positive": 1, "negative": 2}

    def choose(item: ChoiceItem) -> int:
        return letters[forms.get(item.id.rpartition("#")[2], 0)]

    return choose


def _by_length(triples: Sequence[Triple]) -> Choose:
    """The longest or the shortest option, whichever is right more often, by what the stem asks for."""
    right: dict[bool, Counter[int]] = {True: Counter(), False: Counter()}
    for triple in triples:
        for item in triple.questions:
            lengths = [len(option) for option in item.options]
            for end, length in ((0, min(lengths)), (-1, max(lengths))):
                right[bool(polarity(item.question))][end] += lengths.index(length) == item.answer
    ends = {asked: count.most_common(1)[0][0] if count else 0 for asked, count in right.items()}

    def choose(item: ChoiceItem) -> int:
        order = sorted(range(len(item.options)), key=lambda at: len(item.options[at]))
        return order[ends[bool(polarity(item.question))]]

    return choose


def _trained(triples: Sequence[Triple]) -> Choose:
    """Naive Bayes on the character pairs of true and false options."""
    worth = _worths(_counts(triples))

    def choose(item: ChoiceItem) -> int:
        scores = [sum(worth.get(one, 0.0) for one in _features(option)) for option in item.options]
        order = sorted(range(len(scores)), key=lambda at: scores[at])
        return order[-1] if polarity(item.question) else order[0]

    return choose


def _counts(triples: Sequence[Triple]) -> tuple[Counter[str], Counter[str]]:
    """How often the character pairs occur in false and in true options."""
    counts: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    for triple in triples:
        for item in triple.questions:
            for option, truth in zip(item.options, _truths(item), strict=True):
                counts[truth].update(_features(option))
    return counts


def _worths(counts: tuple[Counter[str], Counter[str]]) -> dict[str, float]:
    totals = [sum(one.values()) + len(counts[0] | counts[1]) + 1 for one in counts]
    return {
        one: log((counts[True][one] + 1) / totals[True]) - log((counts[False][one] + 1) / totals[False])
        for one in counts[0] | counts[1]
    }


def _truths(item: ChoiceItem) -> tuple[bool, ...]:
    if item.truths:
        return item.truths
    return tuple((at == item.answer) is bool(polarity(item.question)) for at in range(len(item.options)))


def _features(option: str) -> list[str]:
    return [option[at : at + 2] for at in range(len(option) - 1)]
