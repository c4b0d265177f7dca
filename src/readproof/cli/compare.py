"""`readproof compare`: runs side by side, with tests that know how many questions there were."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from readproof.cli._options import one_of
from readproof.cli._output import Json, print_json, print_table, say, until_closed
from readproof.errors import InputError

if TYPE_CHECKING:
    from readproof.proof.compare import Comparison, Difference

_SHOWN = 8
_FORMATS = ("text", "html", "markdown", "latex")


def command(
    folders: Annotated[
        list[Path], typer.Argument(help="Two run folders or more; the first is what others are held against.")
    ],
    items: Annotated[bool, typer.Option("--items", help="Name all the items that got better or worse.")] = False,
    form: Annotated[
        str,
        typer.Option(
            "--format", "-f", help="text, html (a page), markdown or latex (readers by attacks, differences)."
        ),
    ] = "text",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="The file to write; compare.html for a page, else standard output.", show_default=False
        ),
    ] = None,
    language: Annotated[
        str, typer.Option(help="Language of the labels: en, zh, or auto (the browser's; English for tables).")
    ] = "auto",
    as_json: Json = False,
) -> None:
    """Compare runs on the questions they share: differences with intervals, McNemar's test, Holm's correction.

    Examples:

      readproof compare runs/before runs/after

      readproof compare runs/before runs/after --format html -o compare.html

      readproof compare runs/zh runs/bert runs/mine --format latex -o readers.tex
    """
    from readproof.codec import to_plain
    from readproof.proof.compare import compare

    one_of("--format", form, _FORMATS)
    one_of("--language", language, ("auto", "en", "zh"))
    if form == "text" and out is not None:
        do = "Add --format html, markdown or latex."
        raise InputError(place="--out", found="no --format", expected="the format of the file", do=do)

    _refuse_packages(folders)
    found = compare(folders)
    if as_json:
        print_json(to_plain(found))
        return
    if form != "text":
        _write(folders, found, form, out, language)
        return
    from readproof.reports.comparison import explanations

    for later in found.runs[1:]:
        rows = [row for row in found.differences if row.later == later]
        heads = ("", "items", "first", "later", "gap", "95 %", "p", "won", "lost", "McNemar")
        print_table(f"later: {later}; first: {found.runs[0]}", heads, map(_row, rows), right=range(1, 10))
        for row in rows:
            _items(row, None if items else _SHOWN)
        if not all(row.same for row in rows):
            typer.echo("* the two runs read different variants: each search was made against its own reader")
        for told in explanations(rows):
            typer.echo(told.en)
    typer.echo(
        "p and McNemar after Holm's correction for all rows; won, lost: items that only one of the two has right"
    )
    _transfer(found)


def _write(folders: list[Path], found: Comparison, form: Any, out: Path | None, language: Any) -> None:
    from readproof.files import check_place, writing
    from readproof.reports.comparison import comparison

    path = Path("compare.html") if out is None and form == "html" else out
    if path is not None:
        check_place(path)
    text = comparison(folders, format=form, language=None if language == "auto" else language, found=found)
    if path is None:
        with until_closed():
            typer.echo(text, nl=False)
        return
    with writing(path) as file:
        file.write(text)
    say(f"Comparison: {path}")


def _refuse_packages(folders: list[Path]) -> None:
    """Submissions are compared too, but by another command."""
    from readproof.proof.results import RUN
    from readproof.submit.celue import looks_like_celue

    package = next((one for one in folders if not (one / RUN).is_file() and looks_like_celue(one)), None)
    if package is not None:
        said = shlex.join(("readproof", "elue", *map(str, folders)))
        raise InputError(
            file=package,
            found="a CELUE submission",
            expected="folders that `readproof prove` wrote",
            do=f"Submissions are compared by: {said} --gold GOLD (a folder with the gold answers)",
        )


def _row(row: Difference) -> tuple[str, ...]:
    return (
        f"{row.attack}{'' if row.same else ' *'}",
        f"{row.items}",
        f"{row.first_score:.1f}",
        f"{row.later_score:.1f}",
        f"{row.difference:+.1f}",
        f"{row.low:+.1f} … {row.high:+.1f}",
        _chance(row.p_holm),
        f"{row.won}",
        f"{row.lost}",
        _chance(row.mcnemar_holm),
    )


def _chance(p: float) -> str:
    return f"{p:.3f}" if p >= 0.001 else "<0.001"


def _items(row: Difference, most: int | None) -> None:
    for what, names in (("better", row.better), ("worse", row.worse)):
        if names:
            rest = "" if most is None or len(names) <= most else f" and {len(names) - most} more (--items)"
            typer.echo(f"{row.attack}, {what}: {', '.join(names[:most])}{rest}")


def _transfer(found: Comparison) -> None:
    if not found.transfer:
        return
    rows = [
        (
            cell.attack,
            cell.made_against,
            cell.read_by,
            f"{cell.clean:.1f}",
            f"{cell.attacked:.1f}",
            "" if cell.kept is None else f"{100 * cell.kept:.0f} %",
        )
        for cell in sorted(found.transfer, key=lambda cell: (cell.attack, cell.made_against, cell.read_by))
    ]
    heads = ("attack", "made against", "read by", "clean", "attacked", "kept")
    print_table("Transfer: variants made against one reader, read by another", heads, rows, right=(3, 4, 5))
