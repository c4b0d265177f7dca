"""One job from its first step to its result: trained, looked at after its epochs, and the best of them kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from readproof.errors import InputError
from readproof.training.fit import Loss, NotFiniteError, TrainingExamples, fit
from readproof.training.learner import Learner
from readproof.training.model import plain_state
from readproof.training.optimise import Averaged
from readproof.training.recipe import Fit
from readproof.training.site import Judged, TrainingSite

Judge = Callable[[Sequence[Any]], Judged]
# what is stored of the weights that are kept
Kept = Callable[[dict[str, Tensor]], dict[str, Tensor]]

_FEW_EPOCHS = 4


@dataclass(frozen=True, slots=True)
class ChosenPoint:
    """A point that was chosen beforehand, and the figure it was chosen by; no point: nothing is kept."""

    point: str = ""
    select: float | None = None


class CheckpointSelector:
    """Keeps the best of a job's epochs, and of its averaged weights, as `judge` sees them; or the one `wanted`."""

    def __init__(
        self,
        site: TrainingSite,
        job: str,
        reader: Learner,
        epochs: int,
        *,
        judge: Judge,
        wanted: ChosenPoint | None = None,
        kept: Kept = lambda state: state,
    ) -> None:
        self.site, self.job, self.reader, self.epochs = site, job, reader, epochs
        self.judge, self.wanted, self.kept = judge, wanted, kept
        self.points = site.work.notes(job)

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
        if self.points or self.wanted is not None:
            return
        if average is None:
            self._keep("the end", None)
        else:
            with average.applied():
                self._keep("the end, averaged", None)

    def _offer(self, point: str) -> None:
        found, select = self.judge([self.reader])
        if self.wanted is not None and point == self.wanted.point:
            self._keep(point, self.wanted.select)
        if select is None:
            return
        self.site.say(f"{self.job}: {point}: {self.site.in_words(found)}")
        if self.wanted is None and select > float(self.site.work.facts(self.job).get("select", "-1")):
            self._keep(point, select)
        self.points[point] = {"select": select, "scores": found}
        self.site.work.note(self.job, self.points)

    def _keep(self, point: str, select: float | None) -> None:
        facts = {"point": point} | ({} if select is None else {"select": repr(select)})
        self.site.work.store(self.job, self.kept(plain_state(self.reader)), facts)


def train_job(
    site: TrainingSite,
    job: str,
    reader: Learner,
    examples: TrainingExamples,
    loss: Loss,
    how: Fit,
    *,
    size: int,
    judge: Judge | None = None,
    wanted: ChosenPoint | None = None,
    kept: Kept = lambda state: state,
    replay: bool = False,
    **more: Any,
) -> None:
    """Train a reader and finish the job; `size` is how many examples there are, `more` goes into its result.

    `kept` gives what is stored in place of the weights that were chosen. `replay` is that of `fit`.
    """
    begun = time.monotonic()
    chooser = CheckpointSelector(site, job, reader, how.epochs, judge=judge or site.held, wanted=wanted, kept=kept)
    try:
        average = fit(
            reader,
            examples,
            loss,
            how,
            progress=lambda line: site.say(", ".join(part for part in (f"{job}: {line}", site.clock.left()) if part)),
            after_epoch=chooser.look,
            checkpoint=site.work.checkpoint(job),
            save_every=site.save_every,
            on_step=lambda done, steps: site.clock.step(job, done, steps),
            replay=replay,
        )
    except NotFiniteError as error:
        do = "Use a smaller learning rate."
        raise InputError(place=job, found=str(error), expected="a loss that falls", do=do) from None
    chooser.close(average)
    facts = site.work.facts(job)
    result = {"chosen": facts.get("point", ""), "points": chooser.points, "windows": size, **more}
    site.work.finish(job, {**result, "seconds": round(time.monotonic() - begun, 1)})
    site.clock.finish(job)
    site.free()
