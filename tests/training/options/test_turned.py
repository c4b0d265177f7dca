"""How much of a stage is kept, by questions turned round."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from readproof.errors import InputError
from readproof.tasks.metrics.triples import PredictedTriple
from readproof.training.options.altered import for_head, with_choice, without
from readproof.training.options.bench import OptionBench
from readproof.training.options.folding import folds_of
from readproof.training.options.plan import run_option_plan
from readproof.training.options.recipe import OptionPlan
from readproof.training.options.recipefile import check_option_plan, find_option_plan, parse_option_plan
from readproof.training.options.records import Group, read_groups, write_groups
from readproof.training.options.start import read_option_start
from readproof.training.options.turned import SHARES, mixed, triples_of, turned_scores
from readproof.training.work import WorkFolder
from tests.training.options.made import TINY, choice_items
from tests.training.options.test_option_resume import stopped
from tests.training.test_plan import same

PASSAGE = "湿地能净化水质，也能调节气候。人们到了19世纪中叶才开始研究湿地，此前湿地一直被当作荒地开垦。"
TRUE = ("湿地能够净化水质，也能够调节气候", "人们在19世纪中叶以后开始研究湿地", "湿地以前一直被人们当作荒地开垦")
FALSE = "湿地从来没有人研究，今后也不必研究"


def question(labels: tuple[int, ...], identity: str = "1") -> Group:
    return Group(id=identity, passage=PASSAGE, statements=(*TRUE, FALSE), labels=labels, kind="one")


def turnable(sets: dict[str, Path]) -> None:
    """A set "b" whose questions can be turned; no two passages are copies of one text."""
    passages = dict.fromkeys(item.passage for item in choice_items(6))
    groups = [replace(question((1, 1, 1, 0), f"{at}"), passage=one) for at, one in enumerate(passages)]
    write_groups(sets["b"], groups)


@pytest.fixture
def turned() -> OptionPlan:
    return parse_option_plan(TINY.split("[student]")[0].replace('choose = "folds"', 'choose = "turned"'), "tiny.toml")


def test_between_two_weights() -> None:
    one = {"a": torch.tensor([0.0, 1.0]), "b": torch.tensor([0.1, 1 / 3])}
    two = {"a": torch.tensor([1.0, 3.0]), "b": one["b"].clone()}
    assert mixed(one, two, 0.25)["a"].tolist() == [0.25, 1.5]
    assert torch.equal(mixed(one, two, 0.0)["a"], one["a"]) and torch.equal(mixed(one, two, 1.0)["a"], two["a"])
    assert all(torch.equal(mixed(one, two, share)["b"], one["b"]) for share in SHARES)


def test_the_odd_statement_says_what_was_asked_for() -> None:
    (triple,) = triples_of([question((1, 1, 1, 0))])
    assert "不正确" in triple.original.question and "不正确" not in triple.negative.question
    assert triple.original.answer == 3 and triple.original.options == (*TRUE, FALSE)
    assert triple.negative.options != triple.original.options
    assert not triples_of([replace(question((1, 1, 1, 0)), kind="each")])


def test_scores_are_the_official_ones() -> None:
    triples = triples_of([question((1, 1, 1, 0)), replace(question((1, 1, 1, 0)), id="2")])
    gold = [tuple(one.letter or "" for one in triple.questions) for triple in triples]
    rows = [PredictedTriple("1", gold[0]), PredictedTriple("2", (gold[1][0], "", ""))]  # type: ignore[arg-type]
    found = {"Score": 60.0, "Acc0": 100.0, "Acc1": 50.0, "Acc2": 50.0, "triples": 2}
    assert turned_scores(triples, rows) == found
    # sets of several files have ids twice
    assert turned_scores([replace(one, id="1") for one in triples], [replace(row, id="1") for row in rows]) == found


def test_no_fold_is_asked_about_what_it_learnt(
    turned: OptionPlan, sets: dict[str, Path], start: Path, tmp_path: Path
) -> None:
    turnable(sets)
    bench = OptionBench(turned, WorkFolder(tmp_path / "work"), sets, read_option_start(start), say=lambda _: None)
    folds = list(folds_of(bench, "teacher-3", turned.teachers.stages[1]))
    assert [part for part, _, _ in folds] == ["teacher-3-fold-1", "teacher-3-fold-2"]
    every = sorted(group.id for group in read_groups(sets["b"]))
    for _, learnt, left in folds:
        assert left and not {one.passage for one in learnt} & {one.passage for one in left}
        assert sorted(one.id for one in (*learnt, *left)) == every
    assert sorted(one.id for _, _, left in folds for one in left) == every


def test_a_stage_keeps_the_share_that_is_best(
    turned: OptionPlan, sets: dict[str, Path], start: Path, tmp_path: Path
) -> None:
    lines: list[str] = []
    turnable(sets)
    work = WorkFolder(tmp_path / "work")
    found = run_option_plan(turned, sets=sets, starts=[start], work=work.folder, say=lines.append)
    job = found.notes["jobs"]["teacher-3"]
    assert set(job["turned"]) == {f"{share}" for share in SHARES}
    best = max(one["Score"] for one in job["turned"].values())
    assert job["turned"][f"{job['share']}"]["Score"] == best
    # every question of "b" that can be turned is asked once, by a reader that has not seen its passage
    assert job["turned"]["1.0"]["triples"] == len(triples_of(read_groups(sets["b"]))) > 0
    assert float(work.facts("teacher-3")["select"]) == best
    assert any("turned questions" in line for line in lines)
    assert not (work.folder / "models" / "teacher-3-fold-1.safetensors").exists()
    # what is kept is that share of the last weights, and the rest what the stage began with
    last = WorkFolder(tmp_path / "end")
    run_option_plan(with_choice(turned, "end"), sets=sets, starts=[start], work=last.folder)
    for seed in (3, 5):
        share = found.notes["jobs"][f"teacher-{seed}"]["share"]
        mean = mixed(work.load(f"teacher-{seed}-stage-1"), last.load(f"teacher-{seed}"), share)
        assert all(torch.equal(tensor, mean[name]) for name, tensor in work.load(f"teacher-{seed}").items())


def test_stopped_again_and_again(turned: OptionPlan, sets: dict[str, Path], start: Path, tmp_path: Path) -> None:
    turnable(sets)
    plan = replace(turned, teachers=replace(turned.teachers, seeds=(3,)))
    whole = run_option_plan(plan, sets=sets, starts=[start], work=tmp_path / "whole").folder
    same(whole, stopped(plan, sets, start, tmp_path / "work"))


def test_what_is_kept_stands_between_the_stages(sets: dict[str, Path], start: Path, tmp_path: Path) -> None:
    text = TINY.split("[student]")[0].replace('choose = "folds"', 'choose = "end"').replace("ema = 0.9", "ema = 0.0")
    states = {}
    for share in (0.5, 1.0):
        plan = parse_option_plan(text.replace("folds = 2", f"share = {share}"), "tiny.toml")
        work = WorkFolder(tmp_path / f"{share}")
        run_option_plan(plan, sets=sets, starts=[start], work=work.folder)
        states[share] = work.load("teacher-3")
        first = work.load("teacher-3-stage-1")
    half = mixed(first, states[1.0], 0.5)
    assert all(torch.equal(states[0.5][name], half[name]) for name in half)
    assert any(not torch.equal(half[name], first[name]) for name in half)


def test_what_cannot_be_turned_is_told(turned: OptionPlan) -> None:
    with pytest.raises(InputError, match="only statements can be turned"):
        check_option_plan(replace(turned, manner=replace(turned.manner, head="choice")), "tiny.toml")
    alone = without(turned, ["a", "missing"])
    assert [stage.choose for stage in alone.teachers.stages] == ["folds"]
    check_option_plan(alone)


def test_nothing_to_turn_is_told_before_a_fold_is_trained(
    turned: OptionPlan, sets: dict[str, Path], start: Path, tmp_path: Path
) -> None:
    passages = dict.fromkeys(item.passage for item in choice_items(6))
    short = replace(question((1, 1, 1, 0)), statements=("净化水质", "调节气候", "开垦荒地", "无人研究"))
    write_groups(sets["b"], [replace(short, id=f"{at}", passage=one) for at, one in enumerate(passages)])
    work = WorkFolder(tmp_path / "work")
    with pytest.raises(InputError, match="no question whose options can be turned"):
        run_option_plan(turned, sets=sets, starts=[start], work=work.folder)
    assert work.result("teacher-3-fold-1") is None


def test_a_mean_of_narrow_changes_is_narrow(
    plan: OptionPlan, sets: dict[str, Path], start: Path, tmp_path: Path
) -> None:
    one, two = plan.student.steps  # type: ignore[union-attr]
    steps = (replace(one, hidden=0.0), replace(two, share=0.5))
    narrow = replace(plan, student=replace(plan.student, steps=steps, layers=(), guide=0, rank=2))  # type: ignore[type-var]
    work = WorkFolder(tmp_path / "work")
    run_option_plan(narrow, sets=sets, starts=[start], student_start=start, work=work.folder)
    name = "bert.encoder.layer.0.intermediate.dense.weight"
    before = read_option_start(start).state()[name.removeprefix("bert.")]
    for job in ("student-1", "student-2"):
        change = work.load(job)[name] - before
        assert 0 < torch.linalg.matrix_rank(change, rtol=1e-4) <= 2


def test_other_heads() -> None:
    plan = find_option_plan("options-zh-small")
    assert [stage.choose for stage in plan.teachers.stages] == ["end", "turned"]
    assert [stage.choose for stage in for_head(plan, "choice").teachers.stages] == ["end", "folds"]
