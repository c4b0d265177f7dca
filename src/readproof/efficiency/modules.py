"""The modules grammar of ELUE: which modules an item passed, each with the shape of its input (without the batch).

    (15),emb; (15,768),layer_1; (768),exit_1; (15,768),layer_2; (768),exit_2

Blanks may stand around a semicolon and nowhere else. A module may appear several times; each time is paid for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import NamedTuple, NoReturn
from unicodedata import east_asian_width, normalize

from readproof.errors import shown

# What to say of a module that a model does not have: the names that it does have, and the one that may be meant.


_LISTED = 16


def no_such_module(where: str, name: str, names: Iterable[str]) -> str:
    """`where` is what has the names: module_list, the description."""
    known = list(names)
    listed = ", ".join(known[:_LISTED]) + (f" and {len(known) - _LISTED} more" if len(known) > _LISTED else "")
    # layer_13 of a model with twelve layers is no slip of the pen for layer_3
    near = get_close_matches(name, [one for one in known if _number(one) == _number(name)], n=1, cutoff=0.5)
    rest = f"did you mean {near[0]}? It has {listed}" if near else f"it has {listed}"
    return f"{where} has no such module; {rest}"


def _number(name: str) -> list[str]:
    return re.findall(r"[0-9]+", name)


_NUMBER = r"[1-9][0-9]{0,8}"
_SHAPE = rf"\({_NUMBER}(?:,{_NUMBER}){{0,7}}\)"
# the full-width signs of a Chinese keyboard are no part of a name
_NAME = r"[^;,()；，（）\s]{1,200}"
_ONE = rf"{_SHAPE},{_NAME}"
_WHOLE = re.compile(rf"{_ONE}(?: *; *{_ONE})*")
_ITEM = re.compile(rf"\(([0-9,]+)\),({_NAME})")
_DIGITS = re.compile(r"[0-9]+")
_GOOD_NUMBER = re.compile(_NUMBER)
_GOOD_NAME = re.compile(_NAME)
_BETWEEN = re.compile(r" *; *")
_LARGEST_RANK = 8
_EXAMPLE = "such as (128,768),layer_1"


class ModuleUse(NamedTuple):
    """A module that an item passed, and the shape of what went in."""

    name: str
    shape: tuple[int, ...]

    def __str__(self) -> str:
        return f"({','.join(map(str, self.shape))}),{self.name}"


Trace = tuple[ModuleUse, ...]


class GrammarError(ValueError):
    """A text that is not of the grammar: at which character, what was found, what was expected."""

    def __init__(self, offset: int, found: str, expected: str) -> None:
        self.offset = offset
        self.found = found
        self.expected = expected
        super().__init__(f"character {offset + 1}: found {found}; expected {expected}")


def parse(text: str) -> Trace:
    """The modules in order; a GrammarError where the text is not of the grammar."""
    if not _WHOLE.fullmatch(text):
        raise _Scan(text).error()
    return tuple(ModuleUse(name, tuple(map(int, shape.split(",")))) for shape, name in _ITEM.findall(text))


def placed(text: str) -> Iterator[tuple[int, ModuleUse]]:
    """The modules of a good text, each with the character that it begins at."""
    for found, use in zip(_ITEM.finditer(text), parse(text), strict=True):
        yield found.start(), use


def written(trace: Trace) -> str:
    """The text of some modules, as prediction files have it."""
    return ";".join(map(str, trace))


class _Scan:
    """The grammar read once more, slowly, to say where a text leaves it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def error(self) -> GrammarError:
        try:
            self._whole()
        except GrammarError as error:
            return error
        return GrammarError(0, shown(self._text), f"modules between semicolons, {_EXAMPLE}")

    def _whole(self) -> None:
        if not self._text.strip():
            self._fail("no module" if not self._text else "nothing but blanks", f"at least one module, {_EXAMPLE}")
        while True:
            self._item()
            if self._at == len(self._text):
                return
            between = _BETWEEN.match(self._text, self._at)
            if not between:
                self._fail(self._here(), "';' between modules, or the end")
            self._at = between.end()
            if self._at == len(self._text):
                self._fail("the end after ';'", "another module, or no ';' at the end")

    def _item(self) -> None:
        self._take("(", f"'(' before a shape, {_EXAMPLE}")
        start = self._at
        rank = 0
        while True:
            self._number()
            rank += 1
            if self._text[self._at : self._at + 1] != ",":
                break
            self._at += 1
        self._take(")", "',' or ')' after a number (no blanks inside a shape)")
        if rank > _LARGEST_RANK:
            self._at = start
            self._fail(f"a shape of {rank} numbers", f"at most {_LARGEST_RANK}")
        self._take(",", "',' between a shape and the name of its module (no blanks)")
        name = _GOOD_NAME.match(self._text, self._at)
        if not name:
            self._fail(self._here(), f"the name of a module, {_EXAMPLE}")
        self._at = name.end()

    def _number(self) -> None:
        digits = _DIGITS.match(self._text, self._at)
        if not digits:
            self._fail(self._here(), "a whole number (no blanks inside a shape)")
        if not _GOOD_NUMBER.fullmatch(digits[0]):
            self._fail(f"the number {digits[0][:20]}", "a number from 1 to 999999999 without zeros before it")
        self._at = digits.end()

    def _take(self, character: str, expected: str) -> None:
        if self._text[self._at : self._at + 1] != character:
            self._fail(self._here(), expected)
        self._at += 1

    def _here(self) -> str:
        rest = self._text[self._at : self._at + 1]
        if _full_width(rest):
            return f"a full-width {rest}"
        return f"the character {ascii(rest) if not rest.isprintable() else repr(rest)}" if rest else "the end"

    def _fail(self, found: str, expected: str) -> NoReturn:
        rest = self._text[self._at : self._at + 1]
        plain = f"'{normalize('NFKC', rest)}'"
        raise GrammarError(self._at, found, plain if _full_width(rest) and plain in expected else expected)


def _full_width(character: str) -> bool:
    return character.isprintable() and len(character) == 1 and east_asian_width(character) == "F"
