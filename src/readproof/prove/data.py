"""The items of a run: out of a data file, a list, or the sample inside the package; only those that can be scored."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import islice
from pathlib import Path

from readproof.errors import InputError
from readproof.files import digest, where_else
from readproof.items import ChoiceItem, Item, SpanItem, Triple, has_gold
from readproof.prove.model import DataFacts
from readproof.readers.base import OPTIONS, READERS, SPANS, Reader, need
from readproof.tasks import find, load
from readproof.tasks.base import Task
from readproof.tasks.itemlines import to_record

# what DATA is called when none is named
SAMPLE = "sample"
_CITED = (
    "CMRC 2018 (Cui et al. 2019, CC BY-SA 4.0): Chinese span questions; VGaokao (Zhang et al. 2021, Apache-2.0): "
    "questions with options, their positive and negative forms made by readproof."
)
_LICENCE = "CC BY-SA 4.0 and Apache-2.0"

Data = str | Path | Iterable[Item]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The items with their facts; `notes` tell of those that were left out."""

    items: tuple[Item, ...]
    facts: DataFacts
    notes: tuple[str, ...] = ()

    @property
    def triples(self) -> int:
        return sum(isinstance(item, Triple) for item in self.items)


def sample_path(reader: str) -> Path | None:
    """The sample inside the package for a shipped reader; None where there is none."""
    path = Path(str(files("readproof"))) / "samples" / f"{reader}.jsonl.xz"
    return path if path.is_file() else None


def shipped() -> list[str]:
    """The readers in the package that have a sample; the first one even without."""
    names = READERS.names()
    return [name for name in names if sample_path(name)] or names[:1]


def load_data(data: Data | None, reader: Reader | None, *, limit: int | None = None) -> Loaded:
    """The first `limit` items of DATA that have a gold answer and that the reader, where there is one, can answer."""
    if data is None:
        path = sample_path(reader.name if reader else "zh") or sample_path("zh")
        if path is None:
            raise InputError(found="no DATA, and no sample in the package", expected="a data file")
        facts, items = _of_file(f"items:{path}")
        facts = replace(facts, name=SAMPLE, given="", licence=_LICENCE, citation=_CITED)
    elif isinstance(data, str | Path):
        facts, items = _of_file(str(data))
    else:
        facts, items = _of_list(data)
    kept: list[Item] = []
    notes: dict[str, int] = {}
    refused: Item | None = None
    for item in islice(items, None if limit is None else min(limit, sys.maxsize)):
        why = _unfit(item, reader)
        if why:
            notes[why] = notes.get(why, 0) + 1
            refused = item
        else:
            kept.append(item)
    if refused is not None and reader is not None and not kept:
        for question in refused.questions if isinstance(refused, Triple) else (refused,):
            need(reader, question)
    if not kept:
        expected = "questions on spans or options, with gold answers"
        raise InputError(file=facts.given, found="no items that can be scored", expected=expected)
    told = tuple(f"{number} {'item' if number == 1 else 'items'} left out: {why}" for why, number in notes.items())
    return Loaded(items=tuple(kept), facts=replace(facts, items=len(kept)), notes=told)


def _unfit(item: Item, reader: Reader | None) -> str:
    """Why an item takes no part, or ""."""
    able = (SPANS, OPTIONS) if reader is None else reader.capabilities
    if isinstance(item, SpanItem):
        if SPANS not in able:
            return "the reader answers no span questions"
        return "" if has_gold(item) else "no gold answer"
    if isinstance(item, ChoiceItem | Triple):
        if OPTIONS not in able:
            return "the reader answers no questions with options"
        return "" if has_gold(item) else "no gold answer"
    return "neither a span question nor one with options"


def _of_file(data: str) -> tuple[DataFacts, Iterable[Item]]:
    task, path = find(data)
    if not path.is_file() and not path.is_fifo():
        raise InputError(file=path, found="no such file", expected="a data file", do=where_else(path))
    return _facts(task, path, data), load(f"{task.name}:{path}")


def _facts(task: Task, path: Path, given: str) -> DataFacts:
    return DataFacts(
        name=path.name.partition(".")[0] or path.name,
        given=given,
        task=task.name,
        digest=digest(path),
        items=0,
        licence=task.licence,
        citation=task.citation,
    )


def _of_list(items: Iterable[Item]) -> tuple[DataFacts, Iterable[Item]]:
    found = hashlib.sha256()
    items = tuple(items)  # `load` gives them once
    for item in items:
        found.update(json.dumps(to_record(item)).encode("ascii") + b"\n")
    facts = DataFacts(name="items", given="", task="items", digest=found.hexdigest(), items=0)
    return facts, items
