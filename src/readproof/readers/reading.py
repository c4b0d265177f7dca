"""From an item to its answer: pieces of the passage, windows, spans. The same for every model that scores tokens."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Lock
from typing import Protocol

import numpy as np

from readproof.items import Answer, Item, SpanItem
from readproof.lang.forms import shown
from readproof.readers.api import DISTRIBUTION, SPANS, need
from readproof.readers.card import ReaderCard
from readproof.readers.retrieval import Index, index_of
from readproof.readers.spans import Floats, add_window, best_any, best_apart, empty_band, total
from readproof.readers.tokens import Ints, Passage, spread
from readproof.text import Text

# Passages made ready for questions, and kept for the next one: cleaned once, tokenised once, indexed once.
# What is kept only saves time: a passage is made ready from its text alone, so that an answer is the same whether it
# was kept or not.

# beyond this a passage is not tokenised as a whole: it is surely more than a few windows
WHOLE = 8_000
MOST_WINDOWS = 3

Encode = Callable[[Text, int, int], Passage]


@dataclass(frozen=True, slots=True)
class PassagePiece:
    """A contiguous piece of a passage to be read.

    `relevance` is how far its best segment's BM25 score falls short of the best of the passage, as a share of it:
    0 for the best, never below -1.
    """

    passage: Passage
    relevance: float = 0.0


class PassageSource:
    """One passage; `encode` gives the tokens of a piece of its text in the form that readers read."""

    def __init__(self, raw: str, encode: Encode) -> None:
        self.shown = shown(raw)
        self.text = self.shown.text
        self._encode = encode

    @cached_property
    def whole(self) -> Passage | None:
        """All its tokens, where there are not too many characters to ask for them."""
        length = len(self.text.clean)
        return self._tokens(0, length) if length <= WHOLE else None

    @cached_property
    def index(self) -> Index:
        return index_of(self.text.clean)

    def pieces(self, question: str, capacity: int, overlap: int) -> list[PassagePiece]:
        """What to read for a question: the whole passage if it fits a few windows, else its best segments.

        Each piece is contiguous in the passage, and they are in its order.
        """
        whole = self.whole
        if whole is not None and len(spread(len(whole.ids), capacity, overlap)) <= MOST_WINDOWS:
            return [PassagePiece(whole)]
        room = MOST_WINDOWS * capacity
        scores = self.index.scores(question)
        best = float(scores.max())
        chosen: dict[tuple[int, int], float] = {}
        read: dict[tuple[int, int], Passage] = {}
        for number in np.argsort(-scores, kind="stable")[: 4 * MOST_WINDOWS].tolist():
            segment = self.index.segment(number)
            runs = joined([*chosen, segment])
            for run in runs:
                if run not in read:
                    read[run] = self._tokens(*run)
            if chosen and sum(len(read[run].ids) for run in runs) > room:
                break
            # segments come best first, so that a run has the relevance of the first one in it
            before = {**chosen, segment: float(scores[number]) / best - 1.0 if best > 0 else 0.0}
            chosen = {run: max(have for part, have in before.items() if _within(part, run)) for run in runs}
        return [PassagePiece(read[run], relevance) for run, relevance in chosen.items()]

    def _tokens(self, start: int, end: int) -> Passage:
        return replace(self._encode(self.text, start, end), shown=self.shown)


def _within(part: tuple[int, int], run: tuple[int, int]) -> bool:
    return run[0] <= part[0] and part[1] <= run[1]


def joined(runs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Runs that overlap or touch as one, in order."""
    out: list[tuple[int, int]] = []
    for start, end in sorted(runs):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((start, end))
    return out


class PassageCache:
    """The passages last asked about: a few, and not too many characters of them."""

    def __init__(self, encode: Encode, *, most: int = 16, characters: int = 12_000_000) -> None:
        self._encode = encode
        self._most = most
        self._characters = characters
        self._kept: OrderedDict[str, PassageSource] = OrderedDict()
        self._lock = Lock()

    def get(self, raw: str) -> PassageSource:
        with self._lock:
            source = self._kept.get(raw)
            if source is None:
                source = self._kept[raw] = PassageSource(raw, self._encode)
            self._kept.move_to_end(raw)
            while len(self._kept) > 1 and (
                len(self._kept) > self._most or sum(map(len, self._kept)) > self._characters
            ):
                self._kept.popitem(last=False)
            return source


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingConfig:
    """How a reader reads: its windows, its longest answer, how it counts its own confidence.

    The window that shares most with the question is read first; reading stops with a window whose best span has at
    least the probability `enough`. Whether there is an answer at all (`no_answer`) is known only after the last window.

    Of a passage too long to be read whole the best pieces compete, and a model that sees one of them at a time cannot
    tell a good answer to this question from a good answer to one like it. So a span's score there is the logarithm of
    its probability in its window plus `retrieval` times the relevance of its piece, which is never above 0.
    """

    max_tokens: int = 512
    overlap: int = 128
    question_tokens: int = 64
    longest: int = 80
    temperature: float = 1.0
    threshold: float = 0.0
    no_answer: bool = False
    enough: float = 1.0
    retrieval: float = 8.0


