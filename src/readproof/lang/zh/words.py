"""Chinese words with parts of speech, by jieba's dictionary and tags (n noun, nr person, ns place, nt organisation,
nz other name, t time, m number, q measure, v verb, a adjective, d adverb, r pronoun, p preposition, c conjunction, u
particle, x sign; a longer tag narrows its first letter).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from readproof.items import Edit
from readproof.lang.api import Word, lines
from readproof.text import Text, applied, encodable


@lru_cache(maxsize=1 << 12)
def words(text: str) -> tuple[Word, ...]:
    """The words of a text, in order, without gaps."""
    import rjieba

    found = []
    at = 0
    for word, tag in rjieba.tag(encodable(text)):
        end = at + len(word)
        found.append(Word(at, end, text[at:end], tag))
        at = end
    return tuple(found)


# The width of a sign in Chinese text: one and the same however it was written, the one that most writers give it.
#
# Readers see the two widths of a comma as two signs. What a sign becomes hangs on the kinds of its neighbours alone,
# and
# those do not hang on widths: so a text reads the same in either.


_HAN = re.compile("[\u3400-\u9fff。、《》「」『』“”‘’·…—]")
_OFFSET = 0xFEE0


@lru_cache(maxsize=1)
def _table() -> Mapping[tuple[str, str, str], bool]:
    return {(sign, before, after): width == "=" for sign, before, after, width in lines("zh", "signs")}


@lru_cache(maxsize=1)
def _signs() -> re.Pattern[str]:
    half = "".join(sorted({sign for sign, _, _ in _table()}))
    return re.compile(f"[{re.escape(half + ''.join(chr(ord(sign) + _OFFSET) for sign in half))}]")


def usual_width(raw: str) -> Text:
    """Every sign that Chinese writes in full width, in the width that is usual at its place."""
    return applied(raw, (edit for found in _signs().finditer(raw) if (edit := _edit(raw, found.start()))))


def _edit(raw: str, at: int) -> Edit | None:
    sign = raw[at]
    half = sign if sign.isascii() else chr(ord(sign) - _OFFSET)
    known = _table()
    place = (half, _kind(raw[at - 1 : at] if at else ""), _kind(raw[at + 1 : at + 2]))
    full = known.get(place, known[half, "*", "*"])
    new = chr(ord(half) + _OFFSET) if full else half
    return None if new == sign else Edit(at, sign, new, "width of a sign")


def _kind(neighbour: str) -> str:
    if not neighbour or neighbour == "\n":
        return "e"
    if neighbour.isspace():
        return "s"
    if _HAN.match(neighbour):
        return "h"
    if neighbour.isdigit():
        return "1"
    return "a" if neighbour.isalpha() else "p"
