"""The GCRC_advRobust score over triples: the published script bug for bug, and a fair one.

The published script works on sets of (id, letter) pairs and divides by the number of distinct predicted pairs, so
missing ids leave the denominator and repeated rows can be used to cheat. `official` keeps that; `strict` does not.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from readproof.errors import InputError, shown
from readproof.files import has_byte_order_mark
from readproof.items import LETTERS, ChoiceItem, Item, Triple
from readproof.jsonstream import records
from readproof.stats import Columns, Sample, intervals
from readproof.tasks.base import Score
from readproof.tasks.fields import refuse
from readproof.tasks.metrics.tally import refuse_faults

KEYS = ("answer", "positive_answer", "negative_answer")
_NAMES = ("Acc0", "Acc1", "Acc2", "Score")


@dataclass(frozen=True, slots=True)
class PredictedTriple:
    """One predicted row: id and the three letters, as they stand."""

    id: Hashable
    letters: tuple[Hashable, Hashable, Hashable]


@dataclass(frozen=True, slots=True)
class TriplePredictions:
    path: Path
    rows: tuple[PredictedTriple, ...]


def read_predictions(path: Path) -> TriplePredictions:
    """`{"data": [{"id", "answer", "positive_answer", "negative_answer"}, …]}`; other keys do not matter."""
    if has_byte_order_mark(path):
        refuse(path, "byte 0", "a byte-order mark", "UTF-8 without one (the official scorer refuses it)")
    found = records(path)
    if found.layout != "data":
        refuse(path, "line 1", _layout_name(found.layout), '{"data": [ … ]} with one object a triple')
    rows = tuple(_row(record, path, place) for place, record in found)
    if not rows:
        refuse(path, "data", "an empty list", "one object a triple")
    return TriplePredictions(path, rows)


def official(task: str, items: Iterable[Item], predictions: TriplePredictions) -> Score:
    """Acc0, Acc1, Acc2 and Score as `eval.py` prints them."""
    golds = _golds(items)
    right = _right_ids(golds, predictions.rows)
    pairs = dict.fromkeys((row.id, row.letters[0]) for row in predictions.rows)
    either = right[0] & (right[1] | right[2])
    every = right[0] & right[1] & right[2]
    number = len(pairs)
    accuracies = (len(right[0]) / number, len(either) / number, len(every) / number)
    values, groups = [], []
    for name, given in pairs:
        gold = golds.get(name)
        hit = gold is not None and gold.letters[0] == given
        values.append((hit, hit and name in either, hit and name in every))
        groups.append(gold.passage if gold else name)
    return _score(task, "official", accuracies, values, groups, golds, predictions)


def strict(task: str, items: Iterable[Item], predictions: TriplePredictions) -> Score:
    """Every gold triple counts once; missing rows are wrong; repeated, unknown or impossible rows are refused."""
    golds = _golds(items)
    _refuse_bad(golds, predictions)
    right = _right_ids(golds, predictions.rows)
    either = right[0] & (right[1] | right[2])
    every = right[0] & right[1] & right[2]
    number = len(golds)
    accuracies = (len(right[0]) / number, len(either) / number, len(every) / number)
    values = [(name in right[0], name in either, name in every) for name in golds]
    groups = [gold.passage for gold in golds.values()]
    return _score(task, "strict", accuracies, values, groups, golds, predictions)


@dataclass(frozen=True, slots=True)
class _Gold:
    letters: tuple[str, str, str]
    options: tuple[int, int, int]
    passage: int


def _golds(items: Iterable[Item]) -> dict[Hashable, _Gold]:
    golds: dict[Hashable, _Gold] = {}
    for item in items:
        if not isinstance(item, Triple):
            raise InputError(
                found=f"the question {item.id!r} without its positive and negative form",
                expected="triples with answers (a dev file) as gold",
            )
        first, second, third = item.questions
        golds[item.id] = _Gold(
            (_letter(first), _letter(second), _letter(third)),
            (len(first.options), len(second.options), len(third.options)),
            hash(first.passage),
        )
    if not golds:
        raise InputError(found="no triples in the gold file", expected="at least one triple")
    return golds


def _letter(question: ChoiceItem) -> str:
    if question.letter is None:
        raise InputError(
            found=f"no gold answer for {question.id!r}",
            expected="a file with answers as gold (the public test file has none)",
        )
    return question.letter


def _right_ids(
    golds: Mapping[Hashable, _Gold], rows: Iterable[PredictedTriple]
) -> tuple[set[Hashable], set[Hashable], set[Hashable]]:
    right: tuple[set[Hashable], set[Hashable], set[Hashable]] = (set(), set(), set())
    for row in rows:
        gold = golds.get(row.id)
        if gold is not None:
            for ids, letter, wanted in zip(right, row.letters, gold.letters, strict=True):
                if letter == wanted:
                    ids.add(row.id)
    return right


def _row(record: Any, path: Path, place: str) -> PredictedTriple:
    if not isinstance(record, dict):
        refuse(path, place, shown(record), "an object with id, answer, positive_answer and negative_answer")
    for key in ("id", *KEYS):
        if key not in record:
            refuse(path, place, f"no key {key!r}", f"the keys id, {', '.join(KEYS)}")
    first, second, third = (_hashable(record[key], path, f"{place}.{key}") for key in KEYS)
    return PredictedTriple(_hashable(record["id"], path, f"{place}.id"), (first, second, third))


def _hashable(value: Any, path: Path, place: str) -> Hashable:
    if isinstance(value, (list, dict)):
        refuse(path, place, shown(value), "a text", "Write one id, and one letter for each question.")
    return value  # type: ignore[no-any-return]


def _malformed(row: PredictedTriple, gold: _Gold | None) -> bool:
    sizes = gold.options if gold else (len(LETTERS),) * 3
    return not all(
        isinstance(letter, str) and len(letter) == 1 and letter in LETTERS[:size]
        for letter, size in zip(row.letters, sizes, strict=True)
    )


def _refuse_bad(golds: Mapping[Hashable, _Gold], predictions: TriplePredictions) -> None:
    times = Counter(row.id for row in predictions.rows)
    malformed = [row.id for row in predictions.rows if _malformed(row, golds.get(row.id))]
    faults = {
        "repeated ids": [str(name) for name, count in times.items() if count > 1],
        "ids that the gold file does not have": [str(name) for name in times if name not in golds],
        "rows with something else than a letter of an option": list(map(str, malformed)),
    }
    refuse_faults(predictions.path, faults, "each triple answered once, with letters of its options")


def _score(
    task: str,
    metric: str,
    accuracies: tuple[float, float, float],
    values: Sequence[tuple[bool, bool, bool]],
    passages: Sequence[Hashable],
    golds: Mapping[Hashable, _Gold],
    predictions: TriplePredictions,
) -> Score:
    first, second, third = accuracies
    scores = dict(zip(_NAMES, (first, second, third, 0.2 * first + 0.3 * second + 0.5 * third), strict=True))
    numbers: dict[Hashable, int] = {}
    groups = array("q", (numbers.setdefault(passage, len(numbers)) for passage in passages))
    columns = [array("d", column) for column in zip(*values, strict=True)]
    sample = Sample((*columns, array("d", [1.0]) * len(values)), groups, _accuracies)
    ids = {row.id for row in predictions.rows}
    missing = [name for name in golds if name not in ids]
    counts = {
        "items": len(golds),
        "rows": len(predictions.rows),
        "missing": len(missing),
        "malformed": sum(_malformed(row, golds.get(row.id)) for row in predictions.rows),
        "unknown": len([name for name in ids if name not in golds]),
        "duplicate": len(predictions.rows) - len(ids),
    }
    notes: tuple[str, ...] = ()
    if missing and metric == "official":
        notes = (
            f"{len(missing)} triples have no prediction; the official scorer leaves them out of the count. "
            "Use --strict to count them as wrong.",
        )
    return Score(task, metric, scores, scores, counts, intervals(sample), sample, notes)


def _accuracies(sums: Columns) -> Mapping[str, Any]:
    first, second, third = (sums[..., index] / sums[..., -1] for index in range(3))
    return dict(zip(_NAMES, (first, second, third, 0.2 * first + 0.3 * second + 0.5 * third), strict=True))


def _layout_name(layout: str) -> str:
    return {"list": "a list", "objects": "an object without a `data` list", "empty": "an empty file"}[layout]
