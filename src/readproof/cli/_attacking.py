"""Options that `prove` and `suite build` share: what the attacks of a run are to be."""

from __future__ import annotations

from typing import Annotated

import typer

Attacks = Annotated[str, typer.Option(help="fast, all, or names with commas; `readproof attacks` lists them.")]
Settings = Annotated[
    list[str] | None, typer.Option("--set", help="An option of an attack, as ATTACK.NAME=VALUE; may be repeated.")
]
Budget = Annotated[int, typer.Option(min=0, help="Most queries an item of a search; 0 for the set's own.")]
Count = Annotated[int, typer.Option(min=1, help="Variants an item of attacks that do not search.")]
Seed = Annotated[int, typer.Option(help="The same seed gives the same variants.")]
Limit = Annotated[int | None, typer.Option(min=1, help="Only the first N items.", show_default=False)]
Threads = Annotated[int, typer.Option(min=0, max=1024, help="Threads of each reader; 0 for every core, shared out.")]


def named(attacks: str) -> list[str]:
    """The attacks of a list with commas."""
    return [one.strip() for one in attacks.split(",") if one.strip()]
