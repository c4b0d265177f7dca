"""Text in the order in which it is read on the screen: what bidirectional controls have put out of it is put back.

Embeddings, overrides and isolates can show letters in another order than they have in memory. Each group of them is
laid out as a screen does it, and read again in the direction of its paragraph. Groups that change no order (marks round
a foreign name, as many editors put them) are left to the sanitiser, and so are groups of letters that are read in the
direction the group asks for: an Arabic title with a Latin word in it, told as such in an English text, is in order.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from readproof.items import Edit
from readproof.text import Text, applied, encodable, plain

_OPENING = "\u202a\u202b\u202d\u202e\u2066\u2067\u2068"
_ISOLATES = "\u2066\u2067\u2068"
_LEFT_TO_RIGHT, _RIGHT_TO_LEFT, _BY_FIRST_LETTER = "\u202a\u2066", "\u202b\u2067", "\u2068"
_POP, _POP_ISOLATE = "\u202c", "\u2069"
_CONTROLS = re.compile(f"[{_OPENING}{_POP}{_POP_ISOLATE}]")
_PARAGRAPH = re.compile("[^\n\r\x1c-\x1e\x85\u2029]+")
# groups in groups that are looked at one by one; no writer has more, and each costs a look at all that is inside
_DEEPEST = 8


def in_reading_order(raw: str) -> Text:
    """The text as a person reads it; a group of controls whose order changed maps as a whole."""
    if not _CONTROLS.search(raw):
        return plain(raw)
    edits = [edit for found in _PARAGRAPH.finditer(raw) for edit in _turned(found[0], found.start())]
    return applied(raw, edits)


def _turned(paragraph: str, at: int) -> Iterator[Edit]:
    groups = list(_groups(paragraph))
    if groups:
        yield from _turned_groups(paragraph, at, groups, _is_right_to_left(paragraph, groups))


def _turned_groups(
    text: str, at: int, groups: list[tuple[int, int]], right_to_left: bool, depth: int = 0
) -> Iterator[Edit]:
    for start, end in groups:
        piece = text[start:end]
        inner = list(_groups(piece[1:]))
        own = _own_direction(piece[0], _outside(piece[1:], inner), alone=not inner) if depth < _DEEPEST else None
        if own is not None:
            yield from _turned_groups(piece[1:], at + start + 1, inner, own, depth + 1)
            continue
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
    isolates = 0
    begun = 0
    for found in _CONTROLS.finditer(paragraph):
        sign = found[0]
        if sign in _OPENING:
            if not stack:
                begun = found.start()
            stack.append(sign)
            isolates += sign in _ISOLATES
            continue
        if sign == _POP_ISOLATE:
            if not isolates:
                continue
            isolates -= 1
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
    for letters in (_outside(paragraph, groups), paragraph):
        for direction in _directions(letters):
            return direction == "R"
    return False


def _own_direction(opening: str, letters: str, *, alone: bool) -> bool | None:
    """Whether a group is read from right to left, where its own letters are mostly of the direction it asks for.

    None where they are not: who reads it goes by the paragraph. An override asks for what no letters do by themselves.
    """
    found = list(_directions(letters))
    if opening in _BY_FIRST_LETTER:
        asked = found[0] if found else ""
    else:
        asked = "L" if opening in _LEFT_TO_RIGHT else "R" if opening in _RIGHT_TO_LEFT else ""
    if asked and found.count(asked) * 2 > len(found):
        return asked == "R"
    # a number is read from the left in every script
    return False if asked == "L" and not found and alone and any(map(str.isdigit, letters)) else None


def _directions(text: str) -> Iterator[str]:
    """The direction of each letter, L or R."""
    for sign in text:
        direction = unicodedata.bidirectional(sign)
        if direction in ("L", "R", "AL"):
            yield "L" if direction == "L" else "R"


def _outside(text: str, groups: list[tuple[int, int]]) -> str:
    """A text with spaces in place of its groups."""
    outside = list(text)
    for start, end in groups:
        outside[start:end] = " " * (end - start)
    return "".join(outside)


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
