"""The form in which readers read a text: one for all its spellings that a person would not tell apart.

Widths, compatibility characters, letters of another script that look the same, Arabic letters in Persian, traditional
characters. Only the reader sees it; an answer is cut from the user's own text by the map. What the form is hangs on
what kind of text it is, and a question follows its passage.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from readproof.items import Edit
from readproof.lang.cleaning import cleaned, is_scattered
from readproof.lang.confusables import one_script
from readproof.text import Text, applied, plain

# raised whenever some text comes out otherwise: the fingerprints of readers hang on it, and so do work folders
FORM_VERSION = 2

# full-width and mathematical letters and signs, half-width kana with their marks, radicals and compatibility
# ideographs, presentation forms of Arabic
_FORMS = re.compile(
    "[\uff02-\uff07\uff0a\uff0b\uff0d-\uff19\uff1c-\uff1e\uff20-\uff5d\uffe0-\uffe2\uffe4-\uffe6\u2e80-\u2fdf\uf900-\ufaff\ufb50-\ufbb1\ufbd3-\ufc5d\ufc64-\ufdfb"
    "\ufe71\ufe77\ufe79\ufe7b\ufe7d\ufe7f-\ufefc\U0001d400-\U0001d7ff\U0002f800-\U0002fa1f]"
    "|[\uff66-\uff9d][\uff9e\uff9f]?|[\uff61-\uff65\uff9e\uff9f]"
)
# the signs whose width Chinese tells apart; there `usual_width` sees to them
_SIGNS = re.compile("[！（），：；？～]")
_HAN = re.compile("[\u3400-\u9fff]")
_ARABIC = re.compile("[\u0620-\u06ff]")
_LATIN = re.compile("[A-Za-z]")
# one in so many Han characters with another simplified form makes a text a traditional one
_SELDOM = 25
_SAMPLE = 4000
_FULL_WIDTH = 0xFEE0


@dataclass(frozen=True, slots=True)
class Kind:
    """What decides on the form of a text: is it Chinese, in traditional characters, is it Persian.

    Without `signs` they are read in the width they have: a reader that was fitted on texts of either width, and has few
    words to read, is worse off with the usual one.
    """

    chinese: bool = False
    traditional: bool = False
    persian: bool = False
    signs: bool = True


@dataclass(frozen=True, slots=True)
class TextForms:
    """A text in its three shapes: raw, as a person sees it (`seen`), and in the form that is read (`text`).

    `text` leads from the form to the raw text, `shape` from the form to what is seen.
    """

    seen: Text
    shape: Text
    text: Text
    kind: Kind

    def words(self, start: int, end: int) -> str:
        """What a person sees of a span of the form."""
        first, last = self.shape.to_raw(start, end)
        if first < last:
            first -= first in self.seen.leaning
            last += last - 1 in self.seen.leaning
        return self.seen.clean[first:last]

    def like(self, other: str) -> str:
        """Another text, a question, in the form of this one."""
        marked = self.seen.raw != self.seen.clean and is_scattered(self.seen.raw)
        return read_as(cleaned(other, scattered=marked), self.kind, told=False).clean


def shown(raw: str, *, signs: bool = True) -> TextForms:
    """A passage made ready for reading."""
    seen = cleaned(raw)
    kind = replace(kind_of(seen.clean), signs=signs)
    # what is only read needs no list of edits, which for a traditional text is longer than the text
    shape = replace(read_as(plain(seen.clean), kind, told=False), edits=())
    return TextForms(seen, shape, seen.then(lambda _: shape, told=False), kind)


@lru_cache(maxsize=64)
def kind_of(clean: str) -> Kind:
    """The kind of a clean text, by its first few thousand characters."""
    sample = ordinary(clean[:_SAMPLE]).clean
    han, arabic = len(_HAN.findall(sample)), len(_ARABIC.findall(sample))
    # a Chinese character is about as much as four Latin letters
    if han > max(arabic / 2, len(_LATIN.findall(sample)) / 4):
        from readproof.script import in_script

        return Kind(chinese=True, traditional=len(in_script(sample, "simplified").edits) * _SELDOM > han)
    if arabic > len(_LATIN.findall(sample)) / 2:
        from readproof.lang.fa.normalise import is_persian

        return Kind(persian=is_persian(sample))
    return Kind()


def read_as(text: Text, kind: Kind, *, told: bool = True) -> Text:
    """A clean text in the form that readers read; its map leads to the same raw text, `told` with all its edits."""
    if text.clean.isascii() and not kind.chinese:
        return text
    for step in _steps(kind):
        text = text.then(step, told=told)
    return text


def _steps(kind: Kind) -> Iterator[Callable[[str], Text]]:
    yield ordinary
    yield one_script
    if kind.persian:
        from readproof.lang.fa.normalise import persian

        yield persian
    if kind.traditional:
        yield _simplified
    if kind.chinese and kind.signs:
        from readproof.lang.zh.words import usual_width

        yield usual_width
    elif kind.signs:
        yield _plain_signs


def ordinary(raw: str) -> Text:
    """Width forms, radicals and presentation forms as the ordinary characters that they stand for."""
    return applied(raw, _ordinary_edits(raw)) if _FORMS.search(raw) else plain(raw)


def _ordinary_edits(raw: str) -> Iterator[Edit]:
    for found in _FORMS.finditer(raw):
        form = unicodedata.normalize("NFKC", found[0])
        if form != found[0]:
            yield Edit(found.start(), found[0], form, "form of another character")


def _plain_signs(raw: str) -> Text:
    signs = _SIGNS.finditer(raw)
    return applied(raw, (Edit(one.start(), one[0], chr(ord(one[0]) - _FULL_WIDTH), "width of a sign") for one in signs))


def _simplified(raw: str) -> Text:
    from readproof.script import in_script

    return in_script(raw, "simplified")
