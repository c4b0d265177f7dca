"""A plan that was stopped goes on as if nothing had been; teachers and a student's start may be given."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from readproof.errors import InputError
from readproof.training.options.plan import run_option_plan
from readproof.training.options.recipe import OptionPlan
from readproof.training.options.recipefile import parse_option_plan
from readproof.training.options.start import read_option_start
from tests.training.options.made import TINY
from tests.training.test_plan import Killed, same


def test_stopped_again_and_again(plan: OptionPlan, sets: dict[str, Path], start: Path, tmp_path: Path) -> None:
    plan = replace(plan, teachers=replace(plan.teachers, seeds=(3,)), student=replace(plan.student, guide=0))  # type: ignore[type-var]
    whole = run_option_plan(plan, sets=sets, starts=[start], work=tmp_path / "whole").folder
    same(whole, stopped(plan, sets, start, tmp_path / "work"))


def stopped(plan: OptionPlan, sets: dict[str, Path], start: Path, where: Path) -> Path:
    """The reader of a run that is stopped after every few lines it says."""
    found, attempts = None, 0
    while found is None:
        attempts += 1
        left = iter(range(5))

        def stop(line: str, left: Iterator[int] = left) -> None:
            if "done before" not in line and "no set" not in line and next(left, None) is None:
                raise Killed

        with contextlib.suppress(Killed):
            found = run_option_plan(plan, sets=sets, starts=[start], work=where, say=stop, save_every=0.0).folder
    assert attempts > 3
    return found


def test_given_teachers_and_a_start_for_the_student(
    plan: OptionPlan, sets: dict[str, Path], start: Path, tmp_path: Path
) -> None:
    short = parse_option_plan(
        TINY.split("[[teachers.stages]]")[0] + '[[teachers.stages]]\nsets = ["a"]\n', "short.toml"
    )
    short = replace(short, teachers=replace(short.teachers, seeds=(1,)))
    teacher = run_option_plan(short, sets=sets, starts=[start], work=tmp_path / "1", out=tmp_path / "teacher").folder
    learns = replace(plan, teachers=replace(plan.teachers, stages=()), student=replace(plan.student, layers=()))  # type: ignore[type-var]
    frozen = replace(learns, student=replace(learns.student, frozen=("bert.embeddings.",)))  # type: ignore[type-var]
    found = run_option_plan(
        frozen, sets=sets, starts=[teacher, teacher], student_start=start, work=tmp_path / "2", out=tmp_path / "small"
    )
    assert read_option_start(found.folder).layers == 4
    before, after = (read_option_start(one).state() for one in (start, found.folder))
    for name, tensor in before.items():
        assert torch.equal(tensor, after[name]) is name.startswith("embeddings."), name
    with pytest.raises(InputError, match="a trained option reader"):
        run_option_plan(learns, sets=sets, starts=[start, start], work=tmp_path / "3")
