"""The SQuAD layout and its kin: nested paragraphs, CMRC's original list, flat rows as Hugging Face writes them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from readproof.errors import shown
from readproof.items import Gold, SpanItem
from readproof.jsonstream import records
from readproof.tasks.fields import identifier, need, of_type, refuse, texts
from readproof.text import language_of

_NESTED = "paragraphs"
_ORIGINAL = "context_text"
_ROW = "context"


def is_span_record(record: Any) -> bool:
    """Whether a record is of one of the three layouts."""
    return is_nested(record) or is_original(record) or is_row(record)


def is_nested(record: Any) -> bool:
    """{"paragraphs": [{"context": …, "qas": […]}]}"""
    return isinstance(record, dict) and isinstance(record.get(_NESTED), list)


def is_original(record: Any) -> bool:
    """{"context_id": …, "context_text": …, "qas": [{"query_id": …, "query_text": …}]}"""
    return isinstance(record, dict) and _ORIGINAL in record and isinstance(record.get("qas"), list)


def is_row(record: Any) -> bool:
    """{"id": …, "context": …, "question": …, "answers": {"text": […], "answer_start": […]}}"""
    return isinstance(record, dict) and _ROW in record and "question" in record and "options" not in record


def load(path: Path, language: str = "") -> Iterator[SpanItem]:
    """Every question of a file, its gold offsets as they stand in the file (they may be wrong: see `offsets`)."""
    for place, record in records(path):
        if is_nested(record):
            yield from _nested(record, path, place, language)
        elif is_original(record):
            yield from _original(record, path, place, language)
        elif is_row(record):
            yield _row(record, path, place, language)
        else:
            need(record, _NESTED, list, path, place)


def _nested(record: dict[str, Any], path: Path, place: str, language: str) -> Iterator[SpanItem]:
    title = record.get("title")
    for number, paragraph in enumerate(record[_NESTED]):
        where = f"{place}.paragraphs[{number}]"
        passage = need(paragraph, "context", str, path, where)
        spoken = language or language_of(passage)
        for index, question in enumerate(need(paragraph, "qas", list, path, where)):
            here = f"{where}.qas[{index}]"
            golds = _golds(question, path, here)
            yield SpanItem(
                id=identifier(need_any(question, "id", path, here), path, f"{here}.id"),
                passage=passage,
                question=need(question, "question", str, path, here),
                golds=golds,
                impossible=_impossible(question, golds),
                language=spoken,
                title=title if isinstance(title, str) else "",
                passage_id=where,
            )


def _original(record: dict[str, Any], path: Path, place: str, language: str) -> Iterator[SpanItem]:
    passage = need(record, _ORIGINAL, str, path, place)
    title = record.get("title")
    for index, question in enumerate(record["qas"]):
        here = f"{place}.qas[{index}]"
        answers = question.get("answers", []) if isinstance(question, dict) else []
        yield SpanItem(
            id=identifier(need_any(question, "query_id", path, here), path, f"{here}.query_id"),
            passage=passage,
            question=need(question, "query_text", str, path, here),
            golds=_bare_golds(answers, path, f"{here}.answers"),
            language=language or language_of(passage),
            title=title if isinstance(title, str) else "",
            passage_id=place,
        )


def _bare_golds(answers: Any, path: Path, place: str) -> tuple[Gold, ...]:
    """Answers without offsets; the published dev file has one as a number, which the official scorer turns to text."""
    given = of_type(answers, list, path, place)
    as_text = [str(one) if type(one) in (int, float) else one for one in given]
    return tuple(Gold(text) for text in texts(as_text, path, place))


def _row(record: dict[str, Any], path: Path, place: str, language: str) -> SpanItem:
    passage = need(record, _ROW, str, path, place)
    golds = _golds(record, path, place)
    title = record.get("title")
    return SpanItem(
        id=identifier(need_any(record, "id", path, place), path, f"{place}.id"),
        passage=passage,
        question=need(record, "question", str, path, place),
        golds=golds,
        impossible=_impossible(record, golds),
        language=language or language_of(passage),
        title=title if isinstance(title, str) else "",
    )


def need_any(record: Any, key: str, path: Path, place: str) -> Any:
    """The record's field of whatever type."""
    if isinstance(record, dict) and key in record:
        return record[key]
    return need(record, key, object, path, place)


def _golds(question: dict[str, Any], path: Path, place: str) -> tuple[Gold, ...]:
    """Answers as a list of objects, or as parallel lists; a test file has none."""
    answers = question.get("answers", [])
    where = f"{place}.answers"
    if isinstance(answers, dict):
        found = texts(answers.get("text", []), path, f"{where}.text")
        starts = of_type(answers.get("answer_start", []), list, path, f"{where}.answer_start")
        if starts and len(starts) != len(found):
            refuse(path, f"{where}.answer_start", f"{len(starts)} offsets", f"{len(found)}, one an answer")
        padded: list[Any] = starts or [None] * len(found)
        return tuple(_gold(text, start, path, where) for text, start in zip(found, padded, strict=True))
    if not isinstance(answers, list):
        refuse(path, where, shown(answers), "a list of answers")
    golds = []
    for index, answer in enumerate(answers):
        if isinstance(answer, str):
            golds.append(Gold(answer))
        else:
            text = need(answer, "text", str, path, where)
            golds.append(_gold(text, answer.get("answer_start"), path, f"{where}[{index}]"))
    return tuple(golds)


def _gold(text: str, start: Any, path: Path, place: str) -> Gold:
    if type(start) is int or start is None:
        return Gold(text, start)
    return Gold(text, of_type(start, int, path, f"{place}.answer_start"))


def _impossible(question: dict[str, Any], golds: tuple[Gold, ...]) -> bool:
    """CJRC writes the flag as text; DuReader has no flag but an empty answer."""
    flag = question.get("is_impossible", False)
    said = flag.strip().lower() == "true" if isinstance(flag, str) else bool(flag)
    return said or (bool(golds) and all(not gold.text for gold in golds))
