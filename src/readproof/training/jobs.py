"""The jobs a plan is made of: fine-tune one stage, let the teachers speak, distil one step. Each is done once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch

from readproof.training.bench import Bench, in_words
from readproof.training.choosing import train_job
from readproof.training.distil import distil_loss, student_of
from readproof.training.finetune import span_loss
from readproof.training.learner import SpanLearner
from readproof.training.measure import log_probabilities
from readproof.training.model import SpanReader
from readproof.training.recipe import DistilRecipe, Stage
from readproof.training.windows import SpanExamples

_TEACHER_SEED, _STUDENT_SEED = 1234, 4321


def finetune_job(bench: Bench, job: str, before: str | None, stage: Stage, seed: int, *, dropout: float) -> None:
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


def said_job(bench: Bench, job: str, teachers: Sequence[str], sets: Sequence[str]) -> None:
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


def distil_job(bench: Bench, job: str, before: str | None, guide: str, step: DistilRecipe) -> None:
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
