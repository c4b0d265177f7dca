"""A reader that knows no language: the words round the place that shares most with the question.

It sees every letter as it stands, so that it answers otherwise as soon as a letter is another one.
"""

from __future__ import annotations

import re

_WORD = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+")
_WINDOW = 12
_ANSWER = 4


def answer(passage: str, question: str) -> tuple[str, int] | str:
    """The answer and where it starts; nothing where the passage has no words."""
    words = list(_WORD.finditer(passage))
    asked = {word[0].lower() for word in _WORD.finditer(question)}
    if not words:
        return ""
    known = [word[0].lower() in asked for word in words]
    shared = [sum(known[at : at + _WINDOW]) for at in range(max(1, len(words) - _WINDOW + 1))]
    first = shared.index(max(shared))
    free = [at for at in range(first, min(first + _WINDOW, len(words))) if not known[at]][:_ANSWER] or [first]
    start, end = words[free[0]].start(), words[free[-1]].end()
    return passage[start:end], start
