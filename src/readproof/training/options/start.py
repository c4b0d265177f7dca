"""What training an option reader may start from: a BERT, a span reader, or an option reader that goes on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from torch import Tensor

from readproof.errors import InputError, shown
from readproof.readers.options import OptionReadingConfig
from readproof.readers.vocabulary import Vocabulary
from readproof.training.begin import need_own
from readproof.training.checkpoint import write_checkpoint
from readproof.training.encoder import chosen_layers
from readproof.training.options.model import HEADS
from readproof.training.start import BertStart, read_folder
from readproof.training.weights import read_tensors

# the key of config.json under which a folder says how its weights read options
KEY = "options"
_ARCHITECTURE = "OptionReader"


@dataclass(frozen=True, slots=True)
class OptionStart:
    """The tensors of an encoder, the heads for options where its folder has them, and how it then reads."""

    bert: BertStart
    heads: Mapping[str, Tensor]
    manner: OptionReadingConfig | None = None

    @property
    def layers(self) -> int:
        return self.bert.layers

    @property
    def is_reader(self) -> bool:
        return bool(self.heads)

    def state(self, layers: tuple[int, ...] = ()) -> dict[str, Tensor]:
        """The tensors as `option_reader_from` takes them; of the layers these, in this order, or all."""
        inner = {name: tensor for name, tensor in self.bert.tensors.items() if not name.startswith("qa_outputs.")}
        return {**(chosen_layers(inner, layers) if layers else inner), **self.heads}

    def cut(self, vocabulary: Vocabulary) -> OptionStart:
        """The same with another vocabulary's rows."""
        return replace(self, bert=self.bert.cut(vocabulary))


def read_option_start(folder: Path) -> OptionStart:
    """The start in a folder."""
    need_own(folder, "options")
    bert = read_folder(folder)
    path = folder / "model.safetensors"
    tensors = read_tensors(path) if path.is_file() and not any(folder.glob("part-*.safetensors")) else {}
    heads = {name: tensor.float() for name, tensor in tensors.items() if name.startswith(HEADS)}
    return OptionStart(bert, heads, folder_manner(folder))


def folder_manner(folder: Path) -> OptionReadingConfig | None:
    """How the option reader in a folder reads, its head among it; None where there is no such reader."""
    path = folder / "config.json"
    if not path.is_file():
        return None
    found = json.loads(path.read_text(encoding="utf-8")).get(KEY)
    if found is None:
        return None
    known = {one.name for one in fields(OptionReadingConfig)}
    if not isinstance(found, dict) or not known.issuperset(found):
        raise InputError(file=path, place=KEY, found=shown(found), expected="how an option reader reads")
    return OptionReadingConfig(**found)


def write_option_folder(
    folder: Path,
    state: Mapping[str, Tensor],
    vocabulary: Vocabulary,
    notes: Mapping[str, Any],
    manner: OptionReadingConfig,
) -> Path:
    """An option reader as a folder; config.json says which head it has and how it reads."""
    config = {"architectures": [_ARCHITECTURE], KEY: asdict(manner)}
    return write_checkpoint(folder, state, vocabulary, notes, config)
