"""The tokens a reader knows: rows of its embedding table, and the tokens that borrow the row of another.

Training cuts a vocabulary, reading only needs it: so it lives here, where neither torch nor any table of scripts is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tokenizers import Tokenizer, normalizers, pre_tokenizers
from tokenizers.models import WordPiece

UNKNOWN = "[UNK]"
CLS, SEP = "[CLS]", "[SEP]"
SPECIAL = ("[PAD]", UNKNOWN, CLS, SEP, "[MASK]")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Tokens with the embedding row each is read with; several tokens may share a row. `rows` names each row's own."""

    rows: tuple[str, ...]
    borrowed: Mapping[str, int]

    def __len__(self) -> int:
        return len(self.rows)

    def ids(self) -> dict[str, int]:
        """Every token that can be read, with its row."""
        return {**self.borrowed, **{token: row for row, token in enumerate(self.rows)}}

    def tokenizer(self) -> Tokenizer:
        """A fast WordPiece tokenizer, lower-casing, a Chinese character a token; it adds no special tokens."""
        tokenizer = Tokenizer(WordPiece(self.ids(), unk_token=UNKNOWN, max_input_chars_per_word=100))
        tokenizer.normalizer = normalizers.BertNormalizer(
            clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=True
        )
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        return tokenizer

    def save(self, folder: Path) -> None:
        """vocab.txt (a row a line) and, where tokens borrow rows, borrowed.tsv (token, row)."""
        (folder / "vocab.txt").write_text("\n".join(self.rows) + "\n", encoding="utf-8")
        if self.borrowed:
            lines = "".join(f"{token}\t{row}\n" for token, row in self.borrowed.items())
            (folder / "borrowed.tsv").write_text(lines, encoding="utf-8")


def whole(tokens: Sequence[str]) -> Vocabulary:
    """A vocabulary as it stands."""
    return Vocabulary(tuple(tokens), {})


def read(folder: Path) -> Vocabulary:
    """What `Vocabulary.save` wrote, or any plain vocab.txt."""
    rows = (folder / "vocab.txt").read_text(encoding="utf-8").removesuffix("\n").split("\n")
    path = folder / "borrowed.tsv"
    lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n") if path.exists() else []
    return Vocabulary(tuple(rows), {token: int(row) for token, _, row in (line.rpartition("\t") for line in lines)})
