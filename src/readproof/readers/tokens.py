"""Items as token ids, once: passages are shared by their questions, and every token knows its characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from readproof.items import Answer, SpanItem
from readproof.text import Text, encodable, sanitised

Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage's tokens; `starts` and `ends` are character offsets in the clean text."""

    text: Text
    ids: Ints
    starts: Ints
    ends: Ints

    def raw_span(self, first: int, last: int) -> tuple[int, int]:
        """The raw characters of the tokens first to last."""
        return self.text.to_raw(int(self.starts[first]), int(self.ends[last]))

    def answer(self, id: str, first: int, last: int, *, score: float, confidence: float | None = None) -> Answer:
        """The tokens first to last as an answer, cut from the raw passage; its text is what a clean cut leaves."""
        start, end = self.raw_span(first, last)
        clean_start, clean_end = self.text.to_clean(start, end)
        return Answer(
            id=id,
            text=self.text.clean[clean_start:clean_end],
            raw=self.text.raw[start:end],
            start=start,
            end=end,
            scores=(score,),
            confidence=confidence,
        )

    def tokens_of(self, start: int, end: int) -> tuple[int, int] | None:
        """The first and last token of a raw span; None where no token stands in it."""
        clean_start, clean_end = self.text.to_clean(start, end)
        first = int(np.searchsorted(self.ends, clean_start, side="right"))
        last = int(np.searchsorted(self.starts, clean_end, side="left")) - 1
        return (first, last) if first <= last < len(self.ids) else None


@dataclass(frozen=True, slots=True)
class Question:
    """An item ready to be cut into windows; `golds` are token spans, none where the answer is not known."""

    item: SpanItem
    ids: Ints
    passage: Passage
    golds: tuple[tuple[int, int], ...]


def encode(items: Sequence[SpanItem], tokenizer: Tokenizer, *, question_tokens: int = 64) -> list[Question]:
    """Items with their tokens. Golds that stand nowhere in the passage are left out; equal ones count once."""
    passages = _passages(list(dict.fromkeys(item.passage for item in items)), tokenizer)
    texts = [encodable(sanitised(item.question).clean) for item in items]
    asked = tokenizer.encode_batch(texts, add_special_tokens=False)
    questions = []
    for item, encoded in zip(items, asked, strict=True):
        passage = passages[item.passage]
        spans = (
            passage.tokens_of(gold.start, gold.start + len(gold.text))
            for gold in item.golds
            if gold.start is not None and gold.start >= 0 and gold.text
        )
        golds = tuple(dict.fromkeys(span for span in spans if span is not None))
        ids = np.asarray(encoded.ids[:question_tokens], dtype=np.int32)
        questions.append(Question(item, ids, passage, golds))
    return questions


def placed(text: Text, tokens: Encoding, at: int = 0) -> Passage:
    """The tokens of a piece of the clean text that begins at `at`."""
    offsets = np.asarray(tokens.offsets, dtype=np.int32).reshape(-1, 2) + np.int32(at)
    return Passage(text, np.asarray(tokens.ids, dtype=np.int32), offsets[:, 0].copy(), offsets[:, 1].copy())


def _passages(texts: list[str], tokenizer: Tokenizer) -> dict[str, Passage]:
    clean = [sanitised(text) for text in texts]
    encoded = tokenizer.encode_batch([encodable(text.clean) for text in clean], add_special_tokens=False)
    return {raw: placed(text, tokens) for raw, text, tokens in zip(texts, clean, encoded, strict=True)}
