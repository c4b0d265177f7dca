"""How far each channel of a reader's activations reaches on real text: what the export needs to quantise well."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from readproof.training.model import SpanReader
from readproof.training.windows import Windows, collate

# the attention's output has no channel that stands out
_WANTED = ("attention.self.query", "intermediate.dense", "output.dense")
_LEFT_OUT = "attention.output.dense"


def channel_ranges(reader: SpanReader, windows: Windows, *, most: int = 64) -> dict[str, NDArray[Any]]:
    """For each quantised product of the export, the largest absolute value of every input channel over some windows."""
    step = max(1, len(windows) // most)
    return watched(reader, (collate(windows, np.array([at])) for at in range(0, len(windows), step)))


def watched(reader: nn.Module, batches: Iterable[Any]) -> dict[str, NDArray[Any]]:
    """The same over batches of any kind."""
    found: dict[str, Tensor] = {}
    hooks = []

    def watch(name: str, module: nn.Module) -> None:
        def seen(_: nn.Module, inputs: tuple[Tensor, ...]) -> None:
            reach = inputs[0].detach().abs().flatten(0, -2).amax(dim=0).float().cpu()
            found[name] = torch.maximum(found[name], reach) if name in found else reach

        hooks.append(module.register_forward_pre_hook(seen))

    for name, module in reader.named_modules():
        if isinstance(module, nn.Linear) and name.endswith(_WANTED) and not name.endswith(_LEFT_OUT):
            watch(name.replace("attention.self.query", "qkv"), module)
    device = next(reader.parameters()).device
    reader.eval()
    try:
        with torch.no_grad():
            for batch in batches:
                reader(batch.to(device))
    finally:
        for hook in hooks:
            hook.remove()
    return {name: reach.numpy() for name, reach in found.items()}
