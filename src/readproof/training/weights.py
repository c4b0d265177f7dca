"""Start weights: the tensors of a folder of int8 safetensors parts, or of a Hugging Face folder, and its vocabulary.

In a part a matrix NAME is int8 with one scale a row in NAME.scale. NAME.rest, where there is one, is the int8
remainder of that rounding in steps of scale / 254, so a matrix and its rest together carry about 16 bits.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from readproof.errors import InputError

REST_STEPS = 254.0


def read_start(folder: Path, *, checksums: Mapping[str, str] | None = None) -> tuple[dict[str, Tensor], list[str]]:
    """The encoder tensors of a folder, named as in `transformers.BertModel`, and the tokens of its vocabulary."""
    vocabulary = read_vocabulary(folder / "vocab.txt")
    for name, expected in (checksums or {}).items():
        verify(folder / name, expected)
    parts = sorted(folder.glob("part-*.safetensors"))
    tensors = read_parts(parts, folder) if parts else _from_transformers(folder)
    rows = tensors["embeddings.word_embeddings.weight"].shape[0]
    if rows != len(vocabulary):
        raise InputError(
            file=folder / "vocab.txt",
            found=f"{len(vocabulary)} tokens",
            expected=f"{rows}, as many as the weights have rows",
            do="Put the vocabulary that belongs to the weights there.",
        )
    return tensors, vocabulary


def _from_transformers(folder: Path) -> dict[str, Tensor]:
    from transformers import BertModel

    model = BertModel.from_pretrained(folder, add_pooling_layer=False)
    return {name: tensor.float() for name, tensor in model.state_dict().items() if not name.endswith("_ids")}


def read_vocabulary(path: Path) -> list[str]:
    """The tokens of a vocab.txt."""
    if not path.exists():
        raise InputError(file=path, found="no such file", expected="vocab.txt beside the weights", do="Add it.")
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def verify(path: Path, expected: str) -> None:
    """An InputError unless the file has this SHA-256."""
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != expected:
        raise InputError(file=path, found=f"sha256 {found}", expected=expected, do="Copy the file again.")


def read_parts(parts: Sequence[Path], folder: Path) -> dict[str, Tensor]:
    """The tensors of all parts, matrices as float32."""
    if not parts:
        raise InputError(file=folder, found="no weights", expected="part-*.safetensors", do="Name another folder.")
    packed: dict[str, Tensor] = {}
    for part in parts:
        packed.update(load_file(part))
    return unpacked(packed)


def unpacked(packed: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Float32 tensors out of int8 matrices with scales, and out of anything kept as it is."""
    tensors: dict[str, Tensor] = {}
    for name, tensor in packed.items():
        if name.endswith((".scale", ".rest")):
            continue
        value = tensor.float()
        scale = packed.get(f"{name}.scale")
        if scale is not None:
            rest = packed.get(f"{name}.rest")
            if rest is not None:
                value = value + rest.float() / REST_STEPS
            value = value * scale.float().reshape(-1, *[1] * (value.dim() - 1))
        tensors[name] = value
    return tensors


def packed(tensors: Mapping[str, Tensor], *, rest: bool = False) -> dict[str, Tensor]:
    """Matrices as int8 with a float32 scale a row (and, if asked, the int8 rest); all else as float32."""
    out: dict[str, Tensor] = {}
    for name, tensor in tensors.items():
        value = tensor.detach().float().cpu()
        if value.dim() < 2 or value.shape[0] < 3:
            out[name] = value.contiguous()
            continue
        scale = (value.abs().amax(dim=1, keepdim=True) / 127.0).clamp_min(1e-12)
        whole = (value / scale).round().clamp(-127, 127)
        out[name] = whole.to(torch.int8)
        out[f"{name}.scale"] = scale.contiguous()
        if rest:
            left = ((value / scale - whole) * REST_STEPS).round().clamp(-127, 127)
            out[f"{name}.rest"] = left.to(torch.int8)
    return out


def write_pieces(tensors: Mapping[str, Tensor], folder: Path, prefix: str, limit: int) -> list[Path]:
    """Tensors as safetensors files of at most `limit` bytes each, in order; a tensor is never split."""
    folder.mkdir(parents=True, exist_ok=True)
    groups: list[dict[str, Tensor]] = [{}]
    size = 0
    for name, tensor in tensors.items():
        bytes_ = tensor.numel() * tensor.element_size() + 256
        if size + bytes_ > limit and groups[-1]:
            groups.append({})
            size = 0
        groups[-1][name] = tensor
        size += bytes_
    paths = []
    for index, group in enumerate(groups, 1):
        path = folder / f"{prefix}-{index}.safetensors"
        save_file(group, path)
        paths.append(path)
    return paths


def read_pieces(paths: Iterable[Path]) -> dict[str, Tensor]:
    """What `write_pieces` wrote, as float32."""
    together: dict[str, Tensor] = {}
    for path in paths:
        together.update(load_file(path))
    return unpacked(together)


def save_notes(path: Path, notes: Mapping[str, Any]) -> None:
    """Notes beside weights (recipe, scores), as JSON."""
    path.write_text(json.dumps(notes, ensure_ascii=False, indent=1, default=str) + "\n", encoding="utf-8")
