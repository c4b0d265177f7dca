"""A whole training, from data and start weights to a written reader: teachers, their ensemble, the student.

Every job is kept in the work folder. Killed at any moment and called again, a run goes on from its last checkpoint and,
on the same device, ends with the same weights.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from readproof import __version__
from readproof.errors import InputError
from readproof.files import check_folder
from readproof.lang.forms import FORM_VERSION
from readproof.readers.vocabulary import Vocabulary
from readproof.training.begin import Start, need_own, read_start
from readproof.training.bench import EvalBench, in_words, scores
from readproof.training.choosing import train_job
from readproof.training.delta_base import lender_hash
from readproof.training.device import Clock, device_name
from readproof.training.distil import distil_loss, student_of
from readproof.training.finetune import span_loss
from readproof.training.learner import SpanLearner
from readproof.training.measure import log_probabilities, measure
from readproof.training.model import SpanReader
from readproof.training.recipe import DistilRecipe, Stage, TrainingPlan
from readproof.training.site import Say
from readproof.training.start import BertStart, shipped_vocabulary
from readproof.training.windows import SpanExamples
from readproof.training.work import WorkFolder

_TEACHER_SEED, _STUDENT_SEED = 1234, 4321


# The jobs a plan is made of: fine-tune one stage, let the teachers speak, distil one step. Each is done once.


def finetune_job(bench: EvalBench, job: str, before: str | None, stage: Stage, seed: int, *, dropout: float) -> None:
    """One stage of one seed, from the start (before None) or from what the job `before` left."""
    if bench.work.result(job) is not None:
        return
    sets = bench.there(stage.sets, job)
    torch.manual_seed(_TEACHER_SEED + seed)  # the new head is drawn from it
    state = bench.work.load(before) if before else bench.start.state()
    reader = bench.learner(state, dropout=dropout)
    loss = span_loss(reader, rdrop=stage.rdrop, smoothing=stage.smoothing)
    windows = bench.windows(sets)
    train_job(bench, job, reader, SpanExamples(windows), loss, replace(stage.fit, seed=seed), size=len(windows))


def said_job(bench: EvalBench, job: str, teachers: Sequence[str], sets: Sequence[str]) -> None:
    """The teachers' mean log-probabilities on every set the student learns from."""
    if bench.work.result(job) is not None:
        return
    readers = [bench.trained(name) for name in teachers]
    for number, name in enumerate(sets):
        if bench.work.said(name) is None:
            bench.work.keep_said(name, log_probabilities(readers, bench.prepared(name).windows))
        bench.clock.step(job, number + 1, len(sets))
        bench.say(" ".join(f"{job}: {name} {bench.clock.left()}".split()))
    found, select = bench.held(readers)
    if found:
        bench.say(f"{job}: together {in_words(found)}")
    bench.work.finish(job, {"teachers": list(teachers), "scores": found, "select": select})


def distil_job(bench: EvalBench, job: str, before: str | None, guide: str, step: DistilRecipe) -> None:
    """One step of distilling, from layers of the guide (before None) or from what the step before left."""
    if bench.work.result(job) is not None:
        return
    sets = bench.there(step.sets, job)
    torch.manual_seed(_STUDENT_SEED + step.fit.seed)
    teacher = _bert(bench.trained(guide))
    if before:
        student = _bert(bench.learner(bench.work.load(before), dropout=step.dropout))
    else:
        model = _bert(bench.reader(bench.start.state())) if step.fresh else teacher
        student = bench.kept(student_of(model, step.layers, dropout=step.dropout)).to(bench.device)
    parts = [bench.work.said(name) for name in sets]
    said = np.concatenate([part for part in parts if part is not None])
    windows = bench.windows(sets)
    if len(said) != len(windows.ids):
        raise ValueError(f"{len(said)} tokens were spoken of, {len(windows.ids)} are there")
    loss = distil_loss(student, teacher, windows, said, step)
    train_job(bench, job, student, SpanExamples(windows), loss, step.fit, size=len(windows))


def _bert(reader: SpanLearner) -> SpanReader:
    if not isinstance(reader, SpanReader):
        raise TypeError(f"{type(reader).__name__} cannot be distilled")
    return reader


_SAID = "ensemble"


@dataclass(frozen=True, slots=True)
class TrainingOutcome:
    """Where the reader was written, and the notes beside it."""

    folder: Path
    notes: Mapping[str, Any]


