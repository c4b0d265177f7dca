"""A BERT encoder with the tensor names of `transformers.BertModel`, short enough to read; or an ELECTRA's.

Written out because training wants hidden states and value vectors without hooks, export wants a plain graph, and
both want no change under them when a library moves on. The tests hold it to `BertModel`'s own output.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

# the number of heads among an encoder's tensors, where heads are not 64 wide as in most BERTs
HEADS = "heads"


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of an encoder; `embedding` is the width of its word vectors, 0 where it is that of the layers.

    `width` is that of all attention heads together: 0 where it is that of the layers, less where heads were cut away.
    """

    rows: int
    hidden: int = 768
    layers: int = 12
    heads: int = 12
    inner: int = 3072
    positions: int = 512
    types: int = 2
    dropout: float = 0.1
    epsilon: float = 1e-12
    embedding: int = 0
    width: int = 0

    @property
    def across(self) -> int:
        return self.width or self.hidden

    @property
    def narrow(self) -> int:
        return self.embedding or self.hidden


def shape_of(tensors: Mapping[str, Tensor], *, dropout: float = 0.1) -> Shape:
    """The sizes of an encoder, read off its tensors; heads are 64 wide, but where a tensor says how many there are."""
    rows, narrow = tensors["embeddings.word_embeddings.weight"].shape
    across, hidden = tensors["encoder.layer.0.attention.self.query.weight"].shape
    return Shape(
        rows=rows,
        hidden=hidden,
        layers=1 + max(int(name.split(".")[2]) for name in tensors if name.startswith("encoder.layer.")),
        heads=heads_of(tensors, across),
        inner=tensors["encoder.layer.0.intermediate.dense.weight"].shape[0],
        positions=tensors["embeddings.position_embeddings.weight"].shape[0],
        types=tensors["embeddings.token_type_embeddings.weight"].shape[0],
        dropout=dropout,
        embedding=0 if narrow == hidden else narrow,
        width=0 if across == hidden else across,
    )


