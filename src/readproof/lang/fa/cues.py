"""What kind of answer a Persian question wants that names no kind itself: the words around the question word tell."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from readproof.lang.fa.questions import Phrase
from readproof.lang.fa.words import normal
from readproof.lang.lists import lines

# with these in it a question is about nature, where people's reasons are none
_NATURE = re.compile(
    "(?<!\\w)(?:دما|دمای|گیاه|گیاهان|پرنده|پرندگان|سیاره|سیارات|سلول|خاک|جانور|جانوران|حیوان|حیوانات|ستاره|ستارگان|درخت"
    "|درختان|بدن|مولکول|اتم|خورشید|گاز|فلز|انرژی|پوست|اکسیژن|هیدروژن|عنصر|بیماری|ماهی|مهره‌داران|دایناسورها|پستانداران|خزندگان|فسیل|نور|نوری|مغناطیسی|سیاره‌ها|موجودات|پروتئین|ژن|چای|قهوه|دندان|غذا|غذایی|دارو|ویتامین|میوه|آسم|سرطان|دیابت|پارکینسون|سیب‌زمینی|صدا|اینترنت|رایانه|فیل|فیل‌ها|فیل‌های|کوه‌های|کهکشان|موتورهای|مرورگرها|منظومهٔ)(?!\\w)"
)


@lru_cache(maxsize=1)
def _cues() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(entry[0]), entry[1]) for entry in lines("fa", "cues"))


@lru_cache(maxsize=1 << 12)
def cued(question: str, phrase: Phrase) -> str:
    """The kind of answer, "" where nothing tells it."""
    text = normal(question)
    text = re.sub("\\s+", " ", f"{text[: phrase.start]}_{text[phrase.end :]}").strip()
    frame = phrase.frame.replace("{}", "").strip()
    text = text.replace("_", f"_ {frame}", 1) if phrase.type == "thing" and frame else text
    text = unicodedata.normalize("NFC", text)
    at = text.find("_")
    named = phrase.type == "thing" and not phrase.frame.startswith(" ")
    for pattern, kind in _cues():
        if named and pattern.pattern.startswith("^"):
            continue
        found = pattern.search(text)
        # a subject that tells the kind comes before the question word
        if found and (found.start() > 0 or found.end() <= at or "_" in found[0]):
            return "nature" if kind == "reason" and is_nature(question) else kind
    return ""


def is_nature(question: str) -> bool:
    """Whether a question is about nature and not about people."""
    return bool(_NATURE.search(normal(question)))
