"""Orders to name something, «… را نام ببرید»: is one thing asked for or several, and what kind of thing."""

from __future__ import annotations

import re

from readproof.lang.fa.little import little
from readproof.lang.fa.words import key, tag_of, words

_S = "[ \u200c]+"
# one thing «is» it, several are listed; «نام» is one even where it is that of several
ONE, SEVERAL, NAMES = " {} است", " عبارت‌اند از {}", " عبارت است از {}"
FRAMES = (ONE, SEVERAL, NAMES)
_WRITE = ("بنویسید", "بگویید", "بیان کنید", "ذکر کنید", "مشخص کنید", "معرفی کنید", "بیان نمایید")
_NAME = ("نام ببرید", "نام بردارید", "نام بنویسید")
ORDER = re.compile(f"{_S}را{_S}(?:{'|'.join((*_NAME, *_WRITE)).replace(' ', _S)})(?=[\\s؟?.!:]*$)")
# before these the noun that counts has not come yet: «مهم‌ترین و بزرگ‌ترین», «دومین»
_RANKED = re.compile(".*ترین|(?:دو|سو|چهار|پنج|شش|هفت|هشت|نه|ده|یازده|دوازده)\u200c?مین|اولین|نخستین|آخرین|بهترین|تنها")
_PLURAL = re.compile("\u200c?(?:ها|های|هایی)$")
# «یکی از شهرهای …», «نمونه‌ای از …»
_ONE_OF = re.compile("(?:یکی|یک|نمونه‌ای|نمونه ای|مثالی|بخشی)$")


def is_ranked(word: str) -> bool:
    """A superlative or an ordinal: one thing of many is meant."""
    return bool(_RANKED.fullmatch(key(word)))


def frame_of(subject: str) -> tuple[str, bool]:
    """The frame that the answer is set in, and whether it is to name several."""
    if not asks_several(subject):
        return ONE, False
    return NAMES if re.match("\\s*(?:نام|اسم)\\s", subject) else SEVERAL, True


def head_of(subject: str) -> str:
    """The noun that says what is to be named, without what stands before it."""
    for word in words(subject):
        plain = key(word.text)
        if not (is_ranked(plain) or plain in little("few") or plain in ("و", "از", "نام", "اسم", "زیر")):
            return plain
    return ""


def asks_several(subject: str) -> bool:
    """Whether several things are asked for: a count, a plural, or two nouns with «و» between them."""
    plain = [key(word.text) for word in words(subject)]
    while plain and is_ranked(plain[0]):
        plain = plain[1:]
        if plain[:1] == ["و"]:
            plain = plain[1:]
    if not plain or _ONE_OF.match(plain[0]):
        return False
    # «نام شهرهایی که …»: it is the noun that counts, but not in «نام یکی از شهرها» or «نام پدر …»
    if plain[0] in ("نام", "اسم") and len(plain) > 1:
        return bool(_PLURAL.search(plain[1])) or plain[1] in little("few")
    if plain[0] in little("few") or plain[1:2] == ["و"]:
        return True
    loose = plain[1:2] and plain[1] in ("ها", "های", "هایی")
    # «زیر شاخه‌های»: the first half of a noun
    half = plain[0] in ("زیر", "پیش") and len(plain) > 1 and bool(_PLURAL.search(plain[1]))
    return bool(loose or half or _PLURAL.search(plain[0]) or is_plural(plain[0]))


def is_plural(noun: str) -> bool:
    """Whether a noun is plural by its form or by the list; the ezafe of «اعضای» is no part of it."""
    # the list has «فرق» as the plural of sect; before «… را بنویسید» it is a difference
    if noun == "فرق":
        return False
    stem = noun.removesuffix("ی")
    persons = noun.endswith(("ندگان", "اران", "عران", "شاهان", "کنان", "گران", "دانان"))
    return tag_of(noun) == "np" or tag_of(stem) == "np" or persons or stem in little("plurals")
