"""Every head of a multi-exit span reader asked about every window, in one pass; and what its answers score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from readproof.readers.exits.deciding import Spoken
from readproof.readers.exits.manner import ExitManner
from readproof.readers.exits.policy import Policy, Watch
from readproof.readers.exits.trace import chain, flops
from readproof.training.measure import Prepared, autocast
from readproof.training.multi_exit.model import MultiExit
from readproof.training.scoring import each_of
from readproof.training.spans import answers, best_spans
from readproof.training.windows import by_length, collate


@dataclass(frozen=True, slots=True)
class SpansSaid:
    """By exit and window: the best span (first and last token of the window), its score, and the entropy."""

    exits: tuple[int, ...]
    firsts: NDArray[np.int64]
    lasts: NDArray[np.int64]
    scores: NDArray[np.float32]
    doubts: NDArray[np.float32]


def spans_said(model: MultiExit, prepared: Prepared, *, size: int = 64) -> SpansSaid:
    """What the heads say of all windows."""
    windows, exits = prepared.windows, model.manner.exits
    shape = (len(exits), len(windows))
    firsts, lasts = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    scores, doubts = np.full(shape, -np.inf, np.float32), np.zeros(shape, np.float32)
    device = next(model.parameters()).device
    model.eval()
    with torch.inference_mode(), autocast(device):
        for index in by_length(windows, size):
            batch = collate(windows, index).to(device)
            for at, logs in enumerate(model(batch).values()):
                found = best_spans(logs, batch.valid, count=1)
                scores[at, index], firsts[at, index], lasts[at, index] = (one[:, 0].cpu().numpy() for one in found)
                inside = logs.masked_fill(~batch.valid[:, :, None], 0.0)
                entropy = -(torch.where(batch.valid[:, :, None], logs.exp(), 0.0) * inside).sum(dim=1).mean(dim=1)
                doubts[at, index] = entropy.cpu().numpy()
    return SpansSaid(exits, firsts, lasts, scores, doubts)


def span_scores(
    prepared: Prepared, said: SpansSaid, manner: ExitManner, policy: Policy
) -> tuple[float, float, float, NDArray[np.int64]]:
    """EM and F1 (CMRC's own), FLOPs a question, and the exit of each window, under a rule."""
    windows = prepared.windows
    chosen, layers = np.zeros(len(windows), np.int64), np.zeros(len(windows), np.int64)
    total = 0
    asked = _asked(said.exits, policy)
    for window in range(len(windows)):
        watch = Watch(policy)
        tried: list[int] = []
        for at in asked:
            spoken = _spoken(said, at, window)
            tried.append(said.exits[at])
            chosen[window] = at
            if watch.enough(said.exits[at], spoken.answers.tobytes(), float(spoken.doubts[0])):
                break
        layers[window] = tried[-1]
        length = int(windows.lengths[window])
        total += flops(manner, chain(manner, length, length, tried))
    rows = np.arange(len(windows))
    firsts, lasts = (table[chosen, rows][:, None] for table in (said.firsts, said.lasts))
    found = answers(prepared.questions, windows, said.scores[chosen, rows][:, None], firsts, lasts)
    items = [question.item for question in prepared.questions]
    exact, f1, *_ = each_of(found, items, "cmrc").mean(axis=0) * 100
    return float(exact), float(f1), total / max(1, len(items)), layers


def _asked(exits: Sequence[int], policy: Policy) -> list[int]:
    if policy.rule == "last":
        return [len(exits) - 1]
    return [list(exits).index(int(policy.value))] if policy.rule == "layer" else list(range(len(exits)))


def _spoken(said: SpansSaid, at: int, window: int) -> Spoken:
    span = np.asarray([said.firsts[at, window], said.lasts[at, window]])
    return Spoken(span, said.doubts[at, window : window + 1])


def save_spans(path: Path, said: SpansSaid) -> None:
    with path.open("wb") as file:
        np.savez_compressed(
            file,
            exits=np.asarray(said.exits),
            firsts=said.firsts.astype(np.uint16),
            lasts=said.lasts.astype(np.uint16),
            scores=said.scores.astype(np.float16),
            doubts=said.doubts.astype(np.float16),
        )


def load_spans(path: Path) -> SpansSaid:
    with np.load(path) as found:
        firsts, lasts = (found[name].astype(np.int64) for name in ("firsts", "lasts"))
        scores, doubts = (found[name].astype(np.float32) for name in ("scores", "doubts"))
        return SpansSaid(tuple(int(layer) for layer in found["exits"]), firsts, lasts, scores, doubts)
