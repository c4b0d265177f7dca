"""A CELUE package: a folder or a zip file with a folder for each task, in it prediction files and one model file."""

from __future__ import annotations

import lzma
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from readproof.efficiency.predictions import ANSWER_KEYS, LARGEST, SourceProblem, whole_file
from readproof.errors import InputError

TOP = "submission_files"
MODEL_NAMES = ("model_to_eval.py", "model_to_eval.json")
_PREDICTIONS = (".jsonl", ".tsv")
# the task is called CNHC in the text of the guide and chnc in its packages
_ALIASES = {"cnhc": "chnc"}
_MOST_MEMBERS = 2000
_LARGEST_WHOLE = 2 << 30
_CHUNK = 1 << 20
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# whatever somebody's bytes may raise in zipfile; a name that is not UTF-8 is a ValueError
_UNREADABLE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, RuntimeError, OSError, ValueError,
    OverflowError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TaskFiles:
    """The files of one task; `label` says how to speak of its folder."""

    task: str
    label: str
    predictions: tuple[Path, ...]
    model: Path


@contextmanager
def opened(path: Path) -> Iterator[Path]:
    """The folder of a package; a zip file is unpacked for as long as it is needed."""
    if path.is_dir():
        yield path
        return
    if not path.is_file():
        raise InputError(file=path, found="no such file", expected="a submission: a folder or a zip file")
    folder = Path(tempfile.mkdtemp(prefix="readproof-"))
    try:
        unpack(path, folder)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def unpack(path: Path, folder: Path) -> None:
    """Unpack what a package may have, and nothing else; names that lead elsewhere and huge members are refused."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            if len(members) > _MOST_MEMBERS:
                _refuse(path, f"{len(members):,} members", f"at most {_MOST_MEMBERS:,}")
            left = _LARGEST_WHOLE
            seen: set[PurePosixPath] = set()
            for member in members:
                name = _safe(path, member)
                if name is None:
                    continue
                if name in seen:
                    _refuse(path, f"{str(name)!r} twice", "each file once")
                seen.add(name)
                if member.compress_type not in _METHODS:
                    _refuse(
                        path, f"{str(name)!r} packed by method {member.compress_type}", "stored or deflated members"
                    )
                left -= _copy(path, archive, member, folder / name, min(left, LARGEST))
    except _UNREADABLE as error:
        # the text of an OSError has the path of the temporary folder
        reason = error.strerror if isinstance(error, OSError) else error
        _refuse(path, f"no readable zip file ({reason or type(error).__name__})", "a zip file, not encrypted")


def _safe(path: Path, member: zipfile.ZipInfo) -> PurePosixPath | None:
    """Where a member goes; None for folders and for what a package has no use for."""
    name = PurePosixPath(member.filename)
    kind = stat.S_IFMT(member.external_attr >> 16)
    leads_away = name.is_absolute() or ".." in name.parts or set(member.filename) & set("\\:\0") or len(name.parts) > 8
    if leads_away or kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        _refuse(path, f"the member {member.filename[:100]!r}", "plain files with relative names")
    hidden = any(part.startswith((".", "__MACOSX")) for part in name.parts)
    useful = name.suffix in (*_PREDICTIONS, ".py", ".json")
    return name if useful and not hidden and not member.is_dir() else None


def _copy(path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path, most: int) -> int:
    """Unpack one member by what it holds, not by the size that it states."""
    target.parent.mkdir(parents=True, exist_ok=True)
    total = 0
    with archive.open(member) as source, target.open("wb") as sink:
        while chunk := source.read(_CHUNK):
            total += len(chunk)
            if total > most:
                _refuse(path, f"{member.filename[:100]!r} with over {most >> 20} MB", "a smaller file")
            sink.write(chunk)
    return total


def _refuse(path: Path, found: str, expected: str) -> None:
    raise InputError(file=path, found=found, expected=expected)


def task_files(folder: Path, label: str) -> tuple[Mapping[str, TaskFiles], list[SourceProblem], list[str]]:
    """The tasks of a package, what is wrong with their folders, and what was passed over."""
    tasks: dict[str, TaskFiles] = {}
    problems: list[SourceProblem] = []
    notes: list[str] = []
    for one in _folders(top_of(folder)):
        task = _task_name(one)
        where = f"{label}/{one.name}"
        if task not in ANSWER_KEYS:
            notes.append(f"{where} is no task of CELUE ({', '.join(ANSWER_KEYS)}) and is passed over")
        elif task in tasks:
            problems.append(whole_file(where, f"a second folder for {task}", "one folder for a task"))
        else:
            files = sorted(path for path in one.iterdir() if path.is_file())
            wrong = _wrong(files)
            problems += [whole_file(where, found, expected) for found, expected in wrong]
            if not wrong:
                tasks[task] = TaskFiles(task, where, _predictions(files), _models(files)[0])
    if not tasks and not problems:
        problems.append(whole_file(label, "no folder of a task", f"one of {', '.join(ANSWER_KEYS)} in {TOP}/"))
    return tasks, problems, notes


def top_of(folder: Path) -> Path:
    """Where the folders of the tasks lie: some people give the folder above them a name of their own."""
    inside = _folders(folder)
    if len(inside) == 1 and _task_name(inside[0]) not in ANSWER_KEYS:
        return inside[0] if inside[0].name == TOP else _top_of_tasks(inside[0], folder)
    return folder / TOP if (folder / TOP).is_dir() else folder


def _top_of_tasks(folder: Path, otherwise: Path) -> Path:
    if (folder / TOP).is_dir():
        return folder / TOP
    return folder if any(_task_name(one) in ANSWER_KEYS for one in _folders(folder)) else otherwise


def _folders(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith((".", "__")))


def _task_name(folder: Path) -> str:
    name = folder.name.lower()
    return _ALIASES.get(name, name)


def _predictions(files: Sequence[Path]) -> tuple[Path, ...]:
    found = [path for path in files if path.suffix in _PREDICTIONS]
    # 3, 4, 12 and not 12, 3, 4
    return tuple(sorted(found, key=lambda path: (len(path.stem) if path.stem.isdigit() else 0, path.name)))


def _models(files: Sequence[Path]) -> list[Path]:
    return [path for path in files if path.suffix == ".py" or path.name in MODEL_NAMES]


def _wrong(files: Sequence[Path]) -> list[tuple[str, str]]:
    models = _models(files)
    wrong = []
    if not _predictions(files):
        wrong.append(("no predictions", "one or more .jsonl (or .tsv) files"))
    if len(models) != 1:
        names = ", ".join(path.name for path in models) or "no model file"
        wrong.append((names, "exactly one model file, model_to_eval.py"))
    return wrong
