"""A corpus as one array of token ids with the bounds of its documents: tokenised once, small enough to carry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from readproof.errors import InputError
from readproof.files import lines
from readproof.readers.vocabulary import Vocabulary
from readproof.training.pretrain.wordpieces import clean_text, together

Tokens = NDArray[np.uint16]
_FEWEST = 8
_MOST_ROWS = 1 << 16


@dataclass(frozen=True)
class Corpus:
    """Document i is `ids[bounds[i]:bounds[i + 1]]`."""

    ids: Tokens
    bounds: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.bounds) - 1

    @cached_property
    def document(self) -> NDArray[np.int32]:
        """The document of every token."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.bounds))

    def split(self, share: float) -> tuple[Corpus, Corpus]:
        """All but every n-th document, and those; the second is to measure on."""
        step = max(2, round(1 / share)) if share else len(self) + 1
        held = np.arange(len(self)) % step == step - 1
        return self._some(~held), self._some(held)

    def _some(self, wanted: NDArray[np.bool_]) -> Corpus:
        lengths = np.diff(self.bounds)
        kept = np.repeat(wanted, lengths)
        return Corpus(self.ids[kept], np.concatenate(([0], np.cumsum(lengths[wanted]))).astype(np.int64))


def documents(paths: Sequence[Path]) -> Iterator[str]:
    """Every line of every file, plain or packed; a file that is named twice counts twice."""
    for path in paths:
        for _, line in lines(path):
            if line.strip():
                yield line


def tokenised(texts: Iterable[str], vocabulary: Vocabulary) -> Corpus:
    """The texts as tokens; what is only a few tokens long is left out."""
    if len(vocabulary) > _MOST_ROWS:
        raise InputError(found=f"{len(vocabulary)} pieces", expected=f"at most {_MOST_ROWS}")
    tokenizer = vocabulary.tokenizer()
    parts: list[Tokens] = []
    for some in together(texts):
        for one in tokenizer.encode_batch([clean_text(text) for text in some], add_special_tokens=False):
            if len(one.ids) >= _FEWEST:
                parts.append(np.asarray(one.ids, dtype=np.uint16))
    if not parts:
        raise InputError(found="no text", expected=f"lines of at least {_FEWEST} tokens")
    lengths = [len(part) for part in parts]
    return Corpus(np.concatenate(parts), np.concatenate(([0], np.cumsum(lengths))).astype(np.int64))


def save_corpus(path: Path, corpus: Corpus) -> None:
    part = path.with_name(f".{path.name}.part")
    with part.open("wb") as file:
        np.savez(file, ids=corpus.ids, bounds=corpus.bounds)
    part.replace(path)


def load_corpus(path: Path) -> Corpus:
    with np.load(path) as found:
        return Corpus(found["ids"], found["bounds"])
