"""What training an option reader makes small."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from readproof.training.learner import OUTSIDE
from readproof.training.options.windows import OptionBatch


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much each part counts: each statement's truth, the one among its group, the evidence, the teachers."""

    truth: float = 1.0
    choice: float = 1.0
    evidence: float = 0.3
    said: float = 0.0
    smoothing: float = 0.0


def option_loss(logits: Tensor, rated: Tensor, batch: OptionBatch, weights: Weights) -> Tensor:
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
