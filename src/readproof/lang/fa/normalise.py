"""Persian in one spelling: Arabic letters and digits as Persian ones, with or without vowel marks and tatweel.

Arabic is written with the same letters, and there ي is no slip: a text that has more Arabic than Persian little words
is left as it is. The little words are compared in Persian letters, so that the answer does not hang on how the text
was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from readproof.items import Edit
from readproof.lang.api import lines
from readproof.text import Text, applied, plain

_ARABIC = re.compile("[\u0620-\u06ff]")
_WORD = re.compile("[\u0620-\u064a\u0671-\u06d3]+")
_PERSIAN_WORDS = frozenset(
    [
        "در",
        "به",
        "از",
        "که",
        "را",
        "این",
        "است",
        "با",
        "برای",
        "آن",
        "شد",
        "بود",
        "می",
        "شده",
        "تا",
        "بر",
        "یک",
        "کرد",
        "های",
        "ها",
        "چه",
        "کدام",
        "چیست",
    ]
)
_ARABIC_WORDS = frozenset(
    [
        "فی",
        "من",
        "علی",
        "الی",
        "هذا",
        "هذه",
        "التی",
        "الذی",
        "ان",
        "کان",
        "کانت",
        "عن",
        "مع",
        "هو",
        "هی",
        "ذلک",
        "بین",
        "قد",
        "لم",
        "ما",
        "ماذا",
        "متی",
        "کم",
    ]
)
_ARTICLE = re.compile("[وبف]?ال..")
_OWN = frozenset("پچژگ")

LETTERS, DIGITS, MARKS = "letter", "digit", "mark"


@lru_cache(maxsize=8)
def table(*kinds: str) -> Mapping[str, str]:
    """What each sign of the kinds is written as."""
    return {old: new for old, new, kind in lines("fa", "letters") if kind in kinds}


def persian(raw: str, kinds: Iterable[str] = (LETTERS, DIGITS)) -> Text:
    """The text in Persian spelling; with the kind `mark` also without vowel marks and tatweel."""
    if not _ARABIC.search(raw):
        return plain(raw)
    known = table(*kinds)
    found = ((at, sign, known.get(sign)) for at, sign in enumerate(raw))
    return applied(raw, (Edit(at, old, new, "Persian spelling") for at, old, new in found if new is not None))


@lru_cache(maxsize=64)
def is_persian(text: str) -> bool:
    """Whether a text in Arabic letters is Persian rather than Arabic; in doubt it is."""
    written = persian(text[:4000]).clean
    words = _WORD.findall(written)
    ours = sum(word in _PERSIAN_WORDS or bool(_OWN.intersection(word)) for word in words)
    theirs = sum(word in _ARABIC_WORDS or bool(_ARTICLE.match(word)) for word in words)
    return ours >= theirs
