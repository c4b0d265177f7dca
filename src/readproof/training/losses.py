"""What training makes small."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from readproof.training.windows import Batch


def gold_targets(batch: Batch, width: int, *, smoothing: float = 0.0) -> Tensor:
    """Target probabilities (batch × length × first, last): each gold of a window has the same share."""
    known = batch.golds >= 0
    places = batch.golds.clamp_min(0)
    target = torch.zeros(len(batch.index), width, 2, device=batch.golds.device)
    target.scatter_add_(1, places, known.float())
    target = target / target.sum(dim=1, keepdim=True).clamp_min(1.0)
    if smoothing:
        even = batch.valid.float() / batch.valid.sum(dim=1, keepdim=True)
        target = target * (1 - smoothing) + even[:, :, None] * smoothing
    return target


def gold_loss(logs: Tensor, batch: Batch, *, smoothing: float = 0.0) -> Tensor:
    """Cross-entropy with the golds, over the labelled windows; the mean of first and last."""
    each = -(gold_targets(batch, logs.shape[1], smoothing=smoothing) * logs).sum(dim=1).mean(dim=1)
    known = batch.labelled.float()
    return (each * known).sum() / known.sum().clamp_min(1.0)


def divergence(logs: Tensor, target_logs: Tensor, valid: Tensor, *, temperature: float = 1.0) -> Tensor:
    """KL(target ‖ prediction) at a temperature, mean over windows and over first and last, times temperature²."""
    outside = ~valid[:, :, None]
    ours = torch.log_softmax((logs / temperature).masked_fill(outside, -1e4), dim=1)
    theirs = torch.log_softmax((target_logs / temperature).masked_fill(outside, -1e4), dim=1)
    each = (theirs.exp() * (theirs - ours)).sum(dim=1).mean(dim=1)
    return each.mean() * temperature**2


def symmetric(logs: Tensor, valid: Tensor) -> Tensor:
    """R-Drop: how far the two halves of a batch, the same windows under two dropout masks, are apart."""
    one, other = logs.chunk(2)
    half = valid[: len(one)]
    return (divergence(one, other, half) + divergence(other, one, half)) / 2


def hidden_loss(ours: Tensor, theirs: Tensor, inside: Tensor) -> Tensor:
    """Mean squared distance of two layers' outputs over all tokens."""
    each = (ours.float() - theirs.float()).square().mean(dim=2)
    return (each * inside).sum() / inside.sum()


def relation_loss(ours: Tensor, theirs: Tensor, inside: Tensor) -> Tensor:
    """MiniLM's value relations: KL between soft-maxed products of value vectors (batch × heads × length × width)."""
    scale = ours.shape[-1] ** -0.5
    ours_logs, theirs_logs = (value @ value.transpose(-1, -2) * scale for value in (ours, theirs))
    outside = ~inside[:, None, None, :]
    ours_logs, theirs_logs = (
        functional.log_softmax(logs.float().masked_fill(outside, -1e4), dim=-1) for logs in (ours_logs, theirs_logs)
    )
    each = (theirs_logs.exp() * (theirs_logs - ours_logs)).sum(dim=-1).mean(dim=1)
    return (each * inside).sum() / inside.sum()