def card_manner(card: ReaderCard, *, no_answer: bool) -> ReadingConfig:
    """How a reader reads by its card, and whether it may say that there is no answer."""
    return ReadingConfig(
        max_tokens=card.max_tokens,
        overlap=card.overlap,
        question_tokens=card.question_tokens,
        longest=card.longest,
        temperature=card.temperature,
        threshold=card.no_answer,
        no_answer=no_answer,
        enough=card.enough,
    )


class SpanModel(Protocol):
    """A model that says of each token how well an answer begins and ends there. `frame` counts its own tokens."""

    frame: int

    def encode(self, text: Text, start: int, end: int) -> Passage:
        """The tokens of a piece of a clean text."""
        ...

    def encode_question(self, text: str) -> Ints: ...

    def scores(self, question: Ints, passage: Ints) -> tuple[Floats, Floats]:
        """One window: the scores as first and as last token, of "no answer" and then of each token of the passage."""
        ...


@dataclass(frozen=True, slots=True)
class SpanScores:
    """All spans of what was read for a question: pieces with their bands; how good "no answer" is."""

    pieces: list[Passage]
    bands: list[Floats]
    null: float


class Reading:
    """A model with its configuration; keeps the passages it was last asked about."""

    def __init__(self, model: SpanModel, config: ReadingConfig) -> None:
        self.model = model
        self.config = config
        self._shelf = PassageCache(model.encode)

    def best(self, item: SpanItem, count: int = 1) -> list[Answer]:
        """The `count` best answers that do not overlap, the best first; always at least one, which may be empty."""
        scored = self._scored(item)
        found = best_apart(scored.bands, count) if scored else []
        if scored is None or not found:
            return [Answer(id=item.id, confidence=0.0)]
        null = scored.null if self.config.no_answer else None
        whole = total(scored.bands, self.config.temperature, null)
        answers = [
            scored.pieces[number].answer(item.id, first, last, score=score, confidence=self._share(score, whole))
            for score, number, first, last in found
        ]
        if null is None:
            return answers
        nothing = Answer(id=item.id, scores=(null,), confidence=self._share(null, whole))
        return _with_nothing(answers, nothing, nothing_wins=null - found[0][0] > self.config.threshold)[:count]

    def distribution(self, item: SpanItem, count: int = 20) -> list[tuple[int, int, float]]:
        """The likeliest spans as raw offsets with their probabilities; different tokens may be the same characters."""
        return [(*piece.raw_span(first, last), share) for piece, first, last, _, share in self._likely(item, count)]

    def likely(self, item: SpanItem, count: int = 20) -> list[Answer]:
        """The same as answers: a raw span may be wider than what was said, where it stands there in another order."""
        return [
            piece.answer(item.id, first, last, score=score, confidence=share)
            for piece, first, last, score, share in self._likely(item, count)
        ]

    def _likely(self, item: SpanItem, count: int) -> Iterator[tuple[Passage, int, int, float, float]]:
        scored = self._scored(item)
        if scored is None:
            return
        whole = total(scored.bands, self.config.temperature, scored.null if self.config.no_answer else None)
        for score, number, first, last in best_any(scored.bands, count):
            yield scored.pieces[number], first, last, score, self._share(score, whole)

    def _share(self, score: float, whole: float) -> float:
        return min(1.0, float(np.exp(score / self.config.temperature - whole)))

    def places(self, item: SpanItem) -> list[tuple[int, int]]:
        """The pieces of the raw passage out of which a question is answered."""
        _, _, pieces, _ = self.prepared(item)
        return [piece.passage.raw_span(0, len(piece.passage.ids) - 1) for piece in pieces]

    def prepared(self, item: SpanItem) -> tuple[str, Ints, list[PassagePiece], int]:
        """The question in its form and in tokens, the pieces to read for it, how many tokens of them a window holds."""
        source = self._shelf.get(item.passage)
        asked = source.shown.like(item.question)
        question = self.model.encode_question(asked)[: self.config.question_tokens]
        capacity = self.config.max_tokens - self.model.frame - len(question)
        pieces = source.pieces(asked, capacity, self.config.overlap)
        return asked, question, [piece for piece in pieces if len(piece.passage.ids)], capacity

    def _scored(self, item: SpanItem) -> SpanScores | None:
        """None where there is nothing to ask or nothing to read."""
        asked, question, pieces, capacity = self.prepared(item)
        if not pieces:
            return None
        bands = [empty_band(len(piece.passage.ids), self.config.longest) for piece in pieces]
        # where pieces compete a sure span does not end the reading, unless no other can beat it
        enough = 1.0 if _compete(pieces) else self.config.enough
        null, best = np.inf, -np.inf
        for number, start, end in self._windows(asked, pieces, capacity):
            handicap = self.config.retrieval * pieces[number].relevance
            if not self.config.no_answer and best > handicap:
                # a logarithm is at most 0: neither this window nor one after it can hold anything better
                break
            # logarithms of probabilities, so that windows can be compared: one without the answer says "none"
            first, last = map(_logarithms, self.model.scores(question, pieces[number].passage.ids[start:end]))
            add_window(bands[number], start, first[1:] + np.float32(handicap), last[1:])
            # one window that holds an answer is enough for the passage to hold one, the less so the less relevant it is
            null = min(null, float(first[0] + last[0]) - handicap)
            top = bands[number][start:end].max()
            best = max(best, float(top))
            if not self.config.no_answer and np.exp(top) >= enough:
                break
        return SpanScores([piece.passage for piece in pieces], bands, float(null))

    def _windows(self, asked: str, pieces: list[PassagePiece], capacity: int) -> list[tuple[int, int, int]]:
        """The windows of all pieces: the most relevant first, then those that hold most of the question's pairs."""
        windows = [
            (number, start, end)
            for number, piece in enumerate(pieces)
            for start, end in spread(len(piece.passage.ids), capacity, self.config.overlap)
        ]
        if len(windows) == 1 or self.config.no_answer or (self.config.enough >= 1.0 and not _compete(pieces)):
            return windows
        pairs = {asked[at : at + 2] for at in range(len(asked) - 1)}

        def order(window: tuple[int, int, int]) -> tuple[float, int]:
            number, start, end = window
            piece = pieces[number].passage
            text = piece.text.clean[piece.starts[start] : piece.ends[end - 1]]
            return -pieces[number].relevance, -sum(pair in text for pair in pairs)

        return sorted(windows, key=order)


