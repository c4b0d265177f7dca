"""Persian words: a small tokenizer that keeps the zero-width non-joiner, and parts of speech from a word list."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from readproof.lang.api import Word, column, lines, wordset

# letters, the non-joiner inside a word, and the marks above and below
WORD = re.compile("[\\w\u200c\u064b-\u0655\u0670\u06d6-\u06ed]+")
_MARKS = re.compile("[\u064b-\u0652\u0670\u0640\u06d6-\u06ed]")
_LETTERS = str.maketrans("يكىة", "یکیه")
_DIGITS = str.maketrans("٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹", "01234567890123456789")
_VERB = re.compile(
    "ن?می\u200c?\\w*|.*(?:شد|کرد|بود|داد|گرفت|یافت|ساخت|داشت|رفت|آمد|گفت|خواند|نوشت)(?:ند|م|یم|ید|ه|ه\u200cاست|ه\u200cاند)?"
    "|است|هست|هستند|نیست|دارد|دارند|شود|شوند|کند|کنند|باشد|باشند|دهد|دهند|گردید|گردد|نمود|می"
)
# nouns that end as verbs do
_NO_VERBS = wordset("fa", "no_verbs")
_SUFFIX = re.compile("(?:\u200c?(?:هایی|های|ها|ترین|تر|ای|ی|ان|ش|شان|اش))$")


def normal(text: str) -> str:
    """The text with Arabic letters written as Persian ones; as long as it was."""
    return text.translate(_LETTERS)


@lru_cache(maxsize=1 << 16)
def key(word: str) -> str:
    """How a word is looked up: composed, without vowel marks, Persian letters, no hamza on the final he."""
    plain = unicodedata.normalize("NFC", word).translate(_LETTERS)
    return _MARKS.sub("", plain).replace("ۀ", "ه").replace("هٔ", "ه").replace("\u0654", "").strip("\u200c")


@lru_cache(maxsize=1)
def _lexicon() -> dict[str, str]:
    return {entry[0]: entry[1] for entry in lines("fa", "lexicon")}


@lru_cache(maxsize=1)
def _function_words() -> frozenset[str]:
    return frozenset(column("fa", "function"))


@lru_cache(maxsize=1 << 15)
def tag_of(word: str) -> str:
    """n (noun), np (plural noun), a (adjective), v, f (function word), m (number), x (unknown)."""
    plain = key(word)
    if plain in _function_words():
        return "f"
    if plain.translate(_DIGITS)[:1].isdecimal():
        return "m"
    if plain not in _NO_VERBS and _VERB.fullmatch(plain):
        return "v"
    found = _lexicon().get(plain)
    if found is None:
        stem = _SUFFIX.sub("", plain)
        found = _lexicon().get(stem) or _lexicon().get(_SUFFIX.sub("", stem))
    return "x" if found is None else found.lower()


@lru_cache(maxsize=1)
def _rarer() -> frozenset[str]:
    return frozenset((*column("fa", "rarer"), *column("fa", "seen")))


_COMPOUND = re.compile(
    "^(?:گر|زا|ساز|گیر|شناس|پذیر|کنند|دهند|دار|نگار|گذار|آور|یاب|نام|خوا|پیش|هم|نا|بی|غیر|ضد|فرا).*|.‌.|.*(?:گر|گرا|شناسی|نامه|گاه|مند|پذیر|کننده|یسم|ستان|ها|های|هایی|ترین|تر|شان|مان|ات|ند|ید|یم|اً|ان|ی|یک|یسم|یزه)$"
)


@lru_cache(maxsize=1 << 15)
def is_strange(word: str) -> bool:
    """Whether no list knows the word, nor what it may be formed from: most such words are foreign names."""
    plain = key(word)
    if len(plain) < 4 or tag_of(word) != "x" or _COMPOUND.search(plain) or not plain.isalpha() or plain.isascii():
        return False
    if plain in wordset("fa", "spoken"):
        return False
    stem = _SUFFIX.sub("", plain)
    tries = (
        plain,
        stem,
        _SUFFIX.sub("", stem),
        plain[1:] if plain[0] in "بنو" else plain,
        re.sub("(?:م|ت|ش|ند|ه|ی|ن|ن‌)$", "", plain),
    )
    return not any(one in _rarer() or one in _lexicon() for one in tries)


def is_known(word: str) -> bool:
    """Whether any list has a word as it is."""
    return key(word) in _lexicon() or key(word) in _rarer()


def in_lexicon(word: str) -> bool:
    """Whether a word stands in the list as it is."""
    return key(word) in _lexicon()


@lru_cache(maxsize=1 << 12)
def words(text: str) -> tuple[Word, ...]:
    """The words of a text, in order."""
    return tuple(Word(one.start(), one.end(), one[0], tag_of(one[0])) for one in WORD.finditer(text))


def plain_digits(text: str) -> str:
    """The text with Latin digits; as long as it was."""
    return text.translate(_DIGITS)


def linked(noun: str) -> str:
    """A noun as it stands before what qualifies it: the ezafe is written only after a vowel."""
    if noun.endswith(("اه", "وه")):
        return noun
    if noun.endswith(("ه", "ة")):
        return f"{noun}\u0654"
    if noun in ("عضو", "جزو", "نحو", "سهو", "جلو"):
        return noun
    return f"{noun}ی" if noun.endswith(("ا", "و")) else noun


def ending(noun: str) -> str:
    """What decides how the ezafe is written: he, a long vowel, ye, or a consonant."""
    last = key(noun)[-1:] if not key(noun).endswith(("اه", "وه")) else ""
    return {"ه": "he", "ا": "vowel", "و": "vowel", "ی": "ye"}.get(last, "consonant")


# before these the noun that counts has not come yet: «مهم‌ترین و بزرگ‌ترین», «دومین»
_RANKED = re.compile(".*ترین|(?:دو|سو|چهار|پنج|شش|هفت|هشت|نه|ده|یازده|دوازده)\u200c?مین|اولین|نخستین|آخرین|بهترین|تنها")


def is_ranked(word: str) -> bool:
    """A superlative or an ordinal: one thing of many is meant."""
    return bool(_RANKED.fullmatch(key(word)))
