"""A CELUE package: submission_files/ with five folders, in each some .jsonl files and one model_to_eval.py."""

from __future__ import annotations

import ast
import hashlib
import shlex
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from readproof.submit.archive import Archive, ArchiveEntry, Budget, decoded, open_archive
from readproof.submit.gcrc import DOCUMENT, MODEL, PREDICTIONS
from readproof.submit.lines import FOLDERS, PUBLISHED, ROUNDED, Lines, TestItem, check_lines
from readproof.submit.problems import Problems, UnreadableError, word
from readproof.submit.weights import ParameterCounts, count_archive, judge

# model_to_eval.py read and never run: does it define module_list and entire_model, and which names has the list?

# what Python needs to parse it is a thousand times as much
MOST_CODE = 128 << 10
_LIST, _WHOLE = "module_list", "entire_model"


@dataclass(frozen=True, slots=True)
class ModelFile:
    """The names in module_list; None where only running the file would tell."""

    names: frozenset[str] | None


def read_model_file(data: bytes, label: str, problems: Problems) -> ModelFile:
    """What a model file defines, as far as its text tells."""
    try:
        tree = _parsed(decoded(data.removeprefix(b"\xef\xbb\xbf"), "C611"))
    except UnreadableError as refused:
        problems.refuse(refused, label)
        return ModelFile(None)
    if not _defines(tree, _LIST):
        problems.add("C632", label)
    if not _defines(tree, _WHOLE):
        problems.add("C633", label)
    return ModelFile(_names(tree))


def _parsed(text: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            # what Python thinks of somebody's style does not belong in the output
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        raise UnreadableError("C631", f"line {error.lineno or 1}", reason=error.msg) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise UnreadableError("C631", "line 1", reason=type(error).__name__) from None


def _defines(tree: ast.Module, name: str) -> bool:
    """Bound at the top, be it inside an if, a with or a try; or brought in by an import."""
    for node in _top(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            if any((one.asname or one.name) in (name, "*") for one in node.names):
                return True
        elif any(isinstance(one, ast.Name) and one.id == name for target in _targets(node) for one in ast.walk(target)):
            return True
    return False


def _top(tree: ast.Module) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.stmt):
            found.append(node)
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            waiting += [one for one in ast.iter_child_nodes(node) if isinstance(one, ast.stmt | ast.ExceptHandler)]
    return found


def _targets(node: ast.stmt) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        return node.targets
    if isinstance(node, ast.AnnAssign | ast.AugAssign) and getattr(node, "value", None) is not None:
        return [node.target]
    return []


def _names(tree: ast.Module) -> frozenset[str] | None:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and _is_list(node.value):
            return None  # update, setdefault and the like
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            for target in _targets(node):
                names = _added(target, node.value)
                if names is None:
                    return None
                found |= names
    return frozenset(found) if found else None


def _added(target: ast.expr, value: ast.expr | None) -> set[str] | None:
    """The names that an assignment puts into the list; None where they are made by running it."""
    if isinstance(target, ast.Subscript) and _is_list(target.value):
        return _texts([target.slice])
    if not _is_list(target):
        return set()
    if isinstance(value, ast.Dict):
        return _texts(value.keys)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "dict" and not value.args:
        keys = [keyword.arg for keyword in value.keywords]
        return None if None in keys else {key for key in keys if key}
    return None


def _texts(keys: list[ast.expr | None] | list[ast.expr]) -> set[str] | None:
    found = {key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)}
    return found if len(found) == len(keys) else None


