"""`readproof distil`: a smaller reader that says what larger ones say."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from readproof.cli._options import Data, Work, need_training
from readproof.cli._output import Json, say
from readproof.cli.train import report
from readproof.errors import InputError


def command(
    teacher: Annotated[list[Path], typer.Option("--teacher", help="A trained BERT's folder; several may be given.")],
    data: Data,
    out: Annotated[Path, typer.Option("-o", "--out", help="The folder to write the reader to.")],
    layers: Annotated[str, typer.Option(help="The first teacher's layers to keep, from 0.")] = "1,3,5,7,9,11",
    work: Work = None,
    epochs: Annotated[int, typer.Option(min=1, help="How often all data are seen.")] = 6,
    lr: Annotated[float, typer.Option(min=0.0, help="The highest learning rate.")] = 1e-4,
    seed: Annotated[int, typer.Option(min=0, help="The seed of order and dropout.")] = 0,
    batch: Annotated[int, typer.Option(min=1, help="Windows a step.")] = 32,
    gold: Annotated[float, typer.Option(min=0.0, help="Weight of the answers in the data.")] = 0.3,
    hidden: Annotated[float, typer.Option(min=0.0, help="Weight of the layers' outputs.")] = 1.0,
    temperature: Annotated[float, typer.Option(min=0.1, help="Of the teachers' distributions.")] = 2.0,
    ema: Annotated[float, typer.Option(min=0.0, max=1.0, help="Decay of averaged weights; 0: none.")] = 0.999,
    held_out: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Part of the passages kept to choose the epoch by.")
    ] = 0.1,
    max_tokens: Annotated[int, typer.Option(min=16, help="Tokens a window.")] = 512,
    as_json: Json = False,
) -> None:
    """Distil one or more trained readers into one of fewer layers; questions without answers help too.

    Example:

      readproof distil --teacher seed0 --teacher seed1 --data train.json --layers 1,3,5,7,9,11 -o small
    """
    numbers = [part.strip() for part in layers.split(",")]
    if not all(number.isdecimal() for number in numbers):
        raise InputError(place="--layers", found=repr(layers), expected="numbers from 0, as 1,3,5")
    need_training()
    from readproof.training.recipe import DistilRecipe, Fit
    from readproof.training.span import TRAIN, distil_span

    step = DistilRecipe(
        sets=(TRAIN,),
        layers=tuple(map(int, numbers)),
        fit=Fit(epochs=epochs, lr=lr, seed=seed, batch=batch, ema=ema),
        gold=gold,
        hidden=hidden,
        temperature=temperature,
    )
    outcome = distil_span(
        data, teachers=teacher, step=step, out=out, work=work, held_out=held_out, max_tokens=max_tokens, say=say
    )
    report(outcome, as_json)
