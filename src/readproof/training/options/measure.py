"""What an option reader scores on groups of statements: how often it finds the odd one, and the truth of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from readproof.training.learner import OUTSIDE
from readproof.training.measure import autocast
from readproof.training.options.model import OptionReader
from readproof.training.options.windows import GroupView, OptionBatch, OptionWindows, collate

Logits = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class OptionScores:
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


def scored(windows: OptionWindows, found: Sequence[Logits], fine_share: float = 0.5) -> OptionScores:
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
    return OptionScores(share, 100.0 * float(np.mean(hits)), float(np.mean(losses)), asked, len(hits))


def windows_by_length(windows: OptionWindows, views: Sequence[GroupView], size: int) -> list[list[GroupView]]:
    """The views in batches of at most so many tokens, padding included; the longest first."""
    longest = {id(view): max(len(windows.tokens[one]) for one in view.numbers) for view in views}
    out: list[list[GroupView]] = []
    count = 0
    for view in sorted(views, key=lambda one: -longest[id(one)]):
        if not out or (count + len(view.numbers)) * longest[id(out[-1][0])] > size:
            out.append([])
            count = 0
        out[-1].append(view)
        count += len(view.numbers)
    return out


# What training an option reader makes small.


@dataclass(frozen=True, slots=True, kw_only=True)
class LossWeights:
    """How much each part counts: each statement's truth, the one among its group, the evidence, the teachers."""

    truth: float = 1.0
    choice: float = 1.0
    evidence: float = 0.3
    said: float = 0.0
    smoothing: float = 0.0


def option_loss(logits: Tensor, rated: Tensor, batch: OptionBatch, weights: LossWeights) -> Tensor:
    """The sum of the parts, each a mean over what it can be told of."""
    total = torch.zeros((), device=logits.device)
    if weights.truth:
        labels = batch.labels * (1 - weights.smoothing) + 0.5 * weights.smoothing
        total = total + weights.truth * truth_loss(logits, labels, batch)
    if weights.choice:
        total = total + weights.choice * choice_loss(logits, batch)
    if weights.evidence:
        total = total + weights.evidence * evidence_loss(rated, batch)
    if weights.said:
        total = total + weights.said * said_loss(logits, batch)
    return total


def truth_loss(logits: Tensor, labels: Tensor, batch: OptionBatch) -> Tensor:
    """Cross-entropy of every statement by itself; one without windows is padding."""
    there = (batch.table[:, 0] >= 0).float()
    each = functional.binary_cross_entropy_with_logits(logits, labels, reduction="none")
    return (each * there).sum() / there.sum().clamp_min(1.0)


def choice_loss(logits: Tensor, batch: OptionBatch) -> Tensor:
    """Cross-entropy over the statements of a group of which one is right: the truest, or the least true."""
    there = batch.rows >= 0
    places = batch.rows.clamp_min(0)
    labels = batch.labels[places].masked_fill(~there, 0.0)
    odd_true = labels.sum(dim=1) == 1
    sign = torch.where(odd_true, 1.0, -1.0)[:, None]
    scores = (sign * logits[places]).masked_fill(~there, OUTSIDE)
    wanted = torch.where(odd_true[:, None], labels, (1 - labels) * there).argmax(dim=1)
    each = functional.cross_entropy(scores, wanted, reduction="none")
    known = batch.one.float()
    return (each * known).sum() / known.sum().clamp_min(1.0)


def evidence_loss(rated: Tensor, batch: OptionBatch) -> Tensor:
    """Cross-entropy of the windows' relevance, where the place of the evidence is known."""
    known = (batch.evidence >= 0).float()
    each = functional.cross_entropy(rated, batch.evidence.clamp_min(0), reduction="none")
    return (each * known).sum() / known.sum().clamp_min(1.0)


def said_loss(logits: Tensor, batch: OptionBatch) -> Tensor:
    """What the teachers think: the truth of each statement, and their shares among the statements of a group."""
    known = ~batch.said.isnan()
    said = batch.said.nan_to_num()
    each = functional.binary_cross_entropy_with_logits(logits, torch.sigmoid(said), reduction="none")
    truth = (each * known).sum() / known.sum().clamp_min(1)
    places = batch.rows.clamp_min(0)
    there = (batch.rows >= 0) & known[places]
    # relative to the others of the group: the same shares whether the odd one is true or false
    ours, theirs = (one[places].masked_fill(~there, 0.0) for one in (logits, said))
    count = there.sum(dim=1, keepdim=True).clamp_min(1)
    apart = (ours - ours.sum(dim=1, keepdim=True) / count) - (theirs - theirs.sum(dim=1, keepdim=True) / count)
    spread = (apart.square() * there).sum() / there.sum().clamp_min(1)
    return truth + 0.1 * spread
