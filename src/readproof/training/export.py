"""A reader as an ONNX graph: token ids, token types and mask in, first and last scores out."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn

from readproof.training.model import OUTSIDE, SpanReader


class Graph(nn.Module):
    """The reader without what only training needs: raw scores, [SEP] and question tokens left to the caller."""

    def __init__(self, reader: SpanReader) -> None:
        super().__init__()
        self.reader = reader

    def forward(self, ids: Tensor, types: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        inside = mask.bool()
        scores = self.reader.qa_outputs(self.reader.bert(ids, types, inside).last)
        scores = scores.masked_fill(~inside[:, :, None], OUTSIDE)
        return scores[:, :, 0], scores[:, :, 1]


def to_onnx(reader: SpanReader, path: Path, *, opset: int = 17) -> None:
    """Write the reader in float32; batch and length are free."""
    ids = torch.ones((2, 16), dtype=torch.int64)
    names = ["input_ids", "token_type_ids", "attention_mask"]
    free = {name: {0: "batch", 1: "length"} for name in (*names, "start", "end")}
    torch.onnx.export(
        Graph(reader.float().cpu().eval()),
        (ids, torch.zeros_like(ids), ids),
        str(path),
        input_names=names,
        output_names=["start", "end"],
        dynamic_axes=free,
        opset_version=opset,
        dynamo=False,
    )
