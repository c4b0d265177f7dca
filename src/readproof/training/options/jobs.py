"""The jobs that an option reader's plan is made of: a stage, the teachers' word, a step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from readproof.training.choosing import Kept, Wanted, train_job
from readproof.training.model import plain_state
from readproof.training.narrow import narrowed
from readproof.training.options.bench import OptionBench, in_words
from readproof.training.options.distil import matched, student_loss
from readproof.training.options.folding import FOLD, judged_by_folds, judged_by_turned
from readproof.training.options.learning import begun, gold_loss, no_judge
from readproof.training.options.recipe import OptionStage, OptionStudent
from readproof.training.options.turned import SHARES, mixed
from readproof.training.options.windows import OptionExamples, OptionWindows

# a set, and after how many stages the teachers spoke of it
Spoken = tuple[str, int | None]

_STUDENT_SEED = 4321


def stage_job(bench: OptionBench, job: str, before: str | None, stage: OptionStage, seed: int) -> None:
    """One stage of one seed, from the start (before None) or from what the job `before` left."""
    if bench.work.result(job) is not None:
        return
    sets = bench.there(stage.sets, job)
    how = replace(stage.fit, seed=seed)
    more: dict[str, Any] = {}
    wanted, judge, share = None, bench.held, stage.share
    if stage.choose == "folds":
        points = judged_by_folds(bench, job, before, stage, seed)
        point = max(points, key=lambda one: points[one]["select"])
        bench.say(f"{job}: best by {stage.folds} folds: {point}, {in_words({'folds': points[point]['scores'][FOLD]})}")
        wanted, more = Wanted(point, points[point]["select"]), {"folds": points}
        epochs = int(point.removeprefix("epoch ").partition(",")[0])
        how = replace(how, epochs=epochs, schedule=how.schedule or how.epochs)
        if "averaged" not in point:
            how = replace(how, ema=0.0)
    elif stage.choose != "held":
        judge = no_judge
    if stage.choose == "turned":
        if before is None:
            raise ValueError(f"{job}: nothing stands before it to mix with")
        found = judged_by_turned(bench, job, before, stage, seed)
        share = max(SHARES, key=lambda one: found[f"{one}"]["Score"])
        bench.say(f"{job}: best by {found[f'{share}']['triples']} turned questions: {share} of its own weights")
        point = f"epoch {how.epochs}" + (", averaged" if how.ema else "")
        wanted, more = Wanted(point, found[f"{share}"]["Score"]), {"turned": found, "share": share}
    reader = begun(bench, before, seed)
    windows = bench.together(sets)
    examples = OptionExamples(windows, stage.coarse)
    loss = gold_loss(reader, stage)
    train_job(
        bench,
        job,
        reader,
        examples,
        loss,
        how,
        size=len(windows.tokens),
        judge=judge,
        wanted=wanted,
        kept=_mixed_with(bench, before, share),
        **more,
    )


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
    kept = _mixed_with(bench, before, step.share, begin, student.rank)
    judge = no_judge if step.choose == "end" else None
    train_job(bench, job, reader, examples, loss, step.fit, size=len(windows.tokens), judge=judge, kept=kept)


def spoken(windows: OptionWindows, parts: Sequence[np.ndarray[Any, Any] | None]) -> list[np.ndarray[Any, Any]]:
    """What was said of all statements, group by group."""
    rows = np.concatenate([part for part in parts if part is not None]).astype(np.float32)
    ends = np.cumsum([len(group.statements) for group in windows.groups])
    if len(rows) != ends[-1]:
        raise ValueError(f"{len(rows)} statements were spoken of, {ends[-1]} are there")
    return np.split(rows, ends[:-1])


def _mixed_with(
    bench: OptionBench, before: str | None, share: float, begin: Mapping[str, Tensor] | None = None, rank: int = 0
) -> Kept:
    """What is stored of a job that keeps a share of its own weights; with a rank it differs from `begin` by no more."""
    if before is None or share == 1:
        return lambda state: state
    first = bench.work.load(before)

    def kept(state: dict[str, Tensor]) -> dict[str, Tensor]:
        mean = mixed(first, state, share)
        if not rank or begin is None:
            return mean
        with torch.random.fork_rng():
            torch.manual_seed(_STUDENT_SEED)  # the same cut whenever it is made
            return plain_state(narrowed(bench.reader(mean), begin, rank))

    return kept
