"""What training may start from, and which encoder takes it: our own for a BERT, `transformers` for all else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from torch import Tensor

from readproof.errors import InputError
from readproof.items import SpanItem
from readproof.training.checkpoint import check_family
from readproof.training.learner import SpanLearner
from readproof.training.measure import EvalSet
from readproof.training.start import read_folder


class Start(Protocol):
    """The weights of an encoder (and of a head, where there is one) with the tokens that belong to them."""

    @property
    def positions(self) -> int:
        """The longest window."""
        ...

    @property
    def layers(self) -> int: ...

    @property
    def is_reader(self) -> bool:
        """Whether there is a trained head."""
        ...

    @property
    def tells_layers(self) -> bool:
        """Whether layers can have learning rates of their own."""
        ...

    @property
    def made_with(self) -> Mapping[str, str]:
        """Versions of what the weights come out of, beside those of every training."""
        ...

    def state(self) -> dict[str, Tensor]:
        """The tensors as `reader` takes them."""
        ...

    def prepared(self, items: list[SpanItem], *, max_tokens: int, overlap: int) -> EvalSet:
        """Items as tokens and windows."""
        ...

    def reader(self, state: Mapping[str, Tensor], *, dropout: float) -> SpanLearner:
        """A reader with these tensors; what they lack is drawn anew."""
        ...

    def write(self, folder: Path, state: Mapping[str, Tensor], notes: Mapping[str, Any], *, max_tokens: int) -> Path:
        """A trained reader as a Hugging Face folder with notes."""
        ...

    def digest(self) -> str:
        """One SHA-256 over the files that training reads."""
        ...


def read_start(folder: Path) -> Start:
    """The start in a folder."""
    if is_own(folder):
        return read_folder(folder)
    from readproof.training.pretrainedstart import read_pretrained

    return read_pretrained(folder)


def is_own(folder: Path) -> bool:
    """Whether our own encoder takes a folder; so it does where there is nothing to read, and tells what is amiss."""
    config = folder / "config.json"
    if any(folder.glob("part-*.safetensors")) or not config.is_file():
        return True
    try:
        check_family(folder)
    except InputError:
        return not _is_configuration(config)
    return (folder / "vocab.txt").is_file() or not (folder / "tokenizer.json").is_file()


def need_own(folder: Path, what: str) -> None:
    """An InputError unless our own encoder takes a folder."""
    if not is_own(folder):
        raise InputError(
            file=folder,
            found="an encoder that is not a BERT with vocab.txt",
            expected=f"a BERT, MacBERT or RoBERTa-wwm for {what}",
            do="Other encoders are trained by `readproof train span` alone: neither distilled nor exported.",
        )


def _is_configuration(path: Path) -> bool:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return False
    return isinstance(found, dict) and "model_type" in found
