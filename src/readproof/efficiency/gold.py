"""Gold answers for the tasks of a package: a folder with a file, or a folder, for each task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from readproof.errors import InputError
from readproof.items import Item
from readproof.tasks import TASKS

_PREFERRED = ("gold", "test", "valid", "dev")
# where the published validation file has a name of its own
_PUBLISHED = {"wordseg-weibo": "nlpcc2016-wordseg-dev"}


@dataclass(frozen=True, slots=True)
class Gold:
    """The gold items of a task, in order."""

    path: Path
    items: Sequence[Item]


def load_gold(folder: Path, task: str) -> Gold:
    """The gold of a task: FOLDER/TASK.*, or in FOLDER/TASK/ gold.*, test.*, valid.* or dev.*, or the only file.

    The validation file of WordSeg-Weibo is known by its published name.
    """
    path = _find(folder, task)
    return Gold(path, list(TASKS.get(task).load(path)))


def _find(folder: Path, task: str) -> Path:
    if not folder.is_dir():
        raise InputError(file=folder, found="no such folder", expected="a folder with gold answers")
    beside = [path for path in sorted(folder.iterdir()) if path.is_file() and _stem(path) == task]
    inside = (
        [path for path in sorted((folder / task).iterdir()) if path.is_file() and not path.name.startswith(".")]
        if (folder / task).is_dir()
        else []
    )
    named = [path for name in (*_PREFERRED, _PUBLISHED.get(task)) for path in inside if _stem(path) == name]
    for found in (beside, named[:1], inside):
        if len(found) == 1:
            return found[0]
    names = ", ".join(path.name for path in (*beside, *inside)) or "nothing"
    raise InputError(
        file=folder,
        found=f"{names} for {task}",
        expected=f"one file {task}.*, or {task}/ with gold.*, test.*, valid.* or dev.*, or with one file",
        do=_naming(task, folder, [*beside, *inside]),
    )


def _naming(task: str, folder: Path, found: Sequence[Path]) -> str:
    """What to do about files none of which is known to be the gold."""
    if not found:
        return "Add it; without --gold only costs are shown."
    return f"Copy or link the one whose answers are to be scored against to {folder / f'{task}.*'}, with its ending."


def _stem(path: Path) -> str:
    return path.name.partition(".")[0]
