"""How Arabic letters join: a letter's shape hangs on whether it is joined to the one before it and the one after.

The types are Unicode's (ArabicShaping.txt), kept to what Persian and Arabic texts hold.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

# joined to the letter before them, never to the one after; ڈ to ڙ are the kin of د and ر
_RIGHT = frozenset("آأؤإاةدذرزوٱٲٳٵٶٷۀۃۄۅۆۇۈۉۊۋۍۏےۓەۮۯ") | frozenset(map(chr, range(0x0688, 0x069A)))
# joined to nothing
_ALONE = frozenset("ءٴ\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u200c\u202f\u2066\u2067\u2068\u2069")
# these make their neighbours join as letters would
_CAUSING = frozenset("ـ\u200d")
# the blocks whose letters join; presentation forms keep the shape they have
_BLOCKS = ((0x0620, 0x064A), (0x066E, 0x06D3), (0x06D5, 0x06D5), (0x06EE, 0x06FF))


@lru_cache(maxsize=1 << 10)
def joining(sign: str) -> str:
    """D (joins on both sides), R (to the letter before), C (causes joining), T (not seen by joining), U (joins not)."""
    if sign in _RIGHT:
        return "R"
    if sign in _CAUSING:
        return "C"
    if sign in _ALONE:
        return "U"
    if unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return "T"
    arabic = any(first <= ord(sign) <= last for first, last in _BLOCKS)
    return "D" if arabic and sign.isalpha() else "U"


def joins_before(text: str, at: int) -> bool:
    """Whether a letter is joined to the one before it."""
    return joining(text[at]) in "DRC" and _neighbour(text, at, -1) in "DC"


def joins_after(text: str, at: int) -> bool:
    """Whether a letter is joined to the one after it."""
    return joining(text[at]) in "DC" and _neighbour(text, at, 1) in "DRC"


def _neighbour(text: str, at: int, step: int) -> str:
    """The type of the next sign that is not transparent; "U" at the text's edges."""
    at += step
    while 0 <= at < len(text):
        found = joining(text[at])
        if found != "T":
            return found
        at += step
    return "U"


def last_direction(text: str, at: int) -> str:
    """The direction of the nearest letter before a place: L, R or AL; "" where there is none."""
    kinds = map(unicodedata.bidirectional, reversed(text[:at]))
    return next((kind for kind in kinds if kind in ("L", "R", "AL")), "")
