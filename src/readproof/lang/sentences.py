"""Where sentences begin and end: by their closing signs, quotes and brackets behind these included."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

_ENDS = {
    "zh": re.compile(r"[。！？!?]+[”’」』）)】》]*|\n"),
    "fa": re.compile(r"[.!?؟؛]+[”’»)\]\"]*(?=\s|$)|\n"),
    # a full stop behind one capital letter is an initial's
    "en": re.compile(r"(?:(?<!\b[A-Z])\.|[!?])[.!?]*[”’)\]\"']*(?=\s|$)|\n"),
}


@lru_cache(maxsize=256)  # several questions share a passage
def sentences(text: str, language: str) -> tuple[tuple[int, int], ...]:
    """The sentences of a text as spans without the white space around them, in order."""
    ends = [found.end() for found in _ENDS.get(language, _ENDS["en"]).finditer(text)]
    found = []
    for start, end in pairwise([0, *ends, len(text)]):
        piece = text[start:end]
        if piece.strip():
            found.append((start + len(piece) - len(piece.lstrip()), end - len(piece) + len(piece.rstrip())))
    return tuple(found)
