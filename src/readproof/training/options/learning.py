"""How a job of a teacher begins, and by what it learns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from readproof.training.fit import Loss
from readproof.training.options.bench import OptionBench
from readproof.training.options.losses import option_loss
from readproof.training.options.model import OptionReader
from readproof.training.options.recipe import OptionStage
from readproof.training.options.windows import OptionBatch
from readproof.training.site import Judged

_TEACHER_SEED = 1234


def begun(bench: OptionBench, before: str | None, seed: int) -> OptionReader:
    torch.manual_seed(_TEACHER_SEED + seed)  # new heads are drawn from it
    state = bench.work.load(before) if before else bench.start.state()
    teachers = bench.plan.teachers
    return bench.reader(state, dropout=teachers.dropout, frozen=teachers.frozen)


def gold_loss(reader: OptionReader, stage: OptionStage) -> Loss:
    def loss(batch: OptionBatch) -> Tensor:
        logits, rated = reader(batch)
        return option_loss(logits, rated, batch, stage.weights)

    return loss


def no_judge(readers: Sequence[Any]) -> Judged:  # noqa: ARG001 -- the last weights are kept, whatever they score
    return {}, None
