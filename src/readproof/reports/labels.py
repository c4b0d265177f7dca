"""The words of reports in English and Chinese: one small table, so that no label stands in code or templates."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Literal

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Label:
    """The same in both languages."""

    en: str
    zh: str

    def of(self, language: Language) -> str:
        return self.zh if language == "zh" else self.en

    def filled(self, **values: object) -> Label:
        """The label with its {places} filled; a value that is a label gives its own languages."""
        return Label(*(self.of(one).format(**_in(one, values)) for one in LANGUAGES))


# a label, or a name out of the data that is the same in every language
Words = Label | str


def _in(language: Language, values: dict[str, object]) -> dict[str, object]:
    return {name: value.of(language) if isinstance(value, Label) else value for name, value in values.items()}


@lru_cache(maxsize=1)
def labels() -> dict[str, Label]:
    """All labels by their keys."""
    text = files("readproof.reports").joinpath("labels.tsv").read_text(encoding="utf-8")
    entries = (line.split("\t") for line in text.split("\n") if line and not line.startswith("# "))
    return {key: Label(english, chinese) for key, english, chinese in entries}


def label(key: str) -> Label:
    """The label of a key that is in the table."""
    return labels()[key]


def named(kind: str, name: str) -> Words:
    """The label of a name out of the data (a probe, a type, a metric); one that is not known stands for itself."""
    return labels().get(f"{kind}.{name}", name)


def said(words: Words, language: Language) -> str:
    """Words in one language."""
    return words.of(language) if isinstance(words, Label) else words


def both(words: Words) -> Label:
    """Words as a label, so that they can be put together with others."""
    return words if isinstance(words, Label) else Label(words, words)
