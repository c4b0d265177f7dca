"""`readproof write`: a person writes or mends triples on a local page; the result is a GCRC_advRobust file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from readproof.cli._output import Json, print_json, say
from readproof.errors import InputError


def command(
    data: Annotated[
        str, typer.Argument(help="Questions with options, or triples to mend; TASK:FILE names the format.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Where to write the triples, in GCRC_advRobust's format.")],
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N questions.", show_default=False)] = None,
    seed: Annotated[int, typer.Option(help="The seed of what the rules propose.")] = 0,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The page's port; 0 for any free one.")] = 0,
    as_json: Json = False,
) -> None:
    """Write or mend positive and negative options.

    A page on this machine shows the passage, the original options, and what the rules propose for the positive and the
    negative question. You change the texts and say which are true; the sentence that an option speaks of is marked, and
    checks say what is odd. Each triple is kept when you save it, and the same command goes on where you stopped. With
    --json it serves nothing and tells how many are written.

    Examples:

      readproof write train_GCRC.json -o written.json

      readproof write gcrc:made.json -o mended.json --limit 20
    """
    from readproof.attacks.authoring import drafts, read_written
    from readproof.cli._write_page import serve
    from readproof.files import check_apart, check_place
    from readproof.tasks import find, load

    task, path = find(data)
    kept = out.with_name(out.name + ".written.jsonl")
    for place in (out, kept):
        check_place(place)
        check_apart(place, path)
    found = drafts(load(f"{task.name}:{path}"), seed)[:limit]
    if not found:
        expected = "questions for the right or the wrong option, their truths known"
        raise InputError(file=path, found="no question that a triple can be written of", expected=expected)
    done = {triple.id for triple in read_written(kept)}
    if as_json:
        left = [draft.item.id for draft in found if draft.item.id not in done]
        print_json({"questions": len(found), "written": len(found) - len(left), "left": left, "out": str(out)})
        return
    if all(draft.item.id in done for draft in found):
        say(f"All {len(found)} questions are written: {out}")
        return
    serve(found, out, kept, port, say)
