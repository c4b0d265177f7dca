"""What answers there are to choose from, and of which kind a gold answer is."""

from __future__ import annotations

from functools import lru_cache

from readproof.lang.fa.entities import classes, entities
from readproof.lang.lists import lines


@lru_cache(maxsize=1)
def pools() -> dict[str, tuple[str, ...]]:
    """Answers of every kind that has no names."""
    return {entry[0]: entry[1:] for entry in lines("fa", "answers")}


@lru_cache(maxsize=1)
def callings() -> frozenset[str]:
    """What people are called by their work."""
    return frozenset(one for kind in ("job", "kin_rank", "kin_role", "kin_office") for one in classes()[kind])


def gold_kind(gold: str) -> str:
    """The kind of a gold answer that is a listed name."""
    found = [
        one
        for one in entities(gold)
        if not one.kind.startswith(("kin_", "number", "ordinal", "magnitude", "latin", "given"))
    ]
    if found and sum(one.end - one.start for one in found) >= 0.6 * len(gold.strip()):
        return found[0].kind
    return ""
