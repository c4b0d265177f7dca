"""Which training passages stand, in good part, in a measuring set? They are left out of training."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SPACE = re.compile(r"\s+")


class Shingles:
    """The runs of `width` characters of the measuring passages (spaces ignored)."""

    def __init__(self, passages: Iterable[str], width: int = 25) -> None:
        self.width = width
        self._seen = {shingle for passage in passages for shingle in self._of(passage)}

    def share(self, passage: str) -> float:
        """The part of a passage's runs that the measuring passages have too."""
        found = self._of(passage)
        return sum(shingle in self._seen for shingle in found) / len(found) if found else 0.0

    def _of(self, passage: str) -> set[str]:
        text = _SPACE.sub("", passage)
        return {text[at : at + self.width] for at in range(max(1, len(text) - self.width + 1))}
