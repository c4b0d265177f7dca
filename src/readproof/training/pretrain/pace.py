"""How many steps fit into a given time: a few are tried, timed, and undone."""

from __future__ import annotations

import time

import torch

from readproof.training.fit import Examples, Loss, fit
from readproof.training.learner import Learner
from readproof.training.recipe import Fit

_FIRST, _TIMED = 6, 14
_LATER = 0.98  # checkpoints and the last measurement want a little of the time, too


class _Few:
    """A few batches of other examples, from all over them; the same ones again where there are not so many."""

    def __init__(self, examples: Examples, count: int) -> None:
        self._examples, self._count = examples, count

    def batches(self, size: int, seed: int) -> list[object]:
        found = self._examples.batches(size, seed)
        return [found[number * len(found) // self._count] for number in range(self._count)]

    def collate(self, batch: object) -> object:
        return self._examples.collate(batch)


def steps_for(model: Learner, examples: Examples, loss: Loss, how: Fit, seconds: float) -> int:
    """The steps that `seconds` allow, what the trial takes included; the model is left as it was."""
    begun = time.monotonic()
    each = seconds_a_step(model, examples, loss, how)
    left = seconds - (time.monotonic() - begun)
    return max(_FIRST, int(left * _LATER / each))


def seconds_a_step(model: Learner, examples: Examples, loss: Loss, how: Fit) -> float:
    """How long a step takes once the first ones, which are slow, are done; the model is left as it was."""
    before = {name: tensor.detach().clone() for name, tensor in model.state_dict().items()}
    fit(model, _Few(examples, _FIRST), loss, how)
    _wait(model)
    begun = time.monotonic()
    fit(model, _Few(examples, _TIMED), loss, how)
    _wait(model)
    model.load_state_dict(before)
    return (time.monotonic() - begun) / _TIMED


def _wait(model: Learner) -> None:
    """A GPU is handed its work and goes on by itself: the clock must not stop before it does."""
    if next(model.parameters()).is_cuda:
        torch.cuda.synchronize()
