"""`readproof train options`: train a reader that chooses among options, by a plan or on files of your own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from readproof.cli._options import Out, Work, dashed, given, need_training, one_of
from readproof.cli._output import Json, print_json, say
from readproof.errors import InputError

if TYPE_CHECKING:
    from readproof.training.options.recipe import OptionPlan
    from readproof.training.plan import TrainingOutcome


def command(
    data: Annotated[
        list[str], typer.Option("--data", help="A file of questions with options; with --plan, the data folder.")
    ],
    start: Annotated[
        list[Path], typer.Option(help="Weights to start from: a BERT, a span reader, or an option reader.")
    ],
    out: Out = None,
    plan: Annotated[str, typer.Option(help="A whole training: options-zh, options-zh-small, or a .toml file.")] = "",
    work: Work = None,
    head: Annotated[
        str, typer.Option(help="verify: is an option true? choice: plain multiple choice [verify, or as planned].")
    ] = "",
    without: Annotated[
        list[str] | None, typer.Option(help="With --plan: leave out sets that begin so; may be given several times.")
    ] = None,
    also: Annotated[
        list[str] | None,
        typer.Option(help="With --plan: a further set in its last stage, as made_options; may be given several times."),
    ] = None,
    passes: Annotated[str | None, typer.Option(help="With --plan: fine or coarse alone [both].")] = None,
    overlap: Annotated[int | None, typer.Option(min=0, help="With --plan: characters that segments share.")] = None,
    choose: Annotated[
        str | None,
        typer.Option(help="With --plan: which weights of the last stage are kept, held, folds, turned or end."),
    ] = None,
    seeds: Annotated[str | None, typer.Option(help="With --plan: other seeds, as 0,1,2.")] = None,
    student_start: Annotated[
        Path | None, typer.Option(help="With --plan: weights that the plan's student begins with.")
    ] = None,
    epochs: Annotated[int | None, typer.Option(min=1, help="How often all data are seen [3].")] = None,
    lr: Annotated[float | None, typer.Option(min=0.0, help="The highest learning rate [3e-5].")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="The seed of order and dropout [0].")] = None,
    batch: Annotated[int | None, typer.Option(min=1, help="Tokens a step [16384].")] = None,
    ema: Annotated[float | None, typer.Option(min=0.0, max=1.0, help="Decay of averaged weights [0: none].")] = None,
    layer_decay: Annotated[float | None, typer.Option(min=0.0, help="Rate of a layer to the next above [1].")] = None,
    coarse: Annotated[
        float | None, typer.Option(min=0.0, max=1.0, help="Share of long passages read in segments [0.4].")
    ] = None,
    smoothing: Annotated[float | None, typer.Option(min=0.0, max=1.0, help="Label smoothing [0].")] = None,
    held_out: Annotated[
        float | None, typer.Option(min=0.0, max=1.0, help="Part of the passages kept to choose the epoch by [0.1].")
    ] = None,
    max_tokens: Annotated[int | None, typer.Option(min=32, help="Tokens a window [512].")] = None,
    as_json: Json = False,
) -> None:
    """Train a reader that chooses among options.

    Examples:

      readproof train options --data train.json --start bert-base-chinese -o my-options

      readproof train options --data train.json --start bert-base-chinese -o my-options --head choice

      readproof train options --plan options-zh --data data --start weights --work work -o zh-options --without logiqa
    """
    one_of("--head", head, ("", "verify", "choice"))
    one_of("--passes", passes or "", ("", "both", "fine", "coarse"))
    one_of("--choose", choose or "", ("", "held", "folds", "turned", "end"))
    fit = given({"epochs": epochs, "lr": lr, "seed": seed, "batch": batch, "ema": ema, "layer_decay": layer_decay})
    more = given({"coarse": coarse, "smoothing": smoothing, "held_out": held_out, "max_tokens": max_tokens})
    sets = {"without": without or None, "also": also or None}
    changes = given({**sets, "passes": passes, "overlap": overlap, "choose": choose, "seeds": seeds})
    planned = changes | given({"student_start": student_start})
    if plan and (fit or more):
        found, do = f"--plan with {dashed(fit | more)}", "Change a copy of the plan's .toml file."
        raise InputError(found=found, expected="either", do=do)
    if planned and not plan:
        raise InputError(found=f"{dashed(planned)} without --plan", expected="a plan to change")
    if plan and len(data) > 1:
        raise InputError(place="--data", found=f"{len(data)} with --plan", expected="one folder")
    if not plan and len(start) > 1:
        raise InputError(place="--start", found=f"{len(start)} folders", expected="one")
    if out is None and (work is None or not plan):
        raise InputError(found="no folder for the reader", expected="-o FOLDER")
    need_training()
    from readproof.training.options.recipe import OptionFit
    from readproof.training.options.train import train_options, train_options_by_plan
    from readproof.training.span import beside

    if plan:
        folder = work or beside(out or Path())
        changed = _changed(plan, head, changes)
        outcome = train_options_by_plan(
            changed, data=Path(data[0]), starts=start, work=folder, out=out, student_start=student_start, say=say
        )
        _report(outcome, as_json)
    elif out is not None:
        chosen: dict[str, Any] = {**more, "head": head or "verify"}
        _report(
            train_options(data, start=start[0], out=out, work=work, fit=OptionFit(**fit), say=say, **chosen), as_json
        )


def _changed(name: str, head: str, changes: dict[str, Any]) -> OptionPlan:
    """A plan as the command line wants it."""
    from readproof.training.options import altered
    from readproof.training.options.recipefile import find_option_plan

    plan = find_option_plan(name)
    if head:
        plan = altered.for_head(plan, "choice" if head == "choice" else "verify")
    plan = altered.also(altered.without(plan, changes.get("without", ())), changes.get("also", ()))
    if "passes" in changes:
        plan = altered.with_passes(plan, changes["passes"])
    if "overlap" in changes:
        plan = altered.with_overlap(plan, changes["overlap"])
    if "choose" in changes:
        plan = altered.with_choice(plan, changes["choose"])
    if "seeds" in changes:
        numbers = [part.strip() for part in changes["seeds"].split(",")]
        if not all(number.isdecimal() for number in numbers):
            raise InputError(place="--seeds", found=repr(changes["seeds"]), expected="numbers from 0, as 0,1,2")
        plan = altered.with_seeds(plan, tuple(map(int, numbers)))
    return plan


def _report(outcome: TrainingOutcome, as_json: bool) -> None:
    """Where the reader is, and what it scored."""
    from readproof.training.options.bench import in_words

    name = outcome.notes["reader"]
    job = outcome.notes["jobs"].get(name) or {}
    chosen = job.get("chosen", "")
    held = job.get("points", {}).get(chosen, {}).get("scores", {})
    folds = job.get("folds", {}).get(chosen, {}).get("scores", {})
    measured = outcome.notes["measured"].get(name, {})
    turned = {key: job[key] for key in ("share", "turned") if key in job}
    if as_json:
        record = {"reader": str(outcome.folder), "job": name, "chosen": chosen, "held": held, "folds": folds} | turned
        print_json(record | {"measured": outcome.notes["measured"], "jobs": outcome.notes["jobs"]})
        return
    if turned:
        best = turned["turned"][f"{turned['share']}"]
        typer.echo(f"Score {best['Score']:.1f} on {best['triples']} turned questions ({name}, share {turned['share']})")
    for one in (folds, held, measured):
        if one:
            typer.echo(f"{in_words(one)} ({name}, {chosen})")
    typer.echo(f"{outcome.folder}")
