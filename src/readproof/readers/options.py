"""Reading options: is this one true of the passage? A coarse pass over the whole of it, a fine one over the best of it.

*Coarse*: the passage in overlapping segments, each read with the statement; the model says how true the statement is by
the segment and how much the segment has to do with it, and its verdicts are weighed by that. *Fine*: the sentences that
say most of the statement, by shared letters and by the coarse pass, read together. The two scores are joined. What the
stem asks for decides which end is taken. An option's score hangs on the passage, the stem and the option alone.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from readproof.items import Answer, ChoiceItem
from readproof.readers.evidence import Run, Sentence, chosen, relevance, segments, sentences
from readproof.readers.judged import Evidence, Judged, JudgedOption
from readproof.readers.optionmanner import OptionManner
from readproof.readers.stating import as_read, asked_of, statements
from readproof.text import Text

Floats = NDArray[np.float64]

_KEPT = 4096
_SHOWN = 3
_LEAST = 0.2  # of the best sentence's weight: what shares less has nothing to do with the statement


class OptionModel(Protocol):
    """A model that reads a statement with a piece of a passage: how true it is by it, and how relevant the piece is."""

    def verdict(self, statement: str, piece: str) -> tuple[float, float]: ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """A statement's scores (above 0: true), and its evidence as sentences of the clean passage with their weights."""

    coarse: float
    fine: float
    evidence: tuple[tuple[int, int, float], ...]


class OptionReading:
    """A model together with a manner; keeps its last verdicts, as the questions on a passage share options."""

    def __init__(self, model: OptionModel, manner: OptionManner) -> None:
        self.model = model
        self.manner = manner
        self._kept: OrderedDict[tuple[str, str], Verdict] = OrderedDict()
        self._lock = Lock()

    def judge(self, item: ChoiceItem) -> Judged:
        """The answer, and how each option was judged."""
        form, plain = as_read(item)
        passage = form.text
        asked = asked_of(plain, self.manner.head)
        verdicts = [self.verdict(passage.clean, one) for one in statements(plain, self.manner.head)]
        joined = np.asarray([self.joined(one) for one in verdicts])
        shares = _shares(-joined if asked == "false" else joined, self.manner.temperature)
        options = tuple(
            JudgedOption(_chance(score / self.manner.temperature), _raw(passage, verdict))
            for score, verdict in zip(joined, verdicts, strict=True)
        )
        if not len(shares):
            return Judged(Answer(id=item.id), asked, options)
        choice = int(shares.argmax())
        answer = Answer(
            id=item.id,
            choice=choice,
            text=item.options[choice],
            scores=tuple(map(float, shares)),
            confidence=float(shares[choice]),
        )
        return Judged(answer, asked, options)

    def joined(self, verdict: Verdict) -> float:
        share = self.manner.fine_share
        return share * verdict.fine + (1 - share) * verdict.coarse

    def verdict(self, passage: str, statement: str) -> Verdict:
        """What both passes say of a statement."""
        key = (passage, statement)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = self._verdict(passage, statement)
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return made

    def _verdict(self, passage: str, statement: str) -> Verdict:
        manner, known = self.manner, sentences(passage)
        if len(passage) <= manner.segment or not known:
            score, _ = self.model.verdict(statement, passage[: manner.segment])
            weights = relevance(statement, known) if known else np.zeros(0)
            return Verdict(score, score, _best(known, range(len(known)), weights))
        # a pass that has no say is not read
        score, liking = 0.0, np.zeros(len(known))
        if manner.fine_share < 1 or manner.liking > 0:
            score, liking = self._coarse(passage, statement, known)
        numbers = chosen(statement, known, manner.fine, manner.liking * liking)
        weights = relevance(statement, known) + manner.liking * liking
        fine = score
        if manner.fine_share > 0:
            fine, _ = self.model.verdict(statement, manner.joined(passage, known, numbers))
        coarse = score if manner.fine_share < 1 else fine
        return Verdict(coarse, fine, _best(known, numbers, weights))

    def _coarse(self, passage: str, statement: str, known: Sequence[Sentence]) -> tuple[float, Floats]:
        """What the segments say of a statement, and for each sentence the share of the best segment it stands in."""
        runs = self._runs(statement, known)
        pieces = [passage[known[first].start : known[last - 1].end] for first, last in runs]
        said = np.asarray([self.model.verdict(statement, piece) for piece in pieces])
        rated = _shares(said[:, 1], 1.0)
        liking = np.zeros(len(known))
        for (first, last), share in zip(runs, rated, strict=True):
            liking[first:last] = np.maximum(liking[first:last], share)
        return float((rated * said[:, 0]).sum()), liking

    def _runs(self, statement: str, known: Sequence[Sentence]) -> list[Run]:
        """The segments to read: all, or of a long passage those that share most with the statement."""
        runs = segments(known, self.manner.segment, self.manner.overlap)
        if len(runs) <= self.manner.most:
            return runs
        each = relevance(statement, known)
        sums = [float(each[first:last].sum()) for first, last in runs]
        best = sorted(range(len(runs)), key=lambda at: (-sums[at], at))[: self.manner.most]
        return [runs[at] for at in sorted(best)]


def _best(known: Sequence[Sentence], numbers: Sequence[int], weights: Floats) -> tuple[tuple[int, int, float], ...]:
    """The weightiest sentences, the best first; the best one has the weight 1."""
    if not len(weights) or not numbers:
        return ()
    top = max(float(weights[number]) for number in numbers)
    order = sorted(numbers, key=lambda number: (-float(weights[number]), number))[:_SHOWN]
    shares = [(number, float(weights[number]) / top if top > 0 else 1.0) for number in order]
    return tuple((known[number].start, known[number].end, share) for number, share in shares if share >= _LEAST)


def _raw(passage: Text, verdict: Verdict) -> tuple[Evidence, ...]:
    return tuple(Evidence(*passage.to_raw(start, end), weight) for start, end, weight in verdict.evidence)


def _shares(scores: Floats, temperature: float) -> Floats:
    """Their softmax."""
    if not len(scores):
        return scores
    grown = np.exp((scores - scores.max()) / temperature)
    shares: Floats = grown / grown.sum()
    return shares


def _chance(score: float) -> float:
    return float(1.0 / (1.0 + np.exp(-score)))
