"""The training loop, one for everything that is trained: seeded, and resumable in the middle of an epoch.

Every step draws its dropout from a seed of its own, so a run that was killed and goes on from its last checkpoint takes
the same steps as one that was left alone.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import fields, replace
from itertools import accumulate
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor

from readproof.training.learner import Learner
from readproof.training.measure import autocast
from readproof.training.optimise import Averaged, optimiser, pushed, set_rate
from readproof.training.recipe import Fit

# Training steps replayed as CUDA graphs.
# A small encoder's step is some thousand short kernels, and a GPU waits for the CPU to start each of them. Recorded
# once for a shape of batch, the whole step (forward, backward, clipping, the optimiser) is started as one. The
# kernels and the numbers are the same, and so are the weights; a step must only be a function of the tensors in its
# batch.

Step = Callable[[Any], Tensor]
Shapes = tuple[tuple[int, ...], ...]


class Replayed:
    """A step that is recorded when a shape of batch comes for the second time.

    The first time warms up what is made once (handles, kernels, the optimiser's state), and is a step like any other.
    """

    def __init__(self, take: Step) -> None:
        self._take = take
        self._stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        self._pool = torch.cuda.graph_pool_handle()
        self._seen: set[Shapes] = set()
        self._graphs: dict[Shapes, tuple[torch.cuda.CUDAGraph, Any, Tensor]] = {}

    def __call__(self, batch: Any) -> Tensor:
        shapes = tuple(tuple(tensor.shape) for tensor in tensors_of(batch).values())
        if shapes not in self._graphs and shapes in self._seen:
            self._record(shapes, batch)
        if shapes in self._graphs:
            graph, kept, value = self._graphs[shapes]
            for name, tensor in tensors_of(batch).items():
                getattr(kept, name).copy_(tensor)
            graph.replay()
            return value
        self._seen.add(shapes)
        self._stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self._stream):
            value = self._take(batch)
        torch.cuda.current_stream().wait_stream(self._stream)
        return value

    def _record(self, shapes: Shapes, batch: Any) -> None:
        kept = replace(batch, **{name: tensor.clone() for name, tensor in tensors_of(batch).items()})
        graph = torch.cuda.CUDAGraph()
        torch.cuda.synchronize()
        if not self._graphs:
            torch.cuda.empty_cache()  # what is recorded has a pool of its own
        try:
            with torch.cuda.stream(self._stream):
                # thread_local: batches are still pinned and moved by another thread meanwhile
                graph.capture_begin(pool=self._pool, capture_error_mode="thread_local")
                try:
                    value = self._take(kept)
                finally:
                    graph.capture_end()
        except RuntimeError as error:
            # after a failed recording torch's random numbers are out of step: no going on without
            raise RuntimeError(f"a step could not be recorded; train with --no-replay: {error}") from error
        self._graphs[shapes] = graph, kept, value


def tensors_of(batch: Any) -> dict[str, Tensor]:
    """The tensors of a batch by the names of its fields."""
    found = {field.name: getattr(batch, field.name) for field in fields(batch)}
    return {name: one for name, one in found.items() if isinstance(one, Tensor)}


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


class TrainingExamples(Protocol):
    """What is trained on: batches in an order drawn from a seed, and a batch as tensors (with `to(device)`)."""

    def batches(self, size: int, seed: int) -> Sequence[Any]: ...

    def collate(self, batch: Any) -> Any: ...


def fit(
    reader: Learner,
    examples: TrainingExamples,
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


def ahead(examples: TrainingExamples, batches: Sequence[Any], device: torch.device) -> Iterator[Any]:
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
