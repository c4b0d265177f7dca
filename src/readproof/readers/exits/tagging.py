"""Tags of characters and the marks they stand for: B, M, E, S before a type for words, B, I and O for entities."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from readproof.items import Mark, TagItem

OUTSIDE = "O"


def tags_of(item: TagItem, *, words: bool) -> list[str]:
    """A tag for each character; of marks that overlap the first in the list wins."""
    tags = [OUTSIDE] * len(item.text)
    for mark in item.marks or ():
        if any(tag != OUTSIDE for tag in tags[mark.start : mark.end]):
            continue
        tags[mark.start : mark.end] = _word(mark) if words else _entity(mark)
    return tags


def tag_set(items: Iterable[TagItem], *, words: bool) -> tuple[str, ...]:
    """Every tag that some items need, with all four letters of each type, in a fixed order."""
    types = sorted({mark.type for item in items for mark in item.marks or ()})
    letters = "BMES" if words else "BI"
    named = (_named(letter, kind) for kind in types for letter in letters)
    return tuple(named) if words else (OUTSIDE, *named)


def marks_of(tags: Sequence[str], *, words: bool) -> tuple[Mark, ...]:
    """The marks that some tags stand for; whatever the tags are, words cover the whole text."""
    return _words(tags) if words else _entities(tags)


def is_words(tags: Sequence[str]) -> bool:
    """Whether a set of tags is one of words."""
    return OUTSIDE not in tags


def _words(tags: Sequence[str]) -> tuple[Mark, ...]:
    marks: list[Mark] = []
    start = 0
    for at, tag in enumerate(tags):
        begins = at == 0 or tag[:1] in ("B", "S") or tags[at - 1][:1] in ("E", "S")
        if begins and at:
            marks.append(Mark(start, at, _type(tags[start])))
        start = at if begins else start
    return (*marks, Mark(start, len(tags), _type(tags[start]))) if tags else ()


def _entities(tags: Sequence[str]) -> tuple[Mark, ...]:
    marks: list[Mark] = []
    start, kind = 0, ""
    for at, tag in enumerate([*tags, OUTSIDE]):
        found = _type(tag)
        if kind and (tag[:1] == "B" or found != kind):
            marks.append(Mark(start, at, kind))
            kind = ""
        if found and not kind:
            start, kind = at, found
    return tuple(marks)


def _word(mark: Mark) -> list[str]:
    length = mark.end - mark.start
    letters = "S" if length == 1 else "B" + "M" * (length - 2) + "E"
    return [_named(letter, mark.type) for letter in letters]


def _entity(mark: Mark) -> list[str]:
    return [_named("B", mark.type)] + [_named("I", mark.type)] * (mark.end - mark.start - 1)


def _named(letter: str, kind: str) -> str:
    return f"{letter}-{kind}" if kind else letter


def _type(tag: str) -> str:
    return tag[2:]
