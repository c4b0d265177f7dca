"""Places in texts as a browser counts them: in UTF-16 units, while Python counts characters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate

from readproof.items import Edit
from readproof.text import encodable

# start, end and new text of one change, in units of the text before
Change = tuple[int, int, str]
_LAST = "\uffff"
_WIDE = re.compile("[\U00010000-\U0010ffff]")


class Units:
    """Where each character of a text begins, in UTF-16 units."""

    def __init__(self, text: str) -> None:
        # most texts have no character beyond the first plane: their units are their characters
        wide = _WIDE.search(text) is not None
        self._places = [0, *accumulate(1 + (one > _LAST) for one in text)] if wide else None
        self._length = len(text)

    def at(self, place: int) -> int:
        """A place in units; one outside the text is moved to its nearest end."""
        inside = max(0, min(place, self._length))
        return self._places[inside] if self._places else inside

    def span(self, start: int, end: int) -> list[int]:
        return [self.at(start), self.at(end)]


def changes(before: str, after: str, edits: Sequence[Edit]) -> list[Change]:
    """What turns one text into the other: the edits as they are told, or, where they do not do it, one change."""
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    if not _fit(before, ordered) or _changed(before, ordered) != after:
        ordered = _one_change(before, after)
    units = Units(before)
    return [
        (*units.span(edit.start, edit.end), encodable(edit.new))  # type: ignore[misc]
        for edit in ordered
        if edit.old != edit.new
    ]


def _fit(text: str, edits: Sequence[Edit]) -> bool:
    """Whether every edit takes out what stands there, one behind the other."""
    end = 0
    for edit in edits:
        if edit.start < end or not text.startswith(edit.old, edit.start):
            return False
        end = edit.end
    return end <= len(text)


def _changed(text: str, edits: Sequence[Edit]) -> str:
    pieces, at = [], 0
    for edit in edits:
        pieces += [text[at : edit.start], edit.new]
        at = edit.end
    return "".join([*pieces, text[at:]])


def _one_change(before: str, after: str) -> list[Edit]:
    """The two texts without their common beginning and end."""
    if before == after:
        return []
    shorter = min(len(before), len(after))
    start = next((at for at in range(shorter) if before[at] != after[at]), shorter)
    tail = next((at for at in range(shorter - start) if before[-1 - at] != after[-1 - at]), shorter - start)
    return [Edit(start, before[start : len(before) - tail], after[start : len(after) - tail])]
