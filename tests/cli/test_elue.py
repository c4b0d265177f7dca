"""`readproof elue` from the outside: tables, JSON, plots, problems."""

from __future__ import annotations

import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.cli import running
from tests.efficiency.made import TINY_FILE, made_curve, made_gold, made_package, zipped


def run(*arguments: str | Path) -> CompletedProcess[str]:
    return running.run("elue", *arguments)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("elue")
    gold = made_gold(folder / "gold", 40)
    zipped(made_package(folder / "ours", gold, {3: 0.7, 12: 0.9}))
    zipped(made_package(folder / "theirs", gold, {2: 0.5, 12: 0.6}, seed=1))
    made_curve(folder / "curve.json")
    return folder


def test_two_packages_for_a_person(place: Path, tmp_path: Path) -> None:
    plot = tmp_path / "points.html"
    found = run(
        place / "theirs.zip", place / "ours.zip", "--gold", place / "gold", "--curve", place / "curve.json",
        "--plot", plot,
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    lines = found.stdout.splitlines()
    assert lines[0].strip() == "ELUE scores against made curve"
    assert [line.split()[0] for line in lines[2:4]] == ["ours.zip", "theirs.zip"]
    rows = [line for line in lines[lines.index("") :] if line.startswith(("ours", "theirs"))]
    assert len(rows) == 5 * 4
    assert all("Pareto" not in row for row in rows if row.startswith("theirs.zip") and "12.jsonl" in row)
    assert f"wrote {plot}" in found.stderr
    assert plot.read_text(encoding="utf-8").count("<figure>") == 5


def test_for_a_program(place: Path) -> None:
    found = run(place / "ours.zip", "--gold", place / "gold", "--curve", place / "curve.json", "--json")
    record = json.loads(found.stdout)
    (mine,) = record["submissions"]
    assert mine["mean"] == pytest.approx(sum(one["score"] for one in mine["tasks"].values()) / 5)
    point = mine["tasks"]["chnc"]["points"][0]
    assert point["gain"] == pytest.approx(point["performance"] - point["baseline"])
    assert point["outside_baseline"] is None
    assert (mine["missing_tasks"], mine["why_no_mean"]) == ([], "")
    assert record["curve"]["name"] == "made curve"
    assert {one["submission"] for one in record["pareto"]["ccpm"]} == {"ours.zip"}


def test_no_mean_without_all_tasks(place: Path, tmp_path: Path) -> None:
    part = made_package(tmp_path / "part", place / "gold", {1: 0.5}, tasks=("chnc",))
    found = run(part, "--gold", place / "gold", "--curve", place / "curve.json")
    assert found.returncode == 0, found.stderr
    assert "no mean score (tasks are missing: ccpm, cmeee, pku-segpos, wordseg-weibo)" in found.stdout


def test_problems_for_both(place: Path, tmp_path: Path) -> None:
    part = made_package(tmp_path / "part", place / "gold", {1: 0.5}, tasks=("chnc",))
    path = part / "submission_files/chnc/1.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace(",layer_1;", ", layer_1;"), encoding="utf-8")
    found = run(part, "--gold", place / "gold", "--curve", place / "curve.json", "--json")
    assert found.returncode == 2
    problems = json.loads(found.stdout)["problems"]
    assert [problem["line"] for problem in problems] == list(range(1, 41))
    assert all(problem["column"] > 20 for problem in problems)
    assert "found 40 problems" in found.stderr and "and 20 more" in found.stderr


def test_no_curve_is_needed_for_costs(place: Path) -> None:
    costs = run(place / "ours.zip")
    assert costs.returncode == 0, costs.stderr
    assert "102.27" in costs.stdout


def test_the_shipped_curve_is_taken_where_none_is_named(place: Path, tmp_path: Path) -> None:
    plot = tmp_path / "points.svg"
    found = run(place / "ours.zip", "--gold", place / "gold", "--plot", plot)
    assert found.returncode == 0, found.stderr
    assert "against readproof CELUE baseline" in found.stdout and plot.is_file()
    assert "measured on" in found.stderr  # other items than those of the gold
    (mine,) = json.loads(run(place / "ours.zip", "--gold", place / "gold", "--json").stdout)["submissions"]
    for scored in mine["tasks"].values():
        assert scored["score"] is not None


def test_the_gold_folder_is_looked_at_first(place: Path, tmp_path: Path) -> None:
    found = run(place / "ours.zip", "--gold", tmp_path / "none")
    assert found.returncode == 2
    assert "none" in found.stderr and "curve" not in found.stderr


def test_a_limit_below_nothing(place: Path) -> None:
    found = run(place / "ours.zip", "--limit", "-1")
    assert found.returncode == 2
    assert "--limit" in found.stderr


@pytest.mark.parametrize("plot", ["points.pdf", "no/such/folder.svg"])
def test_a_plot_that_cannot_be_written_is_told_first(plot: str, place: Path, tmp_path: Path) -> None:
    found = run("none.zip", "--plot", tmp_path / plot)
    assert found.returncode == 2
    assert plot.rpartition("/")[2] in found.stderr


def test_a_model_file_of_ones_own(place: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra [elue]")
    part = made_package(tmp_path / "part", place / "gold", {2: 0.5}, tasks=("ccpm", "chnc"), model=TINY_FILE)
    found = run(zipped(part), "--gold", place / "gold", "--curve", place / "curve.json", "--trust", "--json")
    assert found.returncode == 0, found.stderr
    point = json.loads(found.stdout)["submissions"][0]["tasks"]["ccpm"]["points"][0]
    lengths = [8 + number % 20 for number in range(40)]
    layers = sum(2 * (length * 768 * 768 + 2 * length * 768) for length in lengths)
    assert point["flops"] == 2 * (layers / 40 + 768 * 768 + 1536)
    assert point["outside_baseline"] == "below"


def test_of_two_packages_the_one_with_the_fault_is_named(place: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra [elue]")
    other = zipped(made_package(tmp_path / "other", place / "gold", {2: 0.5}, tasks=("chnc",), model="import nothing_"))
    found = run(place / "ours.zip", other, "--gold", place / "gold", "--trust")
    assert found.returncode == 2
    assert "other.zip/chnc/model_to_eval.py: found a file that fails when it runs: ModuleNotFoundError" in found.stderr
    assert "readproof-" not in found.stderr


def test_copies_are_told_to_both(place: Path, tmp_path: Path) -> None:
    part = made_package(tmp_path / "part", place / "gold", {3: 0.5}, tasks=("chnc",))
    folder = part / "submission_files/chnc"
    (folder / "again.jsonl").write_bytes((folder / "3.jsonl").read_bytes())
    words = "part/chnc: copies of one file: again.jsonl, 3.jsonl"
    assert words in run(part, "--gold", place / "gold", "--curve", place / "curve.json").stderr
    assert words in json.loads(run(part, "--json").stdout)["submissions"][0]["notes"][0]
