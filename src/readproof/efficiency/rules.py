"""The published counting rules in plain numbers: multiply-adds (MACs) of each kind of module; FLOPs are twice as many.

After the counter of ElasticBERT (`FLOPs/flops_counter.py`, a changed ptflops, MIT). Embeddings, dropout, GELU, tanh
and residual sums are free there; biases of linear layers and of attention are not counted, those of convolutions are.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

FLOPS_PER_MAC = 2


def linear(inputs: Sequence[int], outputs: int) -> int:
    """A dense layer on an input of this shape."""
    return prod(inputs) * outputs


def norm(inputs: Sequence[int], affine: bool) -> int:
    """Layer, batch, group and instance norm; scale and shift cost as much again."""
    return prod(inputs) * (2 if affine else 1)


def each(shape: Sequence[int]) -> int:
    """One for each number: the ReLU family (of the output), pooling (of the input), up-sampling (of the output)."""
    return prod(shape)


def convolution(
    batch: int, places: Sequence[int], kernel: Sequence[int], inputs: int, outputs: int, groups: int, bias: bool
) -> int:
    """A convolution whose output has these places; a transposed one is counted by its output too."""
    active = batch * prod(places)
    return prod(kernel) * inputs * (outputs // groups) * active + (outputs * active if bias else 0)


def self_attention(batch: int, length: int, hidden: int, heads: int, head: int, width: int) -> int:
    """Query, key and value, then scale, product, softmax and product in each head; nothing where no head is left.

    `width` is that of all heads together, `head` that of one.
    """
    if heads == 0:
        return 0
    square = length * length
    return batch * (3 * length * hidden * width + heads * (2 * square + 2 * head * square))


def albert_attention(batch: int, length: int, hidden: int, heads: int, head: int, width: int) -> int:
    """The same with the dense layer and the norm that follow it."""
    square = length * length
    inner = 3 * length * hidden * width + heads * (2 * square + 2 * head * square)
    return batch * (inner + length * hidden * hidden + 2 * length * hidden)


def multihead_attention(
    batch: int,
    queries: tuple[int, int],
    keys: tuple[int, int],
    values: tuple[int, int],
    embedding: int,
    key_width: int,
    value_width: int,
    heads: int,
    bias: bool,
) -> int:
    """torch's own attention, as ptflops counts it; `queries`, `keys` and `values` are pairs of length and width."""
    length, other = queries[0], keys[0]
    head = embedding // heads
    total = length * queries[1] * embedding + other * keys[1] * key_width + values[0] * values[1] * value_width
    if bias:
        total += (length + other + values[0]) * embedding
    total += heads * (length * head + 2 * head * length * other + length * other)
    total += length * embedding * (embedding + 1)
    return batch * total


# beside the two products, what one step of a cell adds, in hidden sizes: sums and element-wise products
_CELL = {"RNN": 1, "GRU": 7, "LSTM": 10}


def recurrent_step(kind: str, into: Sequence[int], back: Sequence[int], hidden: int, biases: int) -> int:
    """One step of one layer: `into` and `back` are the shapes of its two matrices, `biases` counts both biases."""
    return prod(into) + prod(back) + _CELL[kind] * hidden + biases


def bert_layer(length: int, hidden: int = 768, heads: int = 12, inner: int = 3072) -> int:
    """A whole BERT layer: attention, its dense layer and norm, the two feed-forward layers and their norm."""
    attention = self_attention(1, length, hidden, heads, hidden // heads, hidden)
    around = linear((length, hidden), hidden) + 2 * norm((length, hidden), affine=True)
    return attention + around + linear((length, hidden), inner) + linear((length, inner), hidden)
