"""What a reader changed in the one it began as, in few bytes: matrices of low rank, vectors whole.

An option reader keeps the span reader's word vectors. A span reader of another language has its own, as a product
through few dimensions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readproof.readers.adapter import LEFT, POSITIONS, RIGHT, SCALE, WORDS

Array = NDArray[Any]

# how the span graph calls what `state_dict` calls otherwise
_BIAS = {"intermediate.dense": "shift"}


def option_changes(before: Mapping[str, Array], after: Mapping[str, Array], rank: int) -> dict[str, Array]:
    """From a span reader's tensors to an option reader's. Word vectors stay as they were."""
    return layer_changes(before, after, rank) | _head(after, ("truth", "relevance"))


def span_changes(before: Mapping[str, Array], after: Mapping[str, Array], rank: int, words: int) -> dict[str, Array]:
    """From a span reader's tensors to those of one with another vocabulary; `words` is the width of its vectors."""
    below = "bert.embeddings"
    out = layer_changes(before, after, rank) | _head(after, ("qa_outputs",))
    out |= _low(WORDS, after[f"{below}.word_embeddings.weight"].T, words)
    out[POSITIONS] = _small(after[f"{below}.position_embeddings.weight"])
    out["kinds"] = _small(after[f"{below}.token_type_embeddings.weight"])
    out["embeddings.gamma"] = _small(after[f"{below}.LayerNorm.weight"])
    out["embeddings.beta"] = _small(after[f"{below}.LayerNorm.bias"])
    return out


def layer_changes(before: Mapping[str, Array], after: Mapping[str, Array], rank: int) -> dict[str, Array]:
    """What the layers of one differ by from those of the other."""
    out: dict[str, Array] = {}
    number = 0
    while f"bert.encoder.layer.{number}.output.dense.weight" in after:
        layer = f"bert.encoder.layer.{number}"
        parts = [f"{layer}.attention.self.{part}" for part in ("query", "key", "value")]
        together = [np.concatenate([one[f"{part}.weight"] for part in parts]) for one in (before, after)]
        out |= _low(f"{layer}.qkv", together[1] - together[0], rank)
        out[f"{layer}.qkv.bias"] = _small(np.concatenate([after[f"{part}.bias"] for part in parts]))
        for name in ("attention.output.dense", "intermediate.dense", "output.dense"):
            full = f"{layer}.{name}"
            out |= _low(full, after[f"{full}.weight"] - before[f"{full}.weight"], rank)
            out[f"{full}.{_BIAS.get(name, 'bias')}"] = _small(after[f"{full}.bias"])
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            out[f"{layer}.{name}.gamma"] = _small(after[f"{layer}.{name}.weight"])
            out[f"{layer}.{name}.beta"] = _small(after[f"{layer}.{name}.bias"])
        number += 1
    return out


def write_changes(path: Path, arrays: Mapping[str, Array]) -> Path:
    """The arrays as one file; the same arrays give the same bytes."""
    part = path.with_suffix(".part.npz")
    named: dict[str, Any] = dict(arrays)
    np.savez(part, **named)
    part.replace(path)
    return path


def _head(after: Mapping[str, Array], heads: Sequence[str]) -> dict[str, Array]:
    return {
        "head.weight": np.concatenate([after[f"{head}.weight"] for head in heads]).T.astype(np.float32),
        "head.bias": np.concatenate([after[f"{head}.bias"] for head in heads]).astype(np.float32),
    }


def _low(name: str, change: Array, rank: int) -> dict[str, Array]:
    """The nearest product of two narrow matrices, both int8, to a change (a row an output, as PyTorch has it)."""
    left, sizes, right = _largest(change.T.astype(np.float64), rank)
    reach = [np.maximum(np.abs(one).max(axis=axis), 1e-12) / 127.0 for one, axis in ((left, 0), (right, 1))]
    return {
        name + LEFT: np.rint(left / reach[0]).astype(np.int8),
        name + RIGHT: np.rint(right / reach[1][:, None]).astype(np.int8),
        name + SCALE: (sizes * reach[0] * reach[1]).astype(np.float32),
    }


def _largest(table: Array, rank: int) -> tuple[Array, Array, Array]:
    """The largest singular values with their vectors, by way of the smaller square: far quicker than all of them."""
    if table.shape[0] < table.shape[1]:
        left, sizes, right = _largest(table.T, rank)
        return right.T, sizes, left.T
    squares, vectors = np.linalg.eigh(table.T @ table)
    right = vectors[:, ::-1][:, :rank]
    sizes = np.sqrt(np.maximum(squares[::-1][:rank], 0.0))
    return table @ right / np.maximum(sizes, 1e-12), sizes, right.T


def _small(vector: Array) -> Array:
    return vector.astype(np.float16)
