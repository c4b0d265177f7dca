"""A word in a text, whatever the language: where it stands, and its part of speech in a few plain letters."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Word:
    """text[start:end] is a word; `tag` is its part of speech in the tag set of its language's room."""

    start: int
    end: int
    text: str
    tag: str
