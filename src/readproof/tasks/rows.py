"""Rows of a table as items: one question each, in the columns that people use, or in those that are named.

CSV and TSV files, Hugging Face data sets, data frames and lists of dicts all come through here.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from readproof.errors import InputError, shown
from readproof.items import LETTERS, ChoiceItem, Gold, Item, SpanItem
from readproof.lang.api import detect

# what a column can be, each with the names that it has in the wild, the likeliest first
NAMES: dict[str, tuple[str, ...]] = {
    "id": ("id", "qid", "query_id", "example_id", "编号"),
    "passage": ("passage", "context", "article", "text", "paragraph", "document", "ctx", "文章", "篇章", "原文"),
    "question": ("question", "query", "query_text", "q", "问题", "题目"),
    "answers": ("answers", "answer", "answer_text", "gold", "label", "a", "答案"),
    "options": ("options", "choices", "choice", "endings", "选项"),
    "title": ("title", "标题"),
    "impossible": ("is_impossible", "impossible", "unanswerable"),
    "start": ("answer_start", "start"),
}
_NEEDED = ("passage", "question")
_PARTS = ("|", "；", ";")

Columns = Mapping[str, str]


def parse_columns(given: str) -> dict[str, str]:
    """`question=q,passage=ctx`, as `--columns` gives it; a column of options may be several, as `options=A+B+C+D`."""
    found: dict[str, str] = {}
    for one in filter(None, (part.strip() for part in given.split(","))):
        name, separator, column = one.partition("=")
        if not separator or not column or name not in NAMES:
            expected = f"NAME=COLUMN, with NAME one of {', '.join(NAMES)}"
            raise InputError(place="--columns", found=repr(one), expected=expected)
        found[name] = column
    return found


def knows(columns: Iterable[str]) -> bool:
    """Whether columns of these names say by themselves which is the passage and which the question."""
    there = {one.strip().lower() for one in columns}
    return all(there.intersection(NAMES[name]) for name in _NEEDED)


def is_rows(data: object) -> bool:
    """Whether data is a Hugging Face data set, a data frame or a list of dicts, not items."""
    if hasattr(data, "column_names") or (hasattr(data, "columns") and hasattr(data, "to_dict")):
        return True
    return isinstance(data, list | tuple) and bool(data) and all(isinstance(one, Mapping) for one in data)


def records_of(data: Any) -> Iterator[Mapping[str, Any]]:
    """The rows of what `is_rows` knows."""
    columns = getattr(data, "column_names", None)
    if isinstance(columns, Mapping):
        raise InputError(
            found=f"a data set with the splits {', '.join(columns)}",
            expected="one split",
            do=f"Take one: data[{next(iter(columns))!r}]",
        )
    if hasattr(data, "to_dict") and not hasattr(data, "column_names"):
        yield from data.to_dict("records")
    else:
        yield from data


def items_of(
    rows: Iterable[Mapping[str, Any]], columns: Columns | None = None, *, source: str | Path = "rows"
) -> Iterator[Item]:
    """An item for each row; the columns that are not named are found by what they are usually called."""
    names: dict[str, str] | None = None
    for number, row in enumerate(rows, start=1):
        if names is None:
            names = _named(row, columns or {}, source)
        yield _item(row, names, number, source)


def _named(row: Mapping[str, Any], columns: Columns, source: str | Path) -> dict[str, str]:
    """Which column is which, judged by the first row."""
    there = {str(name).strip().lstrip("\ufeff").lower(): str(name) for name in row}
    found = {}
    for name, usual in NAMES.items():
        if name in columns:
            missing = [one for one in columns[name].split("+") if one not in row]
            if missing:
                expected = f"one of the columns {', '.join(map(str, row))}"
                raise InputError(file=source, place="--columns", found=f"no column {missing[0]!r}", expected=expected)
            found[name] = columns[name]
        elif column := next((there[one] for one in usual if one in there and there[one] not in columns.values()), None):
            found[name] = column
    lettered = "+".join(one for one in LETTERS[:8] if one in row)
    if "options" not in found and len(lettered) > 2:
        found["options"] = lettered
    lacking = [name for name in _NEEDED if name not in found]
    if lacking:
        do = f"Say which it is: --columns {','.join(f'{name}=COLUMN' for name in lacking)}"
        found_columns = f"the columns {', '.join(map(str, row))}"
        raise InputError(file=source, found=found_columns, expected=f"a column with the {lacking[0]}", do=do)
    return found


def _item(row: Mapping[str, Any], names: Mapping[str, str], number: int, source: str | Path) -> Item:
    place = f"row {number}"
    passage, question = (_text(row.get(names[name]), source, f"{place}, {names[name]}") for name in _NEEDED)
    given = row.get(names["id"]) if "id" in names else None
    name = f"row-{number}" if given in (None, "") else str(given)
    title = _plain(row.get(names["title"])) if "title" in names else ""
    answers = row.get(names["answers"]) if "answers" in names else None
    options = _options(row, names, source, place)
    language = detect(passage + question)
    if options:
        right = _right(answers, options, source, place)
        return ChoiceItem(
            id=name, passage=passage, question=question, options=options, answer=right, language=language, title=title
        )
    golds = _golds(answers, row.get(names["start"]) if "start" in names else None, source, place)
    flag = row.get(names["impossible"]) if "impossible" in names else None
    impossible = str(flag).strip().lower() in ("true", "1", "yes") or (
        "answers" in names and not golds and flag is None
    )
    return SpanItem(
        id=name,
        passage=passage,
        question=question,
        golds=() if impossible else golds,
        impossible=impossible,
        language=language,
        title=title,
    )


def _text(value: Any, source: str | Path, place: str) -> str:
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return "\n".join(value)
    if not isinstance(value, str) or not value.strip():
        raise InputError(file=source, place=place, found=shown(value) if value else "nothing", expected="a text")
    return value


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _listed(value: Any) -> Any:
    """A cell of a table that holds a list as text: JSON, as Python prints it, or parts between bars."""
    if hasattr(value, "tolist"):  # a cell of a data frame holds an array
        value = value.tolist()
    if not isinstance(value, str):
        return value
    text = value.strip()
    if text[:1] in ("[", "{"):
        for read in (json.loads, ast.literal_eval):
            try:
                return read(text)
            except (ValueError, SyntaxError):
                continue
    return value


def _options(row: Mapping[str, Any], names: Mapping[str, str], source: str | Path, place: str) -> tuple[str, ...]:
    if "options" not in names:
        return ()
    columns = names["options"].split("+")
    if len(columns) > 1:
        return tuple(text for text in (_plain(row.get(one)).strip() for one in columns) if text)
    value = _listed(row.get(columns[0]))
    if isinstance(value, Mapping) and "text" in value:  # as the hub writes ARC: labels beside texts
        value = value["text"]
    if isinstance(value, str):
        sign = next((one for one in _PARTS if one in value), "")
        value = [part.strip() for part in value.split(sign)] if sign else []
    made = tuple(str(one) for one in value) if isinstance(value, Iterable) else ()
    if len(made) < 2:
        expected = "two options or more: a list, or parts between |"
        raise InputError(
            file=source, place=f"{place}, {columns[0]}", found=shown(row.get(columns[0])), expected=expected
        )
    return made


def _right(value: Any, options: tuple[str, ...], source: str | Path, place: str) -> int | None:
    """The right option: its letter, its number (from 0) or its text."""
    if value is None or value in ("", -1):
        return None
    value = _listed(value)
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    text = str(value).strip()
    if text in options:
        return options.index(text)
    if len(text) == 1 and text.upper() in LETTERS[: len(options)]:
        return LETTERS.index(text.upper())
    if text.isdigit() and int(text) < len(options):
        return int(text)
    expected = "the letter, the number (from 0) or the text of an option"
    raise InputError(file=source, place=place, found=f"the answer {text!r}", expected=expected)


def _golds(value: Any, start: Any, source: str | Path, place: str) -> tuple[Gold, ...]:
    value = _listed(value)
    if value is None or value == "" or value != value:  # a data frame's NaN is not itself
        return ()
    if isinstance(value, Mapping):
        texts, starts = _listed(value.get("text", [])), _listed(value.get("answer_start", []))
        value = [{"text": text} for text in texts] if isinstance(texts, list) else [{"text": texts}]
        for one, at in zip(value, starts if isinstance(starts, list) else [starts], strict=False):
            one["answer_start"] = at
    if isinstance(value, str | int | float):
        return (Gold(str(value), _place(start)),)
    found = []
    for one in value if isinstance(value, Iterable) else ():
        text = one.get("text") if isinstance(one, Mapping) else one
        if not isinstance(text, str):
            expected = "a text, a list of texts, or answers as SQuAD has them"
            raise InputError(file=source, place=place, found=shown(value), expected=expected)
        if text:
            found.append(Gold(text, _place(one.get("answer_start") if isinstance(one, Mapping) else None)))
    return tuple(found)


def _place(value: Any) -> int | None:
    """Where an answer begins; -1 and what is no number say nothing."""
    try:
        at = int(value)
    except (TypeError, ValueError):
        return None
    return at if at >= 0 else None
