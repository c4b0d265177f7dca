"""What a run left behind: predictions, who answered, and the prompts. A run is what `readproof answer` wrote."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from readproof.errors import InputError
from readproof.jsonstream import records
from readproof.readers.job import prompts_of
from readproof.readers.shipped import FA, ZH
from readproof.readers.track import Track, read_track, track_file

_SHIPPED = {"zh": ZH, "fa": FA}


@dataclass(frozen=True, slots=True)
class Run:
    """A prediction file with what lies beside it."""

    predictions: Path
    rows: tuple[dict[str, Any], ...]
    reader: Track | None
    prompts: tuple[dict[str, Any], ...]


def read_run(path: Path) -> Run:
    """A run by its prediction file, or by the folder that holds it."""
    file = _predictions(path)
    found = records(file)
    if found.layout != "data":
        raise InputError(file=file, found="no list under `data`", expected="GCRC_advRobust predictions")
    rows = []
    for place, row in found:
        if not isinstance(row, dict) or "id" not in row:
            raise InputError(file=file, place=place, found="a row without an id", expected="an object with an id")
        rows.append(row)
    prompts = prompts_of(file)
    told = tuple(row for _, row in records(prompts) if isinstance(row, dict)) if prompts.is_file() else ()
    return Run(file, tuple(rows), read_track(file), told)


def _predictions(path: Path) -> Path:
    if path.is_file():
        return path
    if not path.is_dir():
        raise InputError(file=path, found="no such file or folder", expected="predictions, or a folder with them")
    if (path / "variants.jsonl").is_file():
        raise InputError(
            file=path,
            found="a run of `readproof prove`",
            expected="predictions for the test file",
            do="Answer it: readproof answer gcrc:test.json -o predictions.json",
        )
    found = sorted(one for one in path.glob("*.json") if track_file(one).is_file())
    if len(found) != 1:
        raise InputError(
            file=path,
            found=f"{len(found)} prediction files with their NAME.reader.json",
            expected="one",
            do="Name the prediction file itself.",
        )
    return found[0]


def merged(runs: Sequence[Run]) -> dict[str, dict[str, Any]]:
    """The rows of all runs by id; each id belongs to one run."""
    found: dict[str, dict[str, Any]] = {}
    for run in runs:
        for number, row in enumerate(run.rows):
            identity = str(row["id"])
            if identity in found:
                place = f"data[{number}]"
                raise InputError(
                    file=run.predictions, place=place, found=f"the id {identity!r} again", expected="each id once"
                )
            found[identity] = row
    return found


def model_of(reader: Track | None) -> Path | None:
    """Where the reader's files lie: a shipped one, or the folder of its name."""
    if reader is None:
        return None
    if reader.reader in _SHIPPED:
        return _SHIPPED[reader.reader].folder
    folder = Path(reader.reader)
    return folder if folder.is_dir() else None


def prompt_lines(run: Run) -> str:
    """The prompts as they are kept, a JSON object a line."""
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in run.prompts)
