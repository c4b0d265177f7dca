"""One thing of a plan changed at a time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from readproof.errors import InputError
from readproof.training.options.altered import also, for_head, with_overlap, with_passes, without
from readproof.training.options.recipefile import check_option_plan, find_option_plan
from readproof.training.recipefile import find_plan, plan_names


def test_the_shipped_plan() -> None:
    plan = find_option_plan("options-zh")
    first, second = plan.teachers.stages
    assert first.sets == ("ocnli", "c3", "logiqa")
    assert (first.fit.epochs, first.fit.lr, first.fit.batch, first.coarse) == (2, 3e-5, 16384, 0.0)
    assert (second.sets, second.fit.epochs, second.fit.lr, second.coarse) == (("gaokao",), 4, 2e-5, 0.4)
    assert plan.measured == ("c3_test",) and "gaokao" not in plan.held
    assert plan_names() == ["fa", "zh", "zh-free"] and plan_names(options=True) == ["options-zh", "options-zh-small"]
    with pytest.raises(InputError, match="zh, zh-free"):
        find_plan("options-zh")


def test_the_plan_of_the_shipped_reader() -> None:
    plan = find_option_plan("options-zh-small")
    assert plan.student is not None and plan.student.rank == 32 and plan.vocabulary == "zh"
    assert [step.after for step in plan.student.steps] == [1, None]
    check_option_plan(without(plan, ["gaokao"]))


def test_sets_left_out() -> None:
    plan = find_option_plan("options-zh")
    assert without(plan, ["ocnli"]).teachers.stages[0].sets == ("c3", "logiqa")
    one = without(plan, ["gaokao"])
    assert len(one.teachers.stages) == 1 and "held_gaokao" in one.held
    for wrong, told in ((["made"], "ocnli, c3"), ([""], "the beginning"), (["o", "c", "l", "g"], "no set left")):
        with pytest.raises(InputError, match=told):
            without(plan, wrong)


def test_sets_learnt_too() -> None:
    plan = also(find_option_plan("options-zh-small"), ["made_options"])
    check_option_plan(plan)
    last = plan.teachers.stages[-1]
    assert last.sets == ("gaokao", "made_options") and last.folded == ("gaokao",)
    assert plan.student is not None and plan.student.steps[-1].sets == ("gaokao", "made_options")
    assert also(find_option_plan("options-zh"), ["made_gaokao/2"]).sets()[-1] == "made_gaokao/2"
    bare = replace(find_option_plan("options-zh"), held={}, measured=())
    for wrong in ("gaokao", "c3_test", "held_gaokao", "made"):  # learnt already, measured, held out, unknown
        with pytest.raises(InputError, match="one of made_options, made_gaokao"):
            also(bare, [wrong])


def test_a_plain_choice() -> None:
    plan = for_head(find_option_plan("options-zh"), "choice")
    check_option_plan(plan)
    assert plan.sets() == ("c3", "logiqa", "gaokao")
    for stage in plan.teachers.stages:
        assert (stage.coarse, stage.weights.truth, stage.weights.choice, stage.weights.evidence) == (0.0, 0.0, 1.0, 0.0)
    assert plan.manner.head == "choice"
    with pytest.raises(InputError, match="one pass"):
        with_passes(plan, "fine")


def test_passes_and_overlap() -> None:
    plan = find_option_plan("options-zh")
    fine, coarse = with_passes(plan, "fine"), with_passes(plan, "coarse")
    assert {stage.coarse for stage in fine.teachers.stages} == {0.0} and fine.manner.fine_share == 1.0
    assert fine.manner.liking == 0.0 < coarse.manner.liking
    assert {stage.coarse for stage in coarse.teachers.stages} == {1.0} and coarse.manner.fine_share == 0.0
    assert with_overlap(plan, 0).manner.overlap == 0
    with pytest.raises(InputError, match="a segment"):
        with_overlap(plan, 4000)
