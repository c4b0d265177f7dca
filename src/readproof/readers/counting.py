"""How many parameters the weights of a Hugging Face folder have, by the headers of its files: nothing is loaded."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from readproof.errors import InputError
from readproof.files import read_text

ONE = "model.safetensors"
INDEX = "model.safetensors.index.json"

# a file begins with the length of its header, in eight bytes
_LENGTH = 8
_LONGEST = 100_000_000
# positions and masks are kept beside the weights
_NO_WEIGHTS = ("I64", "BOOL")


def parameters_in(folder: Path) -> int | None:
    """The parameters of all weights of a folder; None where there are none in safetensors, or where they are broken."""
    try:
        return sum(_counted(path) for path in _files(folder)) or None
    except (OSError, ValueError, TypeError, KeyError, AttributeError, InputError):
        # the reader itself tells what is wrong with its weights
        return None


def _files(folder: Path) -> list[Path]:
    if (folder / ONE).is_file():
        return [folder / ONE]
    if (folder / INDEX).is_file():
        names = set(json.loads(read_text(folder / INDEX))["weight_map"].values())
        return [folder / name for name in sorted(names)]
    return []


def _counted(path: Path) -> int:
    with path.open("rb") as file:
        length = int.from_bytes(file.read(_LENGTH), "little")
        if length > _LONGEST:
            raise ValueError(length)
        header: dict[str, Any] = json.loads(file.read(length))
    tensors = (tensor for name, tensor in header.items() if name != "__metadata__")
    return sum(math.prod(tensor["shape"]) for tensor in tensors if tensor["dtype"] not in _NO_WEIGHTS)
