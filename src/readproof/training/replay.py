"""Training steps replayed as CUDA graphs.

A small encoder's step is some thousand short kernels, and a GPU waits for the CPU to start each of them. Recorded once
for a shape of batch, the whole step (forward, backward, clipping, the optimiser) is started as one. The kernels and the
numbers are the same, and so are the weights; a step must only be a function of the tensors in its batch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import torch
from torch import Tensor

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
