"""`readproof train encoder`: an encoder from plain text alone, to train readers of any language from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from readproof.cli._output import Json, print_json, say
from readproof.cli._training import Work, need_training


def command(
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
