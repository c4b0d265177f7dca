"""Reading options: is this one true of the passage? A coarse pass over the whole of it, a fine one over the best of it.

*Coarse*: the passage in overlapping segments, each read with the statement; the model says how true the statement is by
the segment and how much the segment has to do with it, and its verdicts are weighed by that. *Fine*: the sentences that
say most of the statement, by shared letters and by the coarse pass, read together. The two scores are joined. What the
stem asks for decides which end is taken. An option's score hangs on the passage, the stem and the option alone.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from threading import Lock
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from readproof.errors import InputError, shown
from readproof.items import Answer, ChoiceItem
from readproof.lang import forms
from readproof.lang.api import get_language
from readproof.lang.forms import TextForms
from readproof.readers.evidence import EvidenceCandidate, Run, chosen, relevance, segments, sentences
from readproof.text import Text

# How an option reader reads: the sizes of its pieces, and how the two passes are joined.


# verify: is an option true of the passage? choice: which option answers the question best, whatever its stem asks for
Head = Literal["verify", "choice"]
# more characters than any passage has: it is one piece, and its first tokens are read
_WHOLE = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionReadingConfig:
    """Sizes in characters, which are never fewer than tokens; `statement` and `max_tokens` in tokens.

    `fine_share` is the weight of the fine pass in the joined score. `liking` is how much the coarse pass has to say in
    the choice of the fine pass's sentences. Of a passage with more segments than `most`, the likeliest are read.
    `temperature` makes the confidence honest. `head` is what the weights were trained for.
    """

    head: Head = "verify"
    segment: int = 380
    overlap: int = 80
    fine: int = 320
    statement: int = 120
    max_tokens: int = 512
    fine_share: float = 0.5
    liking: float = 0.2
    most: int = 12
    temperature: float = 1.0

    def joined(self, passage: str, known: Sequence[EvidenceCandidate], numbers: Sequence[int]) -> str:
        """Chosen sentences as one text."""
        return "".join(passage[known[number].start : known[number].end] for number in numbers)


def manner_of(record: Mapping[str, Any], file: Path) -> OptionReadingConfig:
    """The configuration in a file's record; what it does not name has its default."""
    known = {one.name: one.type for one in fields(OptionReadingConfig)}
    for name, value in record.items():
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if name not in known or (value not in ("verify", "choice") if name == "head" else not number):
            raise InputError(
                file=file, place=f"options.{name}", found=shown(value), expected="a field of OptionReadingConfig"
            )
    for name, value in record.items():
        least = {"fine_share": 0, "liking": 0, "overlap": 0, "temperature": 1e-3}.get(name, 1)
        if name != "head" and value < least:
            raise InputError(file=file, place=f"options.{name}", found=shown(value), expected=f"{least} or more")
    return OptionReadingConfig(**record)


