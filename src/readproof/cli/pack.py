"""`readproof pack`: submission packages and their documents, put together from runs and checked at once."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import typer

from readproof.cli._output import Json, print_json, progress, say

group = typer.Typer(help="Put submission packages together.", no_args_is_help=True, rich_markup_mode=None)

About = Annotated[
    Path | None,
    typer.Option("--about", help="Who you are and what you declare (`pack about` writes a form).", show_default=False),
]
Force = Annotated[bool, typer.Option("--force", help="Write it although it has errors.")]
_PROBLEMS = 2
# triples that a demo answers: each takes seconds
_FEW = 3


@group.callback()
def _group() -> None:
    """Put submission packages together."""


@group.command("gcrc")
def gcrc(
    runs: Annotated[list[Path], typer.Argument(help="What `readproof answer` wrote: prediction files, or folders.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The package.")] = Path("GCRC_advRobust.zip"),
    model: Annotated[
        Path | None,
        typer.Option(help="The model: a folder, or a zip [the reader's own folder].", show_default=False),
    ] = None,
    test: Annotated[
        Path | None, typer.Option(help="The test file: fills rows up and orders them.", show_default=False)
    ] = None,
    track: Annotated[
        Literal["closed", "open"] | None, typer.Option(help="[as the reader's record says]", show_default=False)
    ] = None,
    about: About = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """GCRC_advRobust.zip: predictions, model.zip, and the document with how to run it and the declarations.

    In the open track the prompts of the run go into the document. It is checked and, with errors, not written. Needs
    the extra [submit].

    Examples:

      readproof answer gcrc:test.json -o predictions.json

      readproof pack gcrc predictions.json --test test.json --about about.toml
    """
    from readproof.files import check_apart
    from readproof.submit.about import read_about
    from readproof.submit.pack import pack_gcrc

    check_apart(out, about)
    with _checked(out, [f"gcrc:{test}"] if test else [], track, force, as_json) as accept:
        pack_gcrc(runs, out, model=model, test=test, track=track, about=read_about(about), accept=accept)


@group.command("celue")
def celue(
    runs: Annotated[list[Path], typer.Argument(help="The folders of the five tasks, or a folder that holds them.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The package.")] = Path("submission.zip"),
    code: Annotated[
        Path | None, typer.Option(help="model_to_eval.py for the folders that have none.", show_default=False)
    ] = None,
    test: Annotated[
        list[str] | None, typer.Option(help="Test files as TASK:FILE, to check against.", show_default=False)
    ] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """submission_files/ with ccpm, chnc, cmeee, pku-segpos and wordseg-weibo: .jsonl files and one model_to_eval.py.

    It is checked and, with errors, not written.

    Example:

      readproof pack celue runs/celue --code model_to_eval.py -o submission.zip
    """
    from readproof.submit.pack import pack_celue

    with _checked(out, test or [], None, force, as_json) as accept:
        pack_celue(runs, out, code=code, accept=accept)


@group.command("registration")
def registration(
    about: About = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="The form.")] = Path("registration.docx"),
    force: Force = False,
    as_json: Json = False,
) -> None:
    """The registration form of GCRC_advRobust as a Word document. Needs the extra [submit].

    With fields that are open it is written only with --force, to be filled in by hand.

    Example:

      readproof pack registration --about about.toml -o registration.docx
    """
    from readproof.files import check_apart
    from readproof.submit.about import read_about
    from readproof.submit.pack import pack_registration

    check_apart(out, about)
    with _checked(out, [], None, force, as_json) as accept:
        pack_registration(out, read_about(about), accept=accept)


@group.command("about")
def about_form(
    out: Annotated[Path, typer.Option("--out", "-o", help="Where to write it.")] = Path("about.toml"),
    as_json: Json = False,
) -> None:
    """An empty file for what only you know: the team, the method, the declarations. An existing file is kept."""
    from readproof.errors import InputError
    from readproof.files import writing
    from readproof.submit.about import template

    if out.exists():
        raise InputError(file=out, found="a file", expected="a new name", do="Fill that file in, or name another.")
    with writing(out) as file:
        file.write(template())
    if as_json:
        print_json({"about": str(out)})
    else:
        typer.echo(f"Fill in {out} and give it with --about.")


class _Faulty(Exception):  # noqa: N818 - it is not an error of ours but a verdict on the package
    """A package with errors takes nobody's place."""


@contextmanager
def _checked(
    out: Path, tests: list[str], track: Literal["closed", "open"] | None, force: bool, as_json: bool
) -> Iterator[Callable[[Path], None]]:
    """What is packed is checked as a stranger's would be, before it has the name by which it might be sent."""
    from readproof.cli.check import record_of, show
    from readproof.submit import CheckResult, check

    results: list[CheckResult] = []

    def accept(made: Path) -> None:
        result = replace(check(made, tests=tests, track=track), file=str(out))
        results.append(result)
        if result.errors and not force:
            raise _Faulty

    try:
        yield accept
    except _Faulty:
        written = False
    else:
        written = True
    (result,) = results
    if as_json:
        print_json({"package": str(out), "written": written, **record_of(result)})
    else:
        show(result)
        say(_outcome(out, written))
    if result.errors:
        raise typer.Exit(_PROBLEMS)


def _outcome(out: Path, written: bool) -> str:
    if written:
        return f"wrote {out}"
    there = "; the file that was there before is as it was" if out.exists() else ""
    return f"did not write {out}: it has errors{there}. Mend them, or write it all the same with --force."


@group.command("demo")
def demo(
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

      readproof pack demo gcrc

      readproof pack demo celue -o demo
    """
    from readproof.errors import InputError
    from readproof.submit import check
    from readproof.submit.demos import demo_celue, demo_gcrc

    if task == "gcrc":
        if data and len(data) > 1:
            raise InputError(found=f"{len(data)} files", expected="one GCRC file")
        with progress("answering", "questions") as tell:
            source = Path(data[0].removeprefix("gcrc:")) if data else None
            made = demo_gcrc(out, data=source, limit=limit or None, threads=threads, progress=tell)
    else:
        made = demo_celue(out, data=tuple(data or ()))
    result = check(made.package, tests=made.tests)
    if as_json:
        from readproof.cli.check import record_of

        print_json({"package": str(made.package), "tests": list(made.tests), "items": made.items, **record_of(result)})
        return
    from readproof.cli.check import in_words

    typer.echo(f"{made.package}: {made.items} item{'s' * (made.items != 1)}; {in_words(result)}")
    tests = [part for one in made.tests for part in ("--test", one)]
    typer.echo(f"check it: {shlex.join(('readproof', 'check', str(made.package), *tests))}")
    if task == "celue":
        say("Its model gives the same answer to everything: it shows the form, not a reader.")
