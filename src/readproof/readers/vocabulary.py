"""The tokens a reader knows: rows of its embedding table, and the tokens that borrow the row of another.

Training cuts a vocabulary, reading only needs it: so it lives here, where neither torch nor any table of scripts is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tokenizers import Regex, Tokenizer, normalizers, pre_tokenizers
from tokenizers.models import WordPiece

from readproof.errors import InputError, shown
from readproof.files import lines

UNKNOWN = "[UNK]"
CLS, SEP = "[CLS]", "[SEP]"
MASK = "[MASK]"
SPECIAL = ("[PAD]", UNKNOWN, CLS, SEP, MASK)
LETTERS = "letters.tsv"


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Tokens with the embedding row each is read with; several tokens may share a row. `rows` names each row's own.

    `letters` are characters that are read as others: letters of another keyboard, digits of another script, signs that
    stand for a space.
    """

    rows: tuple[str, ...]
    borrowed: Mapping[str, int]
    letters: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.rows)

    def ids(self) -> dict[str, int]:
        """Every token that can be read, with its row."""
        return {**self.borrowed, **{token: row for row, token in enumerate(self.rows)}}

    def tokenizer(self) -> Tokenizer:
        """A fast WordPiece tokenizer, lower-casing, a Chinese character a token; it adds no special tokens."""
        tokenizer = Tokenizer(WordPiece(self.ids(), unk_token=UNKNOWN, max_input_chars_per_word=100))
        usual = normalizers.BertNormalizer(
            clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=True
        )
        # before the usual cleaning, which would delete the non-joiner and so join what it parts
        tokenizer.normalizer = normalizers.Sequence([*_replacing(self.letters), usual]) if self.letters else usual
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        return tokenizer

    def save(self, folder: Path) -> None:
        """vocab.txt (a row a line); borrowed.tsv (token, row) and letters.tsv (two code points) where there are any."""
        (folder / "vocab.txt").write_text("\n".join(self.rows) + "\n", encoding="utf-8")
        if self.borrowed:
            text = "".join(f"{token}\t{row}\n" for token, row in self.borrowed.items())
            (folder / "borrowed.tsv").write_text(text, encoding="utf-8")
        else:
            # one that an earlier vocabulary left here would lend rows of the wrong table
            (folder / "borrowed.tsv").unlink(missing_ok=True)
        if self.letters:
            text = "".join(f"{_points(one)}\t{_points(other)}\n" for one, other in self.letters.items())
            (folder / LETTERS).write_text(text, encoding="utf-8")
        else:
            (folder / LETTERS).unlink(missing_ok=True)


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
    return Vocabulary(rows, borrowed, read_letters(folder / LETTERS) if (folder / LETTERS).exists() else {})


def read_letters(path: Path) -> dict[str, str]:
    """A table of characters that are read as others: two code points a line, or one where a character is not read."""
    letters = {}
    for number, line in lines(path):
        one, tab, other = line.partition("\t")
        try:
            if not tab:
                raise ValueError
            letters[chr(int(one, 16))] = chr(int(other, 16)) if other else ""
        except (ValueError, OverflowError):
            expected = "a code point, a tab and a code point, as 064A and 06CC"
            raise InputError(file=path, place=f"line {number}", found=shown(line), expected=expected) from None
    return letters


def _points(text: str) -> str:
    return f"{ord(text):04X}" if text else ""


def _replacing(letters: Mapping[str, str]) -> list[normalizers.Normalizer]:
    """One step for all characters that are read as the same."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for one, other in letters.items():
        groups[other].append(f"\\x{{{ord(one):04X}}}")
    return [normalizers.Replace(Regex(f"[{''.join(group)}]"), other) for other, group in groups.items()]
