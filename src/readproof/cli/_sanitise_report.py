"""What a cleaning changed, as lines for a person: each reason, how often, and the first places with a picture."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterator

from readproof.items import Edit
from readproof.text import Text, sanitised

_REASONS = 12
_PLACES = 3
_AROUND = 8
_LONGEST = 6


def places(text: Text) -> Iterator[tuple[Edit, int, int]]:
    """Every change with its line and column in the raw text, counted from 1; a line ends with a line feed."""
    starts = [0, *(at + 1 for at, character in enumerate(text.raw) if character == "\n")] if text.edits else [0]
    for edit in text.edits:
        line = bisect_right(starts, edit.start)
        yield edit, line, edit.start - starts[line - 1] + 1


def report(text: Text) -> Iterator[str]:
    """A summary by reason, most frequent first; long lists are cut and say so."""
    if not text.edits:
        yield "Nothing to change."
        return
    reasons: dict[str, list[tuple[Edit, int, int]]] = {}
    for place in places(text):
        reasons.setdefault(place[0].why, []).append(place)
    ranked = sorted(reasons.items(), key=lambda pair: -len(pair[1]))
    total = len(text.edits)
    yield f"{total:,} {'change' if total == 1 else 'changes'} in {len(text.raw):,} characters"
    digits = max(len(f"{len(found):,}") for _, found in ranked)
    for why, found in ranked[:_REASONS]:
        yield f"{len(found):>{digits},}  {why}"
        for edit, line, column in found[:_PLACES]:
            yield f"{'':{digits}}    line {line}, column {column}: {picture(text.raw, edit)}"
        if len(found) > _PLACES:
            yield f"{'':{digits}}    … and {len(found) - _PLACES:,} more"
    if len(ranked) > _REASONS:
        rest = sum(len(found) for _, found in ranked[_REASONS:])
        yield f"… and {rest:,} changes for {len(ranked) - _REASONS:,} other reasons; --json lists them all"


def picture(raw: str, edit: Edit) -> str:
    """The change between what is seen around it, what is not seen by its code: 中⟨U+200E⟩国, a⟨U+3000→space⟩b."""
    before = raw[max(edit.start - _AROUND, 0) : edit.start]
    after = raw[edit.end : edit.end + _AROUND]
    new = f"→{_shown(edit.new)}" if edit.new else ""
    return f"{_context(before)}⟨{_shown(edit.old)}{new}⟩{_context(after)}"


def _shown(piece: str) -> str:
    names = [_code(character) or character for character in piece[:_LONGEST]]
    more = "…" if len(piece) > _LONGEST else ""
    return ("" if all(len(name) == 1 for name in names) else " ").join(names) + more


def _context(piece: str) -> str:
    """Only what is seen, so that the change stands out."""
    return sanitised(piece).clean.replace("\n", "⏎")


def _code(character: str) -> str:
    """The name of a character that would not be seen; empty for one that would."""
    if character == " ":
        return "space"
    kind = unicodedata.category(character)
    return (
        f"U+{ord(character):04X}" if kind[0] in "CZ" or kind == "Mn" or character in "\u2800\u115f\u1160\u3164" else ""
    )
