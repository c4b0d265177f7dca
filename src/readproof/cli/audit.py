"""`readproof audit`: what is wrong with a data file, and a mended copy of it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from readproof.cli._options import Columns
from readproof.cli._output import Json, print_json, print_table, say
from readproof.errors import InputError

if TYPE_CHECKING:
    from readproof.tasks import Task
    from readproof.tasks.audit import Audit
    from readproof.tasks.overlap import Shared

_LISTED = 3
_SHARES = 20
_FAILED = 3
# where a layout has no offsets, that is no defect
_NO_DEFECT = {"offset-not-given"}


def command(
    data: Annotated[list[str], typer.Argument(help="DATA, or TASK DATA: a file whose format is recognised, or named.")],
    overlap: Annotated[
        str | None, typer.Option(help="Another data file: list passages that the two share (over 30 % of shingles).")
    ] = None,
    repair: Annotated[
        Path | None, typer.Option(help="Write a copy with gold offsets mended (span data, SQuAD layout).")
    ] = None,
    columns: Columns = "",
    each: Annotated[
        bool, typer.Option("--each", help="Every argument is a data file, as a pre-commit hook gives them.")
    ] = False,
    fail: Annotated[bool, typer.Option("--fail", help="Exit status 3 where there is a defect.")] = False,
    as_json: Json = False,
) -> None:
    """Report defects with ids: offsets, ids, options, letter skew, traces of construction, overlap between files.

    Examples:

      readproof audit dev.json

      readproof audit gcrc dev.json --json

      readproof audit train.json --overlap dev.json --repair train.mended.json

      readproof audit --fail --each train.json dev.json
    """
    if each:
        _each(data, columns, overlap, repair, fail, as_json)
        return
    from readproof.tasks import find, load
    from readproof.tasks.audit import audit
    from readproof.tasks.overlap import shared_passages
    from readproof.tasks.sources import file_of, with_columns

    if len(data) > 2:
        raise InputError(found=f"{len(data)} arguments", expected="DATA, or TASK DATA")
    task, path = find(with_columns(":".join(data), columns))
    result = audit(task.load(path), task.labels)
    needed = _strategies(task, path)
    shared = shared_passages(task.load(path), load(overlap)) if overlap else None
    if repair:
        _repair(task, path, repair)
    if as_json:
        print_json(_record(task, path, result, shared) | ({"strategies": dict(needed)} if needed else {}))
        _end(fail and bool(set(result.findings) - _NO_DEFECT))
        return
    _print(task, file_of(path), result, shared, overlap)
    if needed:
        rows = [(name, str(count), f"{count / needed.total():.1%}") for name, count in needed.most_common()]
        typer.echo("\nreasoning that the original options need:")
        print_table("", ("strategy", "options", "share"), rows, right=(1, 2))
    if repair:
        say(f"wrote {repair}")
    _end(fail and bool(set(result.findings) - _NO_DEFECT))


def _each(files: list[str], columns: str, overlap: str | None, repair: Path | None, fail: bool, as_json: bool) -> None:
    """Several files, one behind the other; all are looked at before the status is told."""
    from readproof.tasks import find
    from readproof.tasks.audit import audit
    from readproof.tasks.sources import file_of, with_columns

    if overlap or repair:
        do = "Audit that file by itself."
        raise InputError(place="--each", found="--overlap or --repair", expected="neither", do=do)
    records = []
    for file in files:
        task, path = find(with_columns(file, columns))
        result = audit(task.load(path), task.labels)
        records.append(_record(task, path, result, None))
        if not as_json:
            _print(task, file_of(path), result, None, None)
            typer.echo()
    if as_json:
        print_json({"files": records})
    _end(fail and any(set(one["findings"]) - _NO_DEFECT for one in records))


def _end(failed: bool) -> None:
    if failed:
        raise typer.Exit(_FAILED)


def _strategies(task: Task, path: Path) -> Counter[str]:
    """Which reasoning the options of questions for the right or wrong one need, as the GCRC_advRobust paper counts."""
    from readproof.attacks.options.rewriting import strategy_of
    from readproof.items import ChoiceItem, Triple
    from readproof.lang.zh.stems import polarity

    counts: Counter[str] = Counter()
    if task.kind in ("choice", "triple") and "zh" in task.languages:
        for item in task.load(path):
            one = item.original if isinstance(item, Triple) else item
            if isinstance(one, ChoiceItem) and one.passage and polarity(one.question) is not None:
                counts.update(strategy_of(option, one.passage) for option in one.options)
    return counts


def _repair(task: Task, path: Path, output: Path) -> None:
    from readproof.files import writing
    from readproof.tasks import load
    from readproof.tasks.convert import write_squad

    with writing(output) as file:
        write_squad(load(f"{task.name}:{path}"), file)


def _record(task: Task, path: Path, result: Audit, shared: list[Shared] | None) -> dict[str, Any]:
    record: dict[str, Any] = {
        "file": str(path),
        "task": task.name,
        "counts": dict(result.counts),
        "findings": {
            code: {"meaning": finding.meaning, "count": len(finding.ids), "ids": finding.ids}
            for code, finding in result.findings.items()
        },
        "shares": {name: dict(share.most_common()) for name, share in result.shares.items()},
        "warnings": result.warnings,
    }
    if shared is not None:
        record["overlap"] = [{"id": one.id, "other_id": one.other_id, "share": one.share} for one in shared]
    return record


def _print(task: Task, path: Path, result: Audit, shared: list[Shared] | None, overlap: str | None) -> None:
    counted = ", ".join(f"{number:,} {name}" for name, number in result.counts.items())
    typer.echo(f"{path}: {task.title}\n{counted or 'no items'}\n")
    rows = [
        (code, str(len(finding.ids)), finding.meaning, _some(finding.ids)) for code, finding in result.findings.items()
    ]
    if rows:
        print_table("", ("finding", "count", "what it means", "for example"), rows, right=(1,))
    else:
        typer.echo("No defects found.")
    for name, share in result.shares.items():
        total = share.total()
        listed = sorted(share.items()) if name.endswith("letter") else share.most_common(_SHARES)
        rest = f", and {len(share) - _SHARES} more" if len(share) > _SHARES else ""
        parts = [f"{key or '(none)'} {number / total:.1%}" for key, number in listed]
        typer.echo(f"\n{name}: {', '.join(parts)}{rest}")
    for warning in result.warnings:
        typer.echo(f"\nwarning: {warning}")
    if shared is not None:
        typer.echo(f"\n{len(shared)} passages are shared with {overlap} (over 30 % of their 25-character shingles)")
        if shared:
            pairs = [(one.id, one.other_id, f"{one.share:.0%}") for one in shared[:20]]
            print_table("", ("item", "item there", "shared"), pairs, right=(2,))


def _some(ids: list[str]) -> str:
    names = list(dict.fromkeys(ids))
    return ", ".join(names[:_LISTED]) + (", …" if len(names) > _LISTED else "")
