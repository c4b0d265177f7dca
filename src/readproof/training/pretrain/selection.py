"""Questions made of a corpus while it is trained on: a sentence with a span taken out asks for that span.

Where the span stands in another sentence too, the asking one is taken out of the passage (recurring span selection);
else it stays and the question loses some words, so that the reader learns to find it again. Windows and golds are those
of real questions, so that the same head learns from both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer

from readproof.readers.vocabulary import CLS, MASK, SEP, Vocabulary
from readproof.training.pretrain.asked import OTHER, kind_of, kinds_of
from readproof.training.pretrain.corpus import Corpus
from readproof.training.pretrain.places import ENDS, Places, continues
from readproof.training.pretrain.recipe import Selected
from readproof.training.windows import Batch, Frame, bert_frame

Ints = NDArray[np.int64]
_MOST_GOLDS = 4
_WIDE = 0.7
_ROUND = 32
_AWAY = 10  # a passage without the answer is drawn anew so often


@dataclass(frozen=True, slots=True)
class Made:
    """A question, a passage, and the first and last tokens of its answers; none: there is no answer."""

    question: Ints
    passage: Ints
    golds: tuple[tuple[int, int], ...]


class SelectionExamples:
    """`steps` batches of questions out of the places of a corpus."""

    def __init__(
        self, corpus: Corpus, vocabulary: Vocabulary, places: Places, how: Selected, *, steps: int, language: str
    ) -> None:
        self.corpus, self.places, self.how, self.steps = corpus, places, how, steps
        self._tokenizer: Tokenizer = vocabulary.tokenizer()
        self._rows = vocabulary.rows
        self._kinds: Mapping[str, str] = kinds_of(language, self._tokenizer)
        self._asked = {kind: [self._ids(phrase) for phrase in phrases] for kind, phrases in how.asked.items()}
        self._mark = self._ids(how.mark)
        ids = vocabulary.ids()
        self._ends = frozenset(ids[sign] for sign in ENDS if sign in ids)
        self._mask = np.asarray([ids[MASK]])
        self._frame = bert_frame(ids[CLS], ids[SEP])
        self._continues = continues(vocabulary)

    def batches(self, size: int, seed: int) -> list[tuple[int, Ints]]:
        """Places of each batch, with a seed for what is drawn in making them."""
        random = np.random.default_rng(seed)
        turns = -(-size * self.steps // len(self.places))
        order = np.concatenate([random.permutation(len(self.places)) for _ in range(turns)])
        rows = order[: size * self.steps].reshape(self.steps, size)
        return [(seed * 1_000_003 + number, row) for number, row in enumerate(rows)]

    def collate(self, batch: tuple[int, Ints]) -> Batch:
        seed, rows = batch
        random = np.random.default_rng(seed)
        return _batch([self.made(self.places[row], random) for row in rows], self._frame)

    def made(self, place: Places, random: np.random.Generator) -> Made:
        """One question."""
        begin, end, first, last, twin = (int(one) for one in place)
        ids, how = self.corpus.ids, self.how
        span = ids[first:last]
        question = self._question(begin, end, first, last, random, drop=0.0 if twin >= 0 else how.dropped)
        if twin < 0 and random.random() < how.nothing:
            passage = self._elsewhere(span, random)
            return Made(question, passage, ())
        lower, upper = self._reach(first, last, random)
        if twin < 0:
            # the answer asked for is where it was taken from: the same words elsewhere answer nothing
            start, stop = _around(first, last, lower, upper, how.passage, random)
            return Made(question, ids[start:stop].astype(np.int64), ((first - start, last - start - 1),))
        # the sentence that asks is cut out, and what is left is one text
        gap, length = end - begin, last - first
        at = twin if twin < begin else twin - gap
        rest = np.concatenate((ids[lower:begin], ids[end:upper])).astype(np.int64)
        start, stop = _around(at - lower, at - lower + length, 0, len(rest), how.passage, random)
        passage = rest[start:stop]
        own = at - lower - start
        return Made(question, passage, _occurrences(passage, span, self._continues) or ((own, own + length - 1),))

    def _reach(self, first: int, last: int, random: np.random.Generator) -> tuple[int, int]:
        """The document a span is in; of a short one often with its neighbours, so that there is more to search."""
        document = int(self.corpus.document[first])
        lower, upper = int(self.corpus.bounds[document]), int(self.corpus.bounds[document + 1])
        if upper - lower < self.how.passage and random.random() < _WIDE:
            room = 2 * self.how.passage
            lower, upper = max(0, min(lower, first - room)), min(len(self.corpus.ids), max(upper, last + room))
        return lower, upper

    def _question(
        self, begin: int, end: int, first: int, last: int, random: np.random.Generator, *, drop: float
    ) -> Ints:
        """The sentence with what asks in the place of the span, cut to its surroundings, some words left out."""
        ids, room = self.corpus.ids, self.how.question - len(self._mark)
        asking = self._asking(ids[first:last], random)[: room // 2]
        before, after = ids[begin:first], ids[last:end]
        if len(after) and after[-1] in self._ends:
            after = after[:-1]
        if drop:
            before, after = self._thinned(before, drop, random), self._thinned(after, drop, random)
        room -= len(asking)
        left = min(len(before), max(room - len(after), int(room * random.uniform(0.3, 0.7))))
        right = min(len(after), room - left)
        parts = (before[len(before) - left :], asking, after[:right], self._mark)
        return np.concatenate(parts).astype(np.int64)

    def _asking(self, span: NDArray[np.uint16], random: np.random.Generator) -> Ints:
        if not self._asked or random.random() >= self.how.asking:
            return self._mask
        text = "".join(
            piece[2:] if piece.startswith("##") else f" {piece}" for piece in (self._rows[one] for one in span)
        ).strip()
        kind = kind_of(text, self._kinds)
        phrases = self._asked.get(kind) or self._asked.get(OTHER) or [self._mask]
        return phrases[int(random.integers(len(phrases)))]

    def _thinned(self, tokens: NDArray[np.uint16], drop: float, random: np.random.Generator) -> NDArray[np.uint16]:
        """Without some of its words."""
        if not len(tokens):
            return tokens
        word = np.cumsum(~self._continues[tokens])
        return tokens[(random.random(int(word[-1]) + 1) >= drop)[word]]

    def _elsewhere(self, span: NDArray[np.uint16], random: np.random.Generator) -> Ints:
        """A piece of some document that does not have the span."""
        passage = np.zeros(0, dtype=np.int64)
        for _ in range(_AWAY):
            document = int(random.integers(len(self.corpus)))
            lower, upper = int(self.corpus.bounds[document]), int(self.corpus.bounds[document + 1])
            start, stop = _around(lower, lower, lower, upper, self.how.passage, random)
            passage = self.corpus.ids[start:stop].astype(np.int64)
            if not _occurrences(passage, span, self._continues):
                break
        return passage

    def _ids(self, text: str) -> Ints:
        return np.asarray(self._tokenizer.encode(text, add_special_tokens=False).ids, dtype=np.int64)


def _around(first: int, last: int, lower: int, upper: int, room: int, random: np.random.Generator) -> tuple[int, int]:
    """A piece of [lower, upper) of at most `room` tokens that holds [first, last)."""
    if upper - lower <= room:
        return lower, upper
    earliest = max(lower, last - room)
    latest = min(first, upper - room)
    start = int(random.integers(earliest, max(earliest, latest) + 1))
    return start, min(upper, start + room)


def _occurrences(passage: Ints, span: NDArray[np.uint16], continues: NDArray[np.bool_]) -> tuple[tuple[int, int], ...]:
    """Where a span stands in a passage and no word goes on behind it; the first few."""
    length = len(span)
    if len(passage) < length:
        return ()
    at = np.flatnonzero(passage[: len(passage) - length + 1] == span[0])
    found = [
        int(one)
        for one in at
        if np.array_equal(passage[one : one + length], span)
        and not continues[passage[one + length : one + length + 1]].any()
    ]
    return tuple((one, one + length - 1) for one in found[:_MOST_GOLDS])


def _batch(made: list[Made], frame: Frame) -> Batch:
    """Questions side by side, as `windows.collate` has them, without the way through windows of a whole set."""
    heads = np.asarray([len(frame.before) + len(one.question) + len(frame.between) for one in made])
    lengths = heads + np.asarray([len(one.passage) + len(frame.after) for one in made])
    width = -(-int(lengths.max()) // _ROUND) * _ROUND
    ids = np.full((len(made), width), frame.pad, dtype=np.int64)
    golds = np.full((len(made), _MOST_GOLDS, 2), -1, dtype=np.int64)
    for row, one in enumerate(made):
        line = np.concatenate((frame.before, one.question, frame.between, one.passage, frame.after))
        ids[row, : len(line)] = line
        if one.golds:
            golds[row, : len(one.golds)] = np.asarray(one.golds) + heads[row]
        else:
            golds[row, 0] = 0
    place = np.arange(width)[None, :]
    inside = place < lengths[:, None]
    passage = (place >= heads[:, None]) & inside
    valid = passage & (place < lengths[:, None] - len(frame.after))
    valid[:, 0] = True
    return Batch(
        index=np.arange(len(made)),
        ids=torch.from_numpy(ids),
        types=torch.from_numpy(passage.astype(np.int64)),
        mask=torch.from_numpy(inside),
        valid=torch.from_numpy(valid),
        golds=torch.from_numpy(golds),
        labelled=torch.ones(len(made), dtype=torch.bool),
    )
