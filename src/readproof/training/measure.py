"""What a reader scores on labelled questions, by the measure of its task; and its log-probabilities, to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray

from readproof.items import Answer, SpanItem
from readproof.readers.tokens import TokenizedQuestion
from readproof.tasks.metrics.cmrc import official, simple
from readproof.tasks.metrics.squad import version_2
from readproof.tasks.persianqa import fair
from readproof.text import ZWNJ
from readproof.training.learner import SpanLearner
from readproof.training.losses import gold_loss
from readproof.training.no_answer_threshold import NoAnswerFit, at_threshold, fitted, nulls_of
from readproof.training.spans import answers, best_spans
from readproof.training.windows import Windows, by_length, collate

# The measures that training looks at: CMRC 2018's two for Chinese, SQuAD 2.0's for words between spaces.


Metric = Literal["cmrc", "squad2"]


def each_of(answers: Sequence[Answer], items: Sequence[SpanItem], metric: Metric) -> NDArray[Any]:
    """For each question exact match and F1, by the measure and by its looser sister (see `Measured`)."""
    rows = []
    for answer, item in zip(answers, items, strict=True):
        golds = [gold.text for gold in item.golds]
        if metric == "cmrc":
            rows.append((*official(answer.text, golds), *simple(answer.text, golds)))
        else:
            spaced = version_2(_spaced(answer.text), list(map(_spaced, golds or [""])))
            rows.append((*spaced, *fair(answer.text, golds or [""])))
    return np.asarray(rows, dtype=np.float64).reshape(-1, 4)


def _spaced(text: str) -> str:
    """The non-joiner counts as a space, as PersianQA's own scorer has it."""
    return text.replace(ZWNJ, " ")


@dataclass(frozen=True, slots=True)
class EvalSet:
    """A set to measure on: its questions and their windows."""

    questions: list[TokenizedQuestion]
    windows: Windows


@dataclass(frozen=True, slots=True)
class EvalResult:
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
    nothing: NoAnswerFit | None = None

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
    prepared: EvalSet,
    *,
    size: int = 64,
    metric: Metric = "cmrc",
    threshold: float | None = None,
) -> EvalResult:
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
    return EvalResult(
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