def manner_for(head: Head, max_tokens: int = 512) -> OptionReadingConfig:
    """The default configuration of a head, its sizes in proportion to a window of so many tokens."""
    if head == "choice":
        return OptionReadingConfig(
            head=head, segment=_WHOLE, statement=max_tokens * 3 // 8, max_tokens=max_tokens, fine_share=1.0
        )
    usual = OptionReadingConfig()
    sizes = {name: getattr(usual, name) * max_tokens // 512 for name in ("segment", "overlap", "fine", "statement")}
    return OptionReadingConfig(max_tokens=max_tokens, **sizes)


# What a reader shows of how it read options: a score for each, and the sentences it was judged by.


# what the stem asks for: the option that is true of the passage, the one that is not, or the one that answers best
Asked = Literal["true", "false", "best"]


@dataclass(frozen=True, slots=True)
class EvidenceSpan:
    """A piece of the raw passage, and how much it has to do with the option: 1 is most."""

    start: int
    end: int
    weight: float


@dataclass(frozen=True, slots=True)
class JudgedOption:
    """`score` is the probability that the option is true of the passage, or, as an answer, that it is right."""

    score: float
    evidence: tuple[EvidenceSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class JudgedOptions:
    """A question with options, answered, with the reasons for each option."""

    answer: Answer
    asked: Asked
    options: tuple[JudgedOption, ...]


@runtime_checkable
class JudgesOptions(Protocol):
    """A reader that shows how it came to its letter."""

    def judge(self, item: ChoiceItem) -> JudgedOptions: ...


# An option as what is to be verified: by itself where the stem asks what is true, else behind the question.
#
# Readers of options and what trains them take their texts from here, so that both see the same.


def option_form(passage: str) -> TextForms:
    """A passage made ready for questions with options: signs are read in the width they have."""
    return forms.shown(passage, signs=False)


def as_read(item: ChoiceItem) -> tuple[TextForms, ChoiceItem]:
    """The passage with its map, and the item with question and options, in the form that readers read."""
    passage = option_form(item.passage)
    options = tuple(map(passage.like, item.options))
    return passage, replace(item, question=passage.like(item.question), options=options)


def asked_of(item: ChoiceItem, head: Head = "verify") -> Asked:
    """Which end to take: the truest option, the least true, or the one that answers best."""
    wanted = get_language(item.language).stem_polarity(item.question) if head == "verify" else None
    return "best" if wanted is None else "true" if wanted else "false"


def statements(item: ChoiceItem, head: Head = "verify") -> list[str]:
    """What is verified of each option; for a choice always the question and the option.

    A stem that asks for what is true or false says nothing else, so that an option stands alone: 正确的一项是 and
    不正确的一项是 are read alike. A stem that asks for reasons, titles, meanings goes before the option, turned to the
    affirmative where it asks for what is not one.
    """
    spoken = get_language(item.language)
    if head == "verify" and spoken.asks_truth(item.question):
        return list(item.options)
    stem = item.question
    if asked_of(item, head) == "false":
        stem = spoken.flip_stem(stem) or stem
    return [f"{stem} {option}" for option in item.options]


Floats = NDArray[np.float64]

_KEPT = 4096
_SHOWN = 3
_LEAST = 0.2  # of the best sentence's weight: what shares less has nothing to do with the statement


class OptionModel(Protocol):
    """A model that reads a statement with a piece of a passage: how true it is by it, and how relevant the piece is."""

    def verdict(self, statement: str, piece: str) -> tuple[float, float]: ...


@dataclass(frozen=True, slots=True)
class StatementVerdict:
    """A statement's scores (above 0: true), and its evidence as sentences of the clean passage with their weights."""

    coarse: float
    fine: float
    evidence: tuple[tuple[int, int, float], ...]


class OptionReading:
    """A model with its configuration; keeps its last verdicts, as the questions on a passage share options."""

    def __init__(self, model: OptionModel, config: OptionReadingConfig) -> None:
        self.model = model
        self.config = config
        self._kept: OrderedDict[tuple[str, str], StatementVerdict] = OrderedDict()
        self._lock = Lock()

    def judge(self, item: ChoiceItem) -> JudgedOptions:
        """The answer, and how each option was judged."""
        form, plain = as_read(item)
        passage = form.text
        asked = asked_of(plain, self.config.head)
        verdicts = [self.verdict(passage.clean, one) for one in statements(plain, self.config.head)]
        joined = np.asarray([self.joined(one) for one in verdicts])
        shares = _shares(-joined if asked == "false" else joined, self.config.temperature)
        options = tuple(
            JudgedOption(_chance(score / self.config.temperature), _raw(passage, verdict))
            for score, verdict in zip(joined, verdicts, strict=True)
        )
        if not len(shares):
            return JudgedOptions(Answer(id=item.id), asked, options)
        choice = int(shares.argmax())
        answer = Answer(
            id=item.id,
            choice=choice,
            text=item.options[choice],
            scores=tuple(map(float, shares)),
            confidence=float(shares[choice]),
        )
        return JudgedOptions(answer, asked, options)

    def joined(self, verdict: StatementVerdict) -> float:
        share = self.config.fine_share
        return share * verdict.fine + (1 - share) * verdict.coarse

    def verdict(self, passage: str, statement: str) -> StatementVerdict:
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

    def _verdict(self, passage: str, statement: str) -> StatementVerdict:
        config, known = self.config, sentences(passage)
        if len(passage) <= config.segment or not known:
            score, _ = self.model.verdict(statement, passage[: config.segment])
            weights = relevance(statement, known) if known else np.zeros(0)
            return StatementVerdict(score, score, _best(known, range(len(known)), weights))
        # a pass that has no say is not read
        score, liking = 0.0, np.zeros(len(known))
        if config.fine_share < 1 or config.liking > 0:
            score, liking = self._coarse(passage, statement, known)
        numbers = chosen(statement, known, config.fine, config.liking * liking)
        weights = relevance(statement, known) + config.liking * liking
        fine = score
        if config.fine_share > 0:
            fine, _ = self.model.verdict(statement, config.joined(passage, known, numbers))
        coarse = score if config.fine_share < 1 else fine
        return StatementVerdict(coarse, fine, _best(known, numbers, weights))

    def _coarse(self, passage: str, statement: str, known: Sequence[EvidenceCandidate]) -> tuple[float, Floats]:
        """What the segments say of a statement, and for each sentence the share of the best segment it stands in."""
        runs = self._runs(statement, known)
        pieces = [passage[known[first].start : known[last - 1].end] for first, last in runs]
        said = np.asarray([self.model.verdict(statement, piece) for piece in pieces])
        rated = _shares(said[:, 1], 1.0)
        liking = np.zeros(len(known))
        for (first, last), share in zip(runs, rated, strict=True):
            liking[first:last] = np.maximum(liking[first:last], share)
        return float((rated * said[:, 0]).sum()), liking

    def _runs(self, statement: str, known: Sequence[EvidenceCandidate]) -> list[Run]:
        """The segments to read: all, or of a long passage those that share most with the statement."""
        runs = segments(known, self.config.segment, self.config.overlap)
        if len(runs) <= self.config.most:
            return runs
        each = relevance(statement, known)
        sums = [float(each[first:last].sum()) for first, last in runs]
        best = sorted(range(len(runs)), key=lambda at: (-sums[at], at))[: self.config.most]
        return [runs[at] for at in sorted(best)]


def _best(
    known: Sequence[EvidenceCandidate], numbers: Sequence[int], weights: Floats
) -> tuple[tuple[int, int, float], ...]:
    """The weightiest sentences, the best first; the best one has the weight 1."""
    if not len(weights) or not numbers:
        return ()
    top = max(float(weights[number]) for number in numbers)
    order = sorted(numbers, key=lambda number: (-float(weights[number]), number))[:_SHOWN]
    shares = [(number, float(weights[number]) / top if top > 0 else 1.0) for number in order]
    return tuple((known[number].start, known[number].end, share) for number, share in shares if share >= _LEAST)


def _raw(passage: Text, verdict: StatementVerdict) -> tuple[EvidenceSpan, ...]:
    return tuple(EvidenceSpan(*passage.to_raw(start, end), weight) for start, end, weight in verdict.evidence)


def _shares(scores: Floats, temperature: float) -> Floats:
    """Their softmax."""
    if not len(scores):
        return scores
    grown = np.exp((scores - scores.max()) / temperature)
    shares: Floats = grown / grown.sum()
    return shares


def _chance(score: float) -> float:
    return float(1.0 / (1.0 + np.exp(-score)))
