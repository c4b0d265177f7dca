"""`readproof suite`: variants frozen in one hashed file, so that readers are compared on the same ones."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from readproof.cli._options import (
    Attacks,
    Budget,
    Columns,
    Count,
    EngineName,
    Limit,
    RayAddress,
    Seed,
    Settings,
    Threads,
    Workers,
    named,
)
from readproof.cli._output import Json, print_json, progress, say

group = typer.Typer(help="Freeze attacked data for fair comparisons.", no_args_is_help=True, rich_markup_mode=None)


@group.callback()
def _group() -> None:
    """Freeze attacked data for fair comparisons."""


@group.command("build")
def build(
    data: Annotated[str, typer.Argument(help="A data file, its format recognised, or TASK:FILE.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Where to write the suite (JSON lines).")],
    attacks: Attacks = "fast",
    columns: Columns = "",
    reader: Annotated[
        str, typer.Option(help="Search against this reader; without one, no attack searches.", show_default=False)
    ] = "",
    settings: Settings = None,
    budget: Budget = 0,
    count: Count = 1,
    seed: Seed = 0,
    limit: Limit = None,
    threads: Threads = 0,
    engine: EngineName = "",
    workers: Workers = 0,
    ray_address: RayAddress = "",
    fresh: Annotated[bool, typer.Option("--fresh", help="Throw away what an earlier build left.")] = False,
    as_json: Json = False,
) -> None:
    """Attack a data file and freeze what comes of it, with a hash over every line.

    Examples:

      readproof suite build dev.json -o suite.jsonl

      readproof suite build dev.json --reader zh --attacks addsent,addany -o against-zh.jsonl
    """
    from readproof.codec import to_plain
    from readproof.engine import choose
    from readproof.journal import part_of
    from readproof.proof.plan import parse_settings
    from readproof.proof.suite import build_suite
    from readproof.tasks.sources import with_columns

    try:
        with progress("attacking", "items") as tell:
            header = build_suite(
                with_columns(data, columns),
                out,
                attacks=named(attacks),
                reader=reader,
                settings=parse_settings(settings or []),
                budget=budget,
                count=count,
                seed=seed,
                limit=limit,
                engine=choose(engine, workers=workers, threads=threads, address=ray_address),
                fresh=fresh,
                progress=lambda _what, done, total: tell(done, total),
            )
    except KeyboardInterrupt:
        say(f"Stopped; what was made is in {part_of(out)}. Run the same command to go on.")
        raise
    if as_json:
        print_json(to_plain(header) | {"out": str(out)})
        return
    against = f", searched against {header.made_against}" if header.made_against else ""
    typer.echo(f"{header.questions} questions of {header.data.items} items, {len(header.attacks)} attacks{against}")
    for one in header.left:
        typer.echo(f"not tried: {one.attack} ({one.reason})")
    typer.echo(
        f"suite: {out} (hash {header.digest[:16]}); measure a reader on it with: readproof prove READER --suite {out}"
    )


@group.command("list")
def listed(as_json: Json = False) -> None:
    """The suites inside the package: what is in them, their hash and version.

    Example:

      readproof suite list
    """
    from readproof.proof.suite import described, shipped_suites

    found = [described(name, path) for name, path in shipped_suites().items()]
    if as_json:
        print_json({"suites": found})
        return
    for one in found:
        typer.echo(
            f"{one['name']}: {one['spans']} span questions, {one['triples']} triples, {one['passages']} passages"
        )
        typer.echo(f"  attacks: {', '.join(one['attacks'])}")
        typer.echo(f"  {one['citation']} Hash {one['digest'][:16]}")
    typer.echo("Measure a reader on one with: readproof prove READER --suite NAME")
