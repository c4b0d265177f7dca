"""The five CELUE sets, and CMRC 2018, as three parts: to learn from, to choose by, to measure on.

Where a validation file is published it is measured on. CHNC and PKU-SEGPOS have one public file each: a fifth of the
headlines and an eighth of the newspaper are drawn from it, headlines by their own text, the newspaper in runs of lines,
so that the paragraphs of an article mostly stay together. What is chosen by is drawn from the rest in the same way.
A text that is measured on is nowhere else, nor is one that is chosen by.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from readproof.errors import InputError
from readproof.files import digest, writing
from readproof.items import ChoiceItem, Item, LabelItem, SpanItem, TagItem
from readproof.readers.exits.tagging import tags_of
from readproof.tasks import find, load
from readproof.tasks.layouts.bio import HEADER
from readproof.tasks.overlap import shingles
from readproof.training.apart import apart
from readproof.training.prepare import write_set
from readproof.training.sets import answerable

_PACKED = ("", ".xz", ".gz")


@dataclass(frozen=True, slots=True)
class Source:
    """The published files of a task; `measured` is the share that is drawn where no file is there to measure on."""

    learnt: tuple[str, ...]
    measured_file: str = ""
    measured: float = 0.0
    run: int = 0


SOURCES = {
    "ccpm": Source(("train.jsonl",), "valid.jsonl"),
    "chnc": Source(("dev.csv",), measured=0.2),
    "cmeee": Source(("train.txt",), "valid.txt"),
    "pku-segpos": Source(("199801.first80.txt", "199801.txt"), measured=0.125, run=40),
    "wordseg-weibo": Source(("nlpcc2016-word-seg-train.dat",), "nlpcc2016-wordseg-dev.dat"),
    "cmrc2018": Source(("train.json",), "dev.json"),
}
_HELD = 0.05
_GOLD = {"ccpm": "jsonl", "chnc": "csv", "cmeee": "txt", "pku-segpos": "txt", "wordseg-weibo": "txt"}


@dataclass(frozen=True, slots=True)
class Parts:
    """Items to learn from, to choose by and to measure on, and those that are learnt before; hashes of the files."""

    learnt: list[Item]
    held: list[Item]
    measured: list[Item]
    sources: dict[str, str]
    first: list[Item] = field(default_factory=list)


def task_parts(task: str, data: Sequence[str | Path], *, held: float = _HELD) -> Parts:
    """The parts of a task. `data` is a folder with its published files, or files of the user's own.

    Of one's own files nothing is measured on: they are learnt from, and a part is held out.
    """
    source = SOURCES[task]
    if len(data) == 1 and Path(data[0]).is_dir():
        learnt, measured = _published(task, Path(data[0]), source)
        drawn = source if measured is None else Source((), run=source.run)
    else:
        learnt = [find(one if ":" in str(one) else f"{task}:{one}")[1] for one in data]
        measured, drawn = None, Source(())
    items = [item for path in learnt for item in load(f"{task}:{path}")]
    if task == "cmrc2018":
        items = list(answerable(item for item in items if isinstance(item, SpanItem)))
    sources = {str(number): digest(path) for number, path in enumerate([*learnt, *([measured] if measured else [])])}
    rest, drawn_off = _drawn(items, f"measured|{task}", drawn.measured, drawn.run)
    measured_on = list(load(f"{task}:{measured}")) if measured else drawn_off
    seen = set(map(text_of, measured_on))
    rest = [item for item in rest if text_of(item) not in seen]
    if task == "cmrc2018":
        texts = sorted({item.passage for item in measured_on if isinstance(item, SpanItem)})
        rest = apart(rest, {piece for text in texts for piece in shingles(text)})
    kept, chosen = _drawn(rest, f"held|{task}", held, source.run)
    by = set(map(text_of, chosen))
    kept = [item for item in kept if text_of(item) not in by]
    if not kept:
        found, expected = f"{len(items)} items", "items to learn from, some of them not held out"
        raise InputError(file=", ".join(map(str, data)), found=found, expected=expected)
    return Parts(kept, chosen, measured_on, sources)


def with_first(parts: Parts, task: str, first: Sequence[str | Path]) -> Parts:
    """The parts with span questions of other files to begin with, none of whose passages is chosen or measured by."""
    if not first:
        return parts
    if task != "cmrc2018":
        raise InputError(place="first", found=f"files to begin with for {task}", expected="span questions: cmrc2018")
    found = [find(one) for one in first]
    items = [item for named, path in found for item in load(f"{named.name}:{path}")]
    kept = answerable(item for item in items if isinstance(item, SpanItem))
    others = {item.passage for item in (*parts.held, *parts.measured) if isinstance(item, SpanItem)}
    apart_from = apart(kept, {piece for text in sorted(others) for piece in shingles(text)})
    hashes = {f"first {number}": digest(path) for number, (_, path) in enumerate(found)}
    return replace(parts, first=list(apart_from), sources=parts.sources | hashes)


def text_of(item: Item) -> str:
    """What two copies of an item share, blanks aside; of a span question the passage."""
    if isinstance(item, ChoiceItem):
        text = item.question
    elif isinstance(item, SpanItem):
        text = item.passage
    elif isinstance(item, LabelItem | TagItem):
        text = item.text
    else:
        raise TypeError(type(item).__name__)
    return "".join(text.split())


def write_gold(task: str, items: Sequence[Item], folder: Path) -> Path:
    """Items in their task's own format, as FOLDER/TASK.…, where `readproof elue --gold FOLDER` finds them."""
    folder.mkdir(parents=True, exist_ok=True)
    if task == "cmrc2018":
        write_set(folder / f"{task}.json", [item for item in items if isinstance(item, SpanItem)])
        return folder / f"{task}.json"
    path = folder / f"{task}.{_GOLD[task]}"
    with writing(path) as file:
        if task == "chnc":
            file.write("category,news\n")
        file.writelines(_LINES[task](item) for item in items)
    return path


