"""What the readers of line-based files share: the beginning of a file for telling formats apart, ids met only once."""

from __future__ import annotations

import re
from pathlib import Path

from readproof.tasks.base import Peek
from readproof.tasks.fields import refuse

HAN = re.compile("[\u3400-\u9fff]")


def whole_lines(peek: Peek) -> list[str]:
    """The lines of the beginning that are not blank; the last may be cut short and is left out if there are others."""
    lines = [line.removesuffix("\r") for line in peek.head.split("\n")]
    if len(lines) > 1:
        lines.pop()
    return [line for line in lines if line.strip()]


def once(identity: str, seen: set[str], path: Path, place: str) -> str:
    """The id, if it is new: predictions are looked up by it."""
    if identity in seen:
        refuse(path, place, f"the id {identity!r} a second time", "each id once", "Rename or drop one of the two.")
    seen.add(identity)
    return identity


def passage_name(passage: str, names: dict[int, str], identity: str) -> str:
    """A name that all questions on a passage share where the file gives none: the id of the first of them."""
    return names.setdefault(hash(passage), identity)
