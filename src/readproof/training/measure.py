"""What a reader scores on labelled questions, by CMRC 2018's two measures; and its log-probabilities, to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from readproof.items import Answer
from readproof.readers.tokens import Question
from readproof.tasks.metrics.cmrc import official, simple
from readproof.training.learner import SpanLearner
from readproof.training.losses import gold_loss
from readproof.training.spans import answers, best_spans
from readproof.training.windows import Windows, by_length, collate


@dataclass(frozen=True, slots=True)
class Prepared:
    """A set to measure on: its questions and their windows."""

    questions: list[Question]
    windows: Windows


@dataclass(frozen=True, slots=True)
class Measured:
    """Percentages by the official and the simple measure, the mean loss, and the answers."""

    exact: float
    f1: float
    simple_exact: float
    simple_f1: float
    loss: float
    answers: list[Answer]

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


def measure(readers: Sequence[SpanLearner], prepared: Prepared, *, size: int = 64) -> Measured:
    """The scores of a reader, or of several whose log-probabilities are averaged."""
    windows = prepared.windows
    shape = (len(windows), 4)
    scores, firsts, lasts = np.full(shape, -np.inf, np.float32), np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    device = next(readers[0].parameters()).device
    loss = 0.0
    with torch.inference_mode(), autocast(device):
        for index in by_length(windows, size):
            batch = collate(windows, index).to(device)
            logs = sum((reader.eval()(batch)[0] for reader in readers), torch.zeros((), device=device)) / len(readers)
            loss += float(gold_loss(logs, batch)) * len(index)
            found = best_spans(logs, batch.valid)
            scores[index], firsts[index], lasts[index] = (tensor.cpu().numpy() for tensor in found)
    said = answers(prepared.questions, windows, scores, firsts, lasts)
    pairs = [
        (answer.text, [gold.text for gold in question.item.golds])
        for answer, question in zip(said, prepared.questions, strict=True)
    ]
    each = np.asarray([(*official(*pair), *simple(*pair)) for pair in pairs]).reshape(-1, 4)
    exact, f1, simple_exact, simple_f1 = (float(value) * 100 for value in each.mean(axis=0))
    return Measured(
        exact=exact,
        f1=f1,
        simple_exact=simple_exact,
        simple_f1=simple_f1,
        loss=loss / max(1, len(windows)),
        answers=said,
    )


def autocast(device: torch.device) -> torch.autocast:
    """bfloat16 where there is a GPU, nothing elsewhere."""
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=device.type == "cuda")
