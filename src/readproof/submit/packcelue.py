"""A CELUE package from the folders of its five tasks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from readproof.errors import InputError
from readproof.files import check_apart, check_place
from readproof.submit.celue import CODE, TOP
from readproof.submit.lines import FOLDERS
from readproof.submit.zipping import Accept, Source, any_file, replacing, write_zip


def pack_celue(runs: Sequence[Path], out: Path, *, code: Path | None = None, accept: Accept = any_file) -> Path:
    """submission_files/ with five folders; `code` is the model_to_eval.py of those that have none of their own.

    A run is a task's folder, named as the task, or a folder that holds such folders.
    """
    check_place(out)
    folders = _folders(runs)
    members: dict[str, Source] = {}
    for task in FOLDERS:
        if task not in folders:
            raise InputError(
                found=f"no folder {task!r} among the runs", expected=f"folders {', '.join(FOLDERS)}",
                do="A submission without all five is not ranked.",
            )  # fmt: skip
        own = folders[task] / CODE
        source = own if own.is_file() else code
        if source is None:
            raise InputError(
                file=folders[task], found=f"no {CODE}", expected="one in the folder, or --code for all folders"
            )
        predictions = sorted(folders[task].glob("*.jsonl"))
        if not predictions:
            raise InputError(file=folders[task], found="no .jsonl file", expected="one for each level of cost")
        members |= {f"{TOP}/{task}/{path.name}": path for path in predictions}
        members[f"{TOP}/{task}/{CODE}"] = source
    check_apart(out, *(path for path in members.values() if isinstance(path, Path)))
    with replacing(out, accept) as file:
        write_zip(file, members)
    return out


def _folders(runs: Sequence[Path]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for run in runs:
        if not run.is_dir():
            raise InputError(file=run, found="no folder", expected="a task's folder, or one that holds such folders")
        root = run / TOP if (run / TOP).is_dir() else run
        inside = (
            [root] if root.resolve().name in FOLDERS else [root / task for task in FOLDERS if (root / task).is_dir()]
        )
        if not inside:
            raise InputError(file=run, found="no folder of a task", expected=f"folders {', '.join(FOLDERS)}")
        for folder in inside:
            task = folder.resolve().name
            if task in found:
                raise InputError(file=folder, found=f"a second folder {task!r}", expected="each task once")
            found[task] = folder
    return found
