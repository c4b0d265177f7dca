"""Universal Dependencies files: every syntactic word with its part of speech (UPOS), marked in the sentence's text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from readproof.errors import shown
from readproof.files import lines
from readproof.items import Mark, TagItem
from readproof.lang.api import detect
from readproof.tasks.base import Peek, Task
from readproof.tasks.fields import refuse
from readproof.tasks.layouts.lines import once, whole_lines
from readproof.tasks.layouts.marks import SPANS, read_marks, write_marks
from readproof.tasks.metrics.tagging import tagging_metrics

# fmt: off
UPOS = (
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM",
    "VERB", "X",
)
# fmt: on
_COLUMNS = 10
_NOT_TAGGED = "_"
_IDS = re.compile(r"(?P<word>\d{1,9})|\d{1,9}-(?P<last>\d{1,9})|(?P<empty>\d+\.\d+)")
_COMMENT = re.compile(r"#\s*(sent_id|text)\s*=\s?(.*)")
_JOINER = "\u200c"


@dataclass(slots=True)
class _Token:
    """A piece of the text: one word, or several that are written together."""

    form: str
    spaced: bool
    last: int
    words: list[tuple[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class _Sentence:
    place: str
    name: str = ""
    text: str = ""
    tokens: list[_Token] = field(default_factory=list)


def _recognise(peek: Peek) -> bool:
    found = [line.split("\t") for line in whole_lines(peek) if not line.startswith("#")]
    return (
        peek.layout == "text" and bool(found) and all(len(row) == _COLUMNS and _IDS.fullmatch(row[0]) for row in found)
    )


def load(path: Path) -> Iterator[TagItem]:
    """Every sentence, by its `sent_id` or its number from 0."""
    seen: set[str] = set()
    for index, sentence in enumerate(_sentences(path)):
        text, starts = _aligned(sentence)
        marks = [mark for token, start in zip(sentence.tokens, starts, strict=True) for mark in _marks(token, start)]
        identity = once(sentence.name or str(index), seen, path, sentence.place)
        yield TagItem(id=identity, text=text, marks=tuple(marks), language=detect(text))


def _sentences(path: Path) -> Iterator[_Sentence]:
    sentence: _Sentence | None = None
    for number, line in lines(path):
        if not line.strip():
            if sentence is not None and sentence.tokens:
                yield sentence
            sentence = None
            continue
        sentence = sentence or _Sentence(f"line {number}")
        if line.startswith("#"):
            comment = _COMMENT.fullmatch(line)
            if comment and comment[1] == "sent_id":
                sentence.name = comment[2].strip()
            elif comment:
                sentence.text = comment[2]
        else:
            _add(line, sentence, path, f"line {number}")
    if sentence is not None and sentence.tokens:
        yield sentence


def _add(line: str, sentence: _Sentence, path: Path, place: str) -> None:
    """A word, the range of several words written together, or an empty node, which has no place in the text."""
    columns = line.split("\t")
    if len(columns) != _COLUMNS:
        refuse(path, place, f"{len(columns)} columns", f"{_COLUMNS}, tab-separated (CoNLL-U)")
    match = _IDS.fullmatch(columns[0])
    if match is None:
        refuse(path, place, shown(columns[0]), "an id such as 3, 3-4 or 8.1")
    form, tag = columns[1], columns[3]
    if match["empty"]:
        return
    if not form:
        refuse(path, place, "an empty FORM", "a word")
    spaced = "SpaceAfter=No" not in columns[9].split("|")
    if match["last"]:
        sentence.tokens.append(_Token(form, spaced, int(match["last"])))
        return
    if tag not in UPOS and tag != _NOT_TAGGED:
        refuse(path, place, f"the tag {tag!r}", f"one of {' '.join(UPOS)}")
    number = int(match["word"])
    if not sentence.tokens or number > sentence.tokens[-1].last:
        sentence.tokens.append(_Token(form, spaced, number))
    sentence.tokens[-1].words.append((form, tag))


def _aligned(sentence: _Sentence) -> tuple[str, list[int]]:
    """The text and where each token starts in it: the text as stated if the tokens are found there in order."""
    starts: list[int] = []
    at = 0
    for token in sentence.tokens:
        while sentence.text[at : at + 1].isspace():
            at += 1
        if not sentence.text.startswith(token.form, at):
            return _joined(sentence.tokens)
        starts.append(at)
        at += len(token.form)
    return _joined(sentence.tokens) if sentence.text[at:].strip() else (sentence.text, starts)


def _joined(tokens: list[_Token]) -> tuple[str, list[int]]:
    text = ""
    starts: list[int] = []
    for token in tokens:
        starts.append(len(text))
        text += token.form + (" " if token.spaced else "")
    return text.rstrip(" "), starts


def _marks(token: _Token, start: int) -> list[Mark]:
    """The words of a token where its form is made of theirs; else one mark with all their tags."""
    marks: list[Mark] = []
    at = 0
    for form, tag in token.words:
        # Persian puts a joiner between a stem and what hangs on it
        at += token.form.startswith(_JOINER, at) and not form.startswith(_JOINER)
        if not token.form.startswith(form, at):
            break
        marks.append(Mark(start + at, start + at + len(form), tag))
        at += len(form)
    if len(marks) == len(token.words) and at == len(token.form):
        return marks
    return [Mark(start, start + len(token.form), "+".join(tag for _, tag in token.words) or _NOT_TAGGED)]


TASK = Task(
    name="conllu",
    title="Universal Dependencies: words and parts of speech",
    kind="tags",
    languages=("fa", "zh", "en"),
    recognise=_recognise,
    load=load,
    read_predictions=partial(read_marks, SPANS),
    write_predictions=partial(write_marks, SPANS),
    metrics=tagging_metrics("conllu"),
    licence="depends on the treebank: Persian PerDT and Seraji CC BY-SA 4.0",
    citation="de Marneffe et al. 2021. Universal Dependencies. Computational Linguistics 47(2).",
    labels=UPOS,
)
