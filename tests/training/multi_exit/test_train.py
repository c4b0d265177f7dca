"""Whole trainings on tiny data: every kind of task learns, a killed run goes on the same, smaller ones are smaller."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
import torch

from readproof.errors import InputError
from readproof.readers import load_reader
from readproof.readers.exits.config import read_manner
from readproof.readers.exits.deciding import Policy
from readproof.tasks import load
from readproof.training.device import Clock
from readproof.training.multi_exit.measure import answers_of, load_said, performance
from readproof.training.multi_exit.train import train_exits
from readproof.training.work import WorkFolder
from tests.training.multi_exit.conftest import Trained
from tests.training.multi_exit.made import TASK_NAMES, gold_of, plan_of, said_of, save_data

CHANCE = {"ccpm": 25.0, "chnc": 33.3, "cmeee": 10.0, "pku-segpos": 20.0, "wordseg-weibo": 40.0}


@pytest.mark.parametrize("task", TASK_NAMES)
def test_every_kind_of_task_is_learnt(task: str, trained: Trained) -> None:
    record = json.loads((trained(task) / "work" / "measured.json").read_text())
    assert record["exits"]["3"]["performance"] > CHANCE[task]
    costs = [record["exits"][layer]["flops"] for layer in "123"]
    assert costs == sorted(costs)


def test_a_killed_run_goes_on_and_ends_the_same(exit_start: Path, tmp_path: Path) -> None:
    data = save_data(tmp_path / "data", "chnc", 120)
    plan = plan_of("chnc", dropout=0.1, seeds=(0, 1))

    def run(name: str, lines: int) -> dict[str, torch.Tensor]:
        told = 0

        def say(_: str) -> None:
            nonlocal told
            told += 1
            if told == lines:
                raise KeyboardInterrupt

        train_exits(plan, data=[data], start=exit_start, work=tmp_path / name, say=say, save_every=0.0)
        return WorkFolder(tmp_path / name).load("exits-1")

    whole = run("whole", -1)
    for lines in (3, 5):
        with pytest.raises(KeyboardInterrupt):
            run("killed", lines)
    again = run("killed", -1)
    assert all(torch.equal(whole[name], again[name]) for name in whole)


@pytest.mark.parametrize(
    ("changes", "jobs"),
    [({"seeds": (0, 1)}, {"exits-0", "exits-1"}), ({"keep_heads": 1}, {"before-0", "exits-0"})],
    ids=["two seeds", "narrower"],
)
def test_the_time_left_is_that_of_jobs_that_run(
    changes: dict[str, object], jobs: set[str], exit_start: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clocks: list[Clock] = []

    class Kept(Clock):
        def __init__(self, units: Mapping[str, float]) -> None:
            super().__init__(units)
            self.jobs = set(units)
            clocks.append(self)

    monkeypatch.setattr("readproof.training.multi_exit.train.Clock", Kept)
    data = save_data(tmp_path / "data", "chnc", 60)
    plan = plan_of("chnc", **changes)
    for expected in (jobs, set()):  # called again, nothing is left to do
        train_exits(plan, data=[data], start=exit_start, work=tmp_path / "work", precision="fp32")
        assert clocks[-1].jobs == expected  # type: ignore[attr-defined]
    assert [clock.left() for clock in clocks] == ["about 0 s left", ""]


@pytest.mark.parametrize(
    "changes",
    [
        {"depth": 2, "weights": "last", "equilibrium": False},
        {"keep_heads": 1, "keep_inner": 32},
        {"exits": (1, 3)},
        {"pool": "mean", "pooled": False},
    ],
    ids=["fewer layers", "narrower", "two exits", "mean"],
)
def test_static_methods_make_smaller_readers(changes: dict[str, object], exit_start: Path, tmp_path: Path) -> None:
    data = save_data(tmp_path / "data", "chnc", 120)
    outcome = train_exits(
        plan_of("chnc", **changes), data=[data], start=exit_start, work=tmp_path / "work", precision="fp32"
    )
    config = read_manner(outcome.folder)
    wanted = {"depth": (2,), "exits": (1, 3)}
    assert config.exits == wanted.get(next(iter(changes)), (1, 2, 3))
    if "keep_heads" in changes:
        assert (config.heads, config.width, config.inner) == (1, 64, 32)
    items = list(load(gold_of(tmp_path, "chnc")))
    before = answers_of(items, load_said(tmp_path / "work" / "said" / "measured.npz"), config, Policy())
    now = load_reader(str(outcome.folder), threads=1).answer(items)
    assert list(map(said_of, now)) == list(map(said_of, before))


def test_options_may_share_a_row(exit_start: Path, tmp_path: Path) -> None:
    data = save_data(tmp_path / "data", "ccpm", 120)
    outcome = train_exits(
        plan_of("ccpm", together=True), data=[data], start=exit_start, work=tmp_path / "work", precision="fp32"
    )
    items = list(load(gold_of(tmp_path, "ccpm")))
    config = read_manner(outcome.folder)
    before = answers_of(items, load_said(tmp_path / "work" / "said" / "measured.npz"), config, Policy("patience", 2))
    now = load_reader(str(outcome.folder), threads=1, exit="patience:2").answer(items)
    assert list(map(said_of, now)) == list(map(said_of, before))
    assert now[0].modules.count("emb") == 1
    assert "(4,128),exit_1" in now[0].modules


def test_a_teacher_is_a_finished_training_of_the_same_task(trained: Trained, exit_start: Path, tmp_path: Path) -> None:
    data = save_data(tmp_path / "data", "chnc", 60)
    how = {"data": [data], "start": exit_start}
    plan = plan_of("chnc", depth=1, taught=1.0)
    outcome = train_exits(plan, work=tmp_path / "one", teacher=trained("chnc") / "work", **how)  # type: ignore[arg-type]
    assert read_manner(outcome.folder).exits == (1,)
    with pytest.raises(InputError, match="chnc"):
        train_exits(plan, work=tmp_path / "two", teacher=trained("ccpm") / "work", **how)  # type: ignore[arg-type]


def test_int8_weights_answer_nearly_the_same(trained: Trained, exit_start: Path, tmp_path: Path) -> None:
    folder = trained("wordseg-weibo")
    outcome = train_exits(
        plan_of("wordseg-weibo"),
        data=[folder / "data"],
        start=exit_start,
        work=folder / "work",
        out=tmp_path / "int8",
        held_out=0.1,
    )
    items = list(load(gold_of(folder, "wordseg-weibo")))
    one, other = (load_reader(str(path), threads=1).answer(items) for path in (outcome.folder, folder / "reader"))
    assert performance("wordseg-weibo", items, one) > performance("wordseg-weibo", items, other) - 5


def test_a_teacher_is_cut_and_teaches_what_is_left_of_it(exit_start: Path, tmp_path: Path) -> None:
    data = save_data(tmp_path / "data", "chnc", 200)
    alone = plan_of("chnc", weights="last", equilibrium=False)
    train_exits(alone, data=[data], start=exit_start, work=tmp_path / "teacher", precision="fp32")
    plan = plan_of("chnc", exits=(1, 3), keep_heads=1, keep_inner=48, taught=1.0, temperature=2.0)
    work = tmp_path / "narrow"
    train_exits(plan, data=[data], start=exit_start, work=work, teacher=tmp_path / "teacher", precision="fp32")
    config = read_manner(work)
    assert (config.exits, config.width, config.inner) == ((1, 3), 64, 48)
    assert WorkFolder(work).result("before-0") is None  # nothing was trained before the cut
    record = json.loads((work / "measured.json").read_text())
    assert record["exits"]["3"]["performance"] > CHANCE["chnc"]
    assert load_said(work / "said" / "held.npz").exits == (1, 3)
