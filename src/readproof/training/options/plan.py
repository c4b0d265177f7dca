"""A whole training of an option reader, from sets of statements and start weights to a written folder.

Every job is kept in the work folder. Killed at any moment and called again, a run goes on from its last checkpoint and,
on the same device, ends with the same weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from readproof.errors import InputError
from readproof.files import check_folder
from readproof.lang.forms import FORM_VERSION
from readproof.training.choosing import ChosenPoint, Kept, train_job
from readproof.training.device import Clock, device_name
from readproof.training.fit import Loss
from readproof.training.losses import hidden_loss
from readproof.training.low_rank import narrowed
from readproof.training.model import plain_state
from readproof.training.options.bench import OptionBench, figures, in_words
from readproof.training.options.folding import (
    FOLD,
    begun,
    fold_jobs,
    gold_loss,
    judged_by_folds,
    judged_by_turned,
    no_judge,
)
from readproof.training.options.measure import option_loss
from readproof.training.options.model import OptionReader
from readproof.training.options.recipe import OptionPlan, OptionStage, OptionStep, OptionStudent
from readproof.training.options.recipefile import check_option_plan
from readproof.training.options.start import OptionStart, read_option_start, write_option_folder
from readproof.training.options.turned import SHARES, mixed
from readproof.training.options.windows import OptionBatch, OptionExamples, OptionWindows
from readproof.training.plan import TrainingOutcome, versions
from readproof.training.site import Say
from readproof.training.start import shipped_vocabulary
from readproof.training.work import WorkFolder

# What a student of option readers makes small: the labels, what the teachers said, and how one of them sees it.


def student_loss(student: OptionReader, guide: OptionReader, step: OptionStep, layers: tuple[int, ...]) -> Loss:
    """The loss of a step; `layers` are those of the guide that the student's own, in order, are to be like."""
    if len(layers) != student.layers:
        raise ValueError(f"{len(layers)} layers for {student.layers}")

    def loss(batch: OptionBatch) -> Tensor:
        ours = student.bert(batch.ids, batch.types, batch.seen)
        total = option_loss(*student.judged(ours, batch), batch, step.weights)
        if step.hidden:
            with torch.no_grad():
                theirs = guide.eval().bert(batch.ids, batch.types, batch.seen)
            pairs = zip(ours.layers, layers, strict=True)
            apart = [hidden_loss(layer, theirs.layers[chosen], batch.mask) for layer, chosen in pairs]
            total = total + step.hidden * torch.stack(apart).mean()
        return total

    return loss


def matched(few: int, many: int) -> tuple[int, ...]:
    """For each of a few layers the one as high among many: of 12 for 6 these are 1, 3, 5, 7, 9, 11."""
    return tuple(max(0, round((number + 1) * many / few) - 1) for number in range(few))


# The jobs that an option reader's plan is made of: a stage, the teachers' word, a step.

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
        wanted, more = ChosenPoint(point, points[point]["select"]), {"folds": points}
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
        wanted, more = ChosenPoint(point, found[f"{share}"]["Score"]), {"turned": found, "share": share}
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


_SAID = "ensemble"


def run_option_plan(
    plan: OptionPlan,
    *,
    sets: Mapping[str, Path],
    starts: Sequence[Path],
    work: Path,
    out: Path | None = None,
    student_start: Path | None = None,
    sources: Mapping[str, str] | None = None,
    say: Say = lambda _: None,
    save_every: float = 120.0,
) -> TrainingOutcome:
    """Train by a plan. `sets` are files by name as `records` writes them; `sources` the hashes of what they come from.

    `starts` is one folder of start weights; or, where the plan's teachers have no stages, the teachers themselves, one
    folder a seed. A student begins from `student_start`, or from a teacher. The reader is written to `out`, or to
    `work`/reader.
    """
    check_folder(out or work)
    check_option_plan(plan, plan.name)
    begin = [_cut(read_option_start(path), plan) for path in starts]
    own = _cut(read_option_start(student_start), plan) if student_start else None
    _check(plan, begin, own, starts, student_start)
    folder = WorkFolder(work)
    hashes = [start.bert.digest() for start in (*begin, *([own] if own else []))]
    folder.claim({"plan": asdict(plan), "sources": dict(sources or {}), "starts": hashes, "form": FORM_VERSION})
    bench = OptionBench(plan, folder, sets, begin[0], say=say, save_every=save_every)
    for name in (*plan.sets(), *plan.held, *plan.measured):
        if not bench.has(name):
            say(f"no set {name}: left out")
    bench.clock = Clock(_units(bench, own))
    final = _trained(bench, begin, own)
    notes = {
        "plan": asdict(plan),
        "sources": dict(sources or {}),
        "starts": hashes,
        "device": device_name(bench.device),
        "versions": versions(),
        "jobs": {job: folder.result(job) for job in _jobs(plan)},
        "reader": final,
        "measured": _measured(bench, final),
    }
    written = write_option_folder(
        out or work / "reader", folder.load(final), bench.start.bert.vocabulary, notes, plan.manner
    )
    say(f"written: {written}")
    return TrainingOutcome(written, notes)


