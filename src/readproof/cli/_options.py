"""Options that several commands share: the attacks of a run, where work runs, and what the commands that train have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from readproof.errors import InputError, MissingExtraError

# Options that `prove` and `suite build` share: what the attacks of a run are to be.


Attacks = Annotated[
    str,
    typer.Option(
        "--attacks", "--attack", help="fast, all, none, or names with commas; `readproof list attacks` shows them."
    ),
]
Settings = Annotated[
    list[str] | None, typer.Option("--set", help="An option of an attack, as ATTACK.NAME=VALUE; may be repeated.")
]
Budget = Annotated[int, typer.Option(min=0, help="Most queries an item of a search; 0 for the set's own.")]
Count = Annotated[int, typer.Option(min=1, help="Variants an item of attacks that do not search.")]
Seed = Annotated[int, typer.Option(help="The same seed gives the same variants.")]
Limit = Annotated[int | None, typer.Option(min=1, help="Only the first N items.", show_default=False)]
Columns = Annotated[
    str,
    typer.Option(
        "--columns",
        help="Which column of a CSV, a TSV or a Hugging Face data set is which, as question=q,passage=ctx.",
        show_default=False,
    ),
]
Threads = Annotated[int, typer.Option(min=0, max=1024, help="Threads of each reader; 0 for every core, shared out.")]


def named(attacks: str | Sequence[str]) -> list[str]:
    """The attacks of a list with commas, or of several."""
    given = [attacks] if isinstance(attacks, str) else attacks
    return [one.strip() for some in given for one in some.split(",") if one.strip()]


# Options of every command whose work can be shared out: where it runs, and by how many.


EngineName = Annotated[
    str,
    typer.Option(
        "--engine",
        help="Where the work runs: local (this process), pool (processes), ray (a cluster); docs/scale.md. "
        "[local; pool with --workers]",
        show_default=False,
    ),
]
Workers = Annotated[
    int, typer.Option(min=0, max=100_000, help="Processes or actors to share the work; 0 for as many as fit.")
]
RayAddress = Annotated[
    str,
    typer.Option(
        help="The Ray cluster, such as auto or HOST:6379 [RAY_ADDRESS; else one of its own].", show_default=False
    ),
]


# What the commands that train share.


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
