"""`readproof report`: a finished run as a page, or as tables for Markdown and LaTeX."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from readproof.cli._output import Json, print_json, say, until_closed
from readproof.errors import InputError
from readproof.files import check_place, writing

_LANGUAGES = ("auto", "en", "zh")


def command(
    folder: Annotated[Path, typer.Argument(help="The run folder that `readproof prove` wrote, or a folder of runs.")],
    form: Annotated[str, typer.Option("--format", "-f", help="html, markdown or latex.")] = "html",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="The file to write; RUN/report.html for a page, standard output for tables if not given.",
            show_default=False,
        ),
    ] = None,
    language: Annotated[
        str, typer.Option(help="Language of the labels: en, zh, or auto (the browser's; English for tables).")
    ] = "auto",
    failures: Annotated[
        int, typer.Option(min=0, help="Most failures on the page; with 0 it holds no text of the data.")
    ] = 10_000,
    as_json: Json = False,
) -> None:
    """Write the report of a run: one HTML file that loads nothing, or tables to paste.

    Of a folder of runs it writes index.html: every run with its verdict, its score and how it went on.

    Examples:

      readproof report runs/mine

      readproof report runs

      readproof report runs/mine --format latex -o tables.tex

      readproof report runs/mine --format markdown --language zh
    """
    from readproof.proof.results import RUN
    from readproof.reports.writing import FORMATS, PAGE, report

    chosen: Any = form
    if form not in FORMATS:
        raise InputError(place="--format", found=repr(form), expected=f"one of {', '.join(FORMATS)}")
    if language not in _LANGUAGES:
        raise InputError(place="--language", found=repr(language), expected=f"one of {', '.join(_LANGUAGES)}")
    labels: Any = None if language == "auto" else language
    if out is not None:
        check_place(out)
    if form == "html" and not (folder / RUN).is_file() and any(folder.glob(f"*/{RUN}")):
        _write_index(folder, out, labels, as_json)
        return
    made = report(folder, format=chosen, language=labels, most=failures)
    path = folder / PAGE if out is None and form == "html" else out
    if path is None:
        if as_json:
            print_json({"format": form, "text": made.text})
        else:
            with until_closed():
                typer.echo(made.text, nl=False)
        return
    with writing(path) as file:
        file.write(made.text)
    size = path.stat().st_size
    if as_json:
        told = {"format": form, "file": str(path), "bytes": size}
        print_json(told | ({"failures": made.failures, "shown": made.shown} if form == "html" else {}))
    else:
        say(f"Report: {path} ({size / 1e6:.1f} MB)" if size >= 1e5 else f"Report: {path}")


def _write_index(folder: Path, out: Path | None, labels: Any, as_json: bool) -> None:
    """The page of all runs in a folder."""
    from readproof.reports.index import INDEX, index_page

    path = out or folder / INDEX
    text = index_page(folder, language=labels)
    with writing(path) as file:
        file.write(text)
    if as_json:
        print_json({"format": "html", "file": str(path), "bytes": path.stat().st_size})
    else:
        say(f"Runs: {path}")
