"""Small sets of English words, by name."""

from __future__ import annotations

from functools import lru_cache

from readproof.lang.lists import lines


@lru_cache(maxsize=64)
def little(name: str) -> frozenset[str]:
    """The words of a set."""
    return next(frozenset(entry[1:]) for entry in lines("en", "little") if entry[0] == name)
