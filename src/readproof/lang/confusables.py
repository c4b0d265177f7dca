"""Letters of another script that look like those of a word: a Cyrillic о in a Latin word, a Latin o in a Cyrillic one.

A word of two scripts is written as the one it is mostly in. A word whose every letter has a Latin double is left alone
where the text has words that are beyond doubt in its script: СССР stands in a Russian text as it should.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files

from readproof.items import Edit
from readproof.text import Text, applied, plain

_LATIN = "A-Za-z\u00c0-\u024f\u0250-\u02af"
_OTHER = {"greek": "\u0370-\u03ff", "cyrillic": "\u0400-\u052f", "armenian": "\u0531-\u0587"}
_SUSPECT = re.compile(f"[{''.join(_OTHER.values())}\u0251\u0261\u2160-\u217f]")
_WORD = re.compile(f"[{_LATIN}{''.join(_OTHER.values())}\u2160-\u217f]+")
_SCRIPTS = {name: re.compile(f"[{letters}]") for name, letters in _OTHER.items()}
# of the small Greek letters ο alone is no symbol
_SMALL_GREEK = frozenset("αγικνρσυ")
_SYMBOLS = frozenset("αγισυ")
# letters and marks of phonetic script; where they stand, ɑ and ɡ are in their place
_PHONETIC = re.compile("[\u0250\u0252-\u0260\u0262-\u02af\u02c8\u02cc\u02d0]")
_WHY = "a letter of another script that looks the same"


@lru_cache(maxsize=1)
def doubles() -> Mapping[str, tuple[str, str]]:
    """Each letter that looks like a Latin one, with that letter and its own script."""
    text = files("readproof.lang").joinpath("confusables.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return {double: (letter, script) for double, letter, script in rows}


@lru_cache(maxsize=4)
def _back(script: str) -> Mapping[str, str]:
    """The letters of a script that look like Latin ones, by the Latin letter; where there are two, the commoner one."""
    found: dict[str, str] = {}
    for double, (letter, of) in doubles().items():
        if of == script and (letter not in found or double < found[letter]):
            found[letter] = double
    return found


def one_script(raw: str) -> Text:
    """Every word in one script, as far as letters that look the same go; as long as it was."""
    if not _SUSPECT.search(raw):
        return plain(raw)
    honest = frozenset(script for script in _OTHER if _has_own_letter(raw, script))
    if _PHONETIC.search(raw):
        honest |= {"latin"}
    edits = [edit for found in _WORD.finditer(raw) for edit in _word_edits(found[0], found.start(), honest)]
    return applied(raw, edits)


def _has_own_letter(text: str, script: str) -> bool:
    """Whether a letter stands there that no Latin one looks like."""
    known = doubles()
    return any(found[0] not in known and found[0].isalpha() for found in _SCRIPTS[script].finditer(text))


def _word_edits(word: str, at: int, honest: frozenset[str]) -> Iterator[Edit]:
    if word.isascii() or not _SUSPECT.search(word):
        return
    new = _written(word, honest)
    for place, (old, one) in enumerate(zip(word, new, strict=True)):
        if old != one:
            yield Edit(at + place, old, one, _WHY)


def _written(word: str, honest: frozenset[str]) -> str:
    known = doubles()
    latin = sum(sign.isascii() for sign in word)
    for script in _OTHER:
        foreign = _SCRIPTS[script].findall(word)
        if not foreign:
            continue
        if any(sign not in known for sign in foreign):
            back = _back(script) if script != "greek" else {}
            return "".join(back.get(sign, sign) for sign in word)
        if script == "greek" and (script in honest or _is_symbol(word)):
            return word
        if script in honest and not latin:
            return word
        if script in honest and len(foreign) > latin:
            return "".join(_back(script).get(sign, sign) for sign in word)
        doubled = set(foreign)
        word = "".join(known[sign][0] if sign in doubled else sign for sign in word)
    return word if "latin" in honest else _latin(word)


def _is_symbol(word: str) -> bool:
    """A small Greek letter of mathematics or science: alone or beside one letter (hν), before a capital, at an edge."""
    greek = [sign for sign in word if sign in _SMALL_GREEK]
    if not greek:
        return False
    return len(word) <= 2 or word[1].isupper() or bool({word[0], word[-1]} & _SYMBOLS)


def _latin(word: str) -> str:
    """Phonetic letters and small numerals between plain ones; an honest phonetic word has other such letters too."""
    known = doubles()
    plain_word = "".join(known[sign][0] if sign in known else _numeral(word, at) for at, sign in enumerate(word))
    return plain_word if plain_word.isascii() and sum(map(str.isascii, word)) else word


def _numeral(word: str, at: int) -> str:
    """A Roman numeral of one letter inside a word; at its end it may be a number (FFⅤ)."""
    sign = word[at]
    if not "\u2160" <= sign <= "\u217f":
        return sign
    form = unicodedata.normalize("NFKC", sign)
    inside = word[at + 1 : at + 2].isascii() and at + 1 < len(word)
    return form if len(form) == 1 and (inside or sign >= "\u2170") else sign
