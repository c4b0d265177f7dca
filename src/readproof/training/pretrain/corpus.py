"""A corpus as one array of token ids with the bounds of its documents: tokenised once, small enough to carry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer, trainers
from tokenizers.models import WordPiece
from torch import Tensor

from readproof.errors import InputError
from readproof.files import lines
from readproof.readers.vocabulary import SPECIAL, UNKNOWN, Vocabulary
from readproof.text import encodable, sanitised
from readproof.training.pretrain.recipe import Pieces

# A WordPiece vocabulary out of plain text: the pieces that are worth a row of their own.


_BATCH = 2000
# signs and letters that any text may hold, whether or not this one does
_ALWAYS = [chr(code) for code in range(0x21, 0x7F) if not chr(code).isupper()]


def train_pieces(texts: Iterable[str], how: Pieces) -> Vocabulary:
    """The vocabulary of some texts, the special tokens first, then single characters."""
    letters = how.letter_table()
    bare = Tokenizer(WordPiece({UNKNOWN: 0}, unk_token=UNKNOWN))
    usual = Vocabulary(SPECIAL, {}, letters).tokenizer()
    bare.normalizer, bare.pre_tokenizer = usual.normalizer, usual.pre_tokenizer
    clean = [clean_text(text) for text in texts]
    alphabet = _alphabet(clean, usual, how.alphabet)
    trainer = trainers.WordPieceTrainer(
        vocab_size=how.size,
        min_frequency=how.least,
        limit_alphabet=len(alphabet),
        initial_alphabet=alphabet,
        # the trainer numbers characters as it meets them, in another order each time, and breaks ties by number
        special_tokens=[*SPECIAL, *alphabet, *(f"##{one}" for one in alphabet if one.isalnum())],
        show_progress=False,
    )
    bare.train_from_iterator(together(clean), trainer=trainer)
    place = bare.get_vocab()
    return Vocabulary(tuple(sorted(place, key=lambda token: place[token])), {}, letters)


def _alphabet(texts: list[str], tokenizer: Tokenizer, most: int) -> list[str]:
    """The most frequent characters of the texts as the tokenizer sees them, and those that always count."""
    raw: Counter[str] = Counter()
    for text in texts:
        raw.update(text)
    seen: Counter[str] = Counter()
    for character, times in raw.items():
        normalizer = tokenizer.normalizer
        for one in normalizer.normalize_str(character) if normalizer else character:
            if not one.isspace():
                seen[one] += times
    ranked = sorted(seen, key=lambda one: (-seen[one], one))[:most]
    return sorted({*ranked, *_ALWAYS})


def clean_text(text: str) -> str:
    """A text as readers see it."""
    return encodable(sanitised(text).clean)


def together(texts: Iterable[str], size: int = _BATCH) -> Iterator[list[str]]:
    """Texts a few thousand at a time, as the tokenizer likes them."""
    rest = iter(texts)
    while some := list(islice(rest, size)):
        yield some


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


# Rows of equal length cut from the stream of all documents: no padding, each pass over the text cut elsewhere.


@dataclass(slots=True)
class Rows:
    """Token ids, batch × length."""

    ids: Tensor

    def to(self, device: torch.device) -> Rows:
        return self if device.type == "cpu" else Rows(self.ids.pin_memory().to(device, non_blocking=True))


@dataclass(frozen=True, slots=True)
class PackedExamples:
    """`steps` batches of rows; a row is [CLS] and the tokens that follow a place in the stream."""

    stream: Tokens
    length: int
    cls: int
    steps: int

    def batches(self, size: int, seed: int) -> list[NDArray[np.int64]]:
        """Where the rows of each batch begin."""
        wanted, body = size * self.steps, self.length - 1
        parts: list[NDArray[np.int64]] = []
        have = turn = 0
        while have < wanted:
            random = np.random.default_rng((seed, turn))
            rows = (len(self.stream) - body) // body
            shift = int(random.integers(0, len(self.stream) - rows * body + 1))
            parts.append(shift + body * random.permutation(max(1, rows)))
            have += len(parts[-1])
            turn += 1
        return list(np.concatenate(parts)[:wanted].reshape(self.steps, size))

    def collate(self, batch: NDArray[np.int64]) -> Rows:
        rows = self.stream[batch[:, None] + np.arange(self.length - 1)[None, :]].astype(np.int64)
        return Rows(torch.from_numpy(np.concatenate((np.full((len(batch), 1), self.cls), rows), axis=1)))


def stream_of(corpus: Corpus, sep: int, *, least: int = 0) -> Tokens:
    """All documents after each other, [SEP] behind each; from the beginning again until there are `least` tokens."""
    out = np.full(len(corpus.ids) + len(corpus), sep, dtype=np.uint16)
    out[np.arange(len(corpus.ids)) + corpus.document] = corpus.ids
    return np.resize(out, max(len(out), least))
