"""The training loop, one for everything that is trained: seeded, and resumable in the middle of an epoch.

Every step draws its dropout from a seed of its own, so a run that was killed and goes on from its last checkpoint takes
the same steps as one that was left alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from readproof.training.learner import Learner
from readproof.training.measure import autocast
from readproof.training.optimise import Averaged, optimiser, pushed, set_rate
from readproof.training.recipe import Fit
from readproof.training.windows import Batch, Windows, collate, shuffled

Progress = Callable[[str], None]
Loss = Callable[[Batch], Tensor]
AfterEpoch = Callable[[int, Averaged | None], None]
OnStep = Callable[[int, int], None]


class OutOfTimeError(Exception):
    """The time given was up; where a checkpoint was asked for, the run goes on from there."""


class NotFiniteError(Exception):
    """The loss is no longer a number: the learning rate is too high, or the data is broken."""


def fit(
    reader: Learner,
    windows: Windows,
    loss: Loss,
    how: Fit,
    *,
    progress: Progress | None = None,
    after_epoch: AfterEpoch | None = None,
    out_of_time: Callable[[], bool] | None = None,
    checkpoint: Path | None = None,
    save_every: float = 120.0,
    on_step: OnStep | None = None,
    log_every: int = 100,
) -> Averaged | None:
    """Train in place. Gives the averaged weights if `how.ema` is on.

    A checkpoint is written every `save_every` seconds and stays when the run is done: whoever asked for it takes it
    away once the result is safe. `on_step` hears how many steps are done, and of how many.
    """
    device = next(reader.parameters()).device
    steps_of_epoch = len(shuffled(windows, how.batch, how.seed))
    steps = max(1, round(steps_of_epoch * (how.schedule or how.epochs)))
    adam = optimiser(reader, lr=how.lr, decay=how.weight_decay, layer_decay=how.layer_decay, head=how.head)
    average = Averaged(reader, how.ema) if how.ema else None
    first = _restored(checkpoint, reader, adam, average) if checkpoint and checkpoint.exists() else 0
    begun, seen = time.monotonic(), 0
    saved = begun
    reader.train()
    for epoch in range(how.epochs):
        batches = shuffled(windows, how.batch, how.seed * 1000 + epoch)
        for number, index in enumerate(batches):
            step = epoch * steps_of_epoch + number
            if step < first:
                continue
            if out_of_time and out_of_time():
                if checkpoint:
                    _save(checkpoint, step, reader, adam, average)
                raise OutOfTimeError
            if checkpoint and step > first and time.monotonic() - saved >= save_every:
                _save(checkpoint, step, reader, adam, average)
                saved = time.monotonic()
            torch.manual_seed(how.seed * 100_003 + step)  # so that a resumed run is the same run
            set_rate(adam, step, steps, how.warmup)
            batch = collate(windows, index).to(device)
            value = _backward(loss, batch, device)
            if how.fgm:
                with pushed(reader.words, how.fgm):
                    _backward(loss, batch, device)
            torch.nn.utils.clip_grad_norm_(reader.parameters(), how.clip)
            adam.step()
            adam.zero_grad(set_to_none=True)
            if average:
                average.update()
            seen += len(index)
            if on_step:
                on_step(step + 1, steps_of_epoch * how.epochs)
            if step % log_every == 0 or number + 1 == len(batches):
                number_ = float(value)
                if number_ != number_:
                    raise NotFiniteError(f"loss is not a number at step {step}")
                if progress:
                    rate = seen / max(1e-9, time.monotonic() - begun)
                    progress(f"epoch {epoch + 1} step {step + 1}/{steps} loss {number_:.3f} {rate:.0f} windows/s")
        if (epoch + 1) * steps_of_epoch > first and after_epoch:
            after_epoch(epoch, average)
            reader.train()
    return average


def _backward(loss: Loss, batch: Batch, device: torch.device) -> Tensor:
    with autocast(device):
        value = loss(batch)
    value.backward()  # type: ignore[no-untyped-call]
    return value.detach()


def _save(path: Path, step: int, reader: Learner, adam: torch.optim.Optimizer, average: Averaged | None) -> None:
    state: dict[str, Any] = {"step": step, "reader": reader.state_dict(), "adam": adam.state_dict()}
    if average:
        state["average"] = (average.steps, average.shadow)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    torch.save(state, part)
    part.replace(path)


def _restored(path: Path, reader: Learner, adam: torch.optim.Optimizer, average: Averaged | None) -> int:
    state = torch.load(path, map_location=next(reader.parameters()).device, weights_only=True)
    reader.load_state_dict(state["reader"])
    adam.load_state_dict(state["adam"])
    if average and "average" in state:
        average.steps, average.shadow = state["average"]
    return int(state["step"])
