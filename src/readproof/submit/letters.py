"""GCRC_advRobust.json: every row looked at, ids held against the test file, letters against the options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from readproof.errors import InputError
from readproof.items import LETTERS, Triple
from readproof.submit.decoding import decoded
from readproof.submit.problems import Problems, Refused, picture
from readproof.submit.rows import Row, read_rows
from readproof.tasks import gcrc
from readproof.tasks.metrics.triples import KEYS

# the public test file
TEST_ROWS = 288
_OPTIONS = 4
_BOM = b"\xef\xbb\xbf"
_TEXTS = {"answer": "options", "positive_answer": "positive_options", "negative_answer": "negative_options"}


@dataclass(frozen=True, slots=True)
class Asked:
    """An item of the test file: its texts under the keys that a row has them under."""

    texts: Mapping[str, Any]

    def count(self, key: str) -> int:
        return len(self.texts[_TEXTS[key]])


def read_test(path: Path) -> dict[str, Asked]:
    """The items of a test file by their ids."""
    found = {}
    for item in gcrc.load(path):
        if not isinstance(item, Triple):
            raise InputError(file=path, found=f"{item.id!r} without its other forms", expected="the test or dev file")
        forms = (item.original, item.positive, item.negative)
        texts: dict[str, Any] = {key: list(one.options) for key, one in zip(_TEXTS.values(), forms, strict=True)}
        texts |= {"question": item.original.question, "negative_question": item.negative.question}
        found[item.id] = Asked(texts | {"passage": item.original.passage})
    return found


def check_letters(data: bytes, label: str, test: Mapping[str, Asked] | None, problems: Problems) -> int:
    """Look at a whole prediction file; returns how many rows it has."""
    if data.startswith(_BOM):
        problems.add("G212", label, "line 1")
        data = data.removeprefix(_BOM)
    first: dict[str, str] = {}
    bare: Counter[str] = Counter()
    count = 0
    try:
        for row in read_rows(decoded(data, "G211"), label, problems):
            count += 1
            identity = _check_row(row, label, first, test, problems)
            if isinstance(row.record, dict):
                bare.update(key for key in ("passage", "options") if key not in row.record)
                if test and identity in test:
                    _compare(row, test[identity], label, problems)
    except Refused as refused:
        problems.refuse(refused, label)
        return count
    if not count:
        problems.add("G215", label, "data")
        return 0
    if bare:
        problems.add("G227", label, count=max(bare.values()), keys=", ".join(bare))
    _whole(first, count, label, test, problems)
    return count


def _check_row(
    row: Row, label: str, first: dict[str, str], test: Mapping[str, Asked] | None, problems: Problems
) -> str:
    record = row.record
    if not isinstance(record, dict):
        problems.add("G216", label, row.place(), what=picture(record))
        return ""
    identity = _check_id(row, label, first, test, problems)
    for key in KEYS:
        if key not in record:
            problems.add("G217", label, row.place(), key=key)
        else:
            _check_letter(row, key, _options(record, key, test, identity), label, problems)
    return identity


def _check_id(row: Row, label: str, first: dict[str, str], test: Mapping[str, Asked] | None, problems: Problems) -> str:
    if "id" not in row.record:
        problems.add("G217", label, row.place(), key="id")
        return ""
    identity = row.record["id"]
    place = row.place("id")
    if not isinstance(identity, str):
        problems.add("G218", label, place, what=picture(identity))
        return ""
    if identity in first:
        problems.add("G219", label, place, id=identity, first=first[identity])
    else:
        first[identity] = place
        if test is not None and identity not in test:
            problems.add("G220", label, place, id=identity)
    return identity


def _options(record: Mapping[str, Any], key: str, test: Mapping[str, Asked] | None, identity: str) -> int:
    if test and identity in test:
        return test[identity].count(key)
    given = record.get(_TEXTS[key])
    return len(given) if isinstance(given, list) and 0 < len(given) <= len(LETTERS) else _OPTIONS


def _check_letter(row: Row, key: str, count: int, label: str, problems: Problems) -> None:
    value = row.record[key]
    last = LETTERS[count - 1]
    if value is None or value == "":
        problems.add("G224", label, row.place(key), key=key)
    elif not isinstance(value, str) or len(value) != 1 or value not in LETTERS:
        problems.add("G222", label, row.place(key), key=key, what=picture(value), last=last)
    elif value > last:
        problems.add("G223", label, row.place(key), key=key, what=value, count=count, last=last)


def _compare(row: Row, asked: Asked, label: str, problems: Problems) -> None:
    for key, wanted in asked.texts.items():
        if key in row.record and row.record[key] != wanted:
            problems.add("G226", label, row.place(key), key=key)


def _whole(first: Iterable[str], count: int, label: str, test: Mapping[str, Asked] | None, problems: Problems) -> None:
    if test is None:
        if count != TEST_ROWS:
            problems.add("G225", label, count=count, wanted=TEST_ROWS)
        return
    given = set(first)
    for identity in test:
        if identity not in given:
            problems.add("G221", label, identity, id=identity, count=len(test))