def heads_of(tensors: Mapping[str, Any], across: int, prefix: str = "") -> int:
    """How many heads attend: a matrix does not show it, so that a shape of another than the usual width says it."""
    return int(tensors[f"{prefix}{HEADS}"]) if f"{prefix}{HEADS}" in tensors else max(1, across // 64)


class Embeddings(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.word_embeddings = nn.Embedding(shape.rows, shape.narrow, padding_idx=0)
        self.position_embeddings = nn.Embedding(shape.positions, shape.narrow)
        self.token_type_embeddings = nn.Embedding(shape.types, shape.narrow)
        self.LayerNorm = nn.LayerNorm(shape.narrow, eps=shape.epsilon)
        self.dropout = nn.Dropout(shape.dropout)

    def forward(self, ids: Tensor, types: Tensor) -> Tensor:
        words = self.word_embeddings(ids)
        places = self.position_embeddings.weight[: ids.shape[1]]
        return self.dropout(self.LayerNorm(words + self.token_type_embeddings(types) + places))  # type: ignore[no-any-return]


class SelfAttention(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.drop = shape.dropout
        self.query = nn.Linear(shape.hidden, shape.across)
        self.key = nn.Linear(shape.hidden, shape.across)
        self.value = nn.Linear(shape.hidden, shape.across)

    def forward(self, hidden: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
        batch, length, _ = hidden.shape
        width = self.query.out_features

        def split(tensor: Tensor) -> Tensor:
            return tensor.view(batch, length, self.heads, width // self.heads).transpose(1, 2)

        value = split(self.value(hidden))
        drop = self.drop if self.training else 0.0
        mixed = functional.scaled_dot_product_attention(
            split(self.query(hidden)), split(self.key(hidden)), value, attn_mask=mask, dropout_p=drop
        )
        return mixed.transpose(1, 2).reshape(batch, length, width), value


class Residual(nn.Module):
    """Dense, dropout, add what came in, normalise."""

    def __init__(self, wide: int, shape: Shape) -> None:
        super().__init__()
        self.dense = nn.Linear(wide, shape.hidden)
        self.LayerNorm = nn.LayerNorm(shape.hidden, eps=shape.epsilon)
        self.dropout = nn.Dropout(shape.dropout)

    def forward(self, inner: Tensor, before: Tensor) -> Tensor:
        return self.LayerNorm(self.dropout(self.dense(inner)) + before)  # type: ignore[no-any-return]


class Attention(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.self = SelfAttention(shape)
        self.output = Residual(shape.across, shape)


class Intermediate(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.dense = nn.Linear(shape.hidden, shape.inner)


class Layer(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.attention = Attention(shape)
        self.intermediate = Intermediate(shape)
        self.output = Residual(shape.inner, shape)

    def forward(self, hidden: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
        """The layer's output and its value vectors."""
        mixed, value = self.attention.self(hidden, mask)
        attended = self.attention.output(mixed, hidden)
        return self.output(functional.gelu(self.intermediate.dense(attended)), attended), value


class Layers(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.layer = nn.ModuleList(Layer(shape) for _ in range(shape.layers))


@dataclass(slots=True)
class Encoded:
    """What an encoder gives: each layer's output, and the last layer's value vectors."""

    layers: list[Tensor]
    values: Tensor

    @property
    def last(self) -> Tensor:
        return self.layers[-1]


class Encoder(nn.Module):
    """Token ids (batch × length) to vectors. `mask` is True where there is a token; None when there is no padding."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.embeddings = Embeddings(shape)
        # as ELECTRA and ALBERT have it: narrow word vectors leave their room to layers
        self.embeddings_project = nn.Linear(shape.narrow, shape.hidden) if shape.embedding else None
        self.encoder = Layers(shape)
        if shape.heads != max(1, shape.across // 64):
            self.register_buffer(HEADS, torch.tensor(float(shape.heads)))

    def forward(self, ids: Tensor, types: Tensor, mask: Tensor | None = None) -> Encoded:
        hidden = self.embeddings(ids, types)
        if self.embeddings_project is not None:
            hidden = self.embeddings_project(hidden)
        wide = None if mask is None else mask[:, None, None, :]
        layers = []
        values = hidden
        for layer in self.encoder.layer:
            hidden, values = layer(hidden, wide)
            layers.append(hidden)
        return Encoded(layers, values)


def encoder_from(tensors: Mapping[str, Tensor], *, dropout: float = 0.1) -> Encoder:
    """An encoder with these weights; every tensor must find its place."""
    kept = {name: tensor for name, tensor in tensors.items() if not name.endswith("_ids") and "pooler." not in name}
    encoder = Encoder(shape_of(kept, dropout=dropout))
    missing, unexpected = encoder.load_state_dict(kept, strict=False)
    if missing or unexpected:
        raise ValueError(f"weights do not fit a BERT encoder: missing {missing[:3]}, unexpected {unexpected[:3]}")
    return encoder


def chosen_layers(tensors: Mapping[str, Tensor], layers: tuple[int, ...]) -> dict[str, Tensor]:
    """The tensors of an encoder with only these layers, in this order."""
    out: dict[str, Tensor] = {}
    for name, tensor in tensors.items():
        if not name.startswith("encoder.layer."):
            out[name] = tensor.detach().clone()
            continue
        _, _, number, rest = name.split(".", 3)
        for place, chosen in enumerate(layers):
            if int(number) == chosen:
                out[f"encoder.layer.{place}.{rest}"] = tensor.detach().clone()
    return out


def with_rows(tensors: Mapping[str, Tensor], rows: list[int]) -> dict[str, Tensor]:
    """The tensors of an encoder with only these rows of its word embeddings, in this order."""
    name = "embeddings.word_embeddings.weight"
    return {**tensors, name: tensors[name][torch.as_tensor(rows)].clone()}
