"""Scoring span predictions: one pass over the gold, each question measured, sums kept, intervals over passages."""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, TextIO

from readproof.errors import InputError, shown
from readproof.files import has_byte_order_mark
from readproof.items import Answer, Item, SpanItem
from readproof.jsonstream import SMALL, load_json, members
from readproof.stats import Columns, Sample, intervals
from readproof.tasks.base import Score
from readproof.tasks.metrics import cmrc, squad
from readproof.tasks.metrics.tally import Tally, in_order, listed, percentages, refuse_faults

# Predictions read in step with the gold: a million of them in one large file, and only a few in memory.
#
# A file that `readproof answer` wrote is in the order of the gold. One in another order is scored too, and what is read
# before it is asked for waits in memory. Where an id repeats, only the whole file tells which answer counts: that is
# told
# at the end, and whoever scores begins again with the whole.


class RepeatsError(Exception):
    """Ids repeat, so that reading in step is not enough."""


class InStep(Mapping[str, Any]):
    """Answers by id, each of which is asked for once, `in` before it is taken; what is left belongs to nobody."""

    def __init__(self, pairs: Iterator[tuple[str, Any]]) -> None:
        self._pairs = pairs
        self._read: dict[str, Any] = {}
        # eight bytes an id, where the ids themselves would be a hundred; the same mark for two only costs time
        self._there, self._asked = array("q"), array("q")

    def __contains__(self, name: object) -> bool:
        self._asked.append(hash(name))
        while name not in self._read and self._more():
            pass
        return name in self._read

    def __getitem__(self, name: str) -> Any:
        return self._read.pop(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._read)

    def __len__(self) -> int:
        return len(self._read)

    def end(self) -> None:
        """Reads the rest; a RepeatsError where an id was there, or was asked for, twice."""
        while self._more():
            pass
        if _repeats(self._there) or _repeats(self._asked):
            raise RepeatsError

    def _more(self) -> bool:
        found = next(self._pairs, None)
        if found is None:
            return False
        self._there.append(hash(found[0]))
        self._read[found[0]] = found[1]
        return True


def _repeats(marks: array[int]) -> bool:
    import numpy

    ordered = numpy.sort(numpy.frombuffer(marks, dtype=numpy.int64))
    return bool((ordered[1:] == ordered[:-1]).any())


# a measure of one question: prediction, accepted answers → exact match, F1, both from 0 to 1
Measure = Callable[[str, Sequence[str]], tuple[float, float]]


@dataclass(frozen=True, slots=True)
class SpanPredictions:
    """Predicted texts by id, in file order, and what was odd about the file."""

    path: Path
    texts: Mapping[str, Any]
    duplicates: tuple[str, ...] = ()


@dataclass(slots=True)
class SpanTally(Tally):
    """A tally that also knows which predictions belong to a question."""

    known: list[str] = field(default_factory=list)


