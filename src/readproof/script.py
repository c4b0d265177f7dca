"""Full-width and half-width forms, simplified and traditional characters: conversions that keep the offset map."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Literal

from readproof.items import Edit
from readproof.text import Text, applied, encodable, plain

Script = Literal["simplified", "traditional"]

_CONFIGURATIONS = {"simplified": "t2s", "traditional": "s2t"}
_HALF = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)} | {
    0x3000: " ",
    0xFFE0: "¢",
    0xFFE1: "£",
    0xFFE2: "¬",
    0xFFE5: "¥",
    0xFFE6: "₩",
}
_FULL = {ord(half): chr(full) for full, half in _HALF.items()}


def half_width(raw: str) -> Text:
    """Full-width letters, digits, signs and the ideographic space in their ordinary width."""
    return _translated(raw, _HALF, "half width")


def full_width(raw: str) -> Text:
    """ASCII letters, digits, signs and the space in full width."""
    return _translated(raw, _FULL, "full width")


def in_script(raw: str, script: Script) -> Text:
    """Chinese characters in simplified or traditional form."""
    # OpenCC takes UTF-8, which has no lone surrogates; data files do
    given = encodable(raw)
    converted = _converter(_CONFIGURATIONS[script]).convert(given)
    if converted == given:
        return plain(raw)
    if len(converted) == len(raw):
        pairs = enumerate(zip(given, converted, strict=True))
        return applied(raw, (Edit(at, old, new, script) for at, (old, new) in pairs if old != new))
    return applied(raw, _aligned(given, converted, script))


def _translated(raw: str, table: dict[int, str], why: str) -> Text:
    found = ((at, character, table.get(ord(character))) for at, character in enumerate(raw))
    return applied(raw, (Edit(at, old, new, why) for at, old, new in found if new is not None))


def _aligned(raw: str, converted: str, why: str) -> Iterator[Edit]:
    """Edits where a phrase changed its length: what both texts share stays, the rest is replaced piece by piece.

    A piece that is only put in or only left out takes the character before it along (or the one after, at the start),
    so that every character of either text has its place in the other.
    """
    held: Edit | None = None
    for start, end, new_start, new_end in _pieces(raw, converted):
        old, new = raw[start:end], converted[new_start:new_end]
        if held is not None and not (held.old and held.new and old and new):
            held = Edit(held.start, held.old + old, held.new + new, why)
            continue
        if held is not None and held.old != held.new:
            yield held
        held = Edit(start, old, new, why)
    if held is not None and held.old != held.new:
        yield held


def _pieces(raw: str, converted: str) -> Iterator[tuple[int, int, int, int]]:
    """Pairs of spans in order, one character to one character where both texts have as many."""
    matcher = difflib.SequenceMatcher(None, raw, converted, autojunk=False)
    for _, start, end, new_start, new_end in matcher.get_opcodes():
        if end - start == new_end - new_start:
            for at in range(end - start):
                yield start + at, start + at + 1, new_start + at, new_start + at + 1
        else:
            yield start, end, new_start, new_end


@lru_cache(maxsize=8)
def _converter(configuration: str) -> Any:
    import opencc

    return opencc.OpenCC(configuration)
