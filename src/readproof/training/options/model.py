"""An option reader: an encoder, and two dense layers on [CLS]: is the statement true of this piece, and is it of it."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from readproof.training.encoder import Encoded, Encoder, encoder_from
from readproof.training.learner import OUTSIDE, OnEncoder
from readproof.training.options.windows import OptionBatch

HEADS = ("truth", "relevance")


class OptionReader(OnEncoder):
    """`truth` and `relevance` score a window; a statement's windows are weighed by their relevance."""

    heads = HEADS

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.bert = encoder
        self.dropout = nn.Dropout(encoder.shape.dropout)
        self.truth = nn.Linear(encoder.shape.hidden, 1)
        self.relevance = nn.Linear(encoder.shape.hidden, 1)
        for head in (self.truth, self.relevance):
            nn.init.normal_(head.weight, std=0.02)
            nn.init.zeros_(head.bias)

    def forward(self, batch: OptionBatch) -> tuple[Tensor, Tensor]:
        """For each statement its logit, and the logits of relevance of its windows (OUTSIDE where there is none)."""
        return self.judged(self.bert(batch.ids, batch.types, batch.seen), batch)

    def judged(self, encoded: Encoded, batch: OptionBatch) -> tuple[Tensor, Tensor]:
        """The same out of what the encoder gave."""
        with torch.autocast(encoded.last.device.type, enabled=False):
            first = self.dropout(encoded.last[:, 0].float())
            truth, relevance = self.truth(first)[:, 0], self.relevance(first)[:, 0]
        there = batch.table >= 0
        places = batch.table.clamp_min(0)
        rated = relevance[places].masked_fill(~there, OUTSIDE)
        weights = torch.softmax(rated, dim=1)
        return (weights * truth[places] * there).sum(dim=1), rated


def option_reader_from(tensors: Mapping[str, Tensor], *, dropout: float = 0.1) -> OptionReader:
    """An option reader out of its `state_dict`, or, with new heads, out of an encoder's or a span reader's tensors."""
    inner = {name.removeprefix("bert."): tensor for name, tensor in tensors.items() if _is_encoder(name)}
    reader = OptionReader(encoder_from(inner, dropout=dropout))
    for name in HEADS:
        if f"{name}.weight" in tensors:
            head = {part: tensors[f"{name}.{part}"] for part in ("weight", "bias")}
            getattr(reader, name).load_state_dict(head)
    return reader


def _is_encoder(name: str) -> bool:
    return not name.startswith((*HEADS, "qa_outputs", "classifier", "cls.", "pooler"))