def run_plan(
    plan: TrainingPlan,
    *,
    sets: Mapping[str, Path],
    starts: Sequence[Path],
    work: Path,
    out: Path | None = None,
    sources: Mapping[str, str] | None = None,
    say: Say = lambda _: None,
    save_every: float = 120.0,
) -> TrainingOutcome:
    """Train by a plan. `sets` are files by name in SQuAD's layout; `sources` the hashes of what they were made from.

    `starts` is one folder of start weights; or, where the plan's teachers have no stages, the teachers themselves, one
    folder a seed. The reader is written to `out`, or to `work`/reader.
    """
    check_folder(out or work)
    check_starts(plan, starts)
    folder = WorkFolder(work)
    begin = [_cut(read_start(path), plan) for path in starts]
    _check(plan, begin, starts)
    hashes = [start.digest() for start in begin]
    facts = {"plan": asdict(plan), "sources": dict(sources or {}), "starts": hashes, "form": FORM_VERSION}
    folder.claim(facts | ({"onto": lender_hash(plan.onto)} if plan.onto else {}))
    bench = EvalBench(plan, folder, sets, begin[0], say=say, save_every=save_every)
    for name in (*plan.sets(), *plan.held, *plan.measured):
        if not bench.has(name):
            say(f"no set {name}: left out")
    bench.clock = Clock(_units(bench))
    final = _trained(bench, begin)
    result = _measured(bench, final)
    notes = {
        "plan": asdict(plan),
        "sources": dict(sources or {}),
        "starts": hashes,
        "device": device_name(bench.device),
        "versions": {**versions(), **bench.start.made_with},
        "jobs": {job: folder.result(job) for job in _jobs(plan)},
        "measured": result,
        "language": plan.language,
        "no_answer": _threshold(bench, [bench.trained(final)]),
    }
    written = bench.start.write(out or work / "reader", folder.load(final), notes, max_tokens=plan.max_tokens)
    say(f"written: {written}")
    return TrainingOutcome(written, notes)


def check_starts(plan: TrainingPlan, starts: Sequence[Path]) -> None:
    """An InputError where the plan does what only our own encoder can do, and a start is for another."""
    wants = {
        "distilling": plan.student is not None,
        "the vocabulary of a shipped reader": bool(plan.vocabulary),
        "several starts": len(starts) > 1,
    }
    for what in (name for name, wanted in wants.items() if wanted):
        for path in starts:
            need_own(path, what)


def versions() -> dict[str, str]:
    """What the weights were made with."""
    return {
        "readproof": __version__,
        "python": platform.python_version(),
        "torch": str(torch.__version__),
        "numpy": np.__version__,
    }


def _trained(bench: EvalBench, begin: Sequence[Start]) -> str:
    """Do every job that is not done yet; gives the name of the last."""
    plan, work = bench.plan, bench.work
    for job in _jobs(plan):
        if work.result(job) is not None:
            bench.say(f"{job}: done before")
            bench.clock.finish(job)
    teachers = [f"teacher-{seed}" for seed in plan.teachers.seeds]
    if not plan.teachers.stages:
        for name, start in zip(teachers, begin, strict=True):
            if not work.facts(name):
                work.store(name, start.state(), {"point": "given"})
    for seed in plan.teachers.seeds:
        before = None
        for number, stage in enumerate(plan.teachers.stages):
            job = _stage(seed, number, plan)
            finetune_job(bench, job, before, stage, seed, dropout=plan.teachers.dropout)
            before = job
    if plan.student is None:
        return teachers[0] if len(teachers) == 1 else _best(bench, teachers)
    wanted = dict.fromkeys(name for step in plan.student.steps for name in step.sets if bench.has(name))
    said_job(bench, _SAID, teachers, list(wanted))
    before = None
    for number, step in enumerate(plan.student.steps):
        job = f"student-{number + 1}"
        distil_job(bench, job, before, teachers[plan.student.guide], step)
        before = job
    return before or ""


def _measured(bench: EvalBench, final: str) -> dict[str, Any]:
    """Scores on the sets that nothing was chosen by: each teacher, all together, and the reader that is written."""
    before = bench.work.result("measured")
    if before is not None:
        return before
    teachers = [f"teacher-{seed}" for seed in bench.plan.teachers.seeds]
    groups = {**{name: [name] for name in teachers}, **({_SAID: teachers} if len(teachers) > 1 else {}), final: [final]}
    found: dict[str, Any] = {}
    for name, parts in groups.items():
        readers = [bench.trained(part) for part in parts]
        threshold = _threshold(bench, readers)
        one = {
            part: scores(measure(readers, bench.prepared(part), metric=bench.plan.metric, threshold=threshold))
            for part in bench.plan.measured
            if bench.has(part)
        }
        if one:
            bench.say(f"measured {name}: {in_words(one)}")
            found[name] = one
    bench.work.finish("measured", found)
    return found


