"""A span reader: an encoder and one dense layer that scores each token as the first and as the last of the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn

from readproof.training.encoder import Encoded, Encoder, encoder_from
from readproof.training.learner import OUTSIDE, OnEncoder, SpanLearner
from readproof.training.windows import Batch


class SpanReader(OnEncoder, SpanLearner):
    """Our own BERT encoder under a head."""

    heads = ("qa_outputs.",)

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.bert = encoder
        self.dropout = nn.Dropout(encoder.shape.dropout)
        self.qa_outputs = nn.Linear(encoder.shape.hidden, 2)
        nn.init.normal_(self.qa_outputs.weight, std=0.02)
        nn.init.zeros_(self.qa_outputs.bias)

    def forward(self, batch: Batch) -> tuple[Tensor, Encoded]:
        """Log-probabilities (batch × length × first, last) over [CLS] and the passage, and what the encoder gave."""
        encoded = self.bert(batch.ids, batch.types, batch.mask)
        with torch.autocast(encoded.last.device.type, enabled=False):  # half-precision scores would tie
            scores = self.qa_outputs(self.dropout(encoded.last.float()))
        scores = scores.masked_fill(~batch.valid[:, :, None], OUTSIDE)
        return torch.log_softmax(scores, dim=1), encoded


def reader_from(tensors: Mapping[str, Tensor], *, dropout: float = 0.1) -> SpanReader:
    """A reader out of what `SpanReader.state_dict` gives, or, with a new head, out of an encoder's tensors."""
    if "qa_outputs.weight" not in tensors:
        return SpanReader(encoder_from(tensors, dropout=dropout))
    inner = {name.removeprefix("bert."): tensor for name, tensor in tensors.items() if name.startswith("bert.")}
    reader = SpanReader(encoder_from(inner, dropout=dropout))
    reader.qa_outputs.load_state_dict({"weight": tensors["qa_outputs.weight"], "bias": tensors["qa_outputs.bias"]})
    return reader


def plain_state(reader: nn.Module) -> dict[str, Tensor]:
    """The reader's tensors, copied to the CPU as float32; a matrix that is learnt as parts is put together."""
    out: dict[str, Tensor] = {}
    for name, tensor in reader.state_dict().items():
        owner, parts, _ = name.partition(".parametrizations.")
        module: Any = reader.get_submodule(owner) if parts else None
        whole = module.weight if parts else tensor
        out[f"{owner}.weight" if parts else name] = whole.detach().float().cpu().clone()
    return out


def averaged(states: list[Mapping[str, Tensor]]) -> dict[str, Tensor]:
    """The mean of several readers' tensors: a soup of seeds, or of checkpoints of one run."""
    if not states:
        raise ValueError("nothing to average")
    return {name: torch.stack([state[name].float() for state in states]).mean(dim=0) for name in states[0]}
