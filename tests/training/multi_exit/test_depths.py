"""Readers of every depth, and the rule that gains most over them: tiny trainings, called as a person would."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from readproof.efficiency.elue import load_curve
from readproof.training.multi_exit.curve import DEPTHS, DepthRun, read_lines, train_depths
from readproof.training.multi_exit.ruling import held_curve
from readproof.training.multi_exit.train import train_exits
from tests.training.multi_exit.made import plan_of, save_data
from tools import curve, rules

RUNS = [DepthRun(seed, 1e-3, epochs=2, shallow_epochs=3) for seed in (0, 1)]


@pytest.fixture(scope="module")
def depths(tmp_path_factory: pytest.TempPathFactory, exit_start: Path) -> Path:
    """`data` and `work` of a word segmenter of one, two and three layers, two runs each."""
    folder = tmp_path_factory.mktemp("depths")
    save_data(folder / "data", "wordseg-weibo", 200)
    plan = plan_of("wordseg-weibo")
    train_depths(
        plan, data=[folder / "data"], start=exit_start, work=folder / "work", depths=iter((1, 2, 3)), runs=RUNS
    )
    return folder


def test_every_depth_has_a_line_for_every_run(depths: Path) -> None:
    lines = read_lines(depths / "work" / DEPTHS)
    assert {(one["depth"], one["run"]) for one in lines} == {(depth, run) for depth in (1, 2, 3) for run in (0, 1)}
    assert {one["epochs"] for one in lines if one["depth"] == 1} == {3}
    assert {one["epochs"] for one in lines if one["depth"] > 1} == {2}
    costs = [one["flops"] for one in lines if one["run"] == 0]
    assert costs == sorted(costs, reverse=True)


def test_what_has_its_line_is_not_trained_again(depths: Path, exit_start: Path) -> None:
    path = depths / "work" / DEPTHS
    whole = path.read_text()
    kept = whole.splitlines(keepends=True)
    path.write_text("".join(kept[:-1]) + kept[-1][:20])  # killed while it wrote the last one
    said: list[str] = []
    work = depths / "work"
    plan = plan_of("wordseg-weibo")
    train_depths(
        plan, data=[depths / "data"], start=exit_start, work=work, depths=(1, 2, 3), runs=RUNS, say=said.append
    )
    assert len(said) == 1
    again, before = read_lines(path), [json.loads(line) for line in kept]
    assert [{**one, "seconds": 0} for one in again] == [{**one, "seconds": 0} for one in before]


def test_the_best_of_each_depth_makes_the_curve(depths: Path, tmp_path: Path) -> None:
    assert curve.main(["write", str(depths / "work"), "-o", str(tmp_path / "curve.json")]) == 0
    lines = read_lines(depths / "work" / DEPTHS)
    points = load_curve(tmp_path / "curve.json").tasks["wordseg-weibo"].points
    best = [max(one["performance"] for one in lines if one["depth"] == depth) for depth in (1, 2, 3)]
    assert [point.performance for point in points] == pytest.approx(best, abs=1e-4)
    held = held_curve(lines)
    assert held.points[0].performance == max(one["held"] for one in lines if one["depth"] == 1)


def test_a_rule_is_chosen_and_its_predictions_written(
    depths: Path, exit_start: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    work = tmp_path / "work"
    train_exits(plan_of("wordseg-weibo"), data=[depths / "data"], start=exit_start, work=work, precision="fp32")
    out = tmp_path / "package" / "wordseg-weibo"
    lines = str(depths / "work" / DEPTHS)
    assert rules.main([str(work), "--data", str(depths / "data"), "--depths", lines, "-o", str(out)]) == 0
    told = capsys.readouterr().out.splitlines()
    gains = [float(line.rsplit(" ", 1)[1]) for line in told[:-1]]
    assert gains == sorted(gains, reverse=True)
    predictions = [json.loads(line) for line in Path(told[-1]).read_text().splitlines()]
    assert len(predictions) == json.loads((work / "measured.json").read_text())["items"]
    assert all(one["modules"] for one in predictions)
    assert (out / "model_to_eval.py").is_file()
