"""What an option reader changed in the span reader it began as, in few bytes: matrices of low rank, vectors whole."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readproof.readers.adapter import LEFT, RIGHT, SCALE

Array = NDArray[Any]

# how the span graph calls what `state_dict` calls otherwise
_BIAS = {"intermediate.dense": "shift"}


def adapter_of(before: Mapping[str, Array], after: Mapping[str, Array], rank: int) -> dict[str, Array]:
    """The arrays of an adapter: from a span reader's tensors to an option reader's. Word vectors stay as they were."""
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
    heads = ("truth", "relevance")
    out["head.weight"] = np.concatenate([after[f"{head}.weight"] for head in heads]).T.astype(np.float32)
    out["head.bias"] = np.concatenate([after[f"{head}.bias"] for head in heads]).astype(np.float32)
    return out


def write_adapter(path: Path, arrays: Mapping[str, Array]) -> Path:
    """The arrays as one file; the same arrays give the same bytes."""
    part = path.with_suffix(".part.npz")
    named: dict[str, Any] = dict(arrays)
    np.savez(part, **named)
    part.replace(path)
    return path


def _low(name: str, change: Array, rank: int) -> dict[str, Array]:
    """The nearest product of two narrow matrices, both int8, to a change (a row an output, as PyTorch has it)."""
    left, sizes, right = np.linalg.svd(change.T.astype(np.float32), full_matrices=False)
    left, sizes, right = left[:, :rank], sizes[:rank], right[:rank]
    reach = [np.maximum(np.abs(one).max(axis=axis), 1e-12) / 127.0 for one, axis in ((left, 0), (right, 1))]
    return {
        name + LEFT: np.rint(left / reach[0]).astype(np.int8),
        name + RIGHT: np.rint(right / reach[1][:, None]).astype(np.int8),
        name + SCALE: (sizes * reach[0] * reach[1]).astype(np.float32),
    }


def _small(vector: Array) -> Array:
    return vector.astype(np.float16)