def _threshold(bench: EvalBench, readers: Sequence[SpanLearner]) -> float | None:
    """By how much "no answer" must win, as the held-out set that weighs most has it; None where it has no such."""
    held = {name: weight for name, weight in bench.plan.held.items() if bench.has(name)}
    if bench.plan.metric == "cmrc" or not held:
        return None
    found = measure(readers, bench.prepared(max(held, key=lambda name: held[name])), metric=bench.plan.metric)
    return round(found.nothing.threshold, 3) if found.nothing else None


def _best(bench: EvalBench, teachers: Sequence[str]) -> str:
    """The teacher with the best held-out scores; the first, where nothing was held out."""
    return max(teachers, key=lambda name: float(bench.work.facts(name).get("select", "-1")))


def _jobs(plan: TrainingPlan) -> list[str]:
    jobs = [_stage(seed, at, plan) for seed in plan.teachers.seeds for at in range(len(plan.teachers.stages))]
    if plan.student is None:
        return jobs
    return [*jobs, _SAID, *(f"student-{number + 1}" for number in range(len(plan.student.steps)))]


def _stage(seed: int, number: int, plan: TrainingPlan) -> str:
    last = number + 1 == len(plan.teachers.stages)
    return f"teacher-{seed}" if last else f"teacher-{seed}-stage-{number + 1}"


def _units(bench: EvalBench) -> dict[str, float]:
    """How heavy each job is: tokens times layers; backward counts twice what forward does."""
    plan, layers = bench.plan, bench.start.layers
    units: dict[str, float] = {}
    for seed in plan.teachers.seeds:
        for number, stage in enumerate(plan.teachers.stages):
            job = _stage(seed, number, plan)
            times = (2 if stage.rdrop else 1) * (2 if stage.fit.fgm else 1) * stage.fit.epochs
            units[job] = 3.0 * layers * times * bench.tokens(bench.there(stage.sets, job))
    if plan.student is None:
        return units
    wanted = {name for step in plan.student.steps for name in step.sets if bench.has(name)}
    units[_SAID] = float(layers * len(plan.teachers.seeds) * bench.tokens(wanted))
    for number, step in enumerate(plan.student.steps):
        job = f"student-{number + 1}"
        each = 3.0 * len(step.layers) + (layers if step.hidden or step.relation else 0)
        units[job] = each * step.fit.epochs * bench.tokens(bench.there(step.sets, job))
    return units


def _cut(start: Start, plan: TrainingPlan) -> Start:
    if plan.vocabulary and isinstance(start, BertStart):
        return start.cut(shipped_vocabulary(plan.vocabulary))
    return start


def _check(plan: TrainingPlan, begin: Sequence[Start], folders: Sequence[Path]) -> None:
    """What of the plan does not fit the start."""
    steps = plan.student.steps if plan.student else ()
    fits = [one.fit for one in plan.teachers.stages] + [one.fit for one in steps]
    if plan.onto and any(fit.fgm for fit in fits):
        expected = "fgm 0 with onto: the table is a product there"
        raise InputError(place="fgm", found="word vectors that are pushed", expected=expected)
    teachers = 1 if plan.teachers.stages else len(plan.teachers.seeds)
    if len(begin) != teachers:
        raise InputError(found=f"{len(begin)} folders to start from", expected=f"{teachers}")
    for start, path in zip(begin, folders, strict=True):
        if plan.max_tokens > start.positions:
            found, expected = f"{plan.max_tokens}", f"at most {start.positions}, the positions of the start"
            raise InputError(file=path, place="max_tokens", found=found, expected=expected)
        if not plan.teachers.stages and not start.is_reader:
            raise InputError(file=path, found="no qa_outputs", expected="a trained reader", do="Train it first.")
        if any(stage.fit.layer_decay != 1 for stage in plan.teachers.stages) and not start.tells_layers:
            found, expected = "layers that cannot be told apart", "layer_decay 1"
            raise InputError(file=path, found=found, expected=expected, do="Leave --layer-decay away.")
        if _tokens(start) != _tokens(begin[0]) or start.layers != begin[0].layers:
            expected = f"those of {folders[0]}"
            raise InputError(file=path, found="another vocabulary or number of layers", expected=expected)
        for step in plan.student.steps if plan.student else ():
            if max(step.layers) >= start.layers:
                found, expected = f"layer {max(step.layers)}", f"0 to {start.layers - 1}"
                raise InputError(file=path, place="layers", found=found, expected=expected)


def _tokens(start: Start) -> Vocabulary | None:
    return start.vocabulary if isinstance(start, BertStart) else None
