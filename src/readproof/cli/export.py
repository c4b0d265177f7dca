"""`readproof export`: a trained reader as a small ONNX folder that reads without torch."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, cast

import typer

from readproof.cli._options import need_training
from readproof.cli._output import Json, print_json, say
from readproof.errors import InputError

ADAPTER, CHANGES = "options.npz", "changes.npz"


def command(
    folder: Annotated[Path, typer.Argument(help="A trained reader's folder (from `train` or `distil`).")],
    out: Annotated[Path, typer.Option("-o", "--out", help="The folder to write to.")],
    precision: Annotated[str, typer.Option(help="int8 (small and fast) or fp32.")] = "int8",
    data: Annotated[
        list[str] | None,
        typer.Option(
            "--data", help="Training questions to see how far the activations reach; int8 is closer with them."
        ),
    ] = None,
    onto: Annotated[
        str | None,
        typer.Option(
            help="For an option reader: the trained span reader it began as; writes options.npz for that one. For a "
            "span reader that was trained as changes to a shipped one: its name, as zh; writes the changes alone."
        ),
    ] = None,
    rank: Annotated[
        int | None,
        typer.Option(min=1, help="With --onto: the rank of the changes to each matrix; 32, or as it was trained."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write model.onnx, vocab.txt and reader.json: a READER for `ask`, `answer` and everything else.

    With --onto FOLDER, -o names the ONNX folder of the span reader; it gets options.npz and then reads options too.
    With --onto zh, -o gets changes.npz instead of model.onnx, and reads with the graph of the reader zh.

    Examples:

      readproof export zh-reader --data train.json -o zh-onnx

      readproof export option-reader --onto zh-reader -o zh-onnx

      readproof export fa-reader --onto zh -o fa-changes
    """
    if precision not in ("int8", "fp32"):
        raise InputError(found=f"--precision {precision}", expected="int8 or fp32")
    need_training()
    from readproof.training.delta_base import lenders
    from readproof.training.export import Precision
    from readproof.training.ship import export_adapter, export_changes, export_reader, trained_onto

    if onto is None and rank is not None:
        raise InputError(found="--rank", expected="--onto with it")
    if onto is not None and (precision != "int8" or data):
        raise InputError(found="--onto with --precision or --data", expected="--onto alone: it writes int8 changes")
    if onto is not None and (onto in lenders() or not Path(onto).is_dir()):
        written = export_changes(folder, out, trained_onto(folder, onto, rank)) / CHANGES
    elif onto is not None:
        if not (out / "model.onnx").is_file():
            raise InputError(
                file=out, found="no model.onnx", expected="the folder that the span reader was exported to"
            )
        written = export_adapter(folder, Path(onto), out / ADAPTER, rank=rank or 32)
    else:
        written = export_reader(folder, out, precision=cast(Precision, precision), data=data or ()) / "model.onnx"
    size = written.stat().st_size
    if as_json:
        print_json({"folder": str(out), "precision": precision, "bytes": size})
    else:
        say(f"wrote {written if onto else out} ({size / 1e6:.1f} MB)")
