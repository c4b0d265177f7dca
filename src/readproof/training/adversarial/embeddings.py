"""FGM and PGD: the word vectors pushed to where the loss grows, and the gradients there added to the plain ones."""

from __future__ import annotations

from collections.abc import Callable

import torch

from readproof.training.adversarial.recipe import Push
from readproof.training.learner import Learner
from readproof.training.optimise import pushed


def adversarial_passes(reader: Learner, push: Push, again: Callable[[], object]) -> None:
    """After a plain backward pass: passes with pushed word vectors; `again` is one more backward pass.

    FGM adds the gradients of its one pass. PGD walks `steps` steps of `step` within a ball of `size`, each along the
    gradient of the place where it stands, and adds those of the last.
    """
    if push.method == "fgm":
        with pushed(reader.words, push.size):
            again()
    elif push.method == "pgd":
        _walk(reader, push, again)


def _walk(reader: Learner, push: Push, again: Callable[[], object]) -> None:
    weight = reader.words
    before = weight.detach().clone()
    plain = {name: one.grad for name, one in reader.named_parameters()}
    try:
        for number in range(push.steps):
            _step(weight, before, push)
            last = number + 1 == push.steps
            for name, one in reader.named_parameters():
                grad = plain[name]
                one.grad = grad.clone() if last and grad is not None else None
            again()
    finally:
        with torch.no_grad():
            weight.copy_(before)


@torch.no_grad()
def _step(weight: torch.Tensor, before: torch.Tensor, push: Push) -> None:
    gradient = weight.grad
    if gradient is None:
        return
    norm = gradient.norm()
    if not norm > 0:
        return
    weight.add_(push.step * gradient / norm)
    away = weight - before
    far = away.norm()
    if far > push.size:
        weight.copy_(before + away * (push.size / far))
