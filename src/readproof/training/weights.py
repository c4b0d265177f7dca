"""Weights in few bytes: int8 safetensors parts, as start weights come and as trained ones are packed.

In a part a matrix NAME is int8 with one scale a row in NAME.scale. NAME.rest, where there is one, is the int8
remainder of that rounding in steps of scale / 254, so a matrix and its rest together carry about 16 bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from pickle import UnpicklingError

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from readproof.errors import InputError

REST_STEPS = 254.0


def read_parts(parts: Sequence[Path], folder: Path) -> dict[str, Tensor]:
    """The tensors of all parts, matrices as float32."""
    if not parts:
        raise InputError(file=folder, found="no weights", expected="part-*.safetensors", do="Name another folder.")
    packed: dict[str, Tensor] = {}
    for part in parts:
        packed.update(read_tensors(part))
    return unpacked(packed)


def read_tensors(path: Path) -> dict[str, Tensor]:
    """The tensors of one file, .safetensors or PyTorch's .bin; a damaged file is the user's to mend."""
    try:
        if path.suffix == ".safetensors":
            return load_file(path)
        tensors: dict[str, Tensor] = torch.load(path, map_location="cpu", weights_only=True)
        return tensors
    except (SafetensorError, UnpicklingError, RuntimeError, EOFError, OSError) as error:
        said = (str(error).splitlines() or [type(error).__name__])[0]
        found = f"a file that cannot be read ({said})"
        raise InputError(file=path, found=found, expected="a model's weights", do="Fetch the file again.") from None


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
