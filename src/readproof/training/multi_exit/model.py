"""The multi-exit encoder: heads after its layers, and, where it is wanted, gradients in balance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from readproof.readers.exits.config import ExitConfig, Kind
from readproof.training.encoder import Encoder, encoder_from
from readproof.training.fit import Loss
from readproof.training.learner import OUTSIDE, OnEncoder
from readproof.training.losses import divergence, gold_loss
from readproof.training.multi_exit.recipe import ExitPlan, Weighing
from readproof.training.multi_exit.sets import UNKNOWN, ExitBatch
from readproof.training.windows import Batch


class Head(nn.Module):
    """A dense layer, after another one where the configuration pools."""

    def __init__(self, config: ExitConfig, dropout: float) -> None:
        super().__init__()
        self.pool = nn.Linear(config.hidden, config.hidden) if config.pooled else None
        self.dropout = nn.Dropout(dropout)
        self.score = nn.Linear(config.hidden, config.outputs)
        for one in filter(None, (self.pool, self.score)):
            nn.init.normal_(one.weight, std=0.02)
            nn.init.zeros_(one.bias)

    def forward(self, hidden: Tensor) -> Tensor:
        seen = hidden if self.pool is None else torch.tanh(self.pool(hidden))
        return self.score(self.dropout(seen))  # type: ignore[no-any-return]


class MultiExit(OnEncoder):
    """Our own encoder with heads; layers are counted from 1, as exits are."""

    heads = ("exits.",)

    def __init__(self, encoder: Encoder, config: ExitConfig) -> None:
        super().__init__()
        self.bert = encoder
        self.config = config
        self.exits = nn.ModuleDict({str(layer): Head(config, encoder.shape.dropout) for layer in config.exits})

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
        above = len(self.config.exits)
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
        if self.config.kind in ("label", "choice") and self.config.pool == "mean":
            inside = batch.mask[:, :, None].float()
            mean = (hidden * inside).sum(dim=1, keepdim=True) / inside.sum(dim=1, keepdim=True)
            return head(mean)  # type: ignore[no-any-return]
        places = batch.places.clamp_min(0)
        if self.config.kind == "tags":
            # nearly every token is scored, and scores are cheaper to pick than what gave them
            scores = head(hidden)
            return scores.gather(1, places[:, :, None].expand(-1, -1, self.config.outputs))  # type: ignore[no-any-return]
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


def multi_exit_from(tensors: Mapping[str, Tensor], config: ExitConfig, *, dropout: float = 0.1) -> MultiExit:
    """A model out of what its `state_dict` gave; or, with new heads, out of an encoder's tensors.

    The head of a span reader (`qa_outputs`) becomes that of the last exit.
    """
    whole = any(name.startswith("exits.") for name in tensors)
    inner = {
        name.removeprefix("bert."): tensor
        for name, tensor in tensors.items()
        if not name.startswith(("exits.", "qa_outputs."))
    }
    model = MultiExit(encoder_from(inner, dropout=dropout), config)
    if whole:
        model.load_state_dict(dict(tensors))
    elif config.kind == "spans" and "qa_outputs.weight" in tensors:
        score: Any = model.exits[str(config.layers)]
        score.score.load_state_dict({part: tensors[f"qa_outputs.{part}"] for part in ("weight", "bias")})
    return model


# What a multi-exit training makes small: the weighed loss of all heads, and how far they are from a better one.


_NOTHING = -1e4


def exit_loss(model: MultiExit, plan: ExitPlan, teacher: MultiExit | None = None) -> Loss:
    """The weighed mean of all heads' losses, and of their distance from the last head or from a teacher's."""
    config = model.config
    shares = exit_weights(plan.weights, config.exits)
    only = config.layers if plan.weights == "last" else None

    def loss(batch: ExitBatch | Batch) -> Tensor:
        scores = model(batch, equilibrium=plan.equilibrium, only=only)
        parts = [
            share * task_loss(config.kind, scores[layer], batch, smoothing=plan.smoothing)
            for layer, share in zip(config.exits, shares, strict=True)
            if share
        ]
        total = torch.stack(parts).sum()
        if not plan.taught:
            return total
        if teacher is None:
            said, pupils = scores[config.layers].detach(), config.exits[:-1]
        else:
            with torch.no_grad():
                said = teacher.eval()(batch, only=teacher.config.layers)[teacher.config.layers]
            pupils = tuple(scores)
        for layer in pupils:
            if layer in scores:
                apart = distance(config.kind, scores[layer], said, batch, temperature=plan.temperature)
                total = total + plan.taught * shares[config.exits.index(layer)] * apart
        return total

    return loss


def exit_weights(weighing: Weighing, exits: Sequence[int]) -> list[float]:
    """How much each head counts; all together one."""
    raw = {
        "even": [1.0] * len(exits),
        "depth": [float(layer) for layer in exits],
        "last": [0.0] * (len(exits) - 1) + [1.0],
    }[weighing]
    return [one / sum(raw) for one in raw]


def task_loss(kind: Kind, scores: Tensor, batch: ExitBatch | Batch, *, smoothing: float = 0.0) -> Tensor:
    """The cross-entropy of one head."""
    if isinstance(batch, Batch):
        return gold_loss(scores, batch, smoothing=smoothing)
    targets = batch.targets.flatten()
    total = functional.cross_entropy(
        tabled(kind, scores, batch),
        targets,
        ignore_index=UNKNOWN,
        label_smoothing=0.0 if kind == "choice" else smoothing,
        reduction="sum",
    )
    # not the mean that torch takes: that of a batch where nothing is known would be no number
    return total / (targets != UNKNOWN).sum().clamp_min(1)


def tabled(kind: Kind, scores: Tensor, batch: ExitBatch) -> Tensor:
    """Scores as a table, a row a thing that is asked: a headline, a question with its options, a character."""
    if kind != "choice":
        return scores.flatten(0, 1)
    flat = scores.flatten()[batch.table.clamp_min(0)]
    return flat.masked_fill(batch.table < 0, _NOTHING)


def distance(kind: Kind, scores: Tensor, said: Tensor, batch: ExitBatch | Batch, *, temperature: float) -> Tensor:
    """KL from what a better head said."""
    if isinstance(batch, Batch):
        return divergence(scores, said, batch.valid, temperature=temperature)
    ours, theirs = (functional.log_softmax(tabled(kind, one, batch) / temperature, dim=1) for one in (scores, said))
    each = (theirs.exp() * (theirs - ours)).sum(dim=1)
    inside = (torch.ones_like(batch.table[:, 0]) if kind == "choice" else batch.places.flatten() >= 0).float()
    return (each * inside).sum() / inside.sum().clamp_min(1.0) * temperature**2
