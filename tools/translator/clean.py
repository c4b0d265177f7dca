"""Which aligned lines are worth learning from: each rule gives a reason to drop a pair, or ""; reasons are counted."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from statistics import median

from readproof.lang.api import get_language
from readproof.script import in_script

Pair = tuple[str, str]

# what a line must mostly be written in, and the least share of its letters
_SCRIPTS = {"fa": ("ARABIC", 0.5), "zh": ("CJK", 0.4), "en": ("LATIN", 0.9), "fr": ("LATIN", 0.9)}
_FEWEST = {"zh": 3}
_LETTERS = str.maketrans("\u064a\u0643\u00a0" + "٠١٢٣٤٥٦٧٨٩", "یک " + "۰۱۲۳۴۵۶۷۸۹")
_UNSEEN = re.compile("[\u200b\u200d-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad]|\\[\\^\\d+\\]")
_FILLED = re.compile(
    r"\{\{?[^{}]*\}\}?|%(?:\d\$)?[sdif@]|\$\{?\w+\}?|</?\w[^<>]*>|&\w+;|https?://[^\s)\]،，。]+|`[^`]+`"
)
_MARKS = ("**", "`", "__", "](", "[", "]", "{", "}", "<", ">", "|")
_WORDS = re.compile(r"[^\W\d_]+")
_HAN = re.compile(r"[\u3400-\u9fff]")
_NUMBERS = re.compile(r"\d+")
_ENGLISH = frozenset(
    ["the", "and", "of", "to", "is", "are", "with", "for", "this", "that", "you", "your", "from", "by", "be"]
)
_FRENCH = frozenset(
    ["le", "la", "les", "de", "des", "du", "un", "une", "et", "est", "avec", "pour", "vous", "dans", "que"]
)
# a short text's length says little: this many characters more or less are always granted
_SLACK, _RATIO = 12, 2.0


def tidy(text: str, language: str) -> str:
    """One form for what looks the same: composed letters, Persian letters, simplified Chinese, single spaces."""
    text = _UNSEEN.sub("", unicodedata.normalize("NFC", text))
    if language == "fa":
        text = text.translate(_LETTERS)
    if language == "zh":
        text = in_script(text, "simplified").clean
    return " ".join(text.split())


def script_share(text: str, language: str) -> float:
    """The share of a text's letters that belong to its language's script."""
    name = _SCRIPTS[language][0]
    letters = [letter for letter in text if letter.isalpha()]
    return sum(unicodedata.name(letter, "").startswith(name) for letter in letters) / len(letters) if letters else 0.0


def words(text: str, language: str) -> int:
    return len(_HAN.findall(text)) if language == "zh" else len(_WORDS.findall(text))


def numbers(text: str) -> Counter[int]:
    return Counter(map(int, _NUMBERS.findall(text)))


def refused(pair: Pair, languages: tuple[str, str], usual: float) -> str:
    """Why a pair is dropped, or ""; `usual` is how much longer the second text of a pair usually is."""
    for text, language in zip(pair, languages, strict=True):
        if words(text, language) < _FEWEST.get(language, 2):
            return "a single word"
        if script_share(text, language) < _SCRIPTS[language][1]:
            return "wrong script"
        if language == "fr" and _reads_english(text):
            return "not translated"
    first, second = pair
    if Counter(_FILLED.findall(first)) != Counter(_FILLED.findall(second)):
        return "placeholders differ"
    if any(first.count(mark) != second.count(mark) for mark in _MARKS):
        return "marks differ"
    if numbers(first) != numbers(second):
        return "numbers differ"
    return "" if lengths_agree(pair, usual) else "lengths disagree"


def lengths_agree(pair: Pair, usual: float) -> bool:
    expected, found = len(pair[0]) * usual, len(pair[1])
    return abs(found - expected) <= _SLACK or 1 / _RATIO <= found / expected <= _RATIO


def _reads_english(text: str) -> bool:
    found = [word.lower() for word in _WORDS.findall(text)]
    english = sum(word in _ENGLISH for word in found)
    return english >= 2 and english > sum(word in _FRENCH for word in found)


def usual_ratio(pairs: Iterable[Pair]) -> float:
    return median(len(second) / len(first) for first, second in pairs if first and second)


def apart(pair: Pair, languages: tuple[str, str], usual: float) -> list[Pair]:
    """A paragraph pair as sentence pairs, where both sides have as many and each two agree; else as it is."""
    cut = [
        [text[start:end] for start, end in get_language(language).sentences(text)]
        for text, language in zip(pair, languages, strict=True)
    ]
    if len(cut[0]) != len(cut[1]) or len(cut[0]) < 2:
        return [pair]
    found = list(zip(*cut, strict=True))
    sound = all(numbers(first) == numbers(second) and lengths_agree((first, second), usual) for first, second in found)
    return found if sound else [pair]


def cleaned(pairs: Iterable[Pair], languages: tuple[str, str], gone: Counter[str]) -> Iterator[Pair]:
    """Tidy pairs that pass every rule, paragraphs cut into sentences, each once; what goes is counted in `gone`."""
    tidied = [(tidy(first, languages[0]), tidy(second, languages[1])) for first, second in pairs]
    usual = usual_ratio(tidied)
    seen: set[Pair] = set()
    for pair in tidied:
        reason = refused(pair, languages, usual)
        if reason:
            gone[reason] += 1
            continue
        pieces = apart(pair, languages, usual)
        gone["(paragraphs cut into sentences)"] += len(pieces) > 1
        for piece in pieces:
            key = (piece[0].casefold(), piece[1].casefold())
            reason = "a duplicate" if key in seen else refused(piece, languages, usual) if len(pieces) > 1 else ""
            seen.add(key)
            if reason:
                gone[reason if len(pieces) == 1 else f"{reason} (a sentence of a paragraph)"] += 1
            else:
                yield piece
