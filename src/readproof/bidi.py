"""Text in the order in which it is read on the screen: what bidirectional controls have put out of it is put back.

Embeddings, overrides and isolates can show letters in another order than they have in memory. Each group of them is
laid out as a screen does it, and read again in the direction of its paragraph. Groups that change no order (marks round
a foreign name, as many editors put them) are left to the sanitiser.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from readproof.items import Edit
from readproof.text import Text, applied, encodable, plain

_OPENING = "\u202a\u202b\u202d\u202e\u2066\u2067\u2068"
_ISOLATES = "\u2066\u2067\u2068"
_POP, _POP_ISOLATE = "\u202c", "\u2069"
_CONTROLS = re.compile(f"[{_OPENING}{_POP}{_POP_ISOLATE}]")
_PARAGRAPH = re.compile("[^\n\r\x1c-\x1e\x85\u2029]+")


def in_reading_order(raw: str) -> Text:
    """The text as a person reads it; a group of controls whose order changed maps as a whole."""
    if not _CONTROLS.search(raw):
        return plain(raw)
    edits = [edit for found in _PARAGRAPH.finditer(raw) for edit in _turned(found[0], found.start())]
    return applied(raw, edits)


def _turned(paragraph: str, at: int) -> Iterator[Edit]:
    groups = list(_groups(paragraph))
    if not groups:
        return
    right_to_left = _is_right_to_left(paragraph, groups)
    for start, end in groups:
        piece = paragraph[start:end]
        places = [place for place, sign in enumerate(piece) if not _is_control(sign)]
        before = "".join(piece[place] for place in places)
        after = _read(piece, right_to_left)
        if after == before or sorted(after) != sorted(before):
            continue
        yield from _edits(piece, places, before, after, at + start)


def _edits(piece: str, places: list[int], before: str, after: str, at: int) -> Iterator[Edit]:
    """The controls go; what stands in another order is one edit, as small as it can be."""
    first = next(number for number, (one, other) in enumerate(zip(before, after, strict=True)) if one != other)
    last = len(before) - 1
    while before[last] == after[last]:
        last -= 1
    start, end = places[first], places[last] + 1
    why = "shown in another order"
    for place, sign in enumerate(piece):
        if place == start:
            yield Edit(at + start, piece[start:end], after[first : last + 1], why)
        if not start <= place < end and _is_control(sign):
            yield Edit(at + place, sign, "", why)


def _groups(paragraph: str) -> Iterator[tuple[int, int]]:
    """The outermost pairs of an opening control and what closes it; one that is not closed goes on to the end."""
    stack: list[str] = []
    begun = 0
    for found in _CONTROLS.finditer(paragraph):
        sign = found[0]
        if sign in _OPENING:
            if not stack:
                begun = found.start()
            stack.append(sign)
            continue
        if sign == _POP_ISOLATE:
            if not any(one in _ISOLATES for one in stack):
                continue
            while stack.pop() not in _ISOLATES:
                pass
        elif stack and stack[-1] not in _ISOLATES:
            stack.pop()
        else:
            continue
        if not stack:
            yield begun, found.end()
    if stack:
        yield begun, len(paragraph)


def _is_right_to_left(paragraph: str, groups: list[tuple[int, int]]) -> bool:
    """By the first letter outside all groups, else by the first letter of all."""
    outside = list(paragraph)
    for start, end in groups:
        outside[start:end] = " " * (end - start)
    for letters in ("".join(outside), paragraph):
        for sign in letters:
            direction = unicodedata.bidirectional(sign)
            if direction in ("L", "R", "AL"):
                return direction != "L"
    return False


def _read(piece: str, right_to_left: bool) -> str:
    """What a screen shows of a group, from left to right, read again in the direction of its paragraph."""
    from bidi import get_display

    base = "R" if right_to_left else "L"
    shown = _without_controls(get_display(encodable(piece), base_dir=base))
    return _without_controls(get_display(shown, base_dir=base))


def _without_controls(text: str) -> str:
    return "".join(sign for sign in text if not _is_control(sign))


def _is_control(sign: str) -> bool:
    return bool(_CONTROLS.match(sign))
