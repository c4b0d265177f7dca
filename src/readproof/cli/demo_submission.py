"""`readproof demo-submission`: a right package to look at, made with what ships with readproof."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Literal

import typer

from readproof.cli._output import Json, print_json, say
from readproof.cli._progress import progress

_FEW = 3


def command(
    task: Annotated[Literal["gcrc", "celue"], typer.Argument(help="gcrc or celue.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to write to.")] = Path("demo-submission"),
    data: Annotated[
        list[str] | None,
        typer.Option(help="Your own data: a GCRC file, or TASK:FILE for CELUE [shipped ones].", show_default=False),
    ] = None,
    limit: Annotated[
        int, typer.Option(min=0, help="gcrc: answer only the first N triples, which takes seconds each; 0 for all.")
    ] = _FEW,
    threads: Annotated[int, typer.Option(min=0, max=1024, help="Threads to use; 0 for every core.")] = 0,
    as_json: Json = False,
) -> None:
    """A valid package with its test files, and the command that checks it.

    gcrc: the shipped Chinese reader answers triples of the shipped sample (all 288 of the test file take some ten
    minutes: --data test.json --limit 0). celue: no reader for its tasks is shipped; a model that says the same to
    everything stands in, and says so.

    Examples:

      readproof demo-submission gcrc

      readproof demo-submission celue -o demo
    """
    from readproof.errors import InputError
    from readproof.submit import check
    from readproof.submit.demos import demo_celue, demo_gcrc

    if task == "gcrc":
        if data and len(data) > 1:
            raise InputError(found=f"{len(data)} files", expected="one GCRC file")
        with progress("answering", "questions") as tell:
            source = Path(data[0].removeprefix("gcrc:")) if data else None
            demo = demo_gcrc(out, data=source, limit=limit or None, threads=threads, progress=tell)
    else:
        demo = demo_celue(out, data=tuple(data or ()))
    result = check(demo.package, tests=demo.tests)
    if as_json:
        from readproof.cli.check import record_of

        print_json({"package": str(demo.package), "tests": list(demo.tests), "items": demo.items, **record_of(result)})
        return
    from readproof.cli.check import in_words

    typer.echo(f"{demo.package}: {demo.items} item{'s' * (demo.items != 1)}; {in_words(result)}")
    tests = [part for one in demo.tests for part in ("--test", one)]
    typer.echo(f"check it: {shlex.join(('readproof', 'check', str(demo.package), *tests))}")
    if task == "celue":
        say("Its model gives the same answer to everything: it shows the form, not a reader.")
