"""Precision, recall and F1 of marks, worked out by hand on small sentences."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from readproof.errors import InputError
from readproof.items import Item, Mark, TagItem
from readproof.tasks.base import Score
from readproof.tasks.layouts.marks import ENTITIES, SPANS, read_marks, read_words, words_line
from readproof.tasks.metrics.tagging import precision_recall_f1, statistic, tagging_metrics
from tests.tasks.helpers import written


def segmented(*sentences: str) -> list[Item]:
    found = map(words_line, sentences)
    return [TagItem(id=str(n), text="".join(line.texts), marks=line.marks) for n, line in enumerate(found)]


def words_score(items: list[Item], answers: list[Any], folder: Path, metric: str = "official") -> Score:
    text = "".join(json.dumps({"ans": answer, "modules": ""}) + "\n" for answer in answers)
    return tagging_metrics("task", words=True)[metric](items, read_words(written(folder, text)))


def spans_score(items: list[Item], answers: list[list[tuple[int, int, str]]], folder: Path, metric: str) -> Score:
    listed = [[{"start": start, "end": end, "type": kind} for start, end, kind in answer] for answer in answers]
    text = "".join(json.dumps({"span_list": answer}) + "\n" for answer in listed)
    return tagging_metrics("task", ("n", "v"))[metric](items, read_marks(SPANS, written(folder, text)))


def test_words(tmp_path: Path) -> None:
    """Gold 3 + 2 words; predicted 2 + 2, of which 1 + 2 are right."""
    items = segmented("你 拥有 多", "好 的")
    for metric in ("official", "strict"):
        found = words_score(items, ["你 拥有多", "好 的"], tmp_path, metric)
        assert found.official == {"precision": 75.0, "recall": 60.0, "f1": 600.0 / 9}
    assert found.counts == {"items": 2, "missing": 0, "malformed": 0, "unknown": 0, "duplicate": 0, "unlabelled": 0}
    assert [list(column) for column in found.sample.columns] == [[1.0, 2.0], [2.0, 2.0], [3.0, 2.0]]


def test_other_characters_match_nothing(tmp_path: Path) -> None:
    items = segmented("你 拥有 多", "好 的")
    for wrong in ("你 拥有 少", "你 拥有", "你 拥有 多 多", ""):
        found = words_score(items, [wrong, "好 的"], tmp_path)
        assert found.counts["malformed"] == 1
        assert found.exact["recall"] == 40.0
        assert found.exact["precision"] == 200.0 / (len(wrong.split()) + 2)
        with pytest.raises(InputError, match="do not fit"):
            words_score(items, [wrong, "好 的"], tmp_path, "strict")


def test_files_of_another_length(tmp_path: Path) -> None:
    items = segmented("你 好", "好 的")
    short, long = ["你 好"], ["你 好", "好 的", "不"]
    assert words_score(items, short, tmp_path).exact == {"precision": 100.0, "recall": 50.0, "f1": 400.0 / 6}
    assert words_score(items, short, tmp_path).counts["missing"] == 1
    assert words_score(items, long, tmp_path).exact["f1"] == 100.0
    assert words_score(items, long, tmp_path).counts["unknown"] == 1
    assert "1 more lines" in words_score(items, long, tmp_path).notes[0]
    for answers in (short, long, ["你 好", None]):
        with pytest.raises(InputError, match="strict"):
            words_score(items, answers, tmp_path, "strict")


def test_type_and_both_ends_must_agree(tmp_path: Path) -> None:
    items: list[Item] = [TagItem(id="0", text="甲乙丙丁", marks=(Mark(0, 1, "n"), Mark(1, 3, "v"), Mark(3, 4, "n")))]
    found = spans_score(items, [[(0, 1, "n"), (1, 3, "n"), (3, 4, "n"), (2, 4, "n")]], tmp_path, "strict")
    assert found.official == {"precision": 50.0, "recall": 200.0 / 3, "f1": 400.0 / 7}


@pytest.mark.parametrize(
    ("marks", "fault"),
    [
        ([(0, 1, "n"), (0, 1, "n")], "duplicate"),
        ([(0, 1, "n"), (1, 9, "n")], "malformed"),
        ([(0, 1, "n"), (1, 1, "n")], "malformed"),
        ([(0, 1, "n"), (-1, 1, "n")], "malformed"),
        ([(0, 1, "n"), (1, 2, "q")], "malformed"),
    ],
)
def test_official_counts_what_strict_refuses(marks: list[tuple[int, int, str]], fault: str, tmp_path: Path) -> None:
    items: list[Item] = [TagItem(id="0", text="甲乙", marks=(Mark(0, 1, "n"),))]
    found = spans_score(items, [marks], tmp_path, "official")
    assert found.exact["recall"] == 100.0
    assert found.counts[fault] == 1
    with pytest.raises(InputError, match="strict"):
        spans_score(items, [marks], tmp_path, "strict")


def test_entity_text_that_is_not_there(tmp_path: Path) -> None:
    entity = {"start_idx": 0, "end_idx": 0, "type": "n", "entity": "乙"}
    predictions = read_marks(ENTITIES, written(tmp_path, json.dumps({"entities": [entity]})))
    items: list[Item] = [TagItem(id="0", text="甲乙", marks=(Mark(0, 1, "n"),))]
    metrics = tagging_metrics("task")
    assert metrics["official"](items, predictions).exact["f1"] == 100.0
    with pytest.raises(InputError, match="do not fit"):
        metrics["strict"](items, predictions)


def test_nothing_to_divide_by() -> None:
    import numpy

    assert precision_recall_f1(0, 0, 0) == {"precision": 0.0, "recall": 0.0, "f1": 0.0}
    table = statistic(numpy.array([[0.0, 0.0, 0.0], [1.0, 2.0, 4.0]]))
    assert {name: list(values) for name, values in table.items()} == {
        "precision": [0.0, 50.0],
        "recall": [0.0, 25.0],
        "f1": [0.0, 200.0 / 6],
    }


def test_a_file_without_gold_cannot_be_scored(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no gold marks"):
        words_score([TagItem(id="0", text="甲")], ["甲"], tmp_path)
