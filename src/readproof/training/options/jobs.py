"""The jobs that an option reader's plan is made of: a stage, a stage judged by folds, the teachers' word, a step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from readproof.errors import InputError
from readproof.training.choosing import Judge, Wanted, train_job
from readproof.training.fit import Loss
from readproof.training.narrow import narrowed
from readproof.training.options.bench import OptionBench, figures, in_words
from readproof.training.options.distil import matched, student_loss
from readproof.training.options.families import families, fold_of
from readproof.training.options.losses import option_loss
from readproof.training.options.model import OptionReader
from readproof.training.options.recipe import OptionStage, OptionStudent
from readproof.training.options.windows import OptionBatch, OptionExamples, OptionWindows
from readproof.training.site import Judged

# a set, and after how many stages the teachers spoke of it
Spoken = tuple[str, int | None]

_TEACHER_SEED, _STUDENT_SEED = 1234, 4321
FOLD = "fold"


def stage_job(bench: OptionBench, job: str, before: str | None, stage: OptionStage, seed: int) -> None:
    """One stage of one seed, from the start (before None) or from what the job `before` left."""
    if bench.work.result(job) is not None:
        return
    sets = bench.there(stage.sets, job)
    how = replace(stage.fit, seed=seed)
    more: dict[str, Any] = {}
    wanted, judge = None, bench.held
    if stage.choose == "folds":
        pooled = _judged_by_folds(bench, job, before, stage, seed)
        point = max(pooled, key=lambda one: pooled[one]["select"])
        bench.say(f"{job}: best by {stage.folds} folds: {point}, {in_words({'folds': pooled[point]['scores'][FOLD]})}")
        wanted, more = Wanted(point, pooled[point]["select"]), {"folds": pooled}
        epochs = int(point.removeprefix("epoch ").partition(",")[0])
        how = replace(how, epochs=epochs, schedule=how.schedule or how.epochs)
        if "averaged" not in point:
            how = replace(how, ema=0.0)
    elif stage.choose == "end":
        judge = _nothing
    reader = _begun(bench, before, seed)
    windows = bench.together(sets)
    examples = OptionExamples(windows, stage.coarse)
    loss = _loss(reader, stage)
    train_job(bench, job, reader, examples, loss, how, size=len(windows.tokens), judge=judge, wanted=wanted, **more)


def fold_jobs(job: str, stage: OptionStage) -> list[str]:
    """The jobs of a stage that is judged by folds."""
    return [f"{job}-fold-{number + 1}" for number in range(stage.folds)] if stage.choose == "folds" else []


def _judged_by_folds(
    bench: OptionBench, job: str, before: str | None, stage: OptionStage, seed: int
) -> dict[str, dict[str, Any]]:
    """The scores of every point over all folds together."""
    sets = bench.there(stage.sets, job)
    groups = {name: bench.windows(name).groups for name in sets}
    family = families(group.passage for some in groups.values() for group in some)
    asked = [name for name in stage.folded or sets if name in groups]
    _told_of_leaks(bench, job, stage, {group.passage for name in asked for group in groups[name]})
    for number, part in enumerate(fold_jobs(job, stage)):
        if bench.work.result(part) is not None:
            continue

        def inside(passage: str, number: int = number) -> bool:
            return fold_of(passage, stage.folds, family) == number

        learnt = bench.cut([one for some in groups.values() for one in some if not inside(one.passage)])
        left = bench.cut([one for name in asked for one in groups[name] if inside(one.passage)])
        if not learnt.groups or not left.groups:
            found = f"{len(family)} passages, too few for {stage.folds} folds"
            raise InputError(place=job, found=found, expected="passages in every fold", do="Use fewer folds.")
        reader = _begun(bench, before, seed)
        train_job(
            bench,
            part,
            reader,
            OptionExamples(learnt, stage.coarse),
            _loss(reader, stage),
            replace(stage.fit, seed=seed),
            size=len(learnt.tokens),
            judge=_judge_of(bench, left),
            wanted=Wanted(),
        )
    return pooled([bench.work.result(part) or {} for part in fold_jobs(job, stage)])


def _told_of_leaks(bench: OptionBench, job: str, stage: OptionStage, passages: set[str]) -> None:
    """Folds keep a stage from what it is judged by; what stages before it have seen they cannot take back."""
    stages = bench.plan.teachers.stages
    earlier = [name for one in stages[: stages.index(stage)] for name in one.sets if bench.has(name)]
    seen = {group.passage for name in earlier for group in bench.windows(name).groups} & passages
    if seen:
        bench.say(f"{job}: stages before it have seen {len(seen)} of the {len(passages)} passages it is judged by")


def pooled(results: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The points of several folds as one: shares weighed by how much there was to answer."""
    out: dict[str, dict[str, Any]] = {}
    for point in results[0]["points"]:
        each = [result["points"][point]["scores"][FOLD] for result in results]
        questions, statements = (sum(one[key] for one in each) for key in ("questions", "statements"))
        choice = sum((one["choice"] or 0.0) * one["questions"] for one in each) / questions if questions else None
        truth, loss = (sum(one[key] * one["statements"] for one in each) / statements for key in ("truth", "loss"))
        found = {"choice": choice, "truth": truth, "loss": loss, "questions": questions, "statements": statements}
        out[point] = {"select": truth if choice is None else choice, "scores": {FOLD: found}}
    return out


