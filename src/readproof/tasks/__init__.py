"""Tasks: each knows one file format and the official way to score it. `find` recognises a file by what is in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from readproof.errors import InputError
from readproof.files import chunks
from readproof.items import Item, SpanItem
from readproof.jsonstream import records
from readproof.registry import Registry
from readproof.tasks.base import Peek, Score, Task
from readproof.tasks.offsets import repaired
from readproof.tasks.rows import items_of, records_of
from readproof.tasks.sources import HUB, TABLE, file_of, is_saved, is_table, with_columns

__all__ = ["TASKS", "Score", "Task", "find", "load", "peek"]

# Recognised in this order: the particular before the general.
TASKS: Registry[Task] = Registry(
    "task",
    {
        "cmrc2018": "readproof.tasks.squad:CMRC2018",
        "drcd": "readproof.tasks.squad:DRCD",
        "cjrc": "readproof.tasks.squad:CJRC",
        "persianqa": "readproof.tasks.persianqa:TASK",
        "pquad": "readproof.tasks.squad:PQUAD",
        "parsquad": "readproof.tasks.squad:PARSQUAD",
        "persianquad": "readproof.tasks.squad:PERSIANQUAD",
        "parsinlu": "readproof.tasks.parsinlu:TASK",
        "dureader": "readproof.tasks.squad:DUREADER",
        "chinese_squad": "readproof.tasks.squad:CHINESE_SQUAD",
        "xquad": "readproof.tasks.squad:XQUAD",
        "zh_spans": "readproof.tasks.squad:ZH_SPANS",
        "squad2": "readproof.tasks.squad:SQUAD2",
        "squad": "readproof.tasks.squad:SQUAD",
        "gcrc": "readproof.tasks.gcrc:TASK",
        "vgaokao": "readproof.tasks.vgaokao:TASK",
        "gaokao": "readproof.tasks.gaokao:TASK",
        "c3": "readproof.tasks.c3:TASK",
        "logiqa": "readproof.tasks.logiqa:TASK",
        "choices": "readproof.tasks.choices:TASK",
        "ocnli": "readproof.tasks.ocnli:TASK",
        "farstail": "readproof.tasks.farstail:TASK",
        "table": "readproof.tasks.table:TABLE_TASK",
        "ccpm": "readproof.tasks.celue.ccpm:TASK",
        "chnc": "readproof.tasks.celue.chnc:TASK",
        "cmeee": "readproof.tasks.celue.cmeee:TASK",
        "pku-segpos": "readproof.tasks.celue.segpos:TASK",
        "conllu": "readproof.tasks.conllu:TASK",
        "entities": "readproof.tasks.entities:TASK",
        "wordseg-weibo": "readproof.tasks.celue.wordseg:TASK",
        "items": "readproof.tasks.itemlines:TASK",
        "hf": "readproof.tasks.table:HUB_TASK",
    },
    aliases={
        "cmrc": "cmrc2018",
        "gcrc_advrobust": "gcrc",
        "cnhc": "chnc",
        "segpos": "pku-segpos",
        "wordseg": "wordseg-weibo",
        "ner": "entities",
        **dict.fromkeys(("logiqa2", "agieval"), "choices"),
        "squad1": "squad",
        **{f"celue/{name}": name for name in ("ccpm", "chnc", "cmeee", "pku-segpos", "wordseg-weibo")},
    },
)

_HEAD = 4000

# a Hugging Face data set, a data frame, a list of dicts
Rows = Iterable[Mapping[str, Any]] | Any


def find(data: str | Path) -> tuple[Task, Path]:
    """The task and the file that DATA names: a path, recognised by its content, or `task:path`."""
    name, separator, rest = str(data).partition(":")
    if separator and rest and not Path(data).exists() and (name in TASKS or not _is_drive(name)):
        return TASKS.get(name), Path(rest)
    path = Path(data)
    return recognise(path), path


def load(data: str | Path | Rows, *, columns: Mapping[str, str] | None = None, repair: bool = True) -> Iterator[Item]:
    """The items of a data file, or of rows: a Hugging Face `Dataset`, a data frame, a list of dicts.

    Gold offsets that do not cut their answers are mended unless `repair` is off. `columns` says which column of a table
    is which, as {"question": "q", "passage": "ctx"}; the usual names are known.
    """
    if not isinstance(data, str | Path):
        items: Iterator[Item] = items_of(records_of(data), columns)
    else:
        given = ",".join(f"{name}={column}" for name, column in (columns or {}).items())
        task, path = find(with_columns(str(data), given) if columns else data)
        items = task.load(path)
    if not repair:
        return items
    return (repaired(item) if isinstance(item, SpanItem) else item for item in items)


def recognise(path: Path) -> Task:
    """The task a file belongs to, by its content."""
    if is_saved(path):
        return TASKS.get(HUB)
    seen, error = peek(path)
    for task in TASKS:
        if task.recognise(seen):
            return task
    if error is not None:
        raise error
    if is_table(path) and seen.layout != "empty":
        return TASKS.get(TABLE)  # which says what it lacks
    found = "an empty file" if seen.layout == "empty" else "a file of no known format"
    raise InputError(
        file=path,
        found=found,
        expected="a data file of a known task",
        do=f"If you know its task, name it as TASK:{path}. Tasks: {', '.join(TASKS.names())}.",
    )


def recognised(path: Path) -> Task | None:
    """The task a file belongs to, or None: for those who would only like to know."""
    try:
        return recognise(path)
    except InputError:
        return None


def peek(path: Path) -> tuple[Peek, InputError | None]:
    """The beginning of a file; with the error, if it looks like JSON and is not."""
    path = file_of(path)
    head = ""
    for chunk in chunks(path):
        head += chunk
        if len(head) >= _HEAD:
            break
    head = head[:_HEAD]
    text = Peek(path, "text" if head.strip() else "empty", {}, None, head)
    if head.lstrip()[:1] not in ("{", "["):
        return text, None
    try:
        found = records(path)
        first = next(iter(found), (None, None))[1]
        return Peek(path, found.layout, dict(found.header), first, head), None
    except InputError as error:
        return text, error


def _is_drive(name: str) -> bool:
    """C:\\data.json is a path, not a task."""
    return len(name) == 1
