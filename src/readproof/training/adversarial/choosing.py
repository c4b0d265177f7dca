"""Which epoch is kept: the hardest to mislead among those that read clean questions as well as before, or nearly so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from readproof.training.adversarial.recipe import Recipe
from readproof.training.adversarial.table import CLEAN
from readproof.training.learner import SpanLearner
from readproof.training.model import plain_state
from readproof.training.optimise import Averaged
from readproof.training.site import Say
from readproof.training.work import Work

# scores of a reader as it is: the clean held-out set, and the questions that are looked at under every attack
Look = Callable[[SpanLearner, int], dict[str, Any]]


class Chooser:
    """Looks after every epoch, keeps the best weights, and says when it is enough."""

    def __init__(
        self, recipe: Recipe, work: Work, job: str, reader: SpanLearner, before: Mapping[str, Any], look: Look, say: Say
    ) -> None:
        self.recipe, self.work, self.job, self.reader = recipe, work, job, reader
        self.before, self.look, self.say = before, look, say
        self.points: dict[str, Any] = work.notes(job)

    @property
    def stopped(self) -> bool:
        """Whether the clean loss has not been better for as many epochs as the recipe waits."""
        losses = [float(one["clean"]["loss"]) for one in self.points.values()]
        best = min(range(len(losses)), key=losses.__getitem__) if losses else 0
        return len(losses) - 1 - best >= self.recipe.patience

    def after_epoch(self, epoch: int, average: Averaged | None, renewal: dict[str, Any]) -> bool:
        """Look, keep, and say whether to go on."""
        if average is None:
            self._offer(epoch, renewal)
        else:
            with average.applied():
                self._offer(epoch, renewal)
        if self.stopped and epoch + 1 < self.recipe.fit.epochs:
            self.say(f"the clean loss rose for {self.recipe.patience} epochs: it is enough")
        return not self.stopped

    def _offer(self, epoch: int, renewal: dict[str, Any]) -> None:
        point = f"epoch {epoch + 1}"
        found = self.look(self.reader, epoch)
        lost = float(self.before["clean"]["f1"]) - float(found["clean"]["f1"])
        attacked = [float(one["f1"]) for name, one in found["attacked"].items() if name != CLEAN]
        hard = sum(attacked) / len(attacked)
        fine = lost <= self.recipe.lost
        # an epoch that lost too much is only kept while there is no other, and then the one that lost least
        select = hard if fine else -1000.0 - lost
        under = ", ".join(f"{name} {one['f1']:.2f}" for name, one in found["attacked"].items() if name != CLEAN)
        told = f"clean {found['clean']['f1']:.2f} ({-lost:+.2f}), loss {found['clean']['loss']:.3f}; attacked: {under}"
        self.say(f"{point}: {told}")
        kept = self.work.facts(self.job)
        if not kept or kept.get("point") == point or select > float(kept["select"]):
            self.work.store(self.job, plain_state(self.reader), {"point": point, "select": repr(select)})
        self.points[point] = {**found, "lost": round(lost, 4), "select": round(select, 4), "renewal": renewal}
        self.work.note(self.job, self.points)
