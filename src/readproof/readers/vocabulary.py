"""The tokens a reader knows: rows of its embedding table, and the tokens that borrow the row of another.

Training cuts a vocabulary, reading only needs it: so it lives here, where neither torch nor any table of scripts is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tokenizers import Tokenizer, normalizers, pre_tokenizers
from tokenizers.models import WordPiece

from readproof.errors import InputError, shown
from readproof.files import lines

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
            text = "".join(f"{token}\t{row}\n" for token, row in self.borrowed.items())
            (folder / "borrowed.tsv").write_text(text, encoding="utf-8")
        else:
            # one that an earlier vocabulary left here would lend rows of the wrong table
            (folder / "borrowed.tsv").unlink(missing_ok=True)


def whole(tokens: Sequence[str]) -> Vocabulary:
    """A vocabulary as it stands."""
    return Vocabulary(tuple(tokens), {})


def read(folder: Path) -> Vocabulary:
    """What `Vocabulary.save` wrote, or any plain vocab.txt."""
    rows = tuple(token for _, token in lines(folder / "vocab.txt"))
    path = folder / "borrowed.tsv"
    borrowed = {}
    for number, line in lines(path) if path.exists() else ():
        token, _, row = line.rpartition("\t")
        if not token or not row.isdecimal() or int(row) >= len(rows):
            expected = f"a token, a tab and a row below {len(rows)}"
            raise InputError(file=path, place=f"line {number}", found=shown(line), expected=expected)
        borrowed[token] = int(row)
    return Vocabulary(rows, borrowed)
