"""The ELUE score by hand: gains over the curve, their mean, and when there is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readproof.efficiency.elue import TASKS, Curve, CurvePoint, EluePoint, TaskCurve, TaskScore, best, score, task_score

LINE = TaskCurve((CurvePoint(100.0, 40.0), CurvePoint(200.0, 60.0)))
CURVE = Curve(Path("curve.json"), "line", dict.fromkeys(TASKS, LINE))


def point(flops: float, performance: float | None = None, parameters: int = 100) -> EluePoint:
    return EluePoint(file=f"{flops:g}.jsonl", items=10, flops=flops, parameters=parameters, performance=performance)


def scored(*points: EluePoint, extrapolate: bool = False) -> TaskScore:
    return task_score("ccpm", points, CURVE, extrapolate=extrapolate)


def test_the_mean_of_the_gains() -> None:
    found = scored(point(200, 61), point(100, 45), point(150, 48))
    assert [gain.gain for gain in found.gains] == pytest.approx([5, -2, 1])
    assert [gain.baseline for gain in found.gains] == pytest.approx([40, 50, 60])
    assert found.score == pytest.approx(4 / 3)


def test_the_curve_itself_scores_nothing() -> None:
    assert scored(*(point(one.flops, one.performance) for one in LINE.points)).score == pytest.approx(0)


def test_outside_the_curve() -> None:
    found = scored(point(50, 40), point(300, 60))
    assert [gain.outside for gain in found.gains] == ["below", "above"]
    assert found.score == pytest.approx(0)
    assert scored(point(50, 40), point(300, 60), extrapolate=True).score == pytest.approx((10 - 20) / 2)


def test_without_gold_there_is_no_score() -> None:
    found = scored(point(100, 45), point(150))
    assert found.score is None
    assert [gain.gain for gain in found.gains] == [pytest.approx(5), None]


def whole(**changes: TaskScore | None) -> dict[str, TaskScore]:
    found: dict[str, TaskScore | None] = {
        task: task_score(task, [point(100, 41 + at)], CURVE) for at, task in enumerate(TASKS)
    }
    return {task: one for task, one in (found | changes).items() if one is not None}


def test_the_mean_over_all_tasks() -> None:
    found = score("mine", whole())
    assert found.mean == pytest.approx((1 + 2 + 3 + 4 + 5) / 5)
    assert (found.missing, found.over_limit, found.why) == ((), (), "")


def test_all_tasks_are_required() -> None:
    found = score("mine", whole(chnc=None, cmeee=None))
    assert found.mean is None
    assert found.missing == ("chnc", "cmeee")
    assert found.why == "tasks are missing: chnc, cmeee"


def test_the_limit_of_parameters() -> None:
    heavy = task_score("ccpm", [point(100, 50, 140_000_001)], CURVE)
    found = score("mine", whole(ccpm=heavy))
    assert found.mean is None
    assert found.why == "over 140 M parameters: ccpm"
    just = task_score("ccpm", [point(100, 50, 140_000_000)], CURVE)
    assert score("mine", whole(ccpm=just)).mean is not None


def test_a_task_without_a_curve_has_no_score() -> None:
    partly = Curve(Path("c"), "c", {"chnc": LINE})
    found = task_score("ccpm", [point(100, 50)], partly)
    assert found.score is None
    assert score("mine", whole(ccpm=found)).why == "no score for ccpm"


def test_intervals_of_independent_tasks_shrink_together() -> None:
    tasks = {task: task_score(task, [point(100, 45)], CURVE, interval=(3.0, 7.0)) for task in TASKS}
    low, high = score("mine", tasks).interval or (0, 0)
    assert (low + high) / 2 == pytest.approx(5)
    assert high - low == pytest.approx(4 / 5**0.5)


@given(st.lists(st.tuples(st.integers(1, 8), st.integers(1, 8)), min_size=1, max_size=12))
def test_pareto_points_beat_all_others_and_not_each_other(pairs: list[tuple[int, int]]) -> None:
    points = [point(float(flops), float(height)) for flops, height in pairs]
    free = best(points)
    assert any(free)
    for one, flag in zip(pairs, free, strict=True):
        beaten = any(o[0] <= one[0] and o[1] >= one[1] and o != one for o in pairs)
        assert flag is not beaten
