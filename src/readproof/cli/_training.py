"""What the commands that train share."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from readproof.errors import InputError, MissingExtraError

Data = Annotated[list[str], typer.Option("--data", help="A data file with span questions; may be given several times.")]
Out = Annotated[Path | None, typer.Option("-o", "--out", help="The folder to write the reader to.")]
Work = Annotated[
    Path | None, typer.Option(help="The folder that keeps what is finished; called again, the run goes on from there.")
]


def need_training() -> None:
    """A MissingExtraError where torch and its kin are not installed."""
    from importlib.util import find_spec

    for package in ("torch", "safetensors", "tokenizers"):
        if find_spec(package) is None:
            raise MissingExtraError(package, "train")


def given(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were given."""
    return {name: value for name, value in options.items() if value is not None}


def dashed(names: Mapping[str, Any]) -> str:
    """Options as a person types them."""
    return ", ".join(f"--{name.replace('_', '-')}" for name in names)


def one_of(option: str, value: str, allowed: tuple[str, ...]) -> None:
    """An InputError where an option has another value."""
    if value not in allowed:
        raise InputError(place=option, found=repr(value), expected=" or ".join(one for one in allowed if one))
