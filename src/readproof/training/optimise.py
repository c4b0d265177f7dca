"""The optimiser's parts: groups with layer-wise learning rates, the schedule, averaged weights, and FGM."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn

from readproof.training.learner import Learner


def optimiser(
    reader: Learner, *, lr: float, decay: float, layer_decay: float, head: float = 1.0, recorded: bool = False
) -> torch.optim.AdamW:
    """AdamW; a layer learns `layer_decay` times as fast as the one above it, biases and norms do not decay.

    `recorded`: its steps are replayed as CUDA graphs, so its rates are tensors that a graph reads anew.
    """
    groups: dict[tuple[float, float], list[nn.Parameter]] = {}
    for name, parameter in reader.named_parameters():
        below = reader.layers - reader.depth(name)
        rate = reader.pace(name) * (lr * head if below < 0 else lr * layer_decay**below)
        shrink = 0.0 if parameter.dim() < 2 else decay
        groups.setdefault((rate, shrink), []).append(parameter)
    device = next(reader.parameters()).device
    rows = [
        {
            "params": these,
            "lr": torch.tensor(rate, device=device) if recorded else rate,
            "top": rate,
            "weight_decay": shrink,
        }
        for (rate, shrink), these in groups.items()
    ]
    return torch.optim.AdamW(rows, betas=(0.9, 0.98), eps=1e-6, fused=device.type == "cuda", capturable=recorded)


def set_rate(optimiser: torch.optim.Optimizer, step: int, steps: int, warmup: float) -> None:
    """Linear up over the first part `warmup` of the steps, linear down to nothing at the last."""
    rise = max(1, round(steps * warmup))
    factor = (step + 1) / rise if step < rise else max(0.0, (steps - step) / max(1, steps - rise))
    for group in optimiser.param_groups:
        if isinstance(group["lr"], torch.Tensor):
            group["lr"].fill_(group["top"] * factor)
        else:
            group["lr"] = group["top"] * factor


class Averaged:
    """An exponential moving average of a model's weights; early on it forgets faster, so no stale start stays in it."""

    def __init__(self, model: nn.Module, decay: float) -> None:
        self.decay = decay
        self.steps = 0
        self._live = list(model.parameters())
        self.shadow = [parameter.detach().clone() for parameter in self._live]

    @torch.no_grad()
    def update(self) -> None:
        self.steps += 1
        keep = min(self.decay, (1 + self.steps) / (10 + self.steps))
        torch._foreach_lerp_(self.shadow, [parameter.detach() for parameter in self._live], 1 - keep)

    @contextmanager
    def applied(self) -> Iterator[None]:
        """The model with the averaged weights, for as long as the block lasts."""
        self._swap()
        try:
            yield
        finally:
            self._swap()

    @torch.no_grad()
    def _swap(self) -> None:
        for live, shadow in zip(self._live, self.shadow, strict=True):
            kept = live.detach().clone()
            live.copy_(shadow)
            shadow.copy_(kept)


@contextmanager
def pushed(weight: torch.Tensor, size: float) -> Iterator[None]:
    """FGM: the embedding table moved `size` along its gradient, for as long as the block lasts."""
    before = weight.detach().clone()
    gradient = weight.grad
    if gradient is not None:
        norm = gradient.norm()
        with torch.no_grad():
            weight.add_(torch.where(norm > 0, size * gradient / norm.clamp_min(1e-12), torch.zeros_like(gradient)))
    try:
        yield
    finally:
        with torch.no_grad():
            weight.copy_(before)
