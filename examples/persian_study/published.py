"""The study's own figures, which ours stand beside."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

READERS = ("mBERT", "ParsBERT")
_FILE = Path(__file__).with_name("published.toml")


@lru_cache(maxsize=1)
def _figures() -> dict[str, Any]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


def evaluated(row: str, reader: str) -> float | None:
    """F1 under an attack, before any training against it."""
    found: float | None = _figures()["evaluation"].get(row, {}).get(reader)
    return found


def trained(row: str, reader: str) -> tuple[float, float] | None:
    """F1 attacked and original, after training against the attack."""
    found = _figures()["training"].get(row, {}).get(reader)
    return (found[0], found[1]) if found else None
