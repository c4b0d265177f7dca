"""A plan with one thing changed: another head, some sets left out, one pass alone. So an ablation is one command."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Literal, TypeVar

from readproof.errors import InputError
from readproof.readers.options import Head, manner_for
from readproof.training.options.recipe import Choose, OptionPlan, OptionStage, OptionStep
from readproof.training.options.sets import CHOICE_SETS, SETS

Passes = Literal["both", "fine", "coarse"]
_Part = TypeVar("_Part", OptionStage, OptionStep)


def for_head(plan: OptionPlan, head: Head) -> OptionPlan:
    """The plan with another head; of the plain choice the sets that are questions, and its own loss, remain."""
    if head == plan.manner.head:
        return plan
    if head == "verify":
        raise InputError(place="--head", found="verify for a plan of a choice", expected="a plan of a verifier")
    manner = replace(manner_for(head, plan.manner.max_tokens), temperature=plan.manner.temperature)
    kept = _with_sets(replace(plan, manner=manner), lambda name: name in CHOICE_SETS)
    return _each(kept, _of_choice)


def _of_choice(part: OptionStage | OptionStep) -> OptionStage | OptionStep:
    if isinstance(part, OptionStage) and part.choose == "turned":  # the options of a choice cannot be turned
        part = replace(part, choose="folds")
    return replace(part, coarse=0.0, weights=replace(part.weights, truth=0.0, evidence=0.0))


def without(plan: OptionPlan, prefixes: Iterable[str]) -> OptionPlan:
    """The plan without the sets whose names begin so, in any stage; what is held out and measured stays."""
    dropped = tuple(prefixes)
    for prefix in dropped:
        if not prefix or not any(name.startswith(prefix) for name in plan.sets()):
            found, expected = repr(prefix), f"the beginning of one of {', '.join(plan.sets())}"
            raise InputError(place="--without", found=found, expected=expected)
    return _with_sets(plan, lambda name: not name.startswith(dropped)) if dropped else plan


def also(plan: OptionPlan, names: Iterable[str]) -> OptionPlan:
    """The plan with further sets in the last stage, and in the student's last step; folds still ask what they asked."""
    for name in names:
        every = CHOICE_SETS if plan.manner.head == "choice" else SETS
        never = {"held_gaokao", "c3_test", *plan.held, *plan.measured, *(one.partition("/")[0] for one in plan.sets())}
        known = [one for one in every if one not in never]
        if name.partition("/")[0] not in known:
            found, expected = repr(name), f"one of {', '.join(known)}"
            raise InputError(place="--also", found=found, expected=expected)
        stages, student = plan.teachers.stages, plan.student
        last = [replace(one, sets=(*one.sets, name), folded=one.folded or one.sets) for one in stages[-1:]]
        if student:
            *before, step = student.steps
            student = replace(student, steps=(*before, replace(step, sets=(*step.sets, name))))
        plan = replace(plan, teachers=replace(plan.teachers, stages=(*stages[:-1], *last)), student=student)
    return plan


def with_passes(plan: OptionPlan, passes: Passes) -> OptionPlan:
    """The plan for one of the two passes alone, in training and in reading."""
    if passes == "both":
        return plan
    if plan.manner.head == "choice":
        raise InputError(place="--passes", found=passes, expected="nothing: a choice reads in one pass")
    share = 0.0 if passes == "fine" else 1.0
    # the coarse pass would still have a say in the choice of sentences
    manner = replace(plan.manner, fine_share=1.0 - share, liking=0.0 if passes == "fine" else plan.manner.liking)
    return _each(replace(plan, manner=manner), lambda part: replace(part, coarse=share))


def with_overlap(plan: OptionPlan, overlap: int) -> OptionPlan:
    """The plan with segments that overlap by so many characters."""
    if not 0 <= overlap < plan.manner.segment:
        found, expected = f"{overlap}", f"0 to less than {plan.manner.segment}, a segment"
        raise InputError(place="--overlap", found=found, expected=expected)
    return replace(plan, manner=replace(plan.manner, overlap=overlap))


def with_choice(plan: OptionPlan, choose: Choose) -> OptionPlan:
    """The plan whose last stage keeps its weights by another rule."""
    stages = tuple(replace(stage, choose=choose, share=1.0) for stage in plan.teachers.stages[-1:])
    return replace(plan, teachers=replace(plan.teachers, stages=(*plan.teachers.stages[:-1], *stages)))


def with_seeds(plan: OptionPlan, seeds: tuple[int, ...]) -> OptionPlan:
    return replace(plan, teachers=replace(plan.teachers, seeds=seeds))


def _with_sets(plan: OptionPlan, keep: Callable[[str], bool]) -> OptionPlan:
    """A stage that has no set left goes too."""

    def kept(parts: tuple[_Part, ...]) -> tuple[_Part, ...]:
        out = []
        for part in parts:
            sets = tuple(name for name in part.sets if keep(name.partition("/")[0]))
            if isinstance(part, OptionStage):
                part = replace(part, folded=tuple(name for name in part.folded if name in sets))
            if sets:
                out.append(replace(part, sets=sets))
        return tuple(out)

    stages = kept(plan.teachers.stages)
    if stages:  # nothing is left before the first to mix with
        choose = "folds" if stages[0].choose == "turned" else stages[0].choose
        stages = (replace(stages[0], choose=choose, share=1.0), *stages[1:])
    if plan.teachers.stages and not stages:
        raise InputError(place=plan.name or "plan", found="no set left to train on", expected="at least one")
    student = None
    if plan.student:
        student = replace(plan.student, steps=kept(plan.student.steps))
        if not student.steps:
            raise InputError(place="student", found="no set left to learn from", expected="at least one")
    return replace(plan, teachers=replace(plan.teachers, stages=stages), student=student)


def _each(plan: OptionPlan, change: Callable[[OptionStage | OptionStep], OptionStage | OptionStep]) -> OptionPlan:
    """Every stage and step changed."""
    stages = tuple(one for stage in plan.teachers.stages if isinstance(one := change(stage), OptionStage))
    student = plan.student
    if student:
        steps = tuple(one for step in student.steps if isinstance(one := change(step), OptionStep))
        student = replace(student, steps=steps)
    return replace(plan, teachers=replace(plan.teachers, stages=stages), student=student)
