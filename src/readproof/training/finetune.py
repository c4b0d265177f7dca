"""Fine-tuning a span reader: stages of data sets, with R-Drop, FGM, smoothing and averaging as the recipe says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import torch
from torch import Tensor

from readproof.training.fit import AfterEpoch, Loss, Progress, fit
from readproof.training.losses import gold_loss, symmetric
from readproof.training.model import SpanReader
from readproof.training.optimise import Averaged
from readproof.training.recipe import Recipe
from readproof.training.windows import Batch, Windows, joined

AfterStageEpoch = Callable[[int, int, Averaged | None], None]


def finetune(
    reader: SpanReader,
    sets: Mapping[str, Windows],
    recipe: Recipe,
    *,
    progress: Progress | None = None,
    after_epoch: AfterStageEpoch | None = None,
    out_of_time: Callable[[], bool] | None = None,
    checkpoint: Path | None = None,
) -> Averaged | None:
    """Train in place through all stages; gives the averaged weights of the last one if it keeps an average."""
    average = None
    for number, stage in enumerate(recipe.stages):
        average = fit(
            reader,
            joined([sets[name] for name in stage.sets]),
            span_loss(reader, rdrop=recipe.rdrop, smoothing=recipe.smoothing),
            stage.fit,
            progress=progress,
            after_epoch=_of_stage(after_epoch, number),
            out_of_time=out_of_time,
            checkpoint=checkpoint and checkpoint.with_name(f"{checkpoint.stem}-{number}.pt"),
        )
    return average


def span_loss(reader: SpanReader, *, rdrop: float = 0.0, smoothing: float = 0.0) -> Loss:
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


def _of_stage(after_epoch: AfterStageEpoch | None, number: int) -> AfterEpoch | None:
    if after_epoch is None:
        return None
    return lambda epoch, average: after_epoch(number, epoch, average)
