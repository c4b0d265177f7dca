"""Plots: every task and point is there, nothing runs, and the same points give the same file."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from readproof.efficiency.elue import EluePoint, TaskScore, load_curve, task_score
from readproof.efficiency.plots import page, svg
from tests.efficiency.made import made_curve

NAME = "<a&b>.zip"


@pytest.fixture
def found(tmp_path: Path) -> dict[str, list[tuple[str, TaskScore]]]:
    curve = load_curve(made_curve(tmp_path / "curve.json"))
    points = [
        EluePoint(file=f"{at}.jsonl", items=9, flops=at * 1e9, parameters=9, performance=50.0 + at) for at in (1, 2, 4)
    ]
    scored = task_score("ccpm", points, curve)
    return {"ccpm": [(NAME, scored), ("other", scored)], "chnc": [(NAME, scored)]}


def test_a_picture(found: dict[str, list[tuple[str, TaskScore]]], tmp_path: Path) -> None:
    curve = load_curve(tmp_path / "curve.json")
    text = svg(found, curve)
    root = ElementTree.fromstring(text)
    plots = [one for one in root if one.tag.endswith("}svg")]
    assert [one.get("x") for one in plots] == ["0", "560"]
    dots = [one for one in plots[0].iter() if one.tag.endswith("}circle") and "dot" in one.get("class", "")]
    assert len(dots) == 3 + 3 + 3
    assert "<script" not in text
    assert text == svg(found, curve)


def test_a_page(found: dict[str, list[tuple[str, TaskScore]]], tmp_path: Path) -> None:
    text = page(found, load_curve(tmp_path / "curve.json"), [("scores", [("submission", "mean"), (NAME, "+1.00")], 1)])
    assert "&lt;a&amp;b&gt;.zip" in text and NAME not in text
    assert "<td class=n>+1.00</td>" in text
    assert "<script" not in text and "src=" not in text


def test_without_a_curve_or_performance() -> None:
    bare = task_score("ccpm", [EluePoint(file="a", items=1, flops=5.0, parameters=1)], None)
    ElementTree.fromstring(svg({"ccpm": [("mine", bare)]}, None))
