"""Accuracy of choices and labels, and the three forms their predictions come in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from readproof.errors import InputError
from readproof.items import ChoiceItem, Item, LabelItem
from readproof.tasks.base import Score
from readproof.tasks.layouts.closed import read_predictions
from readproof.tasks.metrics.accuracy import accuracy_metrics
from tests.tasks.helpers import written

CHOICES = [
    ChoiceItem(id=f"q{number}", passage=f"文{number // 2}", question="问", options=("甲", "乙"), answer=number % 2)
    for number in range(4)
]
LABELS = [LabelItem(id=str(number), text="甲", pair="乙", label=label) for number, label in enumerate(["x", "y", None])]


def score(items: list[Any], text: str, folder: Path, metric: str = "official", labels: tuple[str, ...] = ()) -> Score:
    kept: list[Item] = items
    return accuracy_metrics("task", labels)[metric](kept, read_predictions(written(folder, text)))


def lines(*records: Any) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


@pytest.mark.parametrize("metric", ["official", "strict"])
@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"q0": "A", "q1": "A", "q2": "A", "q3": "B"}),
        json.dumps({"q3": 1, "q2": 0, "q1": 0, "q0": 0}),
        lines(*({"id": f"q{number}", "label": index} for number, index in enumerate([0, 0, 0, 1]))),
        lines(*({"id": number, "label": index} for number, index in enumerate([0, 0, 0, 1]))),
        lines(*({"answer": index, "modules": "(8),emb"} for index in [0, 0, 0, 1])),
    ],
)
def test_three_of_four_in_every_form(text: str, metric: str, tmp_path: Path) -> None:
    found = score(CHOICES, text, tmp_path, metric)
    assert found.official == {"accuracy": 75.0}
    assert found.counts == {"items": 4, "missing": 0, "malformed": 0, "unknown": 0, "duplicate": 0, "unlabelled": 0}
    assert list(found.sample.groups) == [0, 0, 1, 1]
    low, high = found.intervals["accuracy"]
    assert 50.0 <= low <= 75.0 <= high <= 100.0


@pytest.mark.parametrize(
    ("text", "accuracy", "fault"),
    [
        ('{"q0": "A", "q1": "B", "q2": "A", "q3": "B", "q9": "A"}', 100.0, "unknown"),
        ('{"q0": "B", "q0": "A", "q1": "B", "q2": "A", "q3": "B"}', 100.0, "duplicate"),
        ('{"q0": "C", "q1": "B", "q2": "A", "q3": "B"}', 75.0, "malformed"),
        ('{"q0": "a", "q1": "B", "q2": "A", "q3": "B"}', 75.0, "malformed"),
        ('{"q0": false, "q1": "B", "q2": "A", "q3": "B"}', 75.0, "malformed"),
        ('{"q0": ["A"], "q1": "B", "q2": "A", "q3": "B"}', 75.0, "malformed"),
        (lines(*({"answer": index} for index in [0, 1, 0])), 75.0, "missing"),
        (lines(*({"answer": index} for index in [0, 1, 0, 1, 0])), 100.0, "unknown"),
        (lines(*({"id": key, "label": 0} for key in ["q0", "q1", "q2", "q3", "q3"])), 50.0, "duplicate"),
    ],
)
def test_official_counts_what_strict_refuses(text: str, accuracy: float, fault: str, tmp_path: Path) -> None:
    found = score(CHOICES, text, tmp_path)
    assert found.official == {"accuracy": accuracy}
    assert {name for name in ("missing", "malformed", "unknown", "duplicate") if found.counts[name]} == {fault}
    with pytest.raises(InputError, match="strict"):
        score(CHOICES, text, tmp_path, "strict")


def test_missing_ids_count_as_wrong_in_both(tmp_path: Path) -> None:
    for metric in ("official", "strict"):
        found = score(CHOICES, '{"q0": "A", "q1": null}', tmp_path, metric)
        assert found.official == {"accuracy": 25.0}
        assert found.counts["missing"] == 3
        assert "q1, q2, q3" in found.notes[0]


def test_labels(tmp_path: Path) -> None:
    found = score(LABELS, '{"0": "x", "1": "x", "2": "x"}', tmp_path, "strict", ("x", "y"))
    assert found.official == {"accuracy": 50.0}
    assert found.counts["items"] == 2
    assert found.counts["unlabelled"] == 1
    assert list(found.sample.groups) == [0, 0]
    with pytest.raises(InputError, match="no option or label"):
        score(LABELS, '{"0": "x", "1": "z"}', tmp_path, "strict", ("x", "y"))


def test_a_file_without_gold_cannot_be_scored(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no gold answers"):
        score(LABELS[2:], '{"2": "x"}', tmp_path)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", ""),
        ("[]", ""),
        ('{"label": "x"}\n{"modules": ""}', "line 2"),
        ('{"id": 1, "label": "x"}\n{"label": "x"}', "line 2"),
        ('{"id": null, "label": "x"}', "line 1.id"),
        ("[3]", "[0]"),
        ('{"q0": "A"} {"q1": "A"}', "line 1, column 13"),
        ('{"q0": "A"', "line 1, column 11"),
    ],
)
def test_bad_predictions_are_refused_at_their_place(text: str, place: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_predictions(written(tmp_path, text))
    assert caught.value.place == place
