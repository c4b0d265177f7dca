"""Cut the vocabulary of multilingual-e5-small to the pieces that Persian text needs, and those of the first stage.

A piece is kept by how often the text and the passages and questions to be trained on use it; pieces of letters and
signs together are not kept, so that an answer never ends inside a piece for a full stop; single characters always are.
Pieces that Chinese questions use follow after those that ship: they are trained with, and cut off again.
"""

from __future__ import annotations

import json
import lzma
import unicodedata
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from pathlib import Path

import numpy as np

from readproof.items import SpanItem
from readproof.lang.forms import shown
from readproof.readers.vocabulary import SPECIAL, WORD, Vocabulary, read_letters
from readproof.training.pretrain.corpus import clean_text, together

# as the table of the first Persian reader, but ئ, which the encoder learnt as it is written; vowel signs are not read
_OWN = {chr(code): "" for code in (*range(0x064B, 0x0653), 0x0670)}
_KEPT = "\u0626"
_NAMES = {"[PAD]": "<pad>", "[UNK]": "<unk>", "[CLS]": "<s>", "[SEP]": "</s>", "[MASK]": "<mask>"}
_ALWAYS = [chr(code) for code in range(0x21, 0x7F)]
# signs as wide as a Chinese character, which the encoder knows by their plain forms alone
_WIDE = {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_DATA_TIMES = 4
_OFTEN = 20


def letters_of(table: Path) -> dict[str, str]:
    return {one: other for one, other in read_letters(table).items() if one != _KEPT} | _OWN


def pieces_of(encoder: Path) -> dict[str, tuple[int, float]]:
    """Piece to row and score, special ones by their own names here; without pieces of letters and signs together."""
    model = json.loads((encoder / "tokenizer.json").read_text(encoding="utf-8"))["model"]
    special = {name: own for own, name in _NAMES.items()}
    return {
        special.get(piece, piece): (row, score)
        for row, (piece, score) in enumerate(model["vocab"])
        if piece in special or _plain(piece.removeprefix(WORD) if piece != WORD else "")
    }


def _plain(body: str) -> bool:
    if len(body) <= 1:
        return not body.isspace() and not (body and unicodedata.category(body)[0] == "C")
    alone = all(unicodedata.category(one)[0] in "LM" for one in body)
    return alone or body.isdecimal()


def counted(tokenizer_of: Vocabulary, texts: Iterable[str], times: int = 1) -> Counter[int]:
    tokenizer = tokenizer_of.tokenizer()
    counts = np.zeros(len(tokenizer_of), dtype=np.int64)
    for some in together(texts):
        for one in tokenizer.encode_batch(some, add_special_tokens=False):
            np.add.at(counts, one.ids, times)
    return Counter({row: int(count) for row, count in enumerate(counts) if count})


def texts_of(items: Iterable[SpanItem]) -> Iterator[str]:
    known = set()
    for item in items:
        if item.passage not in known:
            known.add(item.passage)
            yield shown(item.passage).text.clean
        yield shown(item.passage).like(item.question)


def first_stage(full: Vocabulary, kept: Container[str], items: list[SpanItem], most: int) -> list[str]:
    """Further pieces that some questions use: single characters first, so that few are unknown, then frequent ones."""
    letters: Counter[str] = Counter()
    for text in texts_of(items):
        letters.update(text)
    known = set(full.rows)
    single = [one for one, count in letters.most_common() if count > 2 and one in known and one not in kept]
    often = [full.rows[row] for row, _ in counted(full, texts_of(items)).most_common() if full.rows[row] not in kept]
    return list(dict.fromkeys(single + often))[:most]


def cut(
    encoder: Path,
    letters: dict[str, str],
    text: Path,
    persian: list[SpanItem],
    chinese: list[SpanItem],
    rows: int,
    more: int,
) -> tuple[Vocabulary, Vocabulary, list[int]]:
    """The vocabulary that ships, that with the pieces of the first stage too, and the encoder's rows for the second."""
    known = pieces_of(encoder)
    names = (*SPECIAL, *(piece for piece in known if piece not in SPECIAL))
    full = Vocabulary(names, {}, letters, tuple(known[piece][1] for piece in names))
    with lzma.open(text, "rt", encoding="utf-8") as file:
        counts = counted(full, (clean_text(line) for line in file))
    counts += counted(full, texts_of(persian), _DATA_TIMES)
    letters_seen: Counter[str] = Counter()
    for row, count in counts.items():
        for one in full.rows[row]:
            letters_seen[one] += count
    often = [one for one, count in letters_seen.items() if count >= _OFTEN]
    single = [one for one in (WORD, *_ALWAYS, *often) if one in known]
    kept = dict.fromkeys([*SPECIAL, *single, *(WORD + one for one in _ALWAYS if WORD + one in known)])
    for row, _ in counts.most_common():
        if len(kept) >= rows:
            break
        kept.setdefault(full.rows[row])
    shipped = list(kept)
    extra = first_stage(full, kept, chinese, more)
    return (
        Vocabulary(tuple(shipped), {}, letters, tuple(known[piece][1] for piece in shipped)),
        Vocabulary(tuple(shipped + extra), {}, letters | _WIDE, tuple(known[piece][1] for piece in shipped + extra)),
        [known[piece][0] for piece in shipped + extra],
    )
