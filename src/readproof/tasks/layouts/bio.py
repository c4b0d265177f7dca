"""Sentences with a token and its tag a line (BIO, BIOES or BMES), read into texts with marks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from readproof.errors import shown
from readproof.files import chunks, lines
from readproof.items import Mark
from readproof.tasks.base import Peek
from readproof.tasks.fields import refuse
from readproof.tasks.layouts.lines import whole_lines

HEADER = "IMGID:"
_LINE = re.compile(r"([^ \t]+)[ \t](O|[BIMES]-\S+)")
_OUTSIDE = "O"
_STARTS = frozenset("BS")
_ENDS = frozenset("ES")
_FEWEST = 2


@dataclass(frozen=True, slots=True)
class Sentence:
    """Tokens with their tags; `name` is what a header line above them says, `place` where they start."""

    place: str
    name: str
    tokens: tuple[str, ...]
    tags: tuple[str, ...]


def is_tagged(peek: Peek) -> bool:
    """Whether every line at the beginning is a token with a tag (or a header)."""
    found = [line for line in whole_lines(peek) if not line.startswith(HEADER)]
    return peek.layout == "text" and len(found) >= _FEWEST and all(map(_LINE.fullmatch, found))


def is_json(path: Path) -> bool:
    """Whether a file starts as JSON does; the first token of a tagged file may be a bracket too."""
    head = next(chunks(path), "").lstrip()
    return head[:1] in ("{", "[") and not _LINE.fullmatch(head.partition("\n")[0].removesuffix("\r"))


def types_seen(peek: Peek) -> set[str]:
    """The types of the tags at the beginning of a file."""
    matches = map(_LINE.fullmatch, whole_lines(peek))
    return {match[2][2:] for match in matches if match and match[2] != _OUTSIDE}


def sentences(path: Path, types: Sequence[str] = ()) -> Iterator[Sentence]:
    """Every sentence of a file; where `types` are given, a tag of another type is refused."""
    place = name = ""
    tokens: list[str] = []
    tags: list[str] = []
    for number, line in lines(path):
        header = line.startswith(HEADER)
        if header or not line.strip():
            if place:
                yield Sentence(place, name, tuple(tokens), tuple(tags))
            tokens, tags = [], []
            place = f"line {number}" if header else ""
            name = line.removeprefix(HEADER).strip() if header else ""
            continue
        token, tag = _split(line, types, path, f"line {number}")
        place = place or f"line {number}"
        tokens.append(token)
        tags.append(tag)
    if place:
        yield Sentence(place, name, tuple(tokens), tuple(tags))


def marked(sentence: Sentence, joiner: str) -> tuple[str, tuple[Mark, ...]]:
    """The text of a sentence and its entities.

    A tag that goes on with an entity that is not open begins one, as in the CoNLL scorer: CMeEE's flat tags cut the
    outer of two nested entities this way.
    """
    marks: list[Mark] = []
    start = at = 0
    kind = ""
    for token, tag in zip(sentence.tokens, sentence.tags, strict=True):
        prefix, _, found = tag.partition("-")
        if kind and (prefix in _STARTS or found != kind):
            marks.append(Mark(start, at - len(joiner), kind))
            kind = ""
        if found and not kind:
            start, kind = at, found
        at += len(token) + len(joiner)
        if kind and prefix in _ENDS:
            marks.append(Mark(start, at - len(joiner), kind))
            kind = ""
    if kind:
        marks.append(Mark(start, at - len(joiner), kind))
    return joiner.join(sentence.tokens), tuple(marks)


def _split(line: str, types: Sequence[str], path: Path, place: str) -> tuple[str, str]:
    match = _LINE.fullmatch(line)
    if match is None:
        refuse(path, place, shown(line), "a token, a space or tab, and a tag such as O, B-LOC or I-LOC")
    token, tag = match.groups()
    if types and tag != _OUTSIDE and tag[2:] not in types:
        refuse(path, place, f"the tag {tag!r}", f"a type out of {', '.join(types)}", "Is this the right task?")
    return token, tag