class ReadsSpans(ABC):
    """What every reader over a `Reading` can do; it brings a name, a fingerprint and the reading itself."""

    capabilities = frozenset({SPANS, DISTRIBUTION})
    name: str

    @property
    @abstractmethod
    def fingerprint(self) -> str: ...

    @property
    @abstractmethod
    def reading(self) -> Reading: ...

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        """One answer an item, in order."""
        for item in items:
            need(self, item)
        return [self.best(item, 1)[0] for item in items if isinstance(item, SpanItem)]

    def best(self, item: SpanItem, count: int) -> list[Answer]:
        """The `count` best answers apart from each other, the best first."""
        return self.reading.best(item, count)

    def distribution(self, item: SpanItem, count: int = 20) -> list[tuple[int, int, float]]:
        """The likeliest spans: raw start, raw end, probability."""
        return self.reading.distribution(item, count)

    def likely(self, item: SpanItem, count: int = 20) -> list[Answer]:
        """The likeliest spans as answers, with their probabilities."""
        return self.reading.likely(item, count)


def _compete(pieces: Sequence[PassagePiece]) -> bool:
    """Whether some pieces are more relevant than others: then which window is best is not left to the model alone."""
    return any(piece.relevance < 0.0 for piece in pieces)


def _logarithms(scores: Floats) -> Floats:
    """The logarithms of the softmax."""
    best = scores.max()
    logarithms: Floats = scores - (best + np.log(np.exp(scores - best).sum()))
    return logarithms


def _with_nothing(answers: Sequence[Answer], nothing: Answer, *, nothing_wins: bool) -> list[Answer]:
    """Puts "no answer" into its place: first where it beats the best span by the threshold, else by its score."""
    if nothing_wins:
        return [nothing, *answers]
    rest = sorted([*answers[1:], nothing], key=lambda answer: -answer.scores[0])
    return [answers[0], *rest]
