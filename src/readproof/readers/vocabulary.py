"""The tokens a reader knows: rows of its embedding table, and the tokens that borrow the row of another.

Training cuts a vocabulary, reading only needs it: so it lives here, where neither torch nor any table of scripts is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path

from tokenizers import Regex, Tokenizer, normalizers, pre_tokenizers
from tokenizers.models import Unigram, WordPiece

from readproof.errors import InputError, shown
from readproof.files import lines

UNKNOWN = "[UNK]"
CLS, SEP = "[CLS]", "[SEP]"
MASK = "[MASK]"
SPECIAL = ("[PAD]", UNKNOWN, CLS, SEP, MASK)
LETTERS = "letters.tsv"
SCORES = "scores.txt"
# what a piece of a Unigram vocabulary begins with where a word begins
WORD = "\u2581"


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Tokens with the embedding row each is read with; several tokens may share a row. `rows` names each row's own.

    `letters` are characters that are read as others: letters of another keyboard, digits of another script, signs that
    stand for a space. With `scores`, the logarithm of each row's frequency, texts are cut into the likeliest pieces
    (Unigram, as XLM-R does); without, into the longest (WordPiece).
    """

    rows: tuple[str, ...]
    borrowed: Mapping[str, int]
    letters: Mapping[str, str] = field(default_factory=dict)
    scores: tuple[float, ...] = ()

    def __len__(self) -> int:
        return len(self.rows)

    def ids(self) -> dict[str, int]:
        """Every token that can be read, with its row."""
        return {**self.borrowed, **{token: row for row, token in enumerate(self.rows)}}

    def tokenizer(self) -> Tokenizer:
        """A fast tokenizer: Unigram, or WordPiece, lower-casing, a Chinese character a token; it adds no tokens."""
        if self.scores:
            return self._likeliest()
        tokenizer = Tokenizer(WordPiece(self.ids(), unk_token=UNKNOWN, max_input_chars_per_word=100))
        usual = normalizers.BertNormalizer(
            clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=True
        )
        # before the usual cleaning, which would delete the non-joiner and so join what it parts
        tokenizer.normalizer = normalizers.Sequence([*_replacing(self.letters), usual]) if self.letters else usual
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        return tokenizer

    def _likeliest(self) -> Tokenizer:
        named = [_hidden(row) if row in SPECIAL else row for row in self.rows]
        pieces = list(zip(named, self.scores, strict=True))
        tokenizer = Tokenizer(Unigram(pieces, unk_id=self.rows.index(UNKNOWN)))
        tokenizer.normalizer = normalizers.Sequence([normalizers.NFC(), *_replacing(self.letters)])
        words = pre_tokenizers.Metaspace(replacement=WORD, prepend_scheme="always", split=False)
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), words])
        return tokenizer

    def save(self, folder: Path) -> None:
        """vocab.txt (a row a line); borrowed.tsv (token, row), letters.tsv (two code points), scores.txt if any."""
        (folder / "vocab.txt").write_text("\n".join(self.rows) + "\n", encoding="utf-8")
        if self.scores:
            (folder / SCORES).write_text("".join(f"{score:.4f}\n" for score in self.scores), encoding="utf-8")
        else:
            (folder / SCORES).unlink(missing_ok=True)
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


def special_row(tokenizer: Tokenizer, token: str) -> int | None:
    """The row of a special token in what `Vocabulary.tokenizer` gives."""
    row: int | None = tokenizer.token_to_id(token)
    return tokenizer.token_to_id(_hidden(token)) if row is None else row


def _hidden(token: str) -> str:
    """How a special token is called among pieces: words hold no space, so that no text spells it."""
    return f" {token}"


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
    letters = read_letters(folder / LETTERS) if (folder / LETTERS).exists() else {}
    scores = read_scores(folder / SCORES, len(rows)) if (folder / SCORES).exists() else ()
    if scores and UNKNOWN not in rows:
        raise InputError(file=folder / "vocab.txt", found=f"no {UNKNOWN}", expected="a row for what no piece spells")
    return Vocabulary(rows, borrowed, letters, scores)


def read_scores(path: Path, rows: int) -> tuple[float, ...]:
    """The score of each row, a number a line."""
    scores = []
    for number, line in lines(path):
        try:
            scores.append(float(line))
        except ValueError:
            found = shown(line)
            raise InputError(file=path, place=f"line {number}", found=found, expected="a number") from None
    if len(scores) != rows or not all(map(isfinite, scores)):
        raise InputError(file=path, found=f"{len(scores)} scores", expected=f"{rows} finite ones, one for each row")
    return tuple(scores)


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
