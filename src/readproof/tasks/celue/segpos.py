"""PKU-SEGPOS: Chinese words with their parts of speech, `word/tag` between blanks (People's Daily, January 1998)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from readproof.errors import shown
from readproof.files import lines
from readproof.items import Answer, Item, Mark, TagItem
from readproof.tasks.base import Peek, Task
from readproof.tasks.fields import refuse
from readproof.tasks.layouts.lines import HAN, once, whole_lines
from readproof.tasks.layouts.marks import SPANS, MarkPredictions, read_marks, write_marks
from readproof.tasks.metrics.tagging import tagging_metrics

# the 39 tags that the CELUE task lists
# fmt: off
TAGS = (
    "n", "t", "s", "f", "m", "q", "b", "r", "v", "a", "z", "d", "p", "c", "u", "y", "e", "o", "i", "l", "j", "h", "k",
    "g", "x", "w", "nr", "ns", "nt", "nz", "Ng", "Vg", "Ag", "Tg", "Dg", "vn", "an", "vd", "ad",
)
# fmt: on
# what published files have beyond them: foreign words, rarer morphemes, and two slips of the pen, once each
BEYOND = ("nx", "Bg", "Mg", "Rg", "Qg", "Ug", "Yg", "vvn", "na")
_KNOWN = frozenset((*TAGS, *BEYOND))
# the original release opens and closes compound names: [中央/n  电视台/n]nt
_WORD = re.compile(r"(?:\[(?=[^/]))?(.+)/([A-Za-z]+)(?:\][A-Za-z]*)?")
_LINE_NAME = re.compile(r"(\d{8}-\d{2}-\d{3}-\d{3})/m")


def _recognise(peek: Peek) -> bool:
    words = [word for line in whole_lines(peek) for word in line.split()]
    # the last word may be cut short
    whole = words[:-1] or words
    return peek.layout == "text" and bool(whole) and bool(HAN.search(peek.head)) and all(map(_WORD.fullmatch, whole))


def load(path: Path) -> Iterator[TagItem]:
    """Every line, by the number at its start or else counted from 0."""
    seen: set[str] = set()
    index = 0
    for number, line in lines(path):
        words = line.split()
        if not words:
            continue
        name = _LINE_NAME.fullmatch(words[0])
        identity = once(name[1] if name else str(index), seen, path, f"line {number}")
        yield _item(identity, words[1:] if name else words, path, f"line {number}")
        index += 1


def read_predictions(path: Path, *, inclusive: bool = False) -> MarkPredictions:
    """Lines {"span_list": […]}; the guide does not say if an end is inclusive, its sample reads as exclusive."""
    return read_marks(replace(SPANS, inclusive=inclusive), path)


def write_predictions(
    items: Iterable[Item], answers: Mapping[str, Answer], file: TextIO, *, inclusive: bool = False
) -> None:
    """The same lines."""
    write_marks(replace(SPANS, inclusive=inclusive), items, answers, file)


def _item(identity: str, words: list[str], path: Path, place: str) -> TagItem:
    pieces: list[str] = []
    marks: list[Mark] = []
    at = 0
    for word in words:
        match = _WORD.fullmatch(word)
        if match is None:
            refuse(path, place, shown(word), "word/tag between blanks, such as 希望/n")
        piece, tag = match.groups()
        if tag not in _KNOWN:
            refuse(path, place, f"the tag {tag!r} in {shown(word)}", f"one of {' '.join(TAGS)}")
        pieces.append(piece)
        marks.append(Mark(at, at + len(piece), tag))
        at += len(piece)
    return TagItem(id=identity, text="".join(pieces), marks=tuple(marks))


TASK = Task(
    name="pku-segpos",
    title="PKU-SEGPOS (CELUE): Chinese words and parts of speech",
    kind="tags",
    languages=("zh",),
    recognise=_recognise,
    load=load,
    read_predictions=read_predictions,
    write_predictions=write_predictions,
    metrics=tagging_metrics("pku-segpos", (*TAGS, *BEYOND)),
    licence="research",
    citation="Yu et al. 2002. The Basic Processing of Contemporary Chinese Corpus at Peking University. "
    "Journal of Chinese Information Processing 16(5-6).",
    labels=TAGS,
)
