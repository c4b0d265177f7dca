"""What a student of option readers makes small: the labels, what the teachers said, and how one of them sees it."""

from __future__ import annotations

import torch
from torch import Tensor

from readproof.training.fit import Loss
from readproof.training.losses import hidden_loss
from readproof.training.options.losses import option_loss
from readproof.training.options.model import OptionReader
from readproof.training.options.recipe import OptionStep
from readproof.training.options.windows import OptionBatch


def student_loss(student: OptionReader, guide: OptionReader, step: OptionStep, layers: tuple[int, ...]) -> Loss:
    """The loss of a step; `layers` are those of the guide that the student's own, in order, are to be like."""
    if len(layers) != student.layers:
        raise ValueError(f"{len(layers)} layers for {student.layers}")

    def loss(batch: OptionBatch) -> Tensor:
        ours = student.bert(batch.ids, batch.types, batch.seen)
        total = option_loss(*student.judged(ours, batch), batch, step.weights)
        if step.hidden:
            with torch.no_grad():
                theirs = guide.eval().bert(batch.ids, batch.types, batch.seen)
            pairs = zip(ours.layers, layers, strict=True)
            apart = [hidden_loss(layer, theirs.layers[chosen], batch.mask) for layer, chosen in pairs]
            total = total + step.hidden * torch.stack(apart).mean()
        return total

    return loss


def matched(few: int, many: int) -> tuple[int, ...]:
    """For each of a few layers the one as high among many: of 12 for 6 these are 1, 3, 5, 7, 9, 11."""
    return tuple(max(0, round((number + 1) * many / few) - 1) for number in range(few))
