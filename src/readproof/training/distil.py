"""Distilling: a student of fewer layers learns what its teachers say of every window, and how one of them sees it."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from readproof.training.encoder import chosen_layers
from readproof.training.fit import Loss
from readproof.training.losses import divergence, gold_loss, hidden_loss, relation_loss
from readproof.training.model import SpanReader, plain_state, reader_from
from readproof.training.recipe import DistilRecipe
from readproof.training.windows import Batch, Windows


def student_of(teacher: SpanReader, layers: tuple[int, ...], *, dropout: float = 0.1) -> SpanReader:
    """A reader with copies of the teacher's head, embeddings and chosen layers."""
    state = plain_state(teacher)
    inner = {name.removeprefix("bert."): tensor for name, tensor in state.items() if name.startswith("bert.")}
    outer = {name: tensor for name, tensor in state.items() if not name.startswith("bert.")}
    few = {f"bert.{name}": tensor for name, tensor in chosen_layers(inner, layers).items()}
    return reader_from({**few, **outer}, dropout=dropout)


def distil_loss(
    student: SpanReader, teacher: SpanReader, windows: Windows, said: NDArray[np.float16], recipe: DistilRecipe
) -> Loss:
    """Golds, the teachers' distributions, one teacher's hidden states and value relations, weighted by the recipe."""

    def loss(batch: Batch) -> Tensor:
        logs, ours = student(batch)
        target = gathered(windows, said, batch.index, logs.shape[1]).to(logs.device)
        total = recipe.logits * divergence(logs, target, batch.valid, temperature=recipe.temperature)
        if recipe.gold:
            total = total + recipe.gold * gold_loss(logs, batch)
        if recipe.hidden or recipe.relation:
            with torch.no_grad():
                theirs = teacher.eval().bert(batch.ids, batch.types, batch.mask)
            if recipe.hidden:
                pairs = zip(ours.layers, recipe.layers, strict=True)
                apart = [hidden_loss(layer, theirs.layers[chosen], batch.mask) for layer, chosen in pairs]
                total = total + recipe.hidden * torch.stack(apart).mean()
            if recipe.relation:
                total = total + recipe.relation * relation_loss(ours.values, theirs.values, batch.mask)
        return total

    return loss


def gathered(windows: Windows, said: NDArray[np.float16], index: NDArray[np.int64], width: int) -> Tensor:
    """The rows of `said` that belong to some windows, padded to `width`."""
    out = np.full((len(index), width, 2), -1e4, dtype=np.float32)
    for row, window in enumerate(index):
        start, end = windows.offsets[window], windows.offsets[window + 1]
        out[row, : end - start] = said[start:end]
    return torch.from_numpy(out)
