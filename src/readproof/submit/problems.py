"""What is wrong with a package: a code that never changes its meaning, the file, the place, and words in two languages.

The words stand in codes.toml, so that the command, the pages of docs/codes and other programs say the same.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Literal

from readproof.errors import InputError, visible
from readproof.reports.labels import Label, Language

Level = Literal["error", "warning"]

# of one code in one file so many are listed, and the rest are counted
LISTED = 200
_WORDS = "words"


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of problem; {places} in the labels are filled in for each problem."""

    code: str
    level: Level
    title: Label
    found: Label
    expected: Label
    why: Label
    do: Label


@dataclass(frozen=True, slots=True)
class PackageProblem:
    """One thing that is wrong: where, what was found there, and what should be there."""

    code: str
    file: str
    place: str
    found: Label
    expected: Label

    @property
    def level(self) -> Level:
        return codes()[self.code].level

    def sentence(self, language: Language) -> str:
        """The problem in one line."""
        where = " ".join(part for part in (self.file, self.place_in(language)) if part)
        if language == "zh":
            return f"{where}：{self.found.zh}；应为：{self.expected.zh}"
        return f"{where}: {self.found.en}; expected: {self.expected.en}"

    def place_in(self, language: Language) -> str:
        """Lines and columns are called so in the language; names of fields stay as they are."""
        if language == "en" or not self.place.startswith("line "):
            return self.place
        number, _, rest = self.place.removeprefix("line ").partition(", ")
        column = rest.removeprefix("column ")
        return f"第{number}行" + (f"第{column}列" if column != rest else f"，{rest}" if rest else "")


class UnreadableError(Exception):
    """A file or a part of one cannot be read any further; becomes a problem where the file's name is known."""

    def __init__(self, code: str, place: str = "", **values: object) -> None:
        super().__init__(code)
        self.code, self.place, self.values = code, place, values

    def problem(self, file: str) -> PackageProblem:
        return problem(self.code, file, self.place, **self.values)


@dataclass(slots=True)
class Problems:
    """Problems as they are found, in order; a flood of one kind in one file is counted, not kept."""

    found: list[PackageProblem] = field(default_factory=list)
    times: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, code: str, file: str, place: str = "", **values: object) -> None:
        self.times[code, file] += 1
        if self.times[code, file] <= LISTED:
            self.found.append(problem(code, file, place, **values))

    def refuse(self, refused: UnreadableError, file: str) -> None:
        self.add(refused.code, file, refused.place, **refused.values)

    def unlisted(self) -> dict[tuple[str, str], int]:
        """How many more there are of a code in a file than are listed."""
        return {key: count - LISTED for key, count in self.times.items() if count > LISTED}

    def of(self, level: Level) -> list[PackageProblem]:
        return [one for one in self.found if one.level == level]

    def __iter__(self) -> Iterator[PackageProblem]:
        return iter(self.found)


def problem(code: str, file: str, place: str = "", **values: object) -> PackageProblem:
    """A problem in the words of its code."""
    words = codes()[code]
    safe = {name: value if isinstance(value, Label) else visible(value) for name, value in values.items()}
    return PackageProblem(
        code, visible(file), visible(place), words.found.filled(**safe), words.expected.filled(**safe)
    )


@lru_cache(maxsize=1)
def codes() -> dict[str, Code]:
    """All codes, in order."""
    text = files("readproof.submit").joinpath("codes.toml").read_text(encoding="utf-8")
    return {code: _code(code, table) for code, table in tomllib.loads(text).items() if code != _WORDS}


@lru_cache(maxsize=1)
def _words() -> dict[str, Label]:
    text = files("readproof.submit").joinpath("codes.toml").read_text(encoding="utf-8")
    return {key: Label(*both) for key, both in tomllib.loads(text)[_WORDS].items()}


def word(key: str, **values: object) -> Label:
    """A phrase of ours in both languages, to stand for a value."""
    return _words()[key].filled(**{name: visible(value) for name, value in values.items()})


def picture(value: object) -> str:
    """A value out of a JSON file as JSON has it, short."""
    if isinstance(value, dict):
        return f"{{{', '.join(map(str, list(value)[:4]))}{', …' if len(value) > 4 else ''}}}"
    if isinstance(value, list):
        return f"[…] ({len(value)})"
    if isinstance(value, str):
        return f'"{visible(value)}"'
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else visible(value)


def explained(code: str) -> Code:
    """A code by its name, in any case."""
    found = codes().get(code.strip().upper())
    if found is None:
        raise InputError(found=f"the code {visible(code)!r}", expected=f"one of {', '.join(codes())}")
    return found


def _code(code: str, table: dict[str, list[str] | str]) -> Code:
    labels = {name: Label(*table[name]) for name in ("title", "found", "expected", "why", "do")}
    return Code(code, "warning" if table.get("level") == "warning" else "error", **labels)
