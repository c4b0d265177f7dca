"""ParsiNLU reading comprehension: Persian, JSON lines, answers as pairs of offset and text, no ids."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from readproof.errors import shown
from readproof.items import Gold, Item, SpanItem
from readproof.jsonstream import records
from readproof.tasks.base import Peek
from readproof.tasks.fields import need, of_type, refuse
from readproof.tasks.squad import span_task, squad_metrics


def _recognise(peek: Peek) -> bool:
    first = peek.first
    if not isinstance(first, dict) or not {"question", "passage", "answers"} <= first.keys() or "options" in first:
        return False
    answers = first["answers"]
    # rows of one's own have texts or objects there
    return not isinstance(answers, dict) and not (
        isinstance(answers, list) and answers and isinstance(answers[0], str | dict)
    )


def _load(path: Path) -> Iterator[Item]:
    # some published records have NaN as their address
    for number, (place, record) in enumerate(records(path, constants=True), start=1):
        passage = need(record, "passage", str, path, place)
        answers = need(record, "answers", list, path, place)
        yield SpanItem(
            id=str(record.get("id", number)),
            passage=passage,
            question=need(record, "question", str, path, place),
            golds=tuple(_gold(pair, path, f"{place}.answers[{index}]") for index, pair in enumerate(answers)),
            language="fa",
        )


def _gold(pair: Any, path: Path, place: str) -> Gold:
    if not isinstance(pair, list) or len(pair) != 2:
        refuse(path, place, shown(pair), "a pair [offset, text]")
    return Gold(of_type(pair[1], str, path, place), of_type(pair[0], int, path, place))


TASK = span_task(
    name="parsinlu",
    title="ParsiNLU reading comprehension in Persian",
    languages=("fa",),
    recognise=_recognise,
    load=_load,
    metrics=squad_metrics("parsinlu", 1),
    licence="CC BY-NC-SA 4.0",
    citation="Khashabi et al. 2021. ParsiNLU: A Suite of Language Understanding Challenges for Persian. TACL 9.",
)