def _is_list(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == _LIST


TOP, CODE = "submission_files", "model_to_eval.py"
MOST = 140_000_000
MOST_PREDICTIONS = 64 << 20
# the data set is called CNHC in the task's table
_MEANT = {name: name for name in FOLDERS} | {
    "cnhc": "chnc",
    "pku_segpos": "pku-segpos",
    "segpos": "pku-segpos",
    "wordseg_weibo": "wordseg-weibo",
    "wordseg": "wordseg-weibo",
}


def is_celue(archive: Archive) -> bool:
    """Whether it looks like one."""
    parts = [part.lower() for entry in archive.entries for part in entry.path.parts[:-1]]
    return TOP in parts or any(name in _MEANT for name in parts)


def check_celue(
    archive: Archive, problems: Problems, tests: Mapping[str, Sequence[TestItem]], weights: ParameterCounts | None
) -> dict[str, object]:
    """Every problem of a package; `weights` are those the user named beside it."""
    folders, others = _folders(archive, problems)
    counts: dict[str, dict[str, int]] = {}
    for task in FOLDERS:
        if task not in folders:
            problems.add("C602", f"{archive.label}/{TOP}", task, name=task)
        else:
            counts[task] = _check_folder(archive, task, folders[task], tests.get(task), problems)
    found = weights or count_archive(_only(archive, others), problems)
    judge(found, MOST, archive.label, problems, needed=False)
    if not found.parameters and (weights is None or not found.unknown):
        problems.add("C634", archive.label, most=f"{MOST:,}")
    return {"lines": counts, "parameters": found.parameters or None}


def _only(archive: Archive, entries: Iterable[ArchiveEntry]) -> Archive:
    return Archive(archive.label, archive.file, tuple(entries), archive.budget)


def _folders(archive: Archive, problems: Problems) -> tuple[dict[str, list[ArchiveEntry]], list[ArchiveEntry]]:
    """The files of each task, also where a folder is misplaced or misnamed; and all other files."""
    folders: dict[str, list[ArchiveEntry]] = {}
    others: list[ArchiveEntry] = []
    told: set[tuple[str, ...]] = set()
    for entry in archive.entries:
        parts = entry.path.parts[:-1]
        at = next((at for at, part in enumerate(parts) if part.lower() in _MEANT), None)
        if at is None:
            others.append(entry)
            _stray(archive, entry, told, problems)
            continue
        here = parts[: at + 1]
        if here not in told:
            told.add(here)
            if parts[:at] != (TOP,):
                problems.add("C601", archive.label, "/".join(here), name="/".join(here))
            if parts[at] not in FOLDERS:
                problems.add("C603", f"{archive.label}/{'/'.join(here)}", name=parts[at])
        if len(parts) > at + 1 or entry.path.suffix not in (".jsonl", ".py"):
            others.append(entry)
            problems.add("C606", f"{archive.label}/{entry.name}")
        else:
            folders.setdefault(_MEANT[parts[at].lower()], []).append(entry)
    return folders, others


def _stray(archive: Archive, entry: ArchiveEntry, told: set[tuple[str, ...]], problems: Problems) -> None:
    parts = entry.path.parts[:-1]
    if len(parts) >= 2 and parts[0] == TOP:
        if parts[:2] not in told:
            told.add(parts[:2])
            problems.add("C603", f"{archive.label}/{'/'.join(parts[:2])}", name=parts[1])
    else:
        problems.add("C606", f"{archive.label}/{entry.name}")


def _check_folder(
    archive: Archive, task: str, entries: Sequence[ArchiveEntry], test: Sequence[TestItem] | None, problems: Problems
) -> dict[str, int]:
    folder = f"{archive.label}/{entries[0].path.parent}"
    model = _code(archive, folder, [one for one in entries if one.path.suffix == ".py"], problems)
    counts: dict[str, int] = {}
    same: dict[tuple[int, bytes], str] = {}
    for entry in sorted((one for one in entries if one.path.suffix == ".jsonl"), key=lambda one: one.name):
        label = f"{archive.label}/{entry.name}"
        try:
            if entry.size > MOST_PREDICTIONS:
                archive.read(entry, MOST_PREDICTIONS)
            lines = Lines(task, label, problems, test, model.names)
            total = hashlib.sha256()
            counts[label] = check_lines(_summed(archive.pieces(entry), total), lines)
            first = same.setdefault((entry.size, total.digest()), entry.path.name)
            if first != entry.path.name:
                problems.add("C608", label, other=first)
        except UnreadableError as refused:
            problems.refuse(refused, label)
    if not any(one.path.suffix == ".jsonl" for one in entries):
        problems.add("C604", folder)
    _check_counts(task, counts, test, problems)
    return {label.rpartition("/")[2]: count for label, count in counts.items()}


def _summed(pieces: Iterable[bytes], total: hashlib._Hash) -> Iterator[bytes]:
    for piece in pieces:
        total.update(piece)
        yield piece


def _check_counts(task: str, counts: Mapping[str, int], test: Sequence[TestItem] | None, problems: Problems) -> None:
    first = next(iter(counts), "")
    for label, count in counts.items():
        if test is not None:
            if count != len(test):
                problems.add("C622", label, count=count, wanted=len(test))
        elif count != counts[first]:
            problems.add("C623", label, count=count, wanted=counts[first], other=first.rpartition("/")[2])
        elif abs(count - PUBLISHED[task]) > ROUNDED:
            problems.add("C624", label, count=count, wanted=PUBLISHED[task])


def _code(archive: Archive, folder: str, entries: Sequence[ArchiveEntry], problems: Problems) -> ModelFile:
    named = [one for one in entries if one.path.name == CODE]
    if len(entries) != 1 or len(named) != 1:
        found = ", ".join(one.path.name for one in entries) or word("no-python")
        problems.add("C605", folder, found=found)
    if not named:
        return ModelFile(None)
    label = f"{archive.label}/{named[0].name}"
    try:
        return read_model_file(archive.read(named[0], MOST_CODE), label, problems)
    except UnreadableError as refused:
        problems.refuse(refused, label)
        return ModelFile(None)


# Does a folder or a zip of the user's look like a CELUE submission? Asked by commands that take something else.


def looks_like_celue(path: Path) -> bool:
    """By the names of its folders alone."""
    if path.is_dir():
        return any((path / name).is_dir() for name in (TOP, *FOLDERS))
    if path.suffix.lower() != ".zip" or not path.is_file():
        return False
    with path.open("rb") as file:
        archive = open_archive(file, path.name, Problems(), Budget.of(path.stat().st_size))
        return archive is not None and is_celue(archive)


def how_to_pack(folder: Path) -> str:
    """What to do with a folder where a package is asked for."""
    if looks_like_celue(folder):
        return f"Pack it first: {shlex.join(('readproof', 'pack', 'celue', str(folder), '-o', 'submission.zip'))}"
    there = next((name for name in (PREDICTIONS, MODEL, DOCUMENT) if (folder / name).is_file()), None)
    if there:
        return f"It has {there}: pack {PREDICTIONS}, {MODEL} and {DOCUMENT} into one zip, or name {PREDICTIONS} alone."
    return "Name the package inside it, or pack it first (`readproof pack --help`)."
