"""Predicted marks (words, tags, entities) as CELUE wants them: JSON lines without ids, in the order of the items."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from readproof.errors import shown
from readproof.files import chunks, lines
from readproof.items import Answer, Item, Mark, TagItem
from readproof.jsonstream import records
from readproof.tasks.base import Peek
from readproof.tasks.fields import need, of_type, refuse
from readproof.tasks.layouts.lines import whole_lines
from readproof.tasks.layouts.squad import need_any

_WORDS = "ans"


@dataclass(frozen=True, slots=True)
class MarkForm:
    """The keys of a line; `inclusive` says that an end is the last character's place, not the one after it."""

    list: str
    start: str
    end: str
    text: str = ""
    inclusive: bool = False


ENTITIES = MarkForm("entities", "start_idx", "end_idx", "entity", inclusive=True)
SPANS = MarkForm("span_list", "start", "end")


@dataclass(frozen=True, slots=True)
class MarkLine:
    """The marks of one item; `texts` is what the file says stands at each of them, where it says so."""

    marks: tuple[Mark, ...]
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MarkPredictions:
    """A line for each item in order; None where the file has null."""

    path: Path
    lines: Sequence[MarkLine | None]


def read_marks(form: MarkForm, path: Path) -> MarkPredictions:
    """Lines {"entities": […]} or {"span_list": […]}."""
    return _read(path, partial(mark_record, form))


def write_marks(form: MarkForm, items: Iterable[Item], answers: Mapping[str, Answer], file: TextIO) -> None:
    """The same lines; an item without an answer keeps its line, with null."""
    for item in items:
        marks = answers[item.id].marks if item.id in answers else None
        listed = None if marks is None else [_entry(mark, form, text_of(item)) for mark in marks]
        file.write(json.dumps({form.list: listed}, ensure_ascii=False) + "\n")


def read_words(path: Path) -> MarkPredictions:
    """Lines {"ans": "words between spaces"}."""
    return _read(path, word_record)


def write_words(items: Iterable[Item], answers: Mapping[str, Answer], file: TextIO) -> None:
    """The same lines."""
    for item in items:
        marks = answers[item.id].marks if item.id in answers else None
        words = None if marks is None else " ".join(text_of(item)[mark.start : mark.end] for mark in marks)
        file.write(json.dumps({_WORDS: words}, ensure_ascii=False) + "\n")


def words_line(line: str) -> MarkLine:
    """The words of a segmented line, marked in the text without white space."""
    words = tuple(line.split())
    marks: list[Mark] = []
    at = 0
    for word in words:
        marks.append(Mark(at, at + len(word)))
        at += len(word)
    return MarkLine(tuple(marks), words)


def text_of(item: Item) -> str:
    if not isinstance(item, TagItem):
        raise TypeError(f"{type(item).__name__} where a TagItem was expected")
    return item.text


def _read(path: Path, parse: Callable[[Any, Path, str], MarkLine | None]) -> MarkPredictions:
    lines = [parse(record, path, place) for place, record in records(path)]
    if not lines:
        refuse(path, "", "no predictions", "one JSON object a line, in the order of the sentences")
    return MarkPredictions(path, lines)


def word_record(record: Any, path: Path, place: str) -> MarkLine | None:
    """The marks of a line {"ans": "words between spaces"}; None where there is no answer."""
    value = need_any(record, _WORDS, path, place)
    return None if value is None else words_line(of_type(value, str, path, f"{place}.{_WORDS}"))


def mark_record(form: MarkForm, record: Any, path: Path, place: str) -> MarkLine | None:
    """The marks of a line with a list of them; None where there is no answer."""
    value = need_any(record, form.list, path, place)
    if value is None:
        return None
    marks: list[Mark] = []
    texts: list[str] = []
    where = f"{place}.{form.list}"
    for index, entry in enumerate(of_type(value, list, path, where)):
        here = f"{where}[{index}]"
        start = need(entry, form.start, int, path, here)
        end = need(entry, form.end, int, path, here) + form.inclusive
        marks.append(Mark(start, end, need(entry, "type", str, path, here)))
        if form.text and form.text in entry:
            texts.append(need(entry, form.text, str, path, here))
    if texts and len(texts) < len(marks):
        refuse(path, where, f"{len(texts)} texts for {len(marks)} marks", f"{form.text!r} in all of them or in none")
    return MarkLine(tuple(marks), tuple(texts))


def _entry(mark: Mark, form: MarkForm, text: str) -> dict[str, Any]:
    entry: dict[str, Any] = {form.start: mark.start, form.end: mark.end - form.inclusive, "type": mark.type}
    return entry | {form.text: text[mark.start : mark.end]} if form.text else entry


# Sentences with a token and its tag a line (BIO, BIOES or BMES), read into texts with marks.


HEADER = "IMGID:"
_LINE = re.compile(r"([^ \t]+)[ \t](O|[BIMES]-\S+)")
_OUTSIDE = "O"
_STARTS = frozenset("BS")
_ENDS = frozenset("ES")
_FEWEST = 2


@dataclass(frozen=True, slots=True)
class TaggedSentence:
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


def sentences(path: Path, types: Sequence[str] = ()) -> Iterator[TaggedSentence]:
    """Every sentence of a file; where `types` are given, a tag of another type is refused."""
    place = name = ""
    tokens: list[str] = []
    tags: list[str] = []
    for number, line in lines(path):
        header = line.startswith(HEADER)
        if header or not line.strip():
            if place:
                yield TaggedSentence(place, name, tuple(tokens), tuple(tags))
            tokens, tags = [], []
            place = f"line {number}" if header else ""
            name = line.removeprefix(HEADER).strip() if header else ""
            continue
        token, tag = _split(line, types, path, f"line {number}")
        place = place or f"line {number}"
        tokens.append(token)
        tags.append(tag)
    if place:
        yield TaggedSentence(place, name, tuple(tokens), tuple(tags))


def marked(sentence: TaggedSentence, joiner: str) -> tuple[str, tuple[Mark, ...]]:
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
