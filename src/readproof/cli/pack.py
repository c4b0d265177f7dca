"""`readproof pack`: submission packages and their documents, put together from runs and checked at once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from readproof.cli._output import Json, print_json, say

group = typer.Typer(help="Put submission packages together.", no_args_is_help=True, rich_markup_mode=None)

About = Annotated[
    Path | None,
    typer.Option("--about", help="Who you are and what you declare (`pack about` writes a form).", show_default=False),
]
_PROBLEMS = 2


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
    as_json: Json = False,
) -> None:
    """GCRC_advRobust.zip: predictions, model.zip, and the document with how to run it and the declarations.

    In the open track the prompts of the run go into the document. Needs the extra [submit].

    Examples:

      readproof answer gcrc:test.json -o predictions.json

      readproof pack gcrc predictions.json --test test.json --about about.toml
    """
    from readproof.files import check_apart
    from readproof.submit.about import read_about
    from readproof.submit.pack import pack_gcrc

    check_apart(out, about)
    package = pack_gcrc(runs, out, model=model, test=test, track=track, about=read_about(about))
    _checked(package, [f"gcrc:{test}"] if test else [], track, as_json)


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
    as_json: Json = False,
) -> None:
    """submission_files/ with ccpm, chnc, cmeee, pku-segpos and wordseg-weibo: .jsonl files and one model_to_eval.py.

    Example:

      readproof pack celue runs/celue --code model_to_eval.py -o submission.zip
    """
    from readproof.submit.packcelue import pack_celue

    package = pack_celue(runs, out, code=code)
    _checked(package, test or [], None, as_json)


@group.command("registration")
def registration(
    about: About = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="The form.")] = Path("registration.docx"),
    as_json: Json = False,
) -> None:
    """The registration form of GCRC_advRobust as a Word document. Needs the extra [submit].

    Example:

      readproof pack registration --about about.toml -o registration.docx
    """
    from readproof.files import check_apart
    from readproof.submit.about import read_about
    from readproof.submit.pack import pack_registration

    check_apart(out, about)
    _checked(pack_registration(out, read_about(about)), [], None, as_json)


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


def _checked(package: Path, tests: list[str], track: Literal["closed", "open"] | None, as_json: bool) -> None:
    """What was packed is checked as a stranger's would be; it is kept, so that it can be looked at."""
    from readproof.cli.check import record_of, show
    from readproof.submit import check

    result = check(package, tests=tests, track=track)
    if as_json:
        print_json({"package": str(package), **record_of(result)})
    else:
        show(result)
        say(f"wrote {package}")
    if result.errors:
        raise typer.Exit(_PROBLEMS)
