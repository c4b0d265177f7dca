"""What the training of a reader starts from: a trained folder, or weights read back out of an ONNX folder.

An int8 graph has lost what was rounded away; the reader begins as what is left, and training mends it on the way.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from readproof.errors import InputError
from readproof.readers import vocabulary
from readproof.readers.adapter import CHANGES, adapted
from readproof.readers.card import has_weights, read_card
from readproof.readers.embedded import graph_of
from readproof.readers.factory import READERS
from readproof.readers.onnxweights import read_weights
from readproof.readers.shipped import Shipped
from readproof.training.begin import Start, read_start
from readproof.training.encoder import HEADS
from readproof.training.start import BertStart, folder_hash

Array = NDArray[Any]

_MODEL = "model.onnx"
_PARTS = ("query", "key", "value")


def reader_start(spec: str) -> Start:
    """The start that READER names: a shipped reader, an ONNX folder that `readproof export` wrote, a trained folder."""
    folder = Path(spec)
    if spec in READERS:
        entry = READERS.get(spec)
        if not isinstance(entry, Shipped):
            expected = "a reader that ships with the package, or the folder of a trained span reader"
            raise InputError(found=f"the reader {spec!r}", expected=expected)
        folder = entry.folder
    if has_weights(folder):
        return onnx_start(folder)
    if not folder.is_dir():
        raise InputError(file=spec, found="no such folder", expected="the folder of a trained span reader, or a name")
    start = read_start(folder)
    if not start.is_reader:
        do = "Train it first: readproof train span."
        raise InputError(file=folder, found="an encoder without a span head", expected="a trained span reader", do=do)
    return start


def onnx_start(folder: Path) -> BertStart:
    """The tensors inside model.onnx, or of the changes to that of another reader, with the vocabulary beside them."""
    graph, changes = graph_of(folder, read_card(folder)), folder / CHANGES
    try:
        weights = read_weights(graph)
        tensors = tensors_of({**weights, **adapted(graph, changes)} if changes.is_file() else weights)
    except (KeyError, ValueError) as error:
        found = f"a graph without some weights of a span reader ({error})"
        raise InputError(file=folder / _MODEL, found=found, expected="what `readproof export` wrote") from None
    return BertStart(tensors, vocabulary.read(folder), folder)


def tensors_of(weights: Mapping[str, Array]) -> dict[str, Tensor]:
    """An exported graph's weights under the names they had before, in float32."""
    out = {
        "embeddings.word_embeddings.weight": _rows(weights, "words"),
        "embeddings.position_embeddings.weight": _rows(weights, "positions"),
        "embeddings.token_type_embeddings.weight": weights["kinds"],
        "embeddings.LayerNorm.weight": weights["embeddings.gamma"],
        "embeddings.LayerNorm.bias": weights["embeddings.beta"],
        "qa_outputs.weight": weights["head.weight"].T,
        "qa_outputs.bias": weights["head.bias"],
    }
    if "embeddings.wide.weight" in weights:
        out["embeddings_project.weight"] = _matrix(weights, "embeddings.wide")
        out["embeddings_project.bias"] = weights["embeddings.wide.bias"]
    if HEADS in weights:
        out[HEADS] = weights[HEADS]
    number = 0
    while f"bert.encoder.layer.{number}.qkv.weight" in weights:
        out |= _layer(weights, f"encoder.layer.{number}")
        number += 1
    if not number:
        raise ValueError("no layers")
    return {name: torch.from_numpy(np.array(array, dtype=np.float32, order="C")) for name, array in out.items()}


def _layer(weights: Mapping[str, Array], name: str) -> dict[str, Array]:
    inner = f"bert.{name}"
    three = np.split(_matrix(weights, f"{inner}.qkv"), 3)
    biases = np.split(weights[f"{inner}.qkv.bias"], 3)
    out: dict[str, Array] = {}
    for part, matrix, bias in zip(_PARTS, three, biases, strict=True):
        out[f"{name}.attention.self.{part}.weight"] = matrix
        out[f"{name}.attention.self.{part}.bias"] = bias
    for dense, bias_name in (("attention.output", "bias"), ("intermediate", "shift"), ("output", "bias")):
        out[f"{name}.{dense}.dense.weight"] = _matrix(weights, f"{inner}.{dense}.dense")
        out[f"{name}.{dense}.dense.bias"] = weights[f"{inner}.{dense}.dense.{bias_name}"]
    for norm in ("attention.output.LayerNorm", "output.LayerNorm"):
        out[f"{name}.{norm}.weight"] = weights[f"{inner}.{norm}.gamma"]
        out[f"{name}.{norm}.bias"] = weights[f"{inner}.{norm}.beta"]
    return out


def _matrix(weights: Mapping[str, Array], name: str) -> Array:
    """A matrix as PyTorch has it, a row an output; channels that were drawn in are let out again."""
    table = weights[f"{name}.weight"].astype(np.float32)
    scale, drawn = weights.get(f"{name}.scale"), weights.get(f"{name}.drawn")
    if scale is not None:
        table = table * scale
    if drawn is not None:
        table = table * drawn[:, None]
    return table.T


def _rows(weights: Mapping[str, Array], name: str) -> Array:
    table = weights[name].astype(np.float32)
    scale = weights.get(f"{name}.scale")
    return table if scale is None else table * scale


def start_digest(start: Start) -> str:
    """One SHA-256 over the files that hardening reads."""
    if not isinstance(start, BertStart):
        return start.digest()
    return folder_hash(start.folder, also=(".onnx", ".npz", ".json"))
