"""A reader that a command line can name."""

from __future__ import annotations


def first_words(passage: str, question: str) -> str:
    """The beginning of the passage, whatever the question."""
    return passage[:4]
