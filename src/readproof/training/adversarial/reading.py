"""The reader that is being trained, as the attacks ask it: whole populations of variants at once.

Items become windows where the attack runs, which may be another process; only windows go to the weights. `Windowed` is
what answers them: `TorchWindows` over the weights themselves, or a line to the process that has them (see `crew`).
Every call is read by itself, so what is found does not hang on who else asks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from readproof.items import Answer, Item, SpanItem
from readproof.lang.forms import Kind
from readproof.readers.api import DISTRIBUTION, GRADIENTS, SPANS, need
from readproof.readers.gradients import Slot, columns_of, estimates, torch_slopes
from readproof.readers.spans import Floats
from readproof.readers.tokens import Ints, TokenizedQuestion
from readproof.training.begin import Start
from readproof.training.learner import SpanLearner
from readproof.training.losses import gold_targets
from readproof.training.measure import EvalSet, autocast
from readproof.training.sets import prepare
from readproof.training.start import BertStart
from readproof.training.windows import Windows, by_length, collate

Prepare = Callable[[list[SpanItem]], EvalSet]
Top = tuple[NDArray[np.float32], NDArray[np.int32], NDArray[np.int32]]

_LONGEST = 80
_BATCH = 128
_MOST_SPANS = 20


class Windowed(Protocol):
    """What can be asked about windows."""

    def spans(self, windows: Windows, count: int) -> Top:
        """For each window its `count` best spans: scores (logarithms of probabilities), first and last places."""
        ...

    def slopes(self, windows: Windows, at: Ints, tokens: Ints) -> Floats:
        """Slopes of the loss (see `readers.gradients`) at some places, each a window and a place in it."""
        ...


class TorchWindows:
    """The weights themselves; a model that is being trained goes on being trained afterwards."""

    def __init__(self, model: SpanLearner) -> None:
        self._model = model

    def spans(self, windows: Windows, count: int) -> Top:
        device = next(self._model.parameters()).device
        found = (
            np.full((len(windows), count), -np.inf, np.float32),
            np.zeros((len(windows), count), np.int32),
            np.zeros((len(windows), count), np.int32),
        )
        training = self._model.training
        self._model.eval()
        with torch.inference_mode(), autocast(device):
            for index in by_length(windows, _BATCH):
                batch = collate(windows, index).to(device)
                best = top_spans(self._model(batch)[0], batch.valid, count=count)
                for table, part in zip(found, best, strict=True):
                    table[index, : part.shape[1]] = part.cpu().numpy()
        self._model.train(training)
        return found

    def slopes(self, windows: Windows, at: Ints, tokens: Ints) -> Floats:
        device = next(self._model.parameters()).device
        table = self._model.words
        out = np.zeros((len(at), len(tokens) + 1), np.float32)
        training = self._model.training
        self._model.eval()
        kept: list[Tensor] = []
        # a table that does not learn has slopes all the same
        hook = _embedding(self._model).register_forward_hook(
            lambda _module, _given, found: kept.append(found if found.requires_grad else found.requires_grad_())
        )
        try:
            for index in by_length(windows, _BATCH // 2):
                rows = np.flatnonzero(np.isin(at[:, 0], index))
                if not len(rows):
                    continue
                batch = collate(windows, index).to(device)
                kept.clear()
                with torch.enable_grad(), autocast(device):
                    logs = self._model(batch)[0]
                    # a sum: the windows of a batch must not weaken each other's gradients
                    loss = -(gold_targets(batch, logs.shape[1]) * logs).sum()
                row_of = {int(window): row for row, window in enumerate(index)}
                places = torch.as_tensor([[row_of[int(one)], int(place)] for one, place in at[rows]], device=device)
                out[rows] = torch_slopes(loss, kept[0], places, table.detach(), tokens)
        finally:
            hook.remove()
            self._model.train(training)
        return out


def top_spans(logs: Tensor, valid: Tensor, *, count: int, longest: int = _LONGEST) -> tuple[Tensor, Tensor, Tensor]:
    """The best spans of each window; scores below the floor are spans that do not exist. Place 0 is never in one."""
    width = logs.shape[1]
    longest = min(longest, width)
    open_ = valid.clone()
    open_[:, 0] = False
    floor = torch.finfo(torch.float32).min / 4
    first = logs[:, :, 0].float().masked_fill(~open_, floor)
    last = logs[:, :, 1].float().masked_fill(~open_, floor)
    padded = torch.nn.functional.pad(last, (0, longest - 1), value=floor)
    scores = (first[:, :, None] + padded.unfold(1, longest, 1)).flatten(1)
    found, at = scores.topk(min(count, scores.shape[1]), dim=1)
    firsts = torch.div(at, longest, rounding_mode="floor")
    return found, firsts, firsts + at % longest


class WindowReader:
    """A reader over windows: it answers, says how likely spans are, and what other words would do."""

    capabilities = frozenset({SPANS, DISTRIBUTION, GRADIENTS})

    def __init__(self, model: Windowed, prepare: Prepare, *, name: str = "in training") -> None:
        self.name = name
        self._model = model
        self._prepare = prepare
        self._known: dict[tuple[Kind | None, str], Ints] = {}

    @property
    def fingerprint(self) -> str:
        return self.name

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        """One answer an item, in order."""
        for item in items:
            need(self, item)
        return self.answers([item for item in items if isinstance(item, SpanItem)])

    def answers(self, items: Sequence[SpanItem]) -> list[Answer]:
        """The likeliest span of each item."""
        found = zip(items, self.likeliest(items, 1), strict=True)
        return [spans[0] if spans else Answer(id=item.id) for item, spans in found]

    def likeliest(self, items: Sequence[SpanItem], count: int = _MOST_SPANS) -> list[list[Answer]]:
        """The likeliest spans of each item as answers."""
        prepared = self._prepare(list(items))
        return [
            [
                question.passage.answer(question.item.id, first, last, score=share, confidence=share)
                for share, first, last in spans
            ]
            for question, spans in zip(prepared.questions, self._best(prepared, count), strict=True)
        ]

    def distribution(self, item: SpanItem, count: int = _MOST_SPANS) -> list[tuple[int, int, float]]:
        """The likeliest spans: raw start, raw end, probability."""
        return self.distributions([item], count)[0]

    def distributions(self, items: Sequence[SpanItem], count: int = _MOST_SPANS) -> list[list[tuple[int, int, float]]]:
        """The likeliest spans of each item."""
        prepared = self._prepare(list(items))
        return [
            [(*question.passage.raw_span(first, last), share) for share, first, last in spans]
            for question, spans in zip(prepared.questions, self._best(prepared, count), strict=True)
        ]

    def _best(self, prepared: EvalSet, count: int) -> list[list[tuple[float, int, int]]]:
        """Probability, first and last token; a span seen in several windows has the best of its probabilities."""
        windows = prepared.windows
        merged: list[dict[tuple[int, int], float]] = [{} for _ in prepared.questions]
        if len(windows):
            scores, firsts, lasts = self._model.spans(windows, count)
            shares = np.exp(np.minimum(scores, 0.0).astype(np.float64))
            shift = windows.firsts - windows.heads
            for window, number in enumerate(windows.questions.tolist()):
                into = merged[number]
                for share, first, last in zip(shares[window], firsts[window], lasts[window], strict=True):
                    if share > 0:
                        span = int(first + shift[window]), int(last + shift[window])
                        into[span] = max(into.get(span, 0.0), float(share))
        return [
            sorted(((share, *span) for span, share in spans.items()), key=lambda one: (-one[0], one[1], one[2]))[:count]
            for spans in merged
        ]

    def exchanges(
        self,
        items: Sequence[SpanItem],
        places: Sequence[Sequence[tuple[int, int]]],
        words: Sequence[Sequence[str]],
    ) -> list[Floats]:
        """What other words would do, by the gradients (see `base.Gradients`)."""
        prepared = self._prepare(list(items))
        windows, questions = prepared.windows, prepared.questions
        kinds = [_kind(question) for question in questions]
        # a word would be read in the form of the passage that it comes into
        asked = [(kind, word) for kind, some in zip(kinds, words, strict=True) for word in some]
        different = list(dict.fromkeys(asked))
        self._know(different, dict(zip(kinds, (item.passage for item in items), strict=True)))
        spans = [[one.passage.tokens_of(*place) for place in some] for one, some in zip(questions, places, strict=True)]
        own = [
            question.passage.ids[span[0] : span[1] + 1]
            for question, some in zip(questions, spans, strict=True)
            for span in some
            if span
        ]
        tokens, column, table = columns_of([self._known[one] for one in different] + own)
        row_of = {one: row for row, one in enumerate(different)}
        at: list[tuple[int, int]] = []
        slots: list[list[list[Slot]]] = [[[] for _ in some] for some in places]
        for window, number in enumerate(windows.questions.tolist()):
            passage, begin = questions[number].passage, int(windows.firsts[window])
            head, frame = int(windows.heads[window]), len(windows.frame.after)
            end = begin + int(windows.lengths[window]) - head - frame
            for place, found in enumerate(spans[number]):
                if found is None or found[0] < begin or found[1] >= end:
                    continue
                inside = range(found[0], found[1] + 1)
                rows = tuple(range(len(at), len(at) + len(inside)))
                at += [(window, token - begin + head) for token in inside]
                slots[number][place].append(Slot(rows, tuple(column[int(passage.ids[token])] for token in inside)))
        slopes = self._model.slopes(windows, np.asarray(at, dtype=np.int32).reshape(-1, 2), tokens)
        return [
            estimates(slopes, slots[number], table[[row_of[kinds[number], word] for word in some]])
            for number, some in enumerate(words)
        ]

    def _know(self, words: Sequence[tuple[Kind | None, str]], passages: Mapping[Kind | None, str]) -> None:
        """The tokens of words in the form of a passage, any of its kind; asked of the tokenizer once."""
        new = [one for one in words if one not in self._known]
        items = [SpanItem(id=word, passage=passages[kind], question=word) for kind, word in new]
        asked = self._prepare(items).questions if new else []
        self._known.update((known, one.ids) for known, one in zip(new, asked, strict=True))


def _kind(question: TokenizedQuestion) -> Kind | None:
    return question.passage.shown.kind if question.passage.shown else None


def preparing(start: Start, *, max_tokens: int, overlap: int) -> Prepare:
    """Items as tokens and windows, with a tokenizer that is made once."""
    if isinstance(start, BertStart):
        tokenizer = start.vocabulary.tokenizer()
        return lambda items: prepare(items, tokenizer, max_tokens=max_tokens, overlap=overlap)
    return lambda items: start.prepared(items, max_tokens=max_tokens, overlap=overlap)


def _embedding(model: SpanLearner) -> nn.Module:
    """The module that looks the word vectors up."""
    table = model.words
    return next(one for one in model.modules() if isinstance(one, nn.Embedding) and one.weight is table)
