"""Names of people, Persian or foreign, and which of the two a text is about."""

from __future__ import annotations

import re
from random import Random

from readproof.lang.fa.entities import classes, entities


def person(origin: str, whole: bool, random: Random) -> str:
    """A name of a person, Persian or foreign; whole, or as one calls a known person."""
    if whole:
        return (
            f"{random.choice(classes()[f'{origin}_given'][:50])} {random.choice(classes()[f'{origin}_surname'][:66])}"
        )
    if origin.startswith("lone"):
        return random.choice(classes()[origin])
    return random.choice(classes()[f"{origin}_surname"][:66])


# words that no text about foreigners has
_PERSIAN = re.compile(
    "الدین|(?:^| )(?:ابو\\w|عبدال|محمد)|القلوب|متخلص"
    "|(?<!\\w)(?:ابن|بن|قاجار|قاجاریه|صفوی|صفویه|ساسانی|ساسانیان|هجری|قمری|خورشیدی|شمسی|امام|شیعه|خلیفه|میرزا"
    "|ایرانی|ایران|حضرت|شاه|عمر|علی|ابوبکر|عثمان|معاویه|مکه|مدینه|کوفه|عرب|اعراب|تهران|قرآن|اسلام|پیامبر|شیخ|عباسی|اموی|غزنوی|سلجوقی|خان|آیت‌الله|شاهنامه)(?!\\w)"
)


def origin_of(text: str, question: str = "") -> str:
    """Whether a name is Persian (fa) or foreign (en)."""
    if _PERSIAN.search(f"{text} {question}"):
        return "fa"
    for one in (*entities(text), *entities(question)):
        if one.kind in ("person", "given") and one.detail:
            return one.detail[-2:]
        if one.kind in ("irancity", "province") or one.text == "ایران":
            return "fa"
    return "en"
