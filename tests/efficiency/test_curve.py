"""The baseline curve: straight between its points, level or carried on outside them, and strict about its file."""

from __future__ import annotations

import json
from pathlib import Path

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readproof.efficiency.elue import TASKS, CurvePoint, TaskCurve, load_curve
from readproof.errors import InputError
from tests.efficiency.made import made_curve

CURVE = TaskCurve((CurvePoint(100.0, 40.0), CurvePoint(200.0, 60.0), CurvePoint(400.0, 70.0)))
CURVES = st.lists(
    st.tuples(st.integers(1, 10**6), st.floats(0, 100)), min_size=1, max_size=12, unique_by=lambda pair: pair[0]
).map(lambda pairs: TaskCurve(tuple(CurvePoint(float(flops), height) for flops, height in sorted(pairs))))


@pytest.mark.parametrize(
    ("flops", "level", "carried", "outside"),
    [
        (100, 40, 40, ""),
        (150, 50, 50, ""),
        (200, 60, 60, ""),
        (300, 65, 65, ""),
        (400, 70, 70, ""),
        (50, 40, 30, "below"),
        (600, 70, 80, "above"),
    ],
)
def test_by_hand(flops: float, level: float, carried: float, outside: str) -> None:
    assert CURVE.at(flops) == pytest.approx(level)
    assert CURVE.at(flops, extrapolate=True) == pytest.approx(carried)
    assert CURVE.outside(flops) == outside


def test_one_point_is_level() -> None:
    one = TaskCurve((CurvePoint(100.0, 40.0),))
    assert [one.at(flops, extrapolate=True) for flops in (1, 100, 1000)] == [40, 40, 40]


@given(CURVES, st.lists(st.floats(0.1, 2e6), min_size=1, max_size=20), st.booleans())
def test_one_by_one_and_all_at_once(curve: TaskCurve, flops: list[float], extrapolate: bool) -> None:
    single = [curve.at(one, extrapolate=extrapolate) for one in flops]
    together = curve.at_all(numpy.array(flops), extrapolate=extrapolate)
    assert single == pytest.approx(list(together), rel=1e-6, abs=1e-6)


@given(CURVES)
def test_the_curve_goes_through_its_points_and_stays_between_them(curve: TaskCurve) -> None:
    heights = [point.performance for point in curve.points]
    assert [curve.at(point.flops) for point in curve.points] == pytest.approx(heights)
    middle = (curve.points[0].flops + curve.points[-1].flops) / 2
    assert min(heights) - 1e-9 <= curve.at(middle) <= max(heights) + 1e-9


def test_a_curve_file(tmp_path: Path) -> None:
    curve = load_curve(made_curve(tmp_path / "curve.json"))
    assert curve.name == "made curve"
    assert len(curve.tasks) == 5
    assert curve.tasks["ccpm"].points[1] == CurvePoint(1.5e9, 60.0, 60_000_000, "made up: layer 6")


def test_points_may_come_in_any_order(tmp_path: Path) -> None:
    path = tmp_path / "curve.json"
    points = [{"performance": 60, "flops": 20}, {"performance": 50, "flops": 10}]
    path.write_text(json.dumps({"tasks": {"ccpm": {"points": points, "items": 3}}}), encoding="utf-8")
    curve = load_curve(path)
    assert curve.name == "curve"
    assert [point.flops for point in curve.tasks["ccpm"].points] == [10, 20]
    assert curve.tasks["ccpm"].items == 3


@pytest.mark.parametrize(
    ("task", "words"),
    [
        (3, "points"),
        ({"points": []}, "points"),
        ({"points": [3]}, "an object with performance and flops"),
        ({"points": [{"performance": 50}]}, "a number"),
        ({"points": [{"performance": "50", "flops": 1}]}, "a number"),
        ({"points": [{"performance": True, "flops": 1}]}, "a number"),
        ({"points": [{"performance": 150, "flops": 1}]}, "from 0 to 100"),
        ({"points": [{"performance": 50, "flops": 0}]}, "over 0"),
        ({"points": [{"performance": 50, "flops": 1, "parameters": 1.5}]}, "parameters"),
        ({"points": [{"performance": 50, "flops": 1}, {"performance": 51, "flops": 1.0}]}, "which is the baseline's"),
        ({"points": [{"performance": 0.7, "flops": 1}]}, "not 0.712"),
        ({"points": [{"performance": 50, "flops": 1}], "items": "all"}, "a number of items"),
    ],
)
def test_a_wrong_curve(task: object, words: str, tmp_path: Path) -> None:
    path = tmp_path / "curve.json"
    path.write_text(json.dumps({"tasks": {"ccpm": task}}), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_curve(path)
    assert words in f"{caught.value.expected} {caught.value.place}"
    assert caught.value.place.startswith("tasks.ccpm")


def test_the_shipped_curve_has_twelve_depths_of_five_tasks_three_runs_each() -> None:
    curve = load_curve()
    assert set(curve.tasks) == set(TASKS)
    listed = json.loads(curve.path.read_text())["tasks"]
    for task, one in curve.tasks.items():
        assert len(one.points) == 12 and one.items
        assert [point.flops for point in one.points] == sorted(point.flops for point in one.points)
        assert one.points[-1].performance > one.points[0].performance + 5
        assert all(f"{depth} layers" in point["made"] for depth, point in enumerate(listed[task]["points"], 1))
        assert all("the best of 3" in point["made"] for point in listed[task]["points"])
