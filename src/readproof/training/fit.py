"""The training loop, one for everything that is trained: seeded, and resumable in the middle of an epoch.

Every step draws its dropout from a seed of its own, so a run that was killed and goes on from its last checkpoint takes
the same steps as one that was left alone.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import accumulate
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor

from readproof.training.learner import Learner
from readproof.training.measure import autocast
from readproof.training.optimise import Averaged, optimiser, pushed, set_rate
from readproof.training.recipe import Fit
from readproof.training.replay import Replayed

Progress = Callable[[str], None]
# the batch is whatever the examples collate: windows of span questions, statements about options
Loss = Callable[[Any], Tensor]
AfterEpoch = Callable[[int, Averaged | None], None]
OnStep = Callable[[int, int], None]

_AHEAD = 2


class OutOfTimeError(Exception):
    """The time given was up; where a checkpoint was asked for, the run goes on from there."""


class NotFiniteError(Exception):
    """The loss is no longer a number: the learning rate is too high, or the data is broken."""


class Examples(Protocol):
    """What is trained on: batches in an order drawn from a seed, and a batch as tensors (with `to(device)`)."""

    def batches(self, size: int, seed: int) -> Sequence[Any]: ...

    def collate(self, batch: Any) -> Any: ...


def fit(
    reader: Learner,
    examples: Examples,
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
    replay: bool = False,
) -> Averaged | None:
    """Train in place. Gives the averaged weights if `how.ema` is on.

    A checkpoint is written every `save_every` seconds and stays when the run is done: whoever asked for it takes it
    away once the result is safe. `on_step` hears how many steps are done, and of how many. `replay` records steps on a
    CUDA device: for a loss that hangs on nothing but the tensors of its batch.
    """
    device = next(reader.parameters()).device
    order = [examples.batches(how.batch, how.seed * 1000 + epoch) for epoch in range(how.epochs)]
    begins = [0, *accumulate(map(len, order))]
    steps = max(1, round(begins[-1] * (how.schedule or how.epochs) / how.epochs))
    replay = replay and device.type == "cuda"
    adam = optimiser(
        reader, lr=how.lr, decay=how.weight_decay, layer_decay=how.layer_decay, head=how.head, recorded=replay
    )
    average = Averaged(reader, how.ema) if how.ema else None
    first = restored_training(checkpoint, reader, adam, average) if checkpoint and checkpoint.exists() else 0

    def taken(batch: Any) -> Tensor:
        adam.zero_grad(set_to_none=True)
        value = backward(loss, batch, device)
        if how.fgm:
            with pushed(reader.words, how.fgm):
                backward(loss, batch, device)
        torch.nn.utils.clip_grad_norm_(reader.parameters(), how.clip)
        adam.step()
        return value

    take = Replayed(taken) if replay else taken
    begun, seen = time.monotonic(), 0
    saved = begun
    reader.train()
    for epoch, batches in enumerate(order):
        skipped = max(0, first - begins[epoch])
        for number, batch in enumerate(ahead(examples, batches[skipped:], device), start=skipped):
            step = begins[epoch] + number
            if out_of_time and out_of_time():
                if checkpoint:
                    save_training(checkpoint, step, reader, adam, average)
                raise OutOfTimeError
            if checkpoint and step > first and time.monotonic() - saved >= save_every:
                save_training(checkpoint, step, reader, adam, average)
                saved = time.monotonic()
            torch.manual_seed(how.seed * 100_003 + step)  # so that a resumed run is the same run
            set_rate(adam, step, steps, how.warmup)
            value = take(batch)
            if average:
                average.update()
            seen += len(batch.ids)
            if on_step:
                on_step(step + 1, begins[-1])
            if step % log_every == 0 or number + 1 == len(batches):
                number_ = float(value)
                if number_ != number_:
                    raise NotFiniteError(f"loss is not a number at step {step}")
                if progress:
                    rate = seen / max(1e-9, time.monotonic() - begun)
                    progress(f"epoch {epoch + 1} step {step + 1}/{steps} loss {number_:.3f} {rate:.0f} windows/s")
        if begins[epoch + 1] > first and after_epoch:
            after_epoch(epoch, average)
            reader.train()
    adam.zero_grad(set_to_none=True)
    return average


def ahead(examples: Examples, batches: Sequence[Any], device: torch.device) -> Iterator[Any]:
    """The batches as tensors on the device, each made while the one before is worked on."""

    def made(batch: Any) -> Any:
        return examples.collate(batch).to(device)

    with ThreadPoolExecutor(1) as worker:
        waiting: deque[Future[Any]] = deque()
        for batch in batches:
            waiting.append(worker.submit(made, batch))
            if len(waiting) > _AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def backward(loss: Loss, batch: Any, device: torch.device) -> Tensor:
    """One forward and backward pass; gives the loss."""
    with autocast(device):
        value = loss(batch)
    value.backward()  # type: ignore[no-untyped-call]
    return value.detach()


def save_training(
    path: Path, step: int, reader: Learner, adam: torch.optim.Optimizer, average: Averaged | None
) -> None:
    """All that a run needs to go on; the file appears whole or not at all."""
    state: dict[str, Any] = {"step": step, "reader": reader.state_dict(), "adam": adam.state_dict()}
    if average:
        state["average"] = (average.steps, average.shadow)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    torch.save(state, part)
    part.replace(path)


def restored_training(path: Path, reader: Learner, adam: torch.optim.Optimizer, average: Averaged | None) -> int:
    """Takes up what `save_training` left; gives its step."""
    state = torch.load(path, map_location=next(reader.parameters()).device, weights_only=True)
    reader.load_state_dict(state["reader"])
    adam.load_state_dict(state["adam"])
    if average and "average" in state:
        average.steps, average.shadow = state["average"]
    return int(state["step"])