def _trained(bench: OptionBench, begin: Sequence[OptionStart], own: OptionStart | None) -> str:
    """Do every job that is not done yet; gives the name of the one whose weights are written."""
    plan, work = bench.plan, bench.work
    for job in _jobs(plan):
        if work.result(job) is not None:
            bench.say(f"{job}: done before")
            bench.clock.finish(job)
    teachers = _teachers(plan)
    if not plan.teachers.stages:
        for name, start in zip(teachers, begin, strict=True):
            if not work.facts(name):
                work.store(name, start.state(), {"point": "given"})
    for seed in plan.teachers.seeds:
        before = None
        for job, stage in _stages(plan, seed):
            stage_job(bench, job, before, stage, seed)
            before = job
    if plan.student is None:
        return max(teachers, key=lambda name: float(work.facts(name).get("select", "-1")))
    wanted = dict.fromkeys((name, step.after) for step in plan.student.steps for name in step.sets if bench.has(name))
    said_job(bench, _SAID, {one: _after(plan, one[1]) for one in wanted}, teachers)
    guide = teachers[plan.student.guide]
    first = _first(bench, guide, own)
    like = plan.student.layers if own is None else ()
    before = None
    for number in range(len(plan.student.steps)):
        job = f"student-{number + 1}"
        step_job(bench, job, before, guide, plan.student, number, first, like)
        before = job
    return before or ""


def _first(bench: OptionBench, guide: str, own: OptionStart | None) -> dict[str, Tensor]:
    """What the student begins as: layers of its own start, or of its guide."""
    layers = bench.plan.student.layers if bench.plan.student else ()
    if own is not None:
        return own.state(layers)
    state = bench.work.load(guide)
    inner = {name.removeprefix("bert."): tensor for name, tensor in state.items()}
    heads = {name: inner.pop(name) for name in list(inner) if not name.startswith(("embeddings.", "encoder."))}
    return OptionStart(replace(bench.start.bert, tensors=inner), heads).state(layers)


def _measured(bench: OptionBench, final: str) -> dict[str, Any]:
    """Scores on sets that nothing was learnt from: each teacher, all together, and the reader that is written."""
    before = bench.work.result("measured")
    if before is not None:
        return before
    teachers = _teachers(bench.plan)
    groups = {**{name: [name] for name in teachers}, **({_SAID: teachers} if len(teachers) > 1 else {}), final: [final]}
    found: dict[str, Any] = {}
    for name, parts in groups.items():
        readers = [bench.trained(part) for part in parts]
        # what is held out may have chosen nothing, where the last weights are kept
        there = [part for part in (*bench.plan.measured, *bench.plan.held) if bench.has(part)]
        one = {part: figures(bench.measured(readers, bench.windows(part))) for part in there}
        if one:
            bench.say(f"measured {name}: {in_words(one)}")
            found[name] = one
    bench.work.finish("measured", found)
    return found


def _teachers(plan: OptionPlan) -> list[str]:
    return [f"teacher-{seed}" for seed in plan.teachers.seeds]


def _stages(plan: OptionPlan, seed: int) -> list[tuple[str, OptionStage]]:
    """The jobs of a seed; the last has the teacher's name."""
    stages = plan.teachers.stages
    names = [f"teacher-{seed}-stage-{number + 1}" for number in range(len(stages) - 1)] + [f"teacher-{seed}"]
    return list(zip(names, stages, strict=False))


