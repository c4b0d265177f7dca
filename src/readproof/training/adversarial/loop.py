"""The training loop of hardening: an epoch's attacks, its steps, a look at held-out questions; resumable anywhere.

A checkpoint names epoch and step. Every step draws its dropout from a seed of its own; an epoch's attacks are kept in
a file before its first step, and searched for with the weights of the checkpoint that begins it: so a run that was
killed takes the same steps as one that was left alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from readproof.errors import InputError
from readproof.training.adversarial.batches import Mixed
from readproof.training.adversarial.crew import OnDone
from readproof.training.adversarial.embeddings import adversarial_passes
from readproof.training.adversarial.losses import hardening_loss
from readproof.training.adversarial.reading import TorchWindows
from readproof.training.adversarial.recipe import Recipe
from readproof.training.adversarial.renewal import Renewal
from readproof.training.clock import Clock
from readproof.training.fit import ahead, backward, restored_training, save_training
from readproof.training.learner import SpanLearner
from readproof.training.optimise import Averaged, optimiser, set_rate
from readproof.training.site import Say
from readproof.training.windows import Windows

_EPOCH = 1_000_000  # a checkpoint's step is the epoch times this, and the step in it
_RATE = 10_000  # the schedule counts ten-thousandths of an epoch, as epochs differ in length
_LOG_EVERY = 50
_TELL_EVERY = 15.0  # seconds


@dataclass(slots=True)
class Course:
    """What a training works with."""

    recipe: Recipe
    reader: SpanLearner
    clean: Windows
    said: NDArray[np.float16] | None
    renewal: Renewal
    checkpoint: Path
    clock: Clock
    say: Say
    save_every: float = 120.0


# after an epoch: its number, the averaged weights, what its attacks cost; gives whether to go on
AfterEpoch = Callable[[int, Averaged | None, dict[str, Any]], bool]


def train(course: Course, after_epoch: AfterEpoch, *, stopped: bool = False) -> None:
    """Train in place from the checkpoint on, or from the start; `stopped`: a run before saw that it is enough."""
    reader, how = course.reader, course.recipe.fit
    adam = optimiser(reader, lr=how.lr, decay=how.weight_decay, layer_decay=how.layer_decay, head=how.head)
    average = Averaged(reader, how.ema) if how.ema else None
    begun = restored_training(course.checkpoint, reader, adam, average) if course.checkpoint.exists() else 0
    first, skipped = divmod(begun, _EPOCH)
    if stopped or first >= how.epochs:
        return
    if not course.checkpoint.exists():
        save_training(course.checkpoint, 0, reader, adam, average)
    coming = course.renewal.begin(first)
    for epoch in range(first, how.epochs):
        course.say(f"epoch {epoch + 1}/{how.epochs}: the attacks are made anew")
        model = TorchWindows(reader)
        job = f"renewal-{epoch + 1}"
        renewed = course.renewal.renewed(coming, model, telling(course.clock, job, course.say))
        attacked = course.renewal.windows(renewed, course.clean)
        course.clock.finish(job)
        course.say(f"epoch {epoch + 1}/{how.epochs}: {_told(renewed.figures, len(renewed.variants))}")
        if epoch + 1 < how.epochs:
            coming = course.renewal.begin(epoch + 1)
        examples = Mixed(course.clean, attacked, course.said)
        _epoch(course, examples, epoch, skipped if epoch == first else 0, adam, average)
        course.clock.finish(f"epoch-{epoch + 1}")
        go_on = after_epoch(epoch, average, renewed.figures)
        reader.train()
        save_training(course.checkpoint, (epoch + 1) * _EPOCH, reader, adam, average)
        del examples, attacked, renewed
        if not go_on:
            return


def _epoch(
    course: Course,
    examples: Mixed,
    epoch: int,
    skipped: int,
    adam: torch.optim.Optimizer,
    average: Averaged | None,
) -> None:
    recipe, reader, how = course.recipe, course.reader, course.recipe.fit
    device = next(reader.parameters()).device
    loss = hardening_loss(reader, recipe)
    batches = examples.batches(how.batch, how.seed * 1000 + epoch)
    saved = begun = time.monotonic()
    seen = 0
    reader.train()
    for number, batch in enumerate(ahead(examples, batches[skipped:], device), start=skipped):
        if number > skipped and time.monotonic() - saved >= course.save_every:
            save_training(course.checkpoint, epoch * _EPOCH + number, reader, adam, average)
            saved = time.monotonic()
        torch.manual_seed(how.seed * 100_003 + epoch * _EPOCH + number)  # so that a resumed run is the same run
        place = round((epoch + number / len(batches)) * _RATE)
        set_rate(adam, place, how.epochs * _RATE, how.warmup)
        value = backward(loss, batch, device)
        adversarial_passes(reader, recipe.push, lambda batch=batch: backward(loss, batch, device))  # type: ignore[misc]
        torch.nn.utils.clip_grad_norm_(reader.parameters(), how.clip)
        adam.step()
        adam.zero_grad(set_to_none=True)
        if average:
            average.update()
        seen += len(batch.ids)
        course.clock.step(f"epoch-{epoch + 1}", number + 1, len(batches))
        if number % _LOG_EVERY == 0 or number + 1 == len(batches):
            figure = float(value)
            if figure != figure:
                found, do = f"a loss that is no number at step {number + 1}", "Use a smaller learning rate."
                raise InputError(place=f"epoch {epoch + 1}", found=found, expected="a loss that falls", do=do)
            rate = seen / max(1e-9, time.monotonic() - begun)
            line = f"epoch {epoch + 1}/{how.epochs} step {number + 1}/{len(batches)} loss {figure:.3f}"
            course.say(", ".join(one for one in (f"{line} {rate:.0f} windows/s", course.clock.left()) if one))


def telling(clock: Clock, job: str, say: Say) -> OnDone:
    """Tells the clock of every part of a job, and people of some, when it takes long."""
    last = [time.monotonic()]

    def on_done(done: int, of: int) -> None:
        clock.step(job, done, of)
        if time.monotonic() - last[0] >= _TELL_EVERY and done < of:
            last[0] = time.monotonic()
            say(", ".join(one for one in (f"{job}: {done} of {of} parts", clock.left()) if one))

    return on_done


def _told(figures: dict[str, Any], count: int) -> str:
    """What became of the attacks, in a line."""
    each = []
    for name, one in figures["attacks"].items():
        fell = f", expected F1 {one['expected_clean']:.0f} → {one['expected_attacked']:.0f}" if "queries" in one else ""
        each.append(f"{name} {one['variants']} of {one['questions']}{fell}")
    return f"{count} variants in {figures['seconds']} s ({'; '.join(each)})"
