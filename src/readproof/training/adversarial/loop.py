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
from torch import Tensor

from readproof.errors import InputError
from readproof.training.adversarial.aligned import Attacked
from readproof.training.adversarial.attack_refresh import AttackRefresh, OnDone
from readproof.training.adversarial.reading import TorchWindows
from readproof.training.adversarial.recipe import EmbeddingPerturbation, Recipe
from readproof.training.device import Clock
from readproof.training.distil import gathered
from readproof.training.fit import Loss, ahead, backward, restored_training, save_training
from readproof.training.learner import OUTSIDE, Learner, SpanLearner
from readproof.training.losses import divergence, gold_loss
from readproof.training.optimise import Averaged, optimiser, pushed, set_rate
from readproof.training.site import Say
from readproof.training.windows import Batch, Windows, collate, joined

# Clean and attacked windows in one batch: an attacked one always beside the clean one that it is held to.


_POOL = 64


@dataclass(slots=True)
class MixedBatch:
    """`partners` are the rows of attacked windows with those of their clean ones (two columns); `origins` the places
    in the clean window, -1 for a token that is not there; `clean` says which rows are clean; `said` is what the reader
    before said of the clean rows.
    """

    windows: Batch
    partners: Tensor
    origins: Tensor
    clean: Tensor
    said: Tensor | None

    @property
    def ids(self) -> Tensor:
        return self.windows.ids

    def to(self, device: torch.device) -> MixedBatch:
        if device.type == "cpu":
            return self

        def move(tensor: Tensor) -> Tensor:
            return tensor.pin_memory().to(device, non_blocking=True)

        said = None if self.said is None else move(self.said)
        return MixedBatch(self.windows.to(device), move(self.partners), move(self.origins), move(self.clean), said)


class Mixed:
    """The examples of one epoch: every clean window once, every attacked one once."""

    def __init__(self, clean: Windows, attacked: Attacked, said: NDArray[np.float16] | None = None) -> None:
        self._clean, self._attacked, self._said = clean, attacked, said
        self.windows = joined([clean, attacked.windows]) if len(attacked.windows) else clean

    def batches(self, size: int, seed: int) -> list[NDArray[np.int64]]:
        """Batches of about `size` windows of like length, in random order."""
        random = np.random.default_rng(seed)
        units = self._units()
        lengths = self.windows.lengths
        longest = np.asarray([int(lengths[list(unit)].max()) for unit in units])
        order = random.permutation(len(units))
        together = max(1, round(size * _POOL * len(units) / len(self.windows)))
        batches: list[NDArray[np.int64]] = []
        for at in range(0, len(order), together):
            part = order[at : at + together]
            batch: list[int] = []
            for number in part[np.argsort(longest[part], kind="stable")]:
                unit = units[number]
                if batch and len(batch) + len(unit) > size:
                    batches.append(np.asarray(batch, dtype=np.int64))
                    batch = []
                batch += unit
            if batch:
                batches.append(np.asarray(batch, dtype=np.int64))
        return [batches[at] for at in random.permutation(len(batches))]

    def collate(self, batch: NDArray[np.int64]) -> MixedBatch:
        windows = collate(self.windows, batch)
        size, width = len(self._clean), windows.ids.shape[1]
        row_of = {int(window): row for row, window in enumerate(batch)}
        origins = np.full((len(batch), width), -1, dtype=np.int64)
        pairs: list[tuple[int, int]] = []
        for row, window in enumerate(batch.tolist()):
            if window < size:
                continue
            number = window - size
            partner = row_of.get(int(self._attacked.partners[number]))
            if self._attacked.partners[number] < 0 or partner is None:
                continue
            start, end = self._attacked.windows.offsets[number], self._attacked.windows.offsets[number + 1]
            origins[row, : end - start] = self._attacked.origins[start:end]
            pairs.append((row, partner))
        clean = batch < size
        return MixedBatch(
            windows=windows,
            partners=torch.as_tensor(pairs, dtype=torch.int64).reshape(-1, 2),
            origins=torch.from_numpy(origins),
            clean=torch.from_numpy(np.flatnonzero(clean)),
            said=None if self._said is None else gathered(self._clean, self._said, batch[clean], width),
        )

    def _units(self) -> list[list[int]]:
        """Windows that must be in one batch: a clean one with its attacked ones."""
        size = len(self._clean)
        units = [[number] for number in range(size)]
        alone: list[list[int]] = []
        for number, partner in enumerate(self._attacked.partners.tolist()):
            if partner >= 0:
                units[partner].append(size + number)
            else:
                alone.append([size + number])
        return units + alone


# What hardening makes small: wrong answers, attacked readings that differ from clean ones, and what is forgotten.


