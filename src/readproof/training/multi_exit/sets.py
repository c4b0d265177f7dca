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

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from readproof.errors import InputError
from readproof.files import digest, writing
from readproof.items import ChoiceItem, Item, LabelItem, SpanItem, TagItem
from readproof.readers.exits.asking import Asking, TokenRow, is_words, pieces, tags_of
from readproof.readers.exits.config import ExitConfig
from readproof.tasks import find, load
from readproof.tasks.layouts.marks import HEADER
from readproof.tasks.overlap import shingles
from readproof.training.prepare import write_set
from readproof.training.sets import answerable, apart

_PACKED = ("", ".xz", ".gz")


@dataclass(frozen=True, slots=True)
class CelueSource:
    """The published files of a task; `measured` is the share that is drawn where no file is there to measure on."""

    learnt: tuple[str, ...]
    measured_file: str = ""
    measured: float = 0.0
    run: int = 0


SOURCES = {
    "ccpm": CelueSource(("train.jsonl",), "valid.jsonl"),
    "chnc": CelueSource(("dev.csv",), measured=0.2),
    "cmeee": CelueSource(("train.txt",), "valid.txt"),
    "pku-segpos": CelueSource(("199801.first80.txt", "199801.txt"), measured=0.125, run=40),
    "wordseg-weibo": CelueSource(("nlpcc2016-word-seg-train.dat",), "nlpcc2016-wordseg-dev.dat"),
    "cmrc2018": CelueSource(("train.json",), "dev.json"),
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
        drawn = source if measured is None else CelueSource((), run=source.run)
    else:
        learnt = [find(one if ":" in str(one) else f"{task}:{one}")[1] for one in data]
        measured, drawn = None, CelueSource(())
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


def _published(task: str, folder: Path, source: CelueSource) -> tuple[list[Path], Path | None]:
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


# Items as the training loop takes them: rows of tokens with what each head is to say of them.


_ROUND = 8
_SHORT = 64
_POOL = 50
UNKNOWN = -1

Numbers = NDArray[np.int64]


@dataclass(slots=True)
class ExitBatch:
    """Rows side by side. `places` are those that are scored (-1: none), `targets` what is said of each place.

    Of a choice `table` has, for each question, the numbers of its options among all places of the batch, and `targets`
    the right one; elsewhere it is empty.
    """

    units: Numbers
    ids: Tensor
    types: Tensor
    mask: Tensor
    places: Tensor
    targets: Tensor
    table: Tensor

    def to(self, device: torch.device) -> ExitBatch:
        if device.type == "cpu":
            return self
        tensors = (self.ids, self.types, self.mask, self.places, self.targets, self.table)
        return ExitBatch(self.units, *(one.pin_memory().to(device, non_blocking=True) for one in tensors))


@dataclass(slots=True)
class UnitRows:
    """All units of some items: the rows that stop together, the item each belongs to, and what is right."""

    config: ExitConfig
    rows: list[list[TokenRow]] = field(default_factory=list)
    items: list[int] = field(default_factory=list)
    targets: list[Numbers] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def lengths(self) -> Numbers:
        """The tokens of each unit, by which like ones are put together."""
        return np.asarray([max(len(row.ids) for row in rows) for rows in self.rows], dtype=np.int64)

    def tokens(self) -> int:
        return sum(len(row.ids) for rows in self.rows for row in rows)

    def batches(self, size: int, seed: int) -> list[Numbers]:
        """Units in random order, of like length within random pools."""
        random = np.random.default_rng(seed)
        order = random.permutation(len(self))
        lengths = self.lengths
        found: list[Numbers] = []
        for at in range(0, len(order), size * _POOL):
            part = order[at : at + size * _POOL]
            part = part[np.argsort(lengths[part], kind="stable")]
            found += [part[start : start + size] for start in range(0, len(part), size)]
        return [found[at] for at in random.permutation(len(found))]

    def in_order(self, size: int) -> list[Numbers]:
        """Batches to measure, the longest first."""
        order = np.argsort(-self.lengths, kind="stable")
        return [order[at : at + size] for at in range(0, len(order), size)]

    def collate(self, batch: Numbers) -> ExitBatch:
        rows = [row for unit in batch for row in self.rows[unit]]
        longest = max(len(row.ids) for row in rows)
        width = min(self.config.positions, rounded(longest))
        # of tags as many as there are tokens: the fewer shapes, the fewer recordings of a step
        deep = width if self.config.kind == "tags" else max(len(row.places) for row in rows)
        ids, types = np.zeros((2, len(rows), width), dtype=np.int64)
        mask = np.zeros((len(rows), width), dtype=np.bool_)
        places = np.full((len(rows), deep), UNKNOWN, dtype=np.int64)
        for at, row in enumerate(rows):
            ids[at, : len(row.ids)] = row.ids
            types[at, : len(row.ids)] = row.types
            mask[at, : len(row.ids)] = True
            places[at, : len(row.places)] = row.places
        arrays = (ids, types, mask, places, *self._targets(batch, deep))
        return ExitBatch(batch, *(torch.from_numpy(array) for array in arrays))

    def _targets(self, batch: Numbers, deep: int) -> tuple[Numbers, Numbers]:
        if self.config.kind != "choice":
            targets = np.full((len(batch), deep), UNKNOWN, dtype=np.int64)
            for at, unit in enumerate(batch):
                targets[at, : len(self.targets[unit])] = self.targets[unit]
            return targets, np.zeros((0, 0), dtype=np.int64)
        counts = [sum(len(row.places) for row in self.rows[unit]) for unit in batch]
        table = np.full((len(batch), max(counts)), UNKNOWN, dtype=np.int64)
        row = 0
        for at, unit in enumerate(batch):
            flat = []
            for one in self.rows[unit]:
                flat += [row * deep + place for place in range(len(one.places))]
                row += 1
            table[at, : len(flat)] = flat
        return np.asarray([self.targets[unit][0] for unit in batch], dtype=np.int64), table


def rounded(length: int) -> int:
    """A width for texts of this length, one of few."""
    step = _ROUND if length <= _SHORT else 4 * _ROUND
    return -(-length // step) * step


def asked(items: Sequence[Item], asking: Asking, config: ExitConfig) -> UnitRows:
    """Items as units; a text with tags is one unit a piece, an empty one none."""
    found = UnitRows(config)
    numbers = {label: number for number, label in enumerate(config.labels)}
    words = is_words(config.labels)
    for number, item in enumerate(items):
        rows = asking.rows(item)
        if isinstance(item, TagItem):
            known = item.marks is not None
            tags = [numbers.get(tag, UNKNOWN) if known else UNKNOWN for tag in tags_of(item, words=words)]
            for (start, end), row in zip(pieces(len(item.text), config), rows, strict=True):
                found.rows.append([row])
                found.items.append(number)
                found.targets.append(np.asarray(tags[start:end], dtype=np.int64))
            continue
        if isinstance(item, LabelItem):
            right = numbers.get(item.label or "", UNKNOWN)
        elif isinstance(item, ChoiceItem):
            right = UNKNOWN if item.answer is None else item.answer
        else:
            raise TypeError(type(item).__name__)
        found.rows.append(rows)
        found.items.append(number)
        found.targets.append(np.asarray([right], dtype=np.int64))
    return found
