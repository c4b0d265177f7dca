"""Items as token ids, once: passages are shared by their questions, and every token knows its characters.

What is learnt from comes through here, what is read comes through `sources`; both take texts in the form of
`lang.forms.shown`, so that a model is trained on the very tokens that it reads later.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from readproof.items import Answer, SpanItem
from readproof.lang.forms import TextForms, shown
from readproof.text import Text, encodable

# How a long passage is cut into windows: the same for training and for reading.


def spread(length: int, capacity: int, overlap: int) -> list[tuple[int, int]]:
    """Even pieces that cover `length` tokens, each at most `capacity` long and sharing `overlap` with the next."""
    if length <= capacity:
        return [(0, length)]
    overlap = min(overlap, capacity // 2)
    pieces = -(-(length - overlap) // (capacity - overlap))
    size = -(-(length + (pieces - 1) * overlap) // pieces)
    starts = [min(at * (size - overlap), length - size) for at in range(pieces)]
    return [(start, start + size) for start in starts]


Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage's tokens; `starts` and `ends` are character offsets in the text that is read.

    `shown` knows what a person sees of the passage, where that is not the very text that is read: an answer's text.
    """

    text: Text
    ids: Ints
    starts: Ints
    ends: Ints
    shown: TextForms | None = None

    def raw_span(self, first: int, last: int) -> tuple[int, int]:
        """The raw characters of the tokens first to last."""
        return self.text.to_raw(int(self.starts[first]), int(self.ends[last]))

    def answer(self, id: str, first: int, last: int, *, score: float, confidence: float | None = None) -> Answer:
        """The tokens first to last as an answer, cut from the raw passage; its text is what a clean cut leaves."""
        start, end = self.raw_span(first, last)
        if self.shown is None:
            text = self.text.clean[slice(*self.text.to_clean(start, end))]
        else:
            text = self.shown.words(int(self.starts[first]), int(self.ends[last]))
        return Answer(
            id=id,
            text=text,
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
class TokenizedQuestion:
    """An item ready to be cut into windows; `golds` are token spans, none where the answer is not known."""

    item: SpanItem
    ids: Ints
    passage: Passage
    golds: tuple[tuple[int, int], ...]


def encode(items: Sequence[SpanItem], tokenizer: Tokenizer, *, question_tokens: int = 64) -> list[TokenizedQuestion]:
    """Items with their tokens, as the readers of ONNX folders read them."""

    def batch(texts: Sequence[str]) -> list[Encoding]:
        found: list[Encoding] = tokenizer.encode_batch([encodable(text) for text in texts], add_special_tokens=False)
        return found

    return in_tokens(
        items,
        lambda texts: list(map(placed, texts, batch([text.clean for text in texts]))),
        lambda asked: [np.asarray(one.ids, dtype=np.int32) for one in batch(asked)],
        question_tokens=question_tokens,
    )


def in_tokens(
    items: Sequence[SpanItem],
    passages: Callable[[list[Text]], list[Passage]],
    questions: Callable[[list[str]], list[Ints]],
    *,
    question_tokens: int,
) -> list[TokenizedQuestion]:
    """Items in the form that is read, as tokens. Golds that stand nowhere are left out; equal ones count once."""
    forms = {raw: shown(raw) for raw in dict.fromkeys(item.passage for item in items)}
    found = passages([form.text for form in forms.values()])
    known = {raw: replace(one, shown=form) for (raw, form), one in zip(forms.items(), found, strict=True)}
    asked = questions([forms[item.passage].like(item.question) for item in items])
    return [
        TokenizedQuestion(item, ids[:question_tokens], known[item.passage], golds_of(item, known[item.passage]))
        for item, ids in zip(items, asked, strict=True)
    ]


def golds_of(item: SpanItem, passage: Passage) -> tuple[tuple[int, int], ...]:
    """The gold answers as tokens of the passage."""
    spans = (
        passage.tokens_of(gold.start, gold.start + len(gold.text))
        for gold in item.golds
        if gold.start is not None and gold.start >= 0 and gold.text
    )
    return tuple(dict.fromkeys(span for span in spans if span is not None))


def placed(text: Text, tokens: Encoding, at: int = 0) -> Passage:
    """The tokens of a piece of a text that begins at `at`."""
    offsets = np.asarray(tokens.offsets, dtype=np.int32).reshape(-1, 2) + np.int32(at)
    return Passage(text, np.asarray(tokens.ids, dtype=np.int32), offsets[:, 0].copy(), offsets[:, 1].copy())
