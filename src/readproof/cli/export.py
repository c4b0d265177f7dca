"""`readproof export`: a trained reader as a small ONNX folder that reads without torch."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, cast

import typer

from readproof.cli._output import Json, print_json, say
from readproof.cli.train import need_training
from readproof.errors import InputError


def command(
    folder: Annotated[Path, typer.Argument(help="A trained reader's folder (from `train span` or `distil`).")],
    out: Annotated[Path, typer.Option("-o", "--out", help="The folder to write to.")],
    precision: Annotated[str, typer.Option(help="int8 (small and fast) or fp32.")] = "int8",
    data: Annotated[
        list[str] | None,
        typer.Option(
            "--data", help="Training questions to see how far the activations reach; int8 is closer with them."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write model.onnx, vocab.txt and reader.json: a READER for `ask`, `answer` and everything else.

    Example: readproof export zh-reader --data train.json -o zh-onnx
    """
    if precision not in ("int8", "fp32"):
        raise InputError(found=f"--precision {precision}", expected="int8 or fp32")
    need_training()
    from readproof.training.export import Precision
    from readproof.training.ship import export_reader

    export_reader(folder, out, precision=cast(Precision, precision), data=data or ())
    size = (out / "model.onnx").stat().st_size
    if as_json:
        print_json({"folder": str(out), "precision": precision, "bytes": size})
    else:
        say(f"wrote {out} ({size / 1e6:.1f} MB)")
