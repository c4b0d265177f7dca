"""What a reader scores on labelled questions, by the measure of its task; and its log-probabilities, to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from readproof.items import Answer
from readproof.readers.tokens import Question
from readproof.training.learner import SpanLearner
from readproof.training.losses import gold_loss
from readproof.training.nothing import NoAnswer, at_threshold, fitted, nulls_of
from readproof.training.scoring import Metric, each_of
from readproof.training.spans import answers, best_spans
from readproof.training.windows import Windows, by_length, collate


@dataclass(frozen=True, slots=True)
class Prepared:
    """A set to measure on: its questions and their windows."""

    questions: list[Question]
    windows: Windows


@dataclass(frozen=True, slots=True)
class Measured:
    """Percentages of the questions with an answer, by two measures; the mean loss; the answers.

    The second measure is CMRC's simple one; by SQuAD's it is the fair one, which looks past spelling. Where some
    questions have no answer, `nothing` says how all of them are answered with a threshold: the best, or one given.
    """

    exact: float
    f1: float
    simple_exact: float
    simple_f1: float
    loss: float
    answers: list[Answer]
    nothing: NoAnswer | None = None

    @property
    def mean(self) -> float:
        return (self.exact + self.f1) / 2


def log_probabilities(readers: Sequence[SpanLearner], windows: Windows, *, size: int = 64) -> NDArray[np.float16]:
    """The readers' mean log-probabilities of every token of every window, laid end to end like the windows."""
    out = np.full((len(windows.ids), 2), -1e4, dtype=np.float16)
    device = next(readers[0].parameters()).device
    with torch.inference_mode(), autocast(device):
        for index in by_length(windows, size):
            batch = collate(windows, index).to(device)
            logs = sum((reader.eval()(batch)[0] for reader in readers), torch.zeros((), device=device)) / len(readers)
            table = torch.log_softmax(logs.float(), dim=1).clamp_min(-1e4).cpu().numpy()
            for row, window in enumerate(index):
                start, end = windows.offsets[window], windows.offsets[window + 1]
                out[start:end] = table[row, : end - start]
    return out


def measure(
    readers: Sequence[SpanLearner],
    prepared: Prepared,
    *,
    size: int = 64,
    metric: Metric = "cmrc",
    threshold: float | None = None,
) -> Measured:
    """The scores of a reader, or of several whose log-probabilities are averaged."""
    windows = prepared.windows
    shape = (len(windows), 4)
    scores, firsts, lasts = np.full(shape, -np.inf, np.float32), np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    nulls = np.zeros(len(windows), np.float32)
    device = next(readers[0].parameters()).device
    loss = 0.0
    with torch.inference_mode(), autocast(device):
        for index in by_length(windows, size):
            batch = collate(windows, index).to(device)
            logs = sum((reader.eval()(batch)[0] for reader in readers), torch.zeros((), device=device)) / len(readers)
            loss += float(gold_loss(logs, batch)) * len(index)
            nulls[index] = logs[:, 0].sum(dim=1).float().cpu().numpy()
            found = best_spans(logs, batch.valid)
            scores[index], firsts[index], lasts[index] = (tensor.cpu().numpy() for tensor in found)
    said = answers(prepared.questions, windows, scores, firsts, lasts)
    items = [question.item for question in prepared.questions]
    each = each_of(said, items, metric)
    known = np.asarray([not item.impossible for item in items], dtype=bool)
    exact, f1, simple_exact, simple_f1 = (
        float(value) * 100 for value in (each[known].mean(axis=0) if known.any() else np.zeros(4))
    )
    none = nulls_of(windows, nulls, len(items))
    nothing = None
    if not known.all():
        nothing = (
            fitted(said, none, known, each) if threshold is None else at_threshold(said, none, known, each, threshold)
        )
    return Measured(
        exact=exact,
        f1=f1,
        simple_exact=simple_exact,
        simple_f1=simple_f1,
        loss=loss / max(1, len(windows)),
        answers=said,
        nothing=nothing,
    )


def autocast(device: torch.device) -> torch.autocast:
    """bfloat16 where there is a GPU, nothing elsewhere."""
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=device.type == "cuda")
