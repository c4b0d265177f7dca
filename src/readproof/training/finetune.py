"""What fine-tuning a span reader makes small: the golds, and, with R-Drop, the quarrel of two dropout masks."""

from __future__ import annotations

import torch
from torch import Tensor

from readproof.training.fit import Loss
from readproof.training.learner import SpanLearner
from readproof.training.losses import gold_loss, symmetric
from readproof.training.windows import Batch


def span_loss(reader: SpanLearner, *, rdrop: float = 0.0, smoothing: float = 0.0) -> Loss:
    """Cross-entropy with the golds; with `rdrop`, over two dropout masks that must agree."""

    def loss(batch: Batch) -> Tensor:
        if not rdrop:
            return gold_loss(reader(batch)[0], batch, smoothing=smoothing)
        twice = doubled(batch)
        logs = reader(twice)[0]
        return gold_loss(logs, twice, smoothing=smoothing) + rdrop * symmetric(logs, twice.valid)

    return loss


def doubled(batch: Batch) -> Batch:
    """The same windows twice."""

    def twice(tensor: Tensor) -> Tensor:
        return torch.cat((tensor, tensor))

    return Batch(
        index=batch.index.repeat(2),
        ids=twice(batch.ids),
        types=twice(batch.types),
        mask=twice(batch.mask),
        valid=twice(batch.valid),
        golds=twice(batch.golds),
        labelled=twice(batch.labelled),
    )
