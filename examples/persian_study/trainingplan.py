"""What the training half does: how much of each attack, how long, and the recipe that `readproof harden` is given."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from examples.persian_study.rows import ROWS

if TYPE_CHECKING:
    from readproof.training.adversarial.recipe import Recipe

EPOCHS = 8
# the share of the questions that get a variant each epoch, and the queries a search may make for one
DOSES = {
    "addsent": (0.5, 6),
    "addany": (0.3, 40),
    "paraphrase": (0.5, 0),
    "invisible-before": (0.5, 0),
    "invisible-replace": (0.5, 0),
}
TRAINED = tuple(DOSES)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPlan:
    """What is learnt from, what is measured on, and how. Without `data` a fifth of the learnt file is measured on."""

    reader: str
    learn: str
    out: Path
    data: str = ""
    attacks: tuple[str, ...] = TRAINED
    epochs: int = EPOCHS
    lr: float = 2e-5
    batch: int = 32
    max_tokens: int = 512
    look: int = 100
    table: int = 50
    addany: int = 100
    limit: int = 0
    learnt_limit: int = 0
    seed: int = 0
    threads: int = 0
    workers: int | None = None
    fresh: bool = False
    only_plan: bool = False


def recipe_for(plan: TrainingPlan, name: str, tokens: int) -> Recipe:
    """Hardening against one attack of the study and nothing else."""
    from readproof.training.adversarial.recipe import AttackMix, Recipe
    from readproof.training.recipe import Fit

    row, (rate, budget) = ROWS[name], DOSES[name]
    dose = AttackMix(attack=row.attack, rate=rate, budget=budget, search=bool(budget), options=dict(row.options))
    return Recipe(
        name=f"persian-study-{name}",
        doses=(dose,),
        language="fa",
        fit=Fit(epochs=plan.epochs, lr=plan.lr, batch=plan.batch, ema=0.99, seed=plan.seed),
        look=plan.look,
        table=plan.table,
        max_tokens=tokens,
        overlap=tokens // 4,
    )
