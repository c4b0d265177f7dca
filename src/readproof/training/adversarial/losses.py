"""What hardening makes small: wrong answers, attacked readings that differ from clean ones, and what is forgotten."""

from __future__ import annotations

import torch
from torch import Tensor

from readproof.training.adversarial.batches import MixedBatch
from readproof.training.adversarial.recipe import Recipe
from readproof.training.fit import Loss
from readproof.training.learner import OUTSIDE, SpanLearner
from readproof.training.losses import divergence, gold_loss


def hardening_loss(reader: SpanLearner, recipe: Recipe) -> Loss:
    """The weighted sum that the recipe names."""

    def loss(batch: MixedBatch) -> Tensor:
        logs: Tensor = reader(batch.windows)[0]
        total: Tensor = logs.sum() * 0.0
        if recipe.gold:
            total = total + recipe.gold * gold_loss(logs, batch.windows, smoothing=recipe.smoothing)
        if recipe.consistency and len(batch.partners):
            total = total + recipe.consistency * agreement(logs, batch)
        if batch.said is not None and recipe.distil:
            valid = batch.windows.valid[batch.clean]
            heat = recipe.temperature
            total = total + recipe.distil * divergence(logs[batch.clean], batch.said, valid, temperature=heat)
        if batch.said is not None and recipe.carried and len(batch.partners):
            total = total + recipe.carried * carried(logs, batch)
        return total

    return loss


def agreement(logs: Tensor, batch: MixedBatch) -> Tensor:
    """How far each attacked reading is from its clean one: the symmetric divergence over the tokens that both have,
    and what of the attacked reading's belief went to tokens that were not there before.
    """
    ours, theirs, shared = _both(logs, logs[batch.partners[:, 1]], batch)
    apart = (theirs.exp() * (theirs - ours)).sum(dim=1) + (ours.exp() * (ours - theirs)).sum(dim=1)
    return (apart.mean() / 2) + _strayed(logs, batch, shared)


def carried(logs: Tensor, batch: MixedBatch) -> Tensor:
    """How far each attacked reading is from what the reader before said of the clean window."""
    if batch.said is None:
        raise ValueError("nothing was said of the clean windows")
    place = torch.full((len(logs),), -1, dtype=torch.int64, device=logs.device)
    place[batch.clean] = torch.arange(len(batch.clean), device=logs.device)
    ours, theirs, shared = _both(logs, batch.said[place[batch.partners[:, 1]]], batch)
    return (theirs.exp() * (theirs - ours)).sum(dim=1).mean() + _strayed(logs, batch, shared)


def _both(logs: Tensor, theirs: Tensor, batch: MixedBatch) -> tuple[Tensor, Tensor, Tensor]:
    """Both readings over the shared places of the attacked windows, each normalised there."""
    origins = batch.origins[batch.partners[:, 0]]
    shared = (origins >= 0)[:, :, None]
    places = origins.clamp_min(0)[:, :, None].expand(-1, -1, 2)
    moved = theirs.float().gather(1, places).masked_fill(~shared, OUTSIDE)
    ours = logs[batch.partners[:, 0]].masked_fill(~shared, OUTSIDE)
    return torch.log_softmax(ours, dim=1), torch.log_softmax(moved, dim=1), shared


def _strayed(logs: Tensor, batch: MixedBatch, shared: Tensor) -> Tensor:
    """-log of the probability that stays with the shared tokens; nothing where all does."""
    kept = torch.logsumexp(logs[batch.partners[:, 0]].masked_fill(~shared, OUTSIDE), dim=1)
    return -kept.clamp_max(0.0).mean()
