"""`readproof rescore`: the scores of a run again, from its files alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from readproof.cli._output import Json
from readproof.cli.prove import NoPage, told


def command(
    folder: Annotated[Path, typer.Argument(help="The run folder.")],
    fail_under: Annotated[
        str | None,
        typer.Option(
            help='Other limits, such as "f1=80,addsent.f1=60"; the old ones if not given.', show_default=False
        ),
    ] = None,
    no_page: NoPage = False,
    as_json: Json = False,
) -> None:
    """Compute the scores, the verdict and the page of a run again; no reader is asked.

    Example:

      readproof rescore runs/mine --fail-under "addsent.kept=0.6"
    """
    from readproof.prove.run import rescore

    told([rescore(folder, fail_under=fail_under)], page=not no_page, as_json=as_json)