def _after(plan: OptionPlan, stages: int | None) -> list[str]:
    """The teachers as they were after so many stages; none said: after all."""
    if stages is None or not plan.teachers.stages:
        return _teachers(plan)
    return [_stages(plan, seed)[stages - 1][0] for seed in plan.teachers.seeds]


def _jobs(plan: OptionPlan) -> list[str]:
    jobs = []
    for seed in plan.teachers.seeds:
        for job, stage in _stages(plan, seed):
            jobs += [*fold_jobs(job, stage), job]
    if plan.student is None:
        return jobs
    return [*jobs, _SAID, *(f"student-{number + 1}" for number in range(len(plan.student.steps)))]


def _units(bench: OptionBench, own: OptionStart | None) -> dict[str, float]:
    """How heavy each job is: tokens times layers; backward counts twice what forward does."""
    plan, layers = bench.plan, bench.start.layers
    units: dict[str, float] = {}
    for seed in plan.teachers.seeds:
        for job, stage in _stages(plan, seed):
            times = 3.0 * layers * (2 if stage.fit.fgm else 1) * stage.fit.epochs
            units[job] = times * bench.tokens(bench.there(stage.sets, job), stage.coarse)
            for part in fold_jobs(job, stage):
                units[part] = units[job] * (stage.folds - 1) / stage.folds
    if plan.student is None:
        return units
    wanted = {name for step in plan.student.steps for name in step.sets if bench.has(name)}
    # both forms are read
    units[_SAID] = layers * len(plan.teachers.seeds) * (bench.tokens(wanted, 0.0) + bench.tokens(wanted, 1.0))
    count = len(plan.student.layers) or (own.layers if own else layers)
    for number, step in enumerate(plan.student.steps):
        job = f"student-{number + 1}"
        each = 3.0 * count + (layers if step.hidden else 0)
        units[job] = each * step.fit.epochs * bench.tokens(bench.there(step.sets, job), step.coarse)
    return units


def _cut(start: OptionStart, plan: OptionPlan) -> OptionStart:
    return start.cut(shipped_vocabulary(plan.vocabulary)) if plan.vocabulary else start


def _check(
    plan: OptionPlan,
    begin: Sequence[OptionStart],
    own: OptionStart | None,
    folders: Sequence[Path],
    student_folder: Path | None,
) -> None:
    """What of the plan does not fit the starts."""
    teachers = 1 if plan.teachers.stages else len(plan.teachers.seeds)
    if len(begin) != teachers:
        raise InputError(place="--start", found=f"{len(begin)} folders", expected=f"{teachers}")
    if own is not None and plan.student is None:
        raise InputError(file=student_folder or "", found="a start for a student", expected="a plan that has one")
    every = [*zip(begin, folders, strict=True), *([(own, student_folder)] if own and student_folder else [])]
    for start, path in every:
        if plan.manner.max_tokens > start.bert.positions:
            found, expected = f"{plan.manner.max_tokens}", f"at most {start.bert.positions}, the positions of the start"
            raise InputError(file=path, place="manner.max_tokens", found=found, expected=expected)
        if start.bert.vocabulary != begin[0].bert.vocabulary:
            expected = f"that of {folders[0]}"
            do = 'Give the plan vocabulary = "zh", which cuts both to the same rows.'
            raise InputError(file=path, found="another vocabulary", expected=expected, do=do)
    if not plan.teachers.stages:
        for start, path in zip(begin, folders, strict=True):
            if not start.is_reader or start.layers != begin[0].layers:
                expected = "a trained option reader, with as many layers as the other teachers"
                raise InputError(file=path, found="another start", expected=expected, do="Train it first.")
            if start.manner and start.manner.head != plan.manner.head:
                raise InputError(file=path, found=f"the head {start.manner.head}", expected=plan.manner.head)
    for layer in plan.student.layers if plan.student else ():
        most = (own or begin[0]).layers
        if layer >= most:
            raise InputError(place="student.layers", found=f"layer {layer}", expected=f"0 to {most - 1}")
