"""The jobs a plan is made of: fine-tune one stage, let the teachers speak, distil one step. Each is done once."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch

from readproof.errors import InputError
from readproof.training.bench import Bench, in_words
from readproof.training.distil import distil_loss, student_of
from readproof.training.finetune import span_loss
from readproof.training.fit import Loss, NotFiniteError, fit
from readproof.training.learner import Learner
from readproof.training.measure import log_probabilities
from readproof.training.model import SpanReader, plain_state
from readproof.training.optimise import Averaged
from readproof.training.recipe import DistilRecipe, Fit, Stage
from readproof.training.windows import Windows

_FEW_EPOCHS = 4
_TEACHER_SEED, _STUDENT_SEED = 1234, 4321


def finetune_job(bench: Bench, job: str, before: str | None, stage: Stage, seed: int, *, dropout: float) -> None:
    """One stage of one seed, from the start (before None) or from what the job `before` left."""
    if bench.work.result(job) is not None:
        return
    sets = bench.there(stage.sets, job)
    torch.manual_seed(_TEACHER_SEED + seed)  # the new head is drawn from it
    state = bench.work.load(before) if before else bench.start.state()
    reader = bench.reader(state, dropout=dropout)
    loss = span_loss(reader, rdrop=stage.rdrop, smoothing=stage.smoothing)
    _train(bench, job, reader, bench.windows(sets), loss, replace(stage.fit, seed=seed))


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
        student = _bert(bench.trained(before, dropout=step.dropout))
    else:
        student = student_of(teacher, step.layers, dropout=step.dropout).to(bench.device)
    parts = [bench.work.said(name) for name in sets]
    said = np.concatenate([part for part in parts if part is not None])
    windows = bench.windows(sets)
    if len(said) != len(windows.ids):
        raise ValueError(f"{len(said)} tokens were spoken of, {len(windows.ids)} are there")
    _train(bench, job, student, windows, distil_loss(student, teacher, windows, said, step), step.fit)


class Chooser:
    """Keeps the best of a job's epochs, and of its averaged weights, by the held-out sets."""

    def __init__(self, bench: Bench, job: str, reader: Learner, epochs: int) -> None:
        self.bench, self.job, self.reader, self.epochs = bench, job, reader, epochs
        self.points = bench.work.notes(job)

    def look(self, epoch: int, average: Averaged | None) -> None:
        """After an epoch; of long runs only the middle and the end are measured."""
        number = epoch + 1
        if self.epochs > _FEW_EPOCHS and number not in (self.epochs // 2, self.epochs):
            return
        self._offer(f"epoch {number}")
        if average is not None and number == self.epochs:
            with average.applied():
                self._offer(f"epoch {number}, averaged")

    def close(self, average: Averaged | None) -> None:
        """Without held-out sets the last weights are kept, averaged where the recipe averages."""
        if self.points:
            return
        if average is None:
            self.bench.work.store(self.job, plain_state(self.reader), {"point": "the end"})
        else:
            with average.applied():
                self.bench.work.store(self.job, plain_state(self.reader), {"point": "the end, averaged"})

    def _offer(self, point: str) -> None:
        found, select = self.bench.held([self.reader])
        if select is None:
            return
        self.bench.say(f"{self.job}: {point}: {in_words(found)}")
        best = float(self.bench.work.facts(self.job).get("select", "-1"))
        if select > best:
            self.bench.work.store(self.job, plain_state(self.reader), {"point": point, "select": repr(select)})
        self.points[point] = {"select": select, "scores": found}
        self.bench.work.note(self.job, self.points)


def _bert(reader: Learner) -> SpanReader:
    if not isinstance(reader, SpanReader):
        raise TypeError(f"{type(reader).__name__} cannot be distilled")
    return reader


def _train(bench: Bench, job: str, reader: Learner, windows: Windows, loss: Loss, how: Fit) -> None:
    begun = time.monotonic()
    chooser = Chooser(bench, job, reader, how.epochs)
    try:
        average = fit(
            reader,
            windows,
            loss,
            how,
            progress=lambda line: bench.say(", ".join(part for part in (f"{job}: {line}", bench.clock.left()) if part)),
            after_epoch=chooser.look,
            checkpoint=bench.work.checkpoint(job),
            save_every=bench.save_every,
            on_step=lambda done, steps: bench.clock.step(job, done, steps),
        )
    except NotFiniteError as error:
        do = "Use a smaller learning rate."
        raise InputError(place=job, found=str(error), expected="a loss that falls", do=do) from None
    chooser.close(average)
    facts = bench.work.facts(job)
    result = {"chosen": facts.get("point", ""), "points": chooser.points, "windows": len(windows)}
    bench.work.finish(job, {**result, "seconds": round(time.monotonic() - begun, 1)})
    bench.clock.finish(job)
    bench.free()
