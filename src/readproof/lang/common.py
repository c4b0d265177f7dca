"""What attacks ask of any language: its common words, the words of a text, and how words make a sentence."""

from __future__ import annotations

import re

from readproof.lang.lists import column

_LETTERS = re.compile(r"[^\W_]+(?:[\u200c'’-][^\W_]+)*")
_FULL_STOP = {"zh": "。", "fa": " .", "en": " ."}


def common_words(language: str) -> tuple[str, ...]:
    """The commonest words, the commonest first."""
    return column(language, "common")


def words_of(text: str, language: str) -> list[str]:
    """The words of a text in order, without signs."""
    if language == "zh":
        from readproof.lang.zh.words import words

        return [word.text for word in words(text) if any(map(str.isalnum, word.text))]
    return _LETTERS.findall(text)


def sentence_of(words: tuple[str, ...], language: str) -> str:
    """The words one after another with a full stop."""
    return ("" if language == "zh" else " ").join(words) + _FULL_STOP.get(language, ".")


def units_of(text: str, language: str) -> list[str]:
    """What is counted when texts are compared: characters in Chinese, words elsewhere; no spaces."""
    return [sign for sign in text if not sign.isspace()] if language == "zh" else text.split()
