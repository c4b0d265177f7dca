"""The baseline curve: at each depth the best of what was trained for it, in the form that `readproof elue` reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from readproof.efficiency.elue import load_curve
from readproof.errors import InputError
from readproof.training.multi_exit.curve import write_curve


def finished(folder: Path, exits: dict[str, float], items: int = 40) -> Path:
    folder.mkdir()
    points = {
        layer: {"performance": value, "flops": 1e6 * int(layer), "parameters": 1000 * int(layer)}
        for layer, value in exits.items()
    }
    record = {"task": "chnc", "job": "exits-0", "items": items, "exits": points}
    (folder / "measured.json").write_text(json.dumps(record))
    return folder


def test_each_point_is_the_best_of_its_depth(tmp_path: Path) -> None:
    runs = [finished(tmp_path / "a", {"1": 50.0, "2": 61.0}), finished(tmp_path / "b", {"2": 60.0, "3": 70.0})]
    write_curve(tmp_path / "curve.json", runs, name="ours", made="in a test")
    curve = load_curve(tmp_path / "curve.json")
    assert [point.performance for point in curve.tasks["chnc"].points] == [50.0, 61.0, 70.0]
    assert curve.tasks["chnc"].points[1].made == "layer 2, a, exits-0; the best of 2"
    assert curve.tasks["chnc"].items == 40


def test_runs_that_were_measured_on_other_items_make_no_curve(tmp_path: Path) -> None:
    runs = [finished(tmp_path / "a", {"1": 50.0}), finished(tmp_path / "b", {"1": 60.0}, items=41)]
    with pytest.raises(InputError, match=r"\[40, 41\]"):
        write_curve(tmp_path / "curve.json", runs, name="ours", made="")


def test_an_unfinished_training_has_no_points(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"measured\.json"):
        write_curve(tmp_path / "curve.json", [tmp_path], name="ours", made="")