def said_job(bench: OptionBench, job: str, speakers: Mapping[Spoken, Sequence[str]], teachers: Sequence[str]) -> None:
    """The mean logits of the speakers on every set the student learns from; `teachers` are those of the last stage."""
    if bench.work.result(job) is not None:
        return
    for number, ((name, after), who) in enumerate(speakers.items()):
        key = said_name(name, after)
        if bench.work.said(key) is None:
            tables = bench.logits([bench.trained(one) for one in who], bench.windows(name))
            bench.work.keep_said(key, np.concatenate(tables).astype(np.float16))
        bench.clock.step(job, number + 1, len(speakers))
        bench.say(" ".join(f"{job}: {key} {bench.clock.left()}".split()))
    readers = [bench.trained(name) for name in teachers]
    found, select = bench.held(readers)
    if found:
        bench.say(f"{job}: together {in_words(found)}")
    bench.work.finish(job, {"teachers": list(teachers), "scores": found, "select": select})


def said_name(name: str, after: int | None) -> str:
    """Under which name it is kept what teachers said of a set after so many of their stages, or all."""
    return name if after is None else f"{name}, stage {after}"


def step_job(
    bench: OptionBench,
    job: str,
    before: str | None,
    guide: str,
    student: OptionStudent,
    number: int,
    begin: Mapping[str, Tensor],
    like: tuple[int, ...] = (),
) -> None:
    """One step of a student, from `begin` (before None) or from what the step before left.

    Its layers are to be like these of the guide; none named: those as high.
    """
    if bench.work.result(job) is not None:
        return
    step = student.steps[number]
    sets = bench.there(step.sets, job)
    torch.manual_seed(_STUDENT_SEED + step.fit.seed)
    state = bench.work.load(before) if before else begin
    reader = bench.reader(state, dropout=student.dropout, frozen=student.frozen)
    if student.rank:
        narrowed(reader, begin, student.rank)
    teacher = bench.trained(guide)
    windows = bench.together(sets)
    windows.said = spoken(windows, [bench.work.said(said_name(name, step.after)) for name in sets])
    loss = student_loss(reader, teacher, step, like or matched(reader.layers, teacher.layers))
    examples = OptionExamples(windows, step.coarse)
    train_job(bench, job, reader, examples, loss, step.fit, size=len(windows.tokens))


def spoken(windows: OptionWindows, parts: Sequence[np.ndarray[Any, Any] | None]) -> list[np.ndarray[Any, Any]]:
    """What was said of all statements, group by group."""
    rows = np.concatenate([part for part in parts if part is not None]).astype(np.float32)
    ends = np.cumsum([len(group.statements) for group in windows.groups])
    if len(rows) != ends[-1]:
        raise ValueError(f"{len(rows)} statements were spoken of, {ends[-1]} are there")
    return np.split(rows, ends[:-1])


def _begun(bench: OptionBench, before: str | None, seed: int) -> OptionReader:
    torch.manual_seed(_TEACHER_SEED + seed)  # new heads are drawn from it
    state = bench.work.load(before) if before else bench.start.state()
    teachers = bench.plan.teachers
    return bench.reader(state, dropout=teachers.dropout, frozen=teachers.frozen)


def _loss(reader: OptionReader, stage: OptionStage) -> Loss:
    def loss(batch: OptionBatch) -> Tensor:
        logits, rated = reader(batch)
        return option_loss(logits, rated, batch, stage.weights)

    return loss


def _judge_of(bench: OptionBench, left: OptionWindows) -> Judge:
    def judge(readers: Sequence[Any]) -> Judged:
        found = bench.measured(readers, left)
        return {FOLD: figures(found)}, found.main

    return judge


def _nothing(readers: Sequence[Any]) -> Judged:  # noqa: ARG001 -- the last weights are kept, whatever they score
    return {}, None
