"""`readproof train`: train readers on data of your own, or again as the shipped ones were."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from readproof.cli._options import Out, Work, given, need_training
from readproof.cli._output import Json, print_json, say
from readproof.cli.train_celue import command as celue_command
from readproof.cli.train_options import command as options_command
from readproof.errors import InputError

if TYPE_CHECKING:
    from readproof.training.plan import TrainingOutcome


# `readproof train encoder`: an encoder from plain text alone, to train readers of any language from.


def encoder_command(
    text: Annotated[
        list[Path], typer.Argument(help="Text files, plain or packed, a document a line; named twice, read twice.")
    ],
    out: Annotated[Path, typer.Option("-o", "--out", help="The folder to write the encoder to.")],
    plan: Annotated[str, typer.Option(help="How: encoder-fa, or a .toml file.")] = "encoder-fa",
    work: Work = None,
    seconds: Annotated[
        float | None, typer.Option(min=1.0, help="The time that training may take in all [as planned].")
    ] = None,
    as_json: Json = False,
) -> None:
    """Make an encoder from text: word pieces, masked words, then spans to be found again.

    What comes out is a folder for `train span --start`. Killed at any moment, the same command goes on.

    Examples:

      readproof train encoder fa.txt.xz -o fa-encoder --seconds 250

      readproof train encoder news.txt wiki.txt wiki.txt --plan mine.toml -o my-encoder
    """
    need_training()
    from readproof.training.pretrain.recipe import find_encoder_plan, within
    from readproof.training.pretrain.train import train_encoder
    from readproof.training.span import beside

    how = find_encoder_plan(plan)
    if seconds is not None:
        how = within(how, seconds)
    written = train_encoder(text, how, out=out, work=work or beside(out), say=say)
    if as_json:
        print_json({"encoder": str(written), "plan": how.name})
    else:
        typer.echo(f"{written}")


group = typer.Typer(help="Train readers (needs the extra [train]).", no_args_is_help=True, rich_markup_mode=None)


@group.callback()
def _group() -> None:
    """Train readers (needs the extra [train])."""


group.command("options")(options_command)
group.command("encoder")(encoder_command)
group.command("celue")(celue_command)


@group.command("span")
def command(
    data: Annotated[
        list[str], typer.Option("--data", help="A data file, several times if need be; with --plan, the data folder.")
    ],
    start: Annotated[
        Path | None,
        typer.Option(help="Weights to start from: the Hugging Face folder of any encoder, or one of ours."),
    ] = None,
    out: Out = None,
    plan: Annotated[str, typer.Option(help="A whole training: zh, zh-free, fa, or a .toml file.")] = "",
    text: Annotated[
        list[Path] | None,
        typer.Option(help="With --plan, in place of --start: text to make the encoder from, a document a line."),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(min=1.0, help="With --text: the time that the encoder may take [as planned].")
    ] = None,
    work: Work = None,
    epochs: Annotated[int | None, typer.Option(min=1, help="How often all data are seen [2].")] = None,
    lr: Annotated[float | None, typer.Option(min=0.0, help="The highest learning rate [2e-5].")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="The seed of order and dropout [0].")] = None,
    batch: Annotated[int | None, typer.Option(min=1, help="Windows a step [32].")] = None,
    rdrop: Annotated[float | None, typer.Option(min=0.0, help="Weight of R-Drop; 1 helped most [0].")] = None,
    fgm: Annotated[float | None, typer.Option(min=0.0, help="Size of the FGM push on embeddings [0].")] = None,
    ema: Annotated[float | None, typer.Option(min=0.0, max=1.0, help="Decay of averaged weights [0: none].")] = None,
    layer_decay: Annotated[float | None, typer.Option(min=0.0, help="Rate of a layer to the next above [1].")] = None,
    smoothing: Annotated[float | None, typer.Option(min=0.0, max=1.0, help="Label smoothing [0].")] = None,
    held_out: Annotated[
        float | None, typer.Option(min=0.0, max=1.0, help="Part of the passages kept to choose the epoch by [0.1].")
    ] = None,
    max_tokens: Annotated[int | None, typer.Option(min=16, help="Tokens a window [512].")] = None,
    as_json: Json = False,
) -> None:
    """Train a reader that answers with a span of the passage.

    Examples:

      readproof train span --data train.json --start bert-base-chinese -o my-reader --rdrop 1

      readproof train span --data train.json --start xlm-roberta-base -o my-reader --rdrop 1 --layer-decay 0.95

      readproof train span --plan zh --data data --start weights --work work -o zh-reader

      readproof train span --plan fa --data data --text fa.txt.xz --work work -o fa-reader
    """
    fit = {"epochs": epochs, "lr": lr, "seed": seed, "batch": batch, "fgm": fgm, "ema": ema}
    fit |= {"layer_decay": layer_decay}
    more = {"rdrop": rdrop, "smoothing": smoothing, "held_out": held_out, "max_tokens": max_tokens}
    chosen, others = given(fit), given(more)
    if plan and (chosen or others):
        named = ", ".join(f"--{name.replace('_', '-')}" for name in (*chosen, *others))
        raise InputError(found=f"--plan with {named}", expected="either", do="Change a copy of the plan's .toml file.")
    if plan and len(data) > 1:
        raise InputError(place="--data", found=f"{len(data)} with --plan", expected="one folder")
    if (start is None) is not bool(text) or (text and not plan):
        raise InputError(
            found="no start" if start is None else "--text", expected="--start FOLDER, or --plan with --text"
        )
    if seconds is not None and not text:
        raise InputError(found="--seconds without --text", expected="text to make an encoder from")
    if out is None and (work is None or not plan):
        raise InputError(found="no folder for the reader", expected="-o FOLDER")
    need_training()
    from readproof.training.recipe import Fit
    from readproof.training.span import beside, train_by_plan, train_span

    if plan:
        folder = work or beside(out or Path())
        outcome = train_by_plan(
            plan, data=Path(data[0]), start=start, work=folder, out=out, texts=text or (), seconds=seconds, say=say
        )
        report(outcome, as_json)
    elif out is not None and start is not None:
        how = Fit(**{"epochs": 2, "lr": 2e-5, **chosen})
        report(train_span(data, start=start, out=out, work=work, fit=how, say=say, **others), as_json)


def report(outcome: TrainingOutcome, as_json: bool) -> None:
    """Where the reader is, and what it scored."""
    jobs = outcome.notes["jobs"]
    last = list(jobs)[-1] if jobs else ""
    found = jobs[last] if last else {}
    held = found.get("points", {}).get(found.get("chosen", ""), {}).get("scores", {})
    if as_json:
        record = {"reader": str(outcome.folder), "chosen": found.get("chosen", ""), "held": held}
        print_json(record | {"measured": outcome.notes["measured"], "jobs": jobs})
        return
    for name, one in held.items():
        typer.echo(f"{name}: EM {one['exact']:.2f}, F1 {one['f1']:.2f} ({found['chosen']})")
    typer.echo(f"{outcome.folder}")