def _published(task: str, folder: Path, source: Source) -> tuple[list[Path], Path | None]:
    """The files of a task in a folder of its own, in celue/TASK, or beside others."""
    places = [folder / "celue" / task, folder / task, folder]

    def there(name: str) -> Path | None:
        found = (place / f"{name}{packed}" for place in places for packed in _PACKED)
        return next((path for path in found if path.is_file()), None)

    learnt = [path for name in source.learnt if (path := there(name))][:1]
    if not learnt:
        expected = f"{source.learnt[0]} (or .xz, .gz) in it, in {task}/ or in celue/{task}/"
        raise InputError(file=folder, found=f"no training file of {task}", expected=expected)
    return learnt, there(source.measured_file) if source.measured_file else None


def _drawn(items: Sequence[Any], key: str, share: float, run: int) -> tuple[list[Any], list[Any]]:
    """The items that stay and those that are drawn, by their text or by the run of lines they stand in."""
    stay: list[Any] = []
    drawn: list[Any] = []
    for at, item in enumerate(items):
        family = f"{at // run}" if run else text_of(item)
        (drawn if Random(f"{key}|{family}").random() < share else stay).append(item)
    return stay, drawn


def _ccpm(item: Any) -> str:
    record = {"translation": item.question, "choices": list(item.options), "answer": item.answer}
    return json.dumps(record, ensure_ascii=False) + "\n"


def _chnc(item: Any) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerow([item.label, item.text])
    return file.getvalue()


def _cmeee(item: Any) -> str:
    lines = [f"{one} {tag}" for one, tag in zip(item.text, tags_of(item, words=False), strict=True)]
    return "\n".join([f"{HEADER} {item.id}.jpg", *lines, "", ""])


def _words(item: Any) -> str:
    tagged = (item.text[mark.start : mark.end] + (f"/{mark.type}" if mark.type else "") for mark in item.marks or ())
    return ("  " if any(mark.type for mark in item.marks or ()) else " ").join(tagged) + "\n"


_LINES: dict[str, Callable[[Any], str]] = {
    "ccpm": _ccpm,
    "chnc": _chnc,
    "cmeee": _cmeee,
    "pku-segpos": _words,
    "wordseg-weibo": _words,
}
