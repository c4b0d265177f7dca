"""`readproof convert`: a data file in another layout, script or width, gold offsets moved along."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast, get_args

import typer

from readproof.cli._options import Columns
from readproof.cli._output import Json, print_json, say
from readproof.errors import InputError

if TYPE_CHECKING:
    from readproof.items import Item
    from readproof.text import Text


def command(
    data: Annotated[str, typer.Argument(help="A data file, or TASK:FILE.")],
    output: Annotated[Path, typer.Option("--out", "-o", "--output", help="The file to write.")],
    to: Annotated[
        str, typer.Option(help="squad, cmrc (original layout), rows (Hugging Face), gcrc, or items (our JSON lines).")
    ] = "items",
    columns: Columns = "",
    script: Annotated[str | None, typer.Option(help="simplified or traditional characters.")] = None,
    width: Annotated[str | None, typer.Option(help="half- or full-width letters, digits and signs.")] = None,
    sanitise: Annotated[bool, typer.Option("--sanitise", help="Remove invisible characters and odd spaces.")] = False,
    as_json: Json = False,
) -> None:
    """Write a data set in another layout; gold offsets are mended and follow every change of the text.

    Examples:

      readproof convert DRCD_dev.json --to squad --script simplified -o drcd.json

      readproof convert mine.csv --columns question=q,passage=ctx --to squad -o mine.json
    """
    from readproof.files import check_apart, writing
    from readproof.tasks import find, load, recognised
    from readproof.tasks.convert import WRITERS
    from readproof.tasks.sources import HUB, TABLE, file_of, with_columns

    if to not in WRITERS:
        raise InputError(found=f"the layout {to!r}", expected=f"one of {', '.join(WRITERS)}")
    steps = _steps(script, width, sanitise)
    task, path = find(with_columns(data, columns))
    check_apart(output, file_of(path))
    with writing(output) as file:
        count = WRITERS[to](_through(load(f"{task.name}:{path}"), steps), file)
    if as_json:
        print_json({"file": str(output), "task": task.name, "layout": to, "items": count})
    else:
        say(f"wrote {count:,} items of {task.name} to {output}")
        taken = recognised(output)
        if to != "items" and task.name not in (TABLE, HUB) and (taken is None or taken.name != task.name):
            say(f"note: by its content the file is another task's; name it as {shlex.quote(f'{task.name}:{output}')}")


def _through(items: Iterable[Item], steps: list[Callable[[str], Text]]) -> Iterator[Item]:
    from readproof.tasks.convert import mapped

    for item in items:
        for step in steps:
            item = mapped(item, step)
        yield item


def _steps(script: str | None, width: str | None, sanitise: bool) -> list[Callable[[str], Text]]:
    from functools import partial

    from readproof.lang.cleaning import cleaned
    from readproof.script import Script, full_width, half_width, in_script

    steps: list[Callable[[str], Text]] = [cleaned] if sanitise else []
    if width is not None:
        if width not in ("half", "full"):
            raise InputError(found=f"--width {width}", expected="half or full")
        steps.append(half_width if width == "half" else full_width)
    if script is not None:
        if script not in get_args(Script):
            raise InputError(found=f"--script {script}", expected="simplified or traditional")
        steps.append(partial(in_script, script=cast(Script, script)))
    return steps
