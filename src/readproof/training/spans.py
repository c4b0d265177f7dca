"""From log-probabilities to answers: the best span of every window at once, then the best over a question's windows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from readproof.items import Answer
from readproof.readers.tokens import TokenizedQuestion
from readproof.training.windows import Windows


def best_spans(logs: Tensor, valid: Tensor, *, longest: int = 80, count: int = 4) -> tuple[Tensor, Tensor, Tensor]:
    """For each window its `count` best spans: scores, first tokens, last tokens. Place 0 is never an answer."""
    width = logs.shape[1]
    open_ = valid.clone()
    open_[:, 0] = False
    floor = torch.finfo(torch.float32).min
    scores = logs[:, :, None, 0] + logs[:, None, :, 1]
    place = torch.arange(width, device=logs.device)
    apart = place[None, :] - place[:, None]
    allowed = open_[:, :, None] & open_[:, None, :] & ((apart >= 0) & (apart < longest))[None]
    flat = scores.masked_fill(~allowed, floor).flatten(1)
    found, at = flat.topk(min(count, flat.shape[1]), dim=1)
    return found, at // width, at % width


def answers(
    questions: Sequence[TokenizedQuestion],
    windows: Windows,
    scores: NDArray[np.float32],
    firsts: NDArray[np.int64],
    lasts: NDArray[np.int64],
) -> list[Answer]:
    """An answer a question, cut from the raw passage by offsets; empty where the passage has no token."""
    best: dict[int, tuple[float, int, int]] = {}
    shift = windows.firsts - windows.heads
    for window in range(len(windows)):
        number = int(windows.questions[window])
        score = float(scores[window, 0])
        if score > -1e30 and (number not in best or score > best[number][0]):
            best[number] = (score, int(firsts[window, 0] + shift[window]), int(lasts[window, 0] + shift[window]))
    out = []
    for number, question in enumerate(questions):
        if number not in best:
            out.append(Answer(id=question.item.id))
            continue
        score, first, last = best[number]
        out.append(question.passage.answer(question.item.id, first, last, score=score))
    return out
