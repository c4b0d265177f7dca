"""A smaller vocabulary: the rows Chinese text needs, and a way for every other token to be read with them.

WordPiece never produces "##字" for a Chinese character, and falls back by itself from long Latin pieces to shorter ones
as long as single letters stay. What is left to decide is which pieces are frequent enough to keep. A character without
a row of its own borrows one: a traditional character that of its simplified twin, a full-width form that of its plain
one, "##x" that of "x". Only what the full vocabulary could not read either, and signs never seen, become [UNK]; and of
those, the quotes and dashes that the standard Chinese vocabulary lacks get rows of their own that begin as [UNK]'s.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from tokenizers import Tokenizer

from readproof.readers.vocabulary import SPECIAL, UNKNOWN, Vocabulary

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
