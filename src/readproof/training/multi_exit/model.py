"""The multi-exit encoder: heads after its layers, and, where it is wanted, gradients in balance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import Tensor, nn

from readproof.readers.exits.manner import ExitManner
from readproof.training.encoder import Encoder, encoder_from
from readproof.training.learner import OUTSIDE, OnEncoder
from readproof.training.multi_exit.rows import ExitBatch
from readproof.training.windows import Batch


class Head(nn.Module):
    """A dense layer, after another one where the manner pools."""

    def __init__(self, manner: ExitManner, dropout: float) -> None:
        super().__init__()
        self.pool = nn.Linear(manner.hidden, manner.hidden) if manner.pooled else None
        self.dropout = nn.Dropout(dropout)
        self.score = nn.Linear(manner.hidden, manner.outputs)
        for one in filter(None, (self.pool, self.score)):
            nn.init.normal_(one.weight, std=0.02)
            nn.init.zeros_(one.bias)

    def forward(self, hidden: Tensor) -> Tensor:
        seen = hidden if self.pool is None else torch.tanh(self.pool(hidden))
        return self.score(self.dropout(seen))  # type: ignore[no-any-return]


class MultiExit(OnEncoder):
    """Our own encoder with heads; layers are counted from 1, as exits are."""

    heads = ("exits.",)

    def __init__(self, encoder: Encoder, manner: ExitManner) -> None:
        super().__init__()
        self.bert = encoder
        self.manner = manner
        self.exits = nn.ModuleDict({str(layer): Head(manner, encoder.shape.dropout) for layer in manner.exits})

    def forward(
        self, batch: ExitBatch | Batch, *, equilibrium: bool = False, only: int | None = None
    ) -> dict[int, Tensor]:
        """By exit, the scores of the batch's places (rows × places × outputs); with `only`, of that exit alone.

        Of span questions they are log-probabilities over "no answer" and the passage (windows × length × first, last).
        """
        found: dict[int, Tensor] = {}
        for layer, hidden in self._climb(batch, equilibrium):
            if only is None or layer == only:
                with torch.autocast(hidden.device.type, enabled=False):  # half-precision scores would tie
                    found[layer] = self._scored(batch, self.exits[str(layer)], hidden.float())
            if layer == only:
                break
        return found

    def _climb(self, batch: ExitBatch | Batch, equilibrium: bool) -> Iterator[tuple[int, Tensor]]:
        """What each head sees, from below.

        In equilibrium the gradient of a head is shared with all heads above it, and what comes from above is scaled
        so that every layer is pulled as one head would pull it.
        """
        hidden = self.bert.embeddings(batch.ids, batch.types)
        if self.bert.embeddings_project is not None:
            hidden = self.bert.embeddings_project(hidden)
        mask = batch.mask[:, None, None, :]
        above = len(self.manner.exits)
        for number, layer in enumerate(self.bert.encoder.layer, 1):
            hidden, _ = layer(hidden, mask)
            if str(number) not in self.exits:
                continue
            if equilibrium and self.training:
                yield number, rescaled(hidden, 1.0 / above)
                hidden = rescaled(hidden, (above - 1) / above)
            else:
                yield number, hidden
            above -= 1

    def _scored(self, batch: ExitBatch | Batch, head: nn.Module, hidden: Tensor) -> Tensor:
        if isinstance(batch, Batch):
            scores = head(hidden).masked_fill(~batch.valid[:, :, None], OUTSIDE)
            return torch.log_softmax(scores, dim=1)
        if self.manner.kind in ("label", "choice") and self.manner.pool == "mean":
            inside = batch.mask[:, :, None].float()
            mean = (hidden * inside).sum(dim=1, keepdim=True) / inside.sum(dim=1, keepdim=True)
            return head(mean)  # type: ignore[no-any-return]
        places = batch.places.clamp_min(0)
        if self.manner.kind == "tags":
            # nearly every token is scored, and scores are cheaper to pick than what gave them
            scores = head(hidden)
            return scores.gather(1, places[:, :, None].expand(-1, -1, self.manner.outputs))  # type: ignore[no-any-return]
        seen = hidden.gather(1, places[:, :, None].expand(-1, -1, hidden.shape[2]))
        return head(seen)  # type: ignore[no-any-return]


class _Rescale(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, value: Tensor, scale: float) -> Tensor:
        ctx.scale = scale
        return value.view_as(value)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        return gradient * ctx.scale, None


def rescaled(value: Tensor, scale: float) -> Tensor:
    """The same value, whose gradient is multiplied on the way back."""
    return _Rescale.apply(value, scale)  # type: ignore[no-any-return,no-untyped-call]


def multi_exit_from(tensors: Mapping[str, Tensor], manner: ExitManner, *, dropout: float = 0.1) -> MultiExit:
    """A model out of what its `state_dict` gave; or, with new heads, out of an encoder's tensors.

    The head of a span reader (`qa_outputs`) becomes that of the last exit.
    """
    whole = any(name.startswith("exits.") for name in tensors)
    inner = {
        name.removeprefix("bert."): tensor
        for name, tensor in tensors.items()
        if not name.startswith(("exits.", "qa_outputs."))
    }
    model = MultiExit(encoder_from(inner, dropout=dropout), manner)
    if whole:
        model.load_state_dict(dict(tensors))
    elif manner.kind == "spans" and "qa_outputs.weight" in tensors:
        score: Any = model.exits[str(manner.layers)]
        score.score.load_state_dict({part: tensors[f"qa_outputs.{part}"] for part in ("weight", "bias")})
    return model
