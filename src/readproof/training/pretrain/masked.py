"""Masked words: the encoder under a head that says which pieces were hidden; whole words, often several in a run.

What is masked is drawn on the device out of the seed of the step, so that a resumed run masks the same.
"""

from __future__ import annotations

from math import log

import torch
from torch import Tensor, nn
from torch.nn import functional

from readproof.training.encoder import Encoder
from readproof.training.fit import Loss
from readproof.training.learner import OnEncoder
from readproof.training.measure import autocast
from readproof.training.pretrain.corpus import PackedExamples, Rows
from readproof.training.pretrain.recipe import Masked

_HIDDEN, _KEPT = 0.8, 0.9


class MaskedModel(OnEncoder):
    """Encoder and head; the pieces are told by the table of word vectors itself.

    `counts` says how often each piece stands in the text: the head then begins with the pieces' frequencies and does
    not spend its first steps on them.
    """

    def __init__(self, encoder: Encoder, counts: Tensor | None = None) -> None:
        super().__init__()
        self.bert = encoder
        shape = encoder.shape
        self.dense = nn.Linear(shape.hidden, shape.narrow)
        self.norm = nn.LayerNorm(shape.narrow)
        seen = torch.ones(shape.rows) if counts is None else counts.float() + 0.5
        self.bias = nn.Parameter((seen / seen.mean()).log())
        nn.init.normal_(self.dense.weight, std=0.02)
        nn.init.zeros_(self.dense.bias)

    def pace(self, name: str) -> float:
        """The head is new, whatever lies below it."""
        return super().pace(name) if name.startswith("bert.") else 1.0

    def forward(self, ids: Tensor, at: Tensor) -> Tensor:
        """The scores of all pieces for the places `at` of the flattened batch."""
        hidden = self.bert(ids, torch.zeros_like(ids)).last.flatten(0, 1)[at]
        narrow = self.norm(functional.gelu(self.dense(hidden)))
        return functional.linear(narrow, self.words, self.bias)


class Masker:
    """Draws what is masked; `continues` says of each row whether it goes on with a word."""

    def __init__(self, continues: Tensor, *, special: int, mask: int, how: Masked) -> None:
        self.continues, self.special, self.mask, self.how = continues, special, mask, how
        lengths = range(1, how.longest + 1)
        weights = [0.5**length for length in lengths]
        mean = sum(length * weight for length, weight in zip(lengths, weights, strict=True)) / sum(weights)
        # runs may overlap, so that a few more begin than would do end to end
        self.begin = -log(1 - how.share) / mean
        self.weights = torch.tensor(weights)

    def drawn(self, ids: Tensor) -> tuple[Tensor, Tensor]:
        """What the encoder sees, and the places of the flattened batch that it has to tell."""
        word = (~self.continues[ids]).cumsum(dim=1)
        device = ids.device
        begins = torch.rand(ids.shape, device=device) < self.begin
        runs = torch.multinomial(self.weights.to(device), ids.numel(), replacement=True).view(ids.shape) + 1
        covered = torch.zeros(ids.shape, dtype=torch.bool, device=device)
        for place in range(self.how.longest):
            here = begins & (runs > place)
            covered[:, place:] |= here[:, : ids.shape[1] - place]
        hidden = covered.gather(1, word.clamp(max=ids.shape[1] - 1)) & (ids >= self.special)
        fate = torch.rand(ids.shape, device=device)
        other = torch.randint(self.special, len(self.continues), ids.shape, device=device)
        seen = torch.where(hidden & (fate < _HIDDEN), self.mask, ids)
        seen = torch.where(hidden & (fate >= _KEPT), other, seen)
        return seen, hidden.flatten().nonzero().squeeze(1)


def masked_loss(model: MaskedModel, masker: Masker) -> Loss:
    """Cross-entropy of the hidden pieces."""

    def loss(batch: Rows) -> Tensor:
        seen, at = masker.drawn(batch.ids)
        return functional.cross_entropy(model(seen, at).float(), batch.ids.flatten()[at])

    return loss


def held_out_loss(model: MaskedModel, masker: Masker, examples: PackedExamples, size: int) -> float:
    """The loss on text that was not trained on, always masked alike."""
    device = next(model.parameters()).device
    loss = masked_loss(model.eval(), masker)
    values = []
    with torch.no_grad(), autocast(device):
        for number, batch in enumerate(examples.batches(size, 0)):
            torch.manual_seed(number)
            values.append(float(loss(examples.collate(batch).to(device))))
    return sum(values) / len(values)
