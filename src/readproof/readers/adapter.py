"""A second reader in the weights of the first: small changes to each matrix, and a head of its own.

A reader that learnt from another differs from it by matrices of low rank. So its file holds, for each matrix, two
narrow ones whose product is added; vectors (biases, norms) are there whole. Both readers run the same graph. For an
option reader the two columns of the head, first and last for spans, are the truth of a statement and the relevance of a
piece, read at [CLS]. A span reader of another language brings its own word vectors besides: the whole table is the
product of two narrow ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from readproof.errors import InputError
from readproof.readers.onnxweights import read_weights

Array = NDArray[Any]

FILE = "options.npz"
CHANGES = "changes.npz"
LEFT, RIGHT, SCALE = ".left", ".right", ".scale"
WORDS, POSITIONS = "words", "positions"


def adapted(model: Path, adapter: Path) -> dict[str, Array]:
    """The weights of a model that an adapter changes, changed."""
    weights = read_weights(model)
    parts = _read(adapter)
    changed: dict[str, Array] = {}
    for name in parts:
        if name.endswith((RIGHT, SCALE)):
            continue
        base = name.removesuffix(LEFT)
        wanted = f"{base}.weight" if name.endswith(LEFT) and base != WORDS else base
        if wanted not in weights:
            expected = f"weights of {model.name} beside it"
            raise InputError(file=adapter, place=name, found="a matrix of another model", expected=expected)
        try:
            if base in (WORDS, POSITIONS):
                changed |= _table(base, weights, _product(base, parts) if name.endswith(LEFT) else parts[name])
            elif name.endswith(LEFT):
                changed |= _matrix(base, weights, _product(base, parts))
            else:
                changed[base] = parts[name].astype(np.float32).reshape(weights[base].shape)
        except (KeyError, ValueError) as error:
            expected = f"a change that fits {wanted}"
            raise InputError(file=adapter, place=name, found=f"another shape ({error})", expected=expected) from None
    return changed


def _read(adapter: Path) -> dict[str, Array]:
    try:
        with np.load(adapter, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except (ValueError, OSError, EOFError, BadZipFile, AttributeError) as error:
        found = f"a file that cannot be read ({error})"
        raise InputError(file=adapter, found=found, expected="what `readproof export --onto` wrote") from None


def rounded(table: Array, axis: int) -> tuple[Array, Array]:
    """int8 with one scale for each slice across `axis`: the weight nearest to the table in 255 steps."""
    scale = np.maximum(np.abs(table).max(axis=axis), 1e-12) / 127.0
    whole = np.rint(table / np.expand_dims(scale, axis)).clip(-127, 127)
    return whole.astype(np.int8), scale.astype(np.float32)


def _matrix(name: str, weights: Mapping[str, Array], change: Array) -> dict[str, Array]:
    """A changed matrix as the graph wants it: quantised anew where it was, with channels drawn in as they were."""
    table = weights[f"{name}.weight"]
    if table.dtype != np.int8:
        return {f"{name}.weight": (table + change).astype(np.float32)}
    drawn = weights.get(f"{name}.drawn")
    if drawn is not None:
        change = change / drawn.reshape(-1, 1)
    whole, scale = rounded(table.astype(np.float32) * weights[f"{name}.scale"] + change, axis=0)
    return {f"{name}.weight": whole, f"{name}.scale": scale}


def _table(name: str, weights: Mapping[str, Array], table: Array) -> dict[str, Array]:
    """A table of another length, as wide as the graph's own."""
    if table.shape[1:] != weights[name].shape[1:]:
        raise ValueError(f"{table.shape[1]} wide")
    if weights[name].dtype != np.int8:
        return {name: table.astype(np.float32)}
    whole, scale = rounded(table.astype(np.float32), axis=1)
    return {name: whole, f"{name}.scale": scale[:, None]}


def _product(name: str, parts: Mapping[str, Array]) -> Array:
    """left × right; each pair of a column and a row has a scale."""
    left, right = parts[name + LEFT].astype(np.float32), parts[name + RIGHT].astype(np.float32)
    product: Array = (left * parts[name + SCALE].astype(np.float32)) @ right
    return product
