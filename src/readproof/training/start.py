"""What training starts from: the tensors and the vocabulary of a folder, cut to the rows a plan keeps."""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer
from torch import Tensor

from readproof.errors import InputError
from readproof.files import digest
from readproof.items import SpanItem
from readproof.readers import vocabulary as tokens
from readproof.readers.vocabulary import CLS, SEP, SPECIAL, UNKNOWN, Vocabulary
from readproof.training.checkpoint import bare, check_family, read_checkpoint, write_checkpoint
from readproof.training.encoder import with_rows
from readproof.training.measure import EvalSet
from readproof.training.model import SpanReader, reader_from
from readproof.training.sets import prepare
from readproof.training.weights import read_parts

# A smaller vocabulary: the rows Chinese text needs, and a way for every other token to be read with them.
# WordPiece never produces "##字" for a Chinese character, and falls back by itself from long Latin pieces to shorter
# ones as long as single letters stay. What is left to decide is which pieces are frequent enough to keep. A character
# without a row of its own borrows one: a traditional character that of its simplified twin, a full-width form that of
# its plain one, "##x" that of "x". Only what the full vocabulary could not read either, and signs never seen, become
# [UNK]; and of those, the quotes and dashes that the standard Chinese vocabulary lacks get rows of their own that
# begin as [UNK]'s.

ADDED = ("“", "”", "‘", "’", "—", "…", "–", "―")
_HAN = (*range(0x3400, 0x4DC0), *range(0x4E00, 0xA000))


def count(texts: Iterable[str], tokenizer: Tokenizer, *, piece: int = 20_000, batch: int = 256) -> Counter[str]:
    """How often each token stands in the texts."""
    counts: Counter[int] = Counter()
    waiting: list[str] = []

    def flush() -> None:
        for encoded in tokenizer.encode_batch(waiting, add_special_tokens=False):
            counts.update(encoded.ids)
        waiting.clear()

    for text in texts:
        waiting.extend(text[at : at + piece] for at in range(0, len(text), piece))
        if len(waiting) >= batch:
            flush()
    flush()
    return Counter({tokenizer.id_to_token(row) or "": number for row, number in counts.items()})


def cut(
    tokens: Sequence[str],
    weights: Mapping[str, float],
    size: int,
    simplify: Callable[[str], str],
    complicate: Callable[[str], str] = str,
) -> Vocabulary:
    """The vocabulary with `size` rows: special tokens, characters, then the heaviest pieces; the rest borrows or falls.

    `weights` says how much each token is used; `simplify` and `complicate` give the simplified and the traditional
    form of a character.
    """
    known = set(tokens)
    added = [token for token in ADDED if token not in known]
    size -= len(added)
    kept = {token for token in SPECIAL if token in known}
    kept |= {token for token in tokens if _must_stay(token, weights, known, simplify)}
    if len(kept) > size:
        raise ValueError(f"{len(kept)} characters must stay, more than the {size} rows asked for")
    others = sorted((token for token in tokens if token not in kept and not _useless(token)), key=_by(weights))
    kept |= set(others[: size - len(kept)])
    order = _place(tokens)
    rows = (*sorted(kept, key=lambda token: (token not in SPECIAL, order[token])), *added)
    place = {token: row for row, token in enumerate(rows)}
    borrowed = {}
    for token in (*tokens, *(chr(code) for code in _HAN if chr(code) not in known)):
        if token not in place and not _useless(token):
            lender = next((form for form in _forms(token, simplify, complicate) if form in place), None)
            if lender is not None:
                borrowed[token] = place[lender]
    return Vocabulary(rows, borrowed)


def source_rows(vocabulary: Vocabulary, tokens: Sequence[str]) -> list[int]:
    """For each row, the row of the full table it begins as."""
    place = _place(tokens)
    return [place.get(token, place[UNKNOWN]) for token in vocabulary.rows]


def is_han(character: str) -> bool:
    """Whether BERT takes a character for Chinese, and so for a token of its own."""
    code = ord(character)
    return 0x3400 <= code <= 0x9FFF or 0xF900 <= code <= 0xFAFF or 0x20000 <= code <= 0x2FA1F


def _must_stay(token: str, weights: Mapping[str, float], known: set[str], simplify: Callable[[str], str]) -> bool:
    bare = token.removeprefix("##")
    if len(bare) != 1:
        return False
    if is_han(bare):
        twin = simplify(bare)
        return token == bare and (twin == bare or twin not in known)
    if bare.isascii():
        return True
    return token == bare and (weights.get(token, 0.0) > 0 or unicodedata.category(bare)[0] == "L")


def _useless(token: str) -> bool:
    """Tokens the tokenizer never produces."""
    bare = token.removeprefix("##")
    return token.startswith("[unused") or (token != bare and len(bare) == 1 and is_han(bare))


def _forms(token: str, simplify: Callable[[str], str], complicate: Callable[[str], str]) -> list[str]:
    """Whose row a single character may borrow, best first."""
    bare = token.removeprefix("##")
    if len(bare) != 1:
        return []
    forms = [bare, simplify(bare), complicate(bare), unicodedata.normalize("NFKC", bare)]
    return ["##" + form for form in forms if token != bare] + forms


def _by(weights: Mapping[str, float]) -> Callable[[str], tuple[float, int]]:
    return lambda token: (-weights.get(token, 0.0), len(token))


def _place(tokens: Sequence[str]) -> dict[str, int]:
    return {token: row for row, token in enumerate(tokens)}


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

    def prepared(self, items: list[SpanItem], *, max_tokens: int, overlap: int) -> EvalSet:
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
