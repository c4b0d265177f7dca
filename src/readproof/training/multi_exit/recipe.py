"""How a multi-exit reader is trained: everything that changes what comes out, as a TOML file has it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from readproof.errors import InputError
from readproof.readers.exits.config import Pool
from readproof.training.pretrain.recipe import Masked
from readproof.training.recipe import Fit
from readproof.training.recipefile import parse_as, plan_text

Weighing = Literal["even", "depth", "last"]
TASKS = ("ccpm", "chnc", "cmeee", "pku-segpos", "wordseg-weibo", "cmrc2018")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExitPlan:
    """A whole training for one task.

    Heads: `exits` are the layers that have one (none named: every layer); `weights` says how much each counts in the
    loss: all alike, by its depth, or the last alone. `equilibrium` rescales gradients so that a layer with many heads
    above it is not pulled harder than the others. `taught` is the weight of what the last head says, or a teacher, for
    the heads below. `pooled` puts a dense layer into the heads of labels and options, `pool` says what they see;
    `together` puts all options of a question into one row.

    Less than the whole start: `depth` keeps its first layers, `keep_heads` and `keep_inner` the attention heads and
    the inner columns of each layer that matter most after `fit_before`, or to the teacher where one as deep is given.
    `vocabulary` keeps the rows of a shipped reader's. `masked` is trained first, on text; `fit_first` is how span
    questions of other files are learnt before the task's own.
    """

    task: Literal["ccpm", "chnc", "cmeee", "pku-segpos", "wordseg-weibo", "cmrc2018"]
    name: str = ""
    about: str = ""
    fit: Fit = field(default_factory=lambda: Fit(epochs=3, lr=4e-5))
    seeds: tuple[int, ...] = (0,)
    exits: tuple[int, ...] = ()
    weights: Weighing = "even"
    equilibrium: bool = True
    smoothing: float = 0.0
    taught: float = 0.0
    temperature: float = 1.0
    dropout: float = 0.1
    pool: Pool = "first"
    pooled: bool = True
    together: bool = False
    max_tokens: int = 256
    overlap: int = 64
    depth: int = 0
    keep_heads: int = 0
    keep_inner: int = 0
    fit_before: Fit = field(default_factory=lambda: Fit(epochs=1, lr=4e-5))
    fit_first: Fit = field(default_factory=lambda: Fit(epochs=1, lr=4e-5))
    vocabulary: str = ""
    masked: Masked | None = None


def find_exit_plan(name: str) -> ExitPlan:
    """A plan by its name, or by the path of its file."""
    text, file = plan_text(name, kind="celue")
    return parse_exit_plan(text, file)


def parse_exit_plan(text: str, file: object) -> ExitPlan:
    """The plan in a text; `file` is what errors name."""
    plan = parse_as(ExitPlan, text, str(file))
    check_exit_plan(plan, str(file))
    return plan


def check_exit_plan(plan: ExitPlan, file: str = "") -> None:
    """What types alone cannot say."""

    def refuse(place: str, found: object, expected: str) -> None:
        raise InputError(file=file, place=place, found=f"{found}", expected=expected)

    for place, fit in (("fit", plan.fit), ("fit_before", plan.fit_before), ("fit_first", plan.fit_first)):
        if fit.epochs < 1 or fit.batch < 1:
            refuse(place, f"{fit.epochs} epochs, batch {fit.batch}", "1 or more of each")
    if not plan.seeds or len(set(plan.seeds)) < len(plan.seeds):
        refuse("seeds", list(plan.seeds), "at least one seed, every one once")
    if list(plan.exits) != sorted(set(plan.exits)) or (plan.exits and plan.exits[0] < 1):
        refuse("exits", list(plan.exits), "rising layers, counted from 1")
    if plan.max_tokens < 16:
        refuse("max_tokens", plan.max_tokens, "at least 16")
    if plan.pool == "mean" and plan.together:
        refuse("pool", "mean with together", "first: options that share a row have no mean of their own")
    if min(plan.depth, plan.keep_heads, plan.keep_inner) < 0:
        refuse("depth, keep_heads, keep_inner", "a number below 0", "0 (all) or more")
