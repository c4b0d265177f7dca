"""CSV and TSV files with a row for each question, and Hugging Face data sets, as tasks."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

from readproof.errors import InputError
from readproof.files import read_text
from readproof.items import Item
from readproof.tasks.base import Peek
from readproof.tasks.rows import items_of, knows
from readproof.tasks.sources import HUB, TABLE, hub_name, is_table, open_dataset, parted
from readproof.tasks.squad import cmrc_metrics, span_task


def _is_table(peek: Peek) -> bool:
    """A table whose columns have their usual names; one with others is taken where no other task wants it."""
    if not is_table(peek.path) or peek.layout != "text":
        return False
    head = peek.head.removeprefix("\ufeff").partition("\n")[0].rstrip("\r")
    return knows(next(csv.reader([head], delimiter=_separator(head)), []))


def _load_table(path: Path) -> Iterator[Item]:
    name, columns = parted(path)
    file = Path(name)
    text = read_text(file).removeprefix("\ufeff")
    sign = "\t" if ".tsv" in file.name.lower() else _separator(text)
    with _long_cells():
        # a field of its own may hold line ends; the csv module must see them as they are
        rows = csv.DictReader(StringIO(text, newline=""), delimiter=sign, strict=True)
        try:
            yield from items_of(rows, columns, source=file)
        except csv.Error as error:
            place = f"line {rows.line_num}"
            raise InputError(file=file, place=place, found=str(error), expected="CSV with a head line") from None


def _separator(text: str) -> str:
    """What parts the columns in the head line; spreadsheets of some countries write semicolons."""
    head = text.partition("\n")[0]
    return max((",", ";", "\t"), key=head.count)


@contextmanager
def _long_cells() -> Iterator[None]:
    before = csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    try:
        yield
    finally:
        csv.field_size_limit(before)


TABLE_TASK = span_task(
    name=TABLE,
    title="CSV and TSV, a row for each question; --columns says which column is which",
    languages=("zh", "fa", "en"),
    recognise=_is_table,
    load=_load_table,
    metrics=cmrc_metrics(TABLE),
)


def _load_hub(path: Path) -> Iterator[Item]:
    found, _ = open_dataset(path)
    yield from items_of(found, parted(path)[1], source=hub_name(path))


HUB_TASK = span_task(
    name=HUB,
    title="Hugging Face data sets: hf://OWNER/NAME:SPLIT, or a folder of save_to_disk",
    languages=("zh", "fa", "en"),
    recognise=lambda _: False,  # named, or told by its folder
    load=_load_hub,
    metrics=cmrc_metrics(HUB),
)