def read_predictions(path: Path) -> SpanPredictions:
    """A flat object of id and answer text, as CMRC, SQuAD and their kin want it."""
    if has_byte_order_mark(path):
        raise InputError(
            file=path,
            place="byte 0",
            found="a byte-order mark",
            expected="UTF-8 without one (the official scorers refuse it)",
            do="Save the file as UTF-8 without BOM.",
        )
    duplicates: list[str] = []

    def collect(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        texts = dict(pairs)
        if len(texts) < len(pairs):
            duplicates.extend(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        return texts

    texts = load_json(path, collect)
    if not isinstance(texts, dict):
        raise InputError(file=path, place="line 1", found=shown(texts), expected='an object {"id": "answer text", …}')
    return SpanPredictions(path, texts, tuple(duplicates))


def in_step(path: Path) -> SpanPredictions | None:
    """The same, read as it is asked for, of a file that is large; None of any other."""
    if not path.is_file() or path.stat().st_size <= SMALL or has_byte_order_mark(path):
        return None
    found = members(path)
    first = next(found, None)
    return None if first is None else SpanPredictions(path, InStep(chain([first], found)))


def write_predictions(items: Iterable[Item], answers: Mapping[str, Answer], file: TextIO) -> None:
    """The flat object of id and clean answer text, a line a question, written as they come; ids must not repeat."""
    before = "{"
    for item in items:
        if item.id in answers:
            name, text = (json.dumps(one, ensure_ascii=False) for one in (item.id, answers[item.id].text))
            file.write(f"{before}\n {name}: {text}")
            before = ","
    file.write("\n}\n" if before == "," else "{}\n")


def group_of(item: SpanItem) -> Hashable:
    return item.passage_id or hash(item.passage)


def answers_of(item: SpanItem) -> list[str]:
    """The accepted answer texts; for an unanswerable question the empty text."""
    return [gold.text for gold in item.golds] if item.golds and not item.impossible else [""]


def tally(items: Iterable[Item], predictions: SpanPredictions, measure: Callable[..., Sequence[float]]) -> SpanTally:
    """Measure every question; what is missing counts as zero, as in all the official scorers."""
    found = SpanTally()
    texts = predictions.texts
    whole = not isinstance(texts, InStep)  # else what belongs to a question is not kept, only what does not
    for item in items:
        if not isinstance(item, SpanItem):
            raise TypeError(f"{type(item).__name__} where a SpanItem was expected")
        if item.id in texts:
            if whole:
                found.known.append(item.id)
            text = texts[item.id]
            if not isinstance(text, str):
                found.malformed.append(item.id)
                text = str(text)
            found.add(measure(text, answers_of(item)), group_of(item))
        else:
            found.missing.append(item.id)
            width = len(found.columns) or len(measure("", [""]))
            found.add([0.0] * width, group_of(item))
    if isinstance(texts, InStep):
        texts.end()
    if not found.total:
        raise InputError(found="no questions in the gold file", expected="at least one question")
    return found


def counts_of(found: SpanTally, predictions: SpanPredictions) -> dict[str, int]:
    return {
        "items": found.total,
        "missing": len(found.missing),
        "malformed": len(found.malformed),
        "unknown": len(predictions.texts) - len(set(found.known)),
        "duplicate": len(predictions.duplicates),
    }


def both_cmrc(prediction: str, answers: Sequence[str]) -> tuple[float, float, float, float]:
    """The official measure and the simple one in one pass: a CMRC score always shows both."""
    return (*cmrc.official(prediction, answers), *cmrc.simple(prediction, answers))


_CMRC_NAMES = ("EM", "F1", "simple_exact_match", "simple_f1")


def cmrc_official(task: str, items: Iterable[Item], predictions: SpanPredictions) -> Score:
    """What `cmrc2018_evaluate.py` version 6 prints."""
    found = tally(items, predictions, both_cmrc)
    exact_match, f1 = found.percent(0), found.percent(1)
    average = (exact_match + f1) * 0.5
    shown_scores = {
        "AVERAGE": f"{average:.3f}",
        "F1": f"{f1:.3f}",
        "EM": f"{exact_match:.3f}",
        "TOTAL": found.total,
        "SKIP": len(found.missing),
        "FILE": str(predictions.path),
    }
    exact = {"AVERAGE": average} | {name: found.percent(index) for index, name in enumerate(_CMRC_NAMES)}
    sample = replace(found.sample(_CMRC_NAMES), statistic=_with_average)
    return _score(task, "official", shown_scores, exact, found, predictions, sample)


def _with_average(sums: Columns) -> Mapping[str, Any]:
    scores = percentages(_CMRC_NAMES)(sums)
    return {"AVERAGE": (scores["EM"] + scores["F1"]) * 0.5, **scores}


def plain_scores(
    task: str, metric: str, measure: Measure, items: Iterable[Item], predictions: SpanPredictions
) -> Score:
    """Exact match and F1 in percent, under the keys `exact_match` and `f1`."""
    names = ("exact_match", "f1")
    found = tally(items, predictions, measure)
    exact = {name: found.percent(index) for index, name in enumerate(names)}
    return _score(task, metric, exact, exact, found, predictions, found.sample(names))


def squad_2(
    task: str, items: Iterable[Item], predictions: SpanPredictions, *, measure: Measure = squad.version_2
) -> Score:
    """What the SQuAD 2.0 scorer prints: all questions, and those with and without an answer apart."""
    kept: list[bool] = []

    def watched() -> Iterable[Item]:
        for item in items:
            kept.append(isinstance(item, SpanItem) and answers_of(item) != [""])
            yield item

    names = ("exact", "f1")
    found = tally(watched(), predictions, measure)
    scores: dict[str, Any] = {"exact": found.percent(0), "f1": found.percent(1), "total": found.total}
    for prefix, wanted in (("HasAns", True), ("NoAns", False)):
        rows = [index for index, answerable in enumerate(kept) if answerable is wanted]
        if rows:
            for column, name in zip(found.columns, names, strict=True):
                scores[f"{prefix}_{name}"] = 100.0 * in_order(column[row] for row in rows) / len(rows)
            scores[f"{prefix}_total"] = len(rows)
    exact = {name: value for name, value in scores.items() if isinstance(value, float)}
    return _score(task, "squad2", scores, exact, found, predictions, found.sample(names))


def strict(task: str, measure: Measure, items: Iterable[Item], predictions: SpanPredictions) -> Score:
    """A fair scorer: unknown, repeated or unreadable predictions are refused, missing ones count as wrong."""
    names = ("exact_match", "f1")
    found = tally(items, predictions, measure)
    known = set(found.known)
    faults = {
        "repeated ids": predictions.duplicates,
        "answers that are not text": found.malformed,
        "ids that the gold file does not have": [name for name in predictions.texts if name not in known],
    }
    refuse_faults(predictions.path, faults, "each question answered once, as text")
    exact = {name: found.percent(index) for index, name in enumerate(names)}
    return _score(task, "strict", exact, exact, found, predictions, found.sample(names))


def _score(
    task: str,
    metric: str,
    official: Mapping[str, Any],
    exact: Mapping[str, float],
    found: SpanTally,
    predictions: SpanPredictions,
    sample: Sample,
) -> Score:
    notes = []
    if found.missing:
        names = listed(found.missing)
        notes.append(f"{len(found.missing)} of {found.total} questions have no prediction and count as wrong: {names}")
    return Score(task, metric, official, exact, counts_of(found, predictions), intervals(sample), sample, tuple(notes))
