"""Plans of option readers as TOML files; every fault is told with its file and key."""

from __future__ import annotations

from pathlib import Path

from readproof.errors import InputError
from readproof.training.options.recipe import OptionPlan, OptionStage, OptionStep
from readproof.training.recipefile import parse_as, plan_text

# [CLS], two [SEP] and some of the passage beside a statement
_BESIDE = 8


def find_option_plan(name: str) -> OptionPlan:
    """A plan by its name, or by the path of its file."""
    return parse_option_plan(*plan_text(name, options=True))


def parse_option_plan(text: str, file: str | Path) -> OptionPlan:
    """The plan in a text; `file` is what errors name."""
    plan = parse_as(OptionPlan, text, file)
    check_option_plan(plan, file)
    return plan


def check_option_plan(plan: OptionPlan, file: str | Path = "") -> None:
    """What types alone cannot say."""

    def need(right: bool, place: str, found: object, expected: str) -> None:
        if not right:
            raise InputError(file=file, place=place, found=f"{found}", expected=expected)

    named: list[tuple[int, str, OptionStage | OptionStep]]
    named = [(at, f"teachers.stages[{at}]", stage) for at, stage in enumerate(plan.teachers.stages)]
    named += [(at, f"student.steps[{at}]", step) for at, step in enumerate(plan.student.steps)] if plan.student else []
    for at, place, part in named:
        need(bool(part.sets), f"{place}.sets", "no set", "at least one")
        for name in part.sets:
            share = name.partition("/")[2]
            need("/" not in name or (share.isdecimal() and int(share) > 0), f"{place}.sets", name, "NAME or NAME/2")
        need(part.fit.epochs >= 1, f"{place}.fit.epochs", part.fit.epochs, "1 or more")
        need(part.fit.batch >= 1, f"{place}.fit.batch", part.fit.batch, "1 or more tokens")
        need(0 <= part.coarse <= 1, f"{place}.coarse", part.coarse, "a share from 0 to 1")
        need(0 < part.share <= 1, f"{place}.share", part.share, "more than 0, at most 1")
        what = f'{part.share} with choose = "{part.choose}"'
        need(part.share == 1 or part.choose == "end", f"{place}.share", what, '"end": what is kept is not judged')
        need(part.share == 1 or at > 0, f"{place}.share", part.share, "1: nothing stands before it")
        if isinstance(part, OptionStage):
            _folds(part, place, file)
            mixes = part.choose != "turned" or at > 0
            need(mixes, f"{place}.choose", "turned for the first stage", "a stage before it to mix with")
            fits = part.choose != "turned" or plan.manner.head == "verify"
            need(fits, f"{place}.choose", "turned for a choice", "held, folds or end: only statements can be turned")
            need(not part.weights.said, f"{place}.weights.said", part.weights.said, "0: a stage has no teachers")
        else:
            need(part.weights.said > 0, f"{place}.weights.said", part.weights.said, "more than 0")
            most = len(plan.teachers.stages)
            need(part.after is None or 1 <= part.after <= most, f"{place}.after", part.after, f"1 to {most}, a stage")
    seeds = plan.teachers.seeds
    need(bool(seeds), "teachers.seeds", "an empty list", "at least one")
    need(len(set(seeds)) == len(seeds), "teachers.seeds", "a seed twice", "every seed once")
    need(bool(plan.teachers.stages or plan.student), "teachers.stages", "an empty list", "a stage, or a student")
    if plan.student:
        need(bool(plan.student.steps), "student.steps", "an empty list", "at least one")
        need(min(plan.student.layers, default=0) >= 0, "student.layers", "a negative number", "layers, from 0")
        need(plan.student.rank >= 0, "student.rank", plan.student.rank, "0 (everything learns) or more")
        guide = plan.student.guide
        need(0 <= guide < len(seeds), "student.guide", guide, f"0 to {len(seeds) - 1}, the place of a seed")
    manner = plan.manner
    need(manner.max_tokens >= 16, "manner.max_tokens", manner.max_tokens, "at least 16")
    room = manner.max_tokens - _BESIDE
    need(0 < manner.statement <= room, "manner.statement", manner.statement, f"1 to {room}, fewer than a window has")
    need(0 <= manner.overlap < manner.segment, "manner.overlap", manner.overlap, "0 to less than a segment")
    need(0 <= manner.fine_share <= 1, "manner.fine_share", manner.fine_share, "a share from 0 to 1")
    both = sorted({name.partition("/")[0] for name in plan.sets()} & {*plan.held, *plan.measured})
    need(not both, "held, measured", ", ".join(both), "sets that are not trained on")


def _folds(stage: OptionStage, place: str, file: str | Path) -> None:
    if stage.choose not in ("folds", "turned"):
        return
    if stage.folds < 2:
        raise InputError(file=file, place=f"{place}.folds", found=f"{stage.folds}", expected="2 or more")
    for name in stage.folded:
        if name not in stage.sets:
            expected = f"sets of the stage: {', '.join(stage.sets)}"
            raise InputError(file=file, place=f"{place}.folded", found=name, expected=expected)
