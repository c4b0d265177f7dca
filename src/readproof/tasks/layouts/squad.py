"""The SQuAD layout and its kin: nested paragraphs, CMRC's original list, flat rows as Hugging Face writes them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from readproof.errors import shown
from readproof.items import Gold, SpanItem
from readproof.jsonstream import records
from readproof.lang.api import detect
from readproof.tasks.fields import identifier, need, of_type, refuse, texts

_NESTED = "paragraphs"
_ORIGINAL = "context_text"
_ROW, _OWN_ROW = "context", "passage"
# keys of questions with options, of ParsiNLU, and of our own items
_OTHERS = frozenset({"options", "opt", "choice", "choices", "url", "kind"})


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
    """{"id": …, "context": …, "question": …, "answers": {"text": […], "answer_start": […]}}

    In files of one's own the id may be missing, `context` be called `passage`, and answers be texts.
    """
    return isinstance(record, dict) and _passage_key(record) != "" and "question" in record and "options" not in record


def _passage_key(record: dict[str, Any]) -> str:
    """The key of a row's passage; "" where the record is none, or of another task."""
    if _ROW in record:
        return _ROW
    own = isinstance(record.get(_OWN_ROW), str) and not _OTHERS.intersection(record)
    answers = record.get("answers", record.get("answer"))
    pairs = isinstance(answers, list) and bool(answers) and isinstance(answers[0], list)  # ParsiNLU's
    return _OWN_ROW if own and answers is not None and not pairs else ""


def load(path: Path, language: str = "") -> Iterator[SpanItem]:
    """Every question of a file, its gold offsets as they stand in the file (they may be wrong: see `offsets`)."""
    for number, (place, record) in enumerate(records(path), start=1):
        if is_nested(record):
            yield from _nested(record, path, place, language)
        elif is_original(record):
            yield from _original(record, path, place, language)
        elif is_row(record):
            yield _row(record, path, place, language, number)
        else:
            need(record, _NESTED, list, path, place)


def _nested(record: dict[str, Any], path: Path, place: str, language: str) -> Iterator[SpanItem]:
    title = _title(record)
    for number, paragraph in enumerate(record[_NESTED]):
        where = f"{place}.paragraphs[{number}]"
        passage = need(paragraph, "context", str, path, where)
        spoken = language or detect(passage)
        for index, question in enumerate(need(paragraph, "qas", list, path, where)):
            here = f"{where}.qas[{index}]"
            golds = _golds(question, path, here)
            yield SpanItem(
                id=_id(question, "id", path, here),
                passage=passage,
                question=need(question, "question", str, path, here),
                golds=golds,
                impossible=_impossible(question, golds),
                language=spoken,
                title=title,
                passage_id=where,
            )


def _original(record: dict[str, Any], path: Path, place: str, language: str) -> Iterator[SpanItem]:
    passage = need(record, _ORIGINAL, str, path, place)
    title = _title(record)
    for index, question in enumerate(record["qas"]):
        here = f"{place}.qas[{index}]"
        answers = question.get("answers", []) if isinstance(question, dict) else []
        yield SpanItem(
            id=_id(question, "query_id", path, here),
            passage=passage,
            question=need(question, "query_text", str, path, here),
            golds=_bare_golds(answers, path, f"{here}.answers"),
            language=language or detect(passage),
            title=title,
            passage_id=place,
        )


def _bare_golds(answers: Any, path: Path, place: str) -> tuple[Gold, ...]:
    """Answers without offsets; the published dev file has one as a number, which the official scorer turns to text."""
    given = of_type(answers, list, path, place)
    as_text = [str(one) if type(one) in (int, float) else one for one in given]
    return tuple(Gold(text) for text in texts(as_text, path, place))


def _row(record: dict[str, Any], path: Path, place: str, language: str, number: int) -> SpanItem:
    passage = need(record, _passage_key(record), str, path, place)
    golds = _golds(record, path, place)
    title = _title(record)
    return SpanItem(
        id=f"row-{number}" if record.get("id") in (None, "") else _id(record, "id", path, place),
        passage=passage,
        question=need(record, "question", str, path, place),
        golds=golds,
        impossible=_impossible(record, golds),
        language=language or detect(passage),
        title=title,
    )


def _id(record: Any, key: str, path: Path, place: str) -> str:
    value = need_any(record, key, path, place)
    return value if type(value) is str else identifier(value, path, f"{place}.{key}")


def _title(record: dict[str, Any]) -> str:
    title = record.get("title")
    return title if isinstance(title, str) else ""


def need_any(record: Any, key: str, path: Path, place: str) -> Any:
    """The record's field of whatever type."""
    if isinstance(record, dict) and key in record:
        return record[key]
    return need(record, key, object, path, place)


def _golds(question: dict[str, Any], path: Path, place: str) -> tuple[Gold, ...]:
    """Answers as a list of objects, as parallel lists, or one by itself; a test file has none."""
    if "answers" not in question and isinstance(question.get("answer"), str):
        return (_gold(question["answer"], question.get("answer_start"), path, place),) if question["answer"] else ()
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
    golds: list[Gold] = []
    for answer in answers:
        if isinstance(answer, str):
            golds.append(Gold(answer))
            continue
        text = need(answer, "text", str, path, where)
        start = answer.get("answer_start")
        # annotators often agree; the same answer need not be made again
        if golds and golds[-1].text == text and golds[-1].start == start:
            golds.append(golds[-1])
        else:
            golds.append(_gold(text, start, path, where))
    return tuple(golds)


def _gold(text: str, start: Any, path: Path, place: str) -> Gold:
    if type(start) is int or start is None:
        return Gold(text, start)
    return Gold(text, of_type(start, int, path, f"{place}.answer_start"))


def _impossible(question: dict[str, Any], golds: tuple[Gold, ...]) -> bool:
    """CJRC writes the flag as text; DuReader has no flag but an empty answer."""
    flag = question.get("is_impossible", False)
    if flag is True or (isinstance(flag, str) and flag.strip().lower() == "true"):
        return True
    return bool(golds) and not "".join([gold.text for gold in golds])
