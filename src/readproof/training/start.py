"""What training starts from: the tensors and the vocabulary of a folder, cut to the rows a plan keeps."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from torch import Tensor

from readproof.errors import InputError
from readproof.files import digest
from readproof.items import SpanItem
from readproof.readers import vocabulary as tokens
from readproof.readers.vocabulary import CLS, SEP, UNKNOWN, Vocabulary
from readproof.training.checkpoint import bare, check_family, read_checkpoint, write_checkpoint
from readproof.training.encoder import with_rows
from readproof.training.measure import Prepared
from readproof.training.model import SpanReader, reader_from
from readproof.training.sets import prepare
from readproof.training.vocabulary import source_rows
from readproof.training.weights import read_parts

_WORDS = "embeddings.word_embeddings.weight"
_FETCH = "Fetch a model of the hub into a folder first: hf download NAME --local-dir FOLDER"
_PLACES = "embeddings.position_embeddings.weight"


@dataclass(frozen=True, slots=True)
class BertStart:
    """The tensors of a BERT (and a head, where its folder has one) with the vocabulary that belongs to them."""

    tensors: Mapping[str, Tensor]
    vocabulary: Vocabulary
    folder: Path

    @property
    def positions(self) -> int:
        return int(self.tensors[_PLACES].shape[0])

    @property
    def layers(self) -> int:
        return 1 + max(int(name.split(".")[2]) for name in self.tensors if name.startswith("encoder.layer."))

    @property
    def is_reader(self) -> bool:
        return "qa_outputs.weight" in self.tensors

    @property
    def tells_layers(self) -> bool:
        return True

    @property
    def made_with(self) -> Mapping[str, str]:
        return {}

    def digest(self) -> str:
        return folder_hash(self.folder)

    def state(self) -> dict[str, Tensor]:
        """The tensors as `reader_from` takes them."""
        if not self.is_reader:
            return dict(self.tensors)
        return {name if name.startswith("qa_outputs.") else f"bert.{name}": one for name, one in self.tensors.items()}

    def prepared(self, items: list[SpanItem], *, max_tokens: int, overlap: int) -> Prepared:
        return prepare(items, self.vocabulary.tokenizer(), max_tokens=max_tokens, overlap=overlap)

    def reader(self, state: Mapping[str, Tensor], *, dropout: float) -> SpanReader:
        return reader_from(state, dropout=dropout)

    def write(
        self,
        folder: Path,
        state: Mapping[str, Tensor],
        notes: Mapping[str, Any],
        *,
        max_tokens: int,  # noqa: ARG002 -- a BERT reads as many tokens as it has positions
    ) -> Path:
        return write_checkpoint(folder, state, self.vocabulary, notes)

    def cut(self, vocabulary: Vocabulary) -> BertStart:
        """The same with another vocabulary's rows; those it did not have begin as [UNK]'s."""
        tensors = with_rows(dict(self.tensors), source_rows(vocabulary, self.vocabulary.rows))
        return BertStart(tensors, vocabulary, self.folder)


def read_folder(folder: Path) -> BertStart:
    """A start out of int8 parts, a Hugging Face folder of the BERT family, or a folder that training wrote."""
    if not folder.is_dir():
        raise InputError(file=folder, found="no such folder", expected="a folder with weights", do=_FETCH)
    parts = sorted(folder.glob("part-*.safetensors"))
    if not parts:
        check_family(folder)
    path = folder / "vocab.txt"
    if not path.is_file():
        raise InputError(file=path, found="no such file", expected="vocab.txt beside the weights", do="Add it.")
    vocabulary = tokens.read(folder)
    tensors = bare(read_parts(parts, folder)) if parts else read_checkpoint(folder)
    if _WORDS not in tensors or "encoder.layer.0.attention.self.query.weight" not in tensors:
        raise InputError(file=folder, found="no tensors of an encoder", expected="a BERT's weights")
    if len(vocabulary) != tensors[_WORDS].shape[0]:
        raise InputError(
            file=path,
            found=f"{len(vocabulary)} tokens",
            expected=f"{tensors[_WORDS].shape[0]}, as many as the weights have rows",
            do="Put the vocabulary that belongs to the weights there.",
        )
    missing = [token for token in (CLS, SEP, UNKNOWN) if token not in vocabulary.rows]
    if missing:
        raise InputError(file=path, found=f"no {missing[0]}", expected=f"a vocabulary with {CLS}, {SEP}, {UNKNOWN}")
    return BertStart(tensors, vocabulary, folder)


def shipped_vocabulary(name: str) -> Vocabulary:
    """The vocabulary of a reader that comes with the package."""
    with resources.as_file(resources.files("readproof.readers.models") / name) as folder:
        if not (folder / "vocab.txt").is_file():
            raise InputError(place="vocabulary", found=repr(name), expected="the name of a shipped reader, or nothing")
        return tokens.read(folder)


def folder_hash(folder: Path, *, also: tuple[str, ...] = ()) -> str:
    """One SHA-256 over the files of a folder that training reads."""
    found = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if path.suffix in (".safetensors", ".bin", ".txt", ".tsv", *also):
            found.update(f"{path.name} {digest(path)}\n".encode())
    return found.hexdigest()
