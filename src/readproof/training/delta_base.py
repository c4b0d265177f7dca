"""Readers that are kept as changes to a shipped one: its layers lend what they know, and only the changes take room.

A reader of another language has word vectors of its own (as a product through few dimensions), and layers that differ
from the lender's by matrices of low rank; so it is learnt as what it is kept as.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import torch
from torch import Tensor

from readproof.errors import InputError
from readproof.files import digest
from readproof.readers.embedded import MODEL
from readproof.readers.factory import READERS
from readproof.readers.shipped import Shipped
from readproof.readers.vocabulary import Vocabulary
from readproof.training.encoder import Encoder, encoder_from
from readproof.training.learner import OnEncoder
from readproof.training.low_rank import narrow_words, narrowed
from readproof.training.readerstart import onnx_start
from readproof.training.start import BertStart

Reader = TypeVar("Reader", bound=OnEncoder)

_WORDS = "embeddings.word_embeddings.weight"
_BESIDE = tuple(f"bert.embeddings.{name}" for name in ("position_embeddings", "token_type_embeddings", "LayerNorm"))


@dataclass(frozen=True, slots=True, kw_only=True)
class DeltaBase:
    """The shipped `reader` that lends its layers; they change by this `rank`, `words` is how wide word vectors are."""

    reader: str = "zh"
    rank: int = 64
    words: int = 256

    def __post_init__(self) -> None:
        if self.reader not in lenders():
            found, expected = repr(self.reader), f"the name of a shipped reader with a graph of its own: {_named()}"
            raise InputError(place="onto", found=found, expected=expected)
        if self.rank < 1 or self.words < 1:
            found = f"rank {self.rank}, words {self.words}"
            raise InputError(place="onto", found=found, expected="1 or more of each")


def lenders() -> list[str]:
    """The shipped readers whose layers can be lent."""
    shipped = {name: READERS.get(name) for name in READERS.names()}
    return [name for name, one in shipped.items() if isinstance(one, Shipped) and (one.folder / MODEL).is_file()]


def _named() -> str:
    return ", ".join(lenders())


@lru_cache(maxsize=1)
def lender(name: str) -> BertStart:
    """The weights of a shipped reader, as its graph has them."""
    return onnx_start(Shipped(name).folder)


def lender_hash(onto: DeltaBase) -> str:
    """What the changes are changes to."""
    return digest(Shipped(onto.reader).folder / MODEL)


def as_changes(reader: Reader, onto: DeltaBase) -> Reader:
    """The reader, learning as changes to the lender; what it already differs by is kept as far as they allow."""
    narrowed(reader, lender(onto.reader).tensors, onto.rank, also=_BESIDE)
    narrow_words(reader, onto.words)
    return reader


def lent_encoder(onto: DeltaBase, vocabulary: Vocabulary, *, dropout: float) -> Encoder:
    """The lender's layers under word vectors for another vocabulary.

    Pieces that both have (signs, digits, Latin letters) keep their vectors; the others are drawn from how the lender's
    are spread, so that the layers are given what they are used to.
    """
    start = lender(onto.reader)
    tensors: dict[str, Tensor] = {name: one for name, one in start.tensors.items() if not name.startswith("qa_")}
    known = tensors[_WORDS].float()
    middle = known.mean(dim=0)
    _, sizes, directions = torch.linalg.svd(known - middle, full_matrices=False)
    spread = directions * (sizes / len(known) ** 0.5)[:, None]
    drawn = middle + torch.randn(len(vocabulary), len(spread)) @ spread
    old = start.vocabulary.ids()
    both = [(row, old[piece]) for piece, row in vocabulary.ids().items() if piece in old]
    for row, other in both:
        drawn[row] = known[other]
    return encoder_from({**tensors, _WORDS: drawn}, dropout=dropout)
