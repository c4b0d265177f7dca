"""`readproof train celue`: train a multi-exit reader for one of the five CELUE tasks, or for span questions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from readproof.cli._options import Out, Work, given, need_training, one_of
from readproof.cli._output import Json, print_json, say
from readproof.errors import InputError

if TYPE_CHECKING:
    from readproof.training.multi_exit.recipe import ExitPlan
    from readproof.training.plan import TrainingOutcome

_TASKS = ("ccpm", "chnc", "cmeee", "pku-segpos", "wordseg-weibo", "cmrc2018")


def command(
    task: Annotated[str, typer.Argument(help=f"One of {', '.join(_TASKS)}.")],
    data: Annotated[
        list[str], typer.Option("--data", help="A folder with the task's published files, or files of your own.")
    ],
    start: Annotated[Path, typer.Option(help="Weights to start from: a BERT, or, for cmrc2018, a span reader.")],
    out: Out = None,
    plan: Annotated[str, typer.Option(help="Another recipe than celue-TASK: a .toml file.")] = "",
    work: Work = None,
    teacher: Annotated[
        Path | None, typer.Option(help="The work folder of a finished training of this task, to learn from.")
    ] = None,
    text: Annotated[
        list[Path] | None, typer.Option(help="Text for the recipe's masked part, a document a line.")
    ] = None,
    first: Annotated[
        list[str] | None, typer.Option(help="Span questions to learn from before those of cmrc2018.")
    ] = None,
    depth: Annotated[int | None, typer.Option(min=1, help="The first layers of the start alone [all].")] = None,
    alone: Annotated[
        bool, typer.Option("--alone", help="One head, after the last layer: a reader of fixed depth.")
    ] = False,
    keep_heads: Annotated[int | None, typer.Option(min=1, help="Attention heads that a layer keeps [all].")] = None,
    keep_inner: Annotated[int | None, typer.Option(min=1, help="Inner columns that a layer keeps [all].")] = None,
    epochs: Annotated[int | None, typer.Option(min=1, help="How often all data are seen [as in the recipe].")] = None,
    lr: Annotated[float | None, typer.Option(min=0.0, help="The highest learning rate [as in the recipe].")] = None,
    batch: Annotated[int | None, typer.Option(min=1, help="Items a step [as in the recipe].")] = None,
    seeds: Annotated[str | None, typer.Option(help="Seeds, as 0,1,2; the best is kept [0].")] = None,
    taught: Annotated[
        float | None, typer.Option(min=0.0, help="Weight of what the last head, or the teacher, says [0].")
    ] = None,
    held_out: Annotated[float, typer.Option(min=0.0, max=0.9, help="Part kept to choose the epoch by.")] = 0.05,
    precision: Annotated[str, typer.Option(help="int8 or fp32.")] = "int8",
    no_replay: Annotated[
        bool,
        typer.Option("--no-replay", help="On a CUDA device: no steps replayed as graphs; the weights are the same."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Train a reader with a head after every layer; it may stop as soon as it is sure.

    OUT is a reader: `readproof answer celue/TASK:FILE --reader OUT --exit entropy:0.2 -o predictions.jsonl`. The work
    folder keeps what each head said of the part that was measured (said/measured.npz), and that part (gold/).

    Examples:

      readproof train celue chnc --data data/celue --start zh-bert-base -o chnc-exits

      readproof train celue chnc --data data/celue --start zh-bert-base -o chnc-6 --depth 6 --alone --seeds 0,1,2
    """
    one_of("TASK", task, _TASKS)
    one_of("--precision", precision, ("int8", "fp32"))
    if out is None and work is None:
        raise InputError(found="no folder for the reader", expected="-o FOLDER")
    fit = given({"epochs": epochs, "lr": lr, "batch": batch})
    others = given({"depth": depth, "keep_heads": keep_heads, "keep_inner": keep_inner, "taught": taught})
    need_training()
    from readproof.training.multi_exit.train import train_exits
    from readproof.training.span import beside

    outcome = train_exits(
        _planned(task, plan, fit, others, alone, seeds),
        data=data,
        start=start,
        work=work or beside(out or Path()),
        out=out,
        teacher=teacher,
        texts=text or (),
        first=first or (),
        precision="fp32" if precision == "fp32" else "int8",
        held_out=held_out,
        say=say,
        replay=not no_replay,
    )
    _report(outcome, as_json)


def _planned(
    task: str, plan: str, fit: dict[str, Any], others: dict[str, Any], alone: bool, seeds: str | None
) -> ExitPlan:
    """The recipe, changed as the command line wants it."""
    from dataclasses import replace

    from readproof.training.multi_exit.recipe import find_exit_plan

    found = find_exit_plan(plan or f"celue-{task}")
    if found.task != task:
        raise InputError(file=plan, place="task", found=found.task, expected=task)
    if seeds is not None:
        numbers = [part.strip() for part in seeds.split(",")]
        if not all(number.isdecimal() for number in numbers):
            raise InputError(place="--seeds", found=repr(seeds), expected="numbers from 0, as 0,1,2")
        others = {**others, "seeds": tuple(map(int, numbers))}
    if alone:
        others = {**others, "weights": "last", "exits": (), "equilibrium": False}
    return replace(found, fit=replace(found.fit, **fit), **others)


def _report(outcome: TrainingOutcome, as_json: bool) -> None:
    """Where the reader is, and what each of its exits reached."""
    notes = outcome.notes
    job = notes["jobs"][notes["reader"]]
    held = job["points"].get(job["chosen"], {}).get("scores", {})
    measured = notes["measured"]["exits"]
    if as_json:
        record = {"reader": str(outcome.folder), "job": notes["reader"], "chosen": job["chosen"], "held": held}
        print_json(record | {"measured": measured, "jobs": notes["jobs"]})
        return
    for layer in measured or held:
        one = (measured or held)[layer]
        costs = f"{one['flops'] / 1e9:.3f} GFLOPs"
        where = "measured" if measured else "held out"
        typer.echo(f"layer {layer}: {one['performance']:.2f} {where}, {costs}")
    typer.echo(f"{outcome.folder}")
