"""Passages kept apart: none is trained on that shares much with what is measured or chosen by."""

from __future__ import annotations

from readproof.items import SpanItem
from readproof.tasks.overlap import SHARED, shingles


def apart(items: list[SpanItem], seen: set[int]) -> list[SpanItem]:
    """The items whose passage has at most 30 % of its 25-character pieces in `seen`."""
    shares = {}
    for passage in {item.passage for item in items}:
        found = shingles(passage)
        shares[passage] = len(found & seen) / len(found) if found else 0.0
    return [item for item in items if shares[item.passage] <= SHARED]
