"""What a multi-exit training makes small: the weighed loss of all heads, and how far they are from a better one."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional

from readproof.readers.exits.manner import Kind
from readproof.training.fit import Loss
from readproof.training.losses import divergence, gold_loss
from readproof.training.multi_exit.model import MultiExit
from readproof.training.multi_exit.recipe import ExitPlan, Weighing
from readproof.training.multi_exit.rows import UNKNOWN, ExitBatch
from readproof.training.windows import Batch

_NOTHING = -1e4


def exit_loss(model: MultiExit, plan: ExitPlan, teacher: MultiExit | None = None) -> Loss:
    """The weighed mean of all heads' losses, and of their distance from the last head or from a teacher's."""
    manner = model.manner
    shares = exit_weights(plan.weights, manner.exits)
    only = manner.layers if plan.weights == "last" else None

    def loss(batch: ExitBatch | Batch) -> Tensor:
        scores = model(batch, equilibrium=plan.equilibrium, only=only)
        parts = [
            share * task_loss(manner.kind, scores[layer], batch, smoothing=plan.smoothing)
            for layer, share in zip(manner.exits, shares, strict=True)
            if share
        ]
        total = torch.stack(parts).sum()
        if not plan.taught:
            return total
        if teacher is None:
            said, pupils = scores[manner.layers].detach(), manner.exits[:-1]
        else:
            with torch.no_grad():
                said = teacher.eval()(batch, only=teacher.manner.layers)[teacher.manner.layers]
            pupils = tuple(scores)
        for layer in pupils:
            if layer in scores:
                apart = distance(manner.kind, scores[layer], said, batch, temperature=plan.temperature)
                total = total + plan.taught * shares[manner.exits.index(layer)] * apart
        return total

    return loss


def exit_weights(weighing: Weighing, exits: Sequence[int]) -> list[float]:
    """How much each head counts; all together one."""
    raw = {
        "even": [1.0] * len(exits),
        "depth": [float(layer) for layer in exits],
        "last": [0.0] * (len(exits) - 1) + [1.0],
    }[weighing]
    return [one / sum(raw) for one in raw]


def task_loss(kind: Kind, scores: Tensor, batch: ExitBatch | Batch, *, smoothing: float = 0.0) -> Tensor:
    """The cross-entropy of one head."""
    if isinstance(batch, Batch):
        return gold_loss(scores, batch, smoothing=smoothing)
    targets = batch.targets.flatten()
    total = functional.cross_entropy(
        tabled(kind, scores, batch),
        targets,
        ignore_index=UNKNOWN,
        label_smoothing=0.0 if kind == "choice" else smoothing,
        reduction="sum",
    )
    # not the mean that torch takes: that of a batch where nothing is known would be no number
    return total / (targets != UNKNOWN).sum().clamp_min(1)


def tabled(kind: Kind, scores: Tensor, batch: ExitBatch) -> Tensor:
    """Scores as a table, a row a thing that is asked: a headline, a question with its options, a character."""
    if kind != "choice":
        return scores.flatten(0, 1)
    flat = scores.flatten()[batch.table.clamp_min(0)]
    return flat.masked_fill(batch.table < 0, _NOTHING)


def distance(kind: Kind, scores: Tensor, said: Tensor, batch: ExitBatch | Batch, *, temperature: float) -> Tensor:
    """KL from what a better head said."""
    if isinstance(batch, Batch):
        return divergence(scores, said, batch.valid, temperature=temperature)
    ours, theirs = (functional.log_softmax(tabled(kind, one, batch) / temperature, dim=1) for one in (scores, said))
    each = (theirs.exp() * (theirs - ours)).sum(dim=1)
    inside = (torch.ones_like(batch.table[:, 0]) if kind == "choice" else batch.places.flatten() >= 0).float()
    return (each * inside).sum() / inside.sum().clamp_min(1.0) * temperature**2