def hardening_loss(reader: SpanLearner, recipe: Recipe) -> Loss:
    """The weighted sum that the recipe names."""

    def loss(batch: MixedBatch) -> Tensor:
        logs: Tensor = reader(batch.windows)[0]
        total: Tensor = logs.sum() * 0.0
        if recipe.gold:
            total = total + recipe.gold * gold_loss(logs, batch.windows, smoothing=recipe.smoothing)
        if recipe.consistency and len(batch.partners):
            total = total + recipe.consistency * agreement(logs, batch)
        if batch.said is not None and recipe.distil:
            valid = batch.windows.valid[batch.clean]
            heat = recipe.temperature
            total = total + recipe.distil * divergence(logs[batch.clean], batch.said, valid, temperature=heat)
        if batch.said is not None and recipe.carried and len(batch.partners):
            total = total + recipe.carried * carried(logs, batch)
        return total

    return loss


def agreement(logs: Tensor, batch: MixedBatch) -> Tensor:
    """How far each attacked reading is from its clean one: the symmetric divergence over the tokens that both have,
    and what of the attacked reading's belief went to tokens that were not there before.
    """
    ours, theirs, shared = _both(logs, logs[batch.partners[:, 1]], batch)
    apart = (theirs.exp() * (theirs - ours)).sum(dim=1) + (ours.exp() * (ours - theirs)).sum(dim=1)
    return (apart.mean() / 2) + _strayed(logs, batch, shared)


def carried(logs: Tensor, batch: MixedBatch) -> Tensor:
    """How far each attacked reading is from what the reader before said of the clean window."""
    if batch.said is None:
        raise ValueError("nothing was said of the clean windows")
    place = torch.full((len(logs),), -1, dtype=torch.int64, device=logs.device)
    place[batch.clean] = torch.arange(len(batch.clean), device=logs.device)
    ours, theirs, shared = _both(logs, batch.said[place[batch.partners[:, 1]]], batch)
    return (theirs.exp() * (theirs - ours)).sum(dim=1).mean() + _strayed(logs, batch, shared)


def _both(logs: Tensor, theirs: Tensor, batch: MixedBatch) -> tuple[Tensor, Tensor, Tensor]:
    """Both readings over the shared places of the attacked windows, each normalised there."""
    origins = batch.origins[batch.partners[:, 0]]
    shared = (origins >= 0)[:, :, None]
    places = origins.clamp_min(0)[:, :, None].expand(-1, -1, 2)
    moved = theirs.float().gather(1, places).masked_fill(~shared, OUTSIDE)
    ours = logs[batch.partners[:, 0]].masked_fill(~shared, OUTSIDE)
    return torch.log_softmax(ours, dim=1), torch.log_softmax(moved, dim=1), shared


def _strayed(logs: Tensor, batch: MixedBatch, shared: Tensor) -> Tensor:
    """-log of the probability that stays with the shared tokens; nothing where all does."""
    kept = torch.logsumexp(logs[batch.partners[:, 0]].masked_fill(~shared, OUTSIDE), dim=1)
    return -kept.clamp_max(0.0).mean()


# FGM and PGD: the word vectors pushed to where the loss grows, and the gradients there added to the plain ones.


def adversarial_passes(reader: Learner, push: EmbeddingPerturbation, again: Callable[[], object]) -> None:
    """After a plain backward pass: passes with pushed word vectors; `again` is one more backward pass.

    FGM adds the gradients of its one pass. PGD walks `steps` steps of `step` within a ball of `size`, each along the
    gradient of the place where it stands, and adds those of the last.
    """
    if push.method == "fgm":
        with pushed(reader.words, push.size):
            again()
    elif push.method == "pgd":
        _walk(reader, push, again)


def _walk(reader: Learner, push: EmbeddingPerturbation, again: Callable[[], object]) -> None:
    weight = reader.words
    before = weight.detach().clone()
    plain = {name: one.grad for name, one in reader.named_parameters()}
    try:
        for number in range(push.steps):
            _step(weight, before, push)
            last = number + 1 == push.steps
            for name, one in reader.named_parameters():
                grad = plain[name]
                one.grad = grad.clone() if last and grad is not None else None
            again()
    finally:
        with torch.no_grad():
            weight.copy_(before)


@torch.no_grad()
def _step(weight: torch.Tensor, before: torch.Tensor, push: EmbeddingPerturbation) -> None:
    gradient = weight.grad
    if gradient is None:
        return
    norm = gradient.norm()
    if not norm > 0:
        return
    weight.add_(push.step * gradient / norm)
    away = weight - before
    far = away.norm()
    if far > push.size:
        weight.copy_(before + away * (push.size / far))


_EPOCH = 1_000_000  # a checkpoint's step is the epoch times this, and the step in it
_RATE = 10_000  # the schedule counts ten-thousandths of an epoch, as epochs differ in length
_LOG_EVERY = 50
_TELL_EVERY = 15.0  # seconds


@dataclass(slots=True)
class HardeningLoop:
    """What a training works with."""

    recipe: Recipe
    reader: SpanLearner
    clean: Windows
    said: NDArray[np.float16] | None
    renewal: AttackRefresh
    checkpoint: Path
    clock: Clock
    say: Say
    save_every: float = 120.0


# after an epoch: its number, the averaged weights, what its attacks cost; gives whether to go on
AfterEpoch = Callable[[int, Averaged | None, dict[str, Any]], bool]


def train(course: HardeningLoop, after_epoch: AfterEpoch, *, stopped: bool = False) -> None:
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
    course: HardeningLoop,
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
