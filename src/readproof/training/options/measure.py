"""What an option reader scores on groups of statements: how often it finds the odd one, and the truth of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from readproof.training.measure import autocast
from readproof.training.options.model import OptionReader
from readproof.training.options.windows import OptionWindows, View, collate

Logits = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Scored:
    """Percentages: questions whose odd option is found, statements judged rightly; the mean loss; how many."""

    choice: float
    truth: float
    loss: float
    asked: int
    statements: int

    @property
    def main(self) -> float:
        """What choices are made by: the questions, or, where there are none, the statements."""
        return self.choice if self.asked else self.truth


def logits(readers: Sequence[OptionReader], windows: OptionWindows, *, size: int = 65_536) -> list[Logits]:
    """For each group a table: statement × (fine, coarse), the mean over the readers."""
    out = [np.zeros((len(group.statements), 2), dtype=np.float32) for group in windows.groups]
    device = next(readers[0].parameters()).device
    with torch.inference_mode(), autocast(device):
        for form, views in ((0, list(windows.fine)), (1, [view for view in windows.coarse if view is not None])):
            for batch in windows_by_length(windows, views, size):
                tensors = collate(windows, batch).to(device)
                total = sum((reader.eval()(tensors)[0].float() for reader in readers), torch.zeros((), device=device))
                values = (total / len(readers)).cpu().numpy()
                at = 0
                for view in batch:
                    count = len(view.windows)
                    out[view.group][:, form] = values[at : at + count]
                    at += count
    for number, other in enumerate(windows.coarse):
        if other is None:
            out[number][:, 1] = out[number][:, 0]
    return out


def scored(windows: OptionWindows, found: Sequence[Logits], fine_share: float = 0.5) -> Scored:
    """The two passes joined by weights."""
    right = asked = 0
    losses: list[float] = []
    hits: list[bool] = []
    for group, table in zip(windows.groups, found, strict=True):
        joined = table[:, 0] * fine_share + table[:, 1] * (1 - fine_share)
        labels = np.asarray(group.labels)
        losses += list(np.logaddexp(0.0, joined) - joined * labels)
        hits += list((joined > 0) == (labels == 1))
        if group.kind == "one":
            true = labels.sum() == 1
            asked += 1
            right += int(labels.argmax() == joined.argmax() if true else labels.argmin() == joined.argmin())
    share = 100.0 * right / asked if asked else float("nan")
    return Scored(share, 100.0 * float(np.mean(hits)), float(np.mean(losses)), asked, len(hits))


def windows_by_length(windows: OptionWindows, views: Sequence[View], size: int) -> list[list[View]]:
    """The views in batches of at most so many tokens, padding included; the longest first."""
    longest = {id(view): max(len(windows.tokens[one]) for one in view.numbers) for view in views}
    out: list[list[View]] = []
    count = 0
    for view in sorted(views, key=lambda one: -longest[id(one)]):
        if not out or (count + len(view.numbers)) * longest[id(out[-1][0])] > size:
            out.append([])
            count = 0
        out[-1].append(view)
        count += len(view.numbers)
    return out
