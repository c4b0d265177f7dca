"""Narrower layers: of each layer the attention heads and inner columns that matter most, the rest cut away.

How much a head or a column matters is how much the loss would change without it, to first order: the sum of weight
times gradient over what it adds to the layer's output, its absolute value summed over batches. All layers keep the
same number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch import Tensor

from readproof.errors import InputError
from readproof.training.fit import Loss
from readproof.training.multi_exit.model import MultiExit

Importance = Mapping[str, Tensor]


def importance(model: MultiExit, batches: Iterable[Any], loss: Loss) -> dict[str, Tensor]:
    """By layer, of every head (`heads.N`) and every inner column (`inner.N`); the batches are where the model is."""
    found: dict[str, Tensor] = {}
    model.eval()
    for batch in batches:
        model.zero_grad(set_to_none=True)
        loss(batch).backward()  # type: ignore[no-untyped-call]
        for number, layer in enumerate(model.bert.encoder.layer):
            parts: Any = layer
            heads = _columns(parts.attention.output.dense.weight).view(model.bert.shape.heads, -1).sum(dim=1)
            for name, one in ((f"heads.{number}", heads), (f"inner.{number}", _columns(parts.output.dense.weight))):
                found[name] = found.get(name, torch.zeros_like(one)) + one.abs()
    model.zero_grad(set_to_none=True)
    return {name: one.cpu() for name, one in found.items()}


def _columns(weight: Tensor) -> Tensor:
    """Weight times gradient, summed over what each input column adds."""
    if weight.grad is None:
        return torch.zeros(weight.shape[1], device=weight.device)
    return (weight.detach() * weight.grad).sum(dim=0)


def narrowed(
    tensors: Mapping[str, Tensor], matters: Importance, *, heads: int = 0, inner: int = 0
) -> dict[str, Tensor]:
    """The tensors of a model with so many heads and inner columns a layer; 0 keeps all."""
    out = {name: one.clone() for name, one in tensors.items()}
    number = 0
    while f"heads.{number}" in matters:
        here = f"bert.encoder.layer.{number}"
        if heads:
            have = len(matters[f"heads.{number}"])
            _check("keep_heads", heads, have)
            size = out[f"{here}.attention.self.query.weight"].shape[0] // have
            best = _best(matters[f"heads.{number}"], heads)
            kept = (best[:, None] * size + torch.arange(size)).flatten()
            for part in ("query", "key", "value"):
                _rows(out, f"{here}.attention.self.{part}", kept)
            dense = f"{here}.attention.output.dense.weight"
            out[dense] = out[dense][:, kept].clone()
        if inner:
            _check("keep_inner", inner, len(matters[f"inner.{number}"]))
            kept = _best(matters[f"inner.{number}"], inner)
            _rows(out, f"{here}.intermediate.dense", kept)
            dense = f"{here}.output.dense.weight"
            out[dense] = out[dense][:, kept].clone()
        number += 1
    return out


def _rows(tensors: dict[str, Tensor], name: str, kept: Tensor) -> None:
    for part in ("weight", "bias"):
        tensors[f"{name}.{part}"] = tensors[f"{name}.{part}"][kept].clone()


def _best(values: Tensor, count: int) -> Tensor:
    return values.topk(count).indices.sort().values


def _check(place: str, wanted: int, have: int) -> None:
    if wanted > have:
        raise InputError(place=place, found=f"{wanted}", expected=f"at most {have}, as many as a layer has")
