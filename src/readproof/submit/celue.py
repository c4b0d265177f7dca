"""A CELUE package: submission_files/ with five folders, in each some .jsonl files and one model_to_eval.py."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from readproof.submit.archive import Archive, Entry
from readproof.submit.lines import FOLDERS, PUBLISHED, ROUNDED, Asked, Lines, check_lines
from readproof.submit.modelfile import MOST_CODE, ModelFile, read_model_file
from readproof.submit.problems import Problems, Refused, word
from readproof.submit.weights import Weights, count_archive, judge

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
    archive: Archive, problems: Problems, tests: Mapping[str, Sequence[Asked]], weights: Weights | None
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


def _only(archive: Archive, entries: Iterable[Entry]) -> Archive:
    return Archive(archive.label, archive.file, tuple(entries), archive.budget)


def _folders(archive: Archive, problems: Problems) -> tuple[dict[str, list[Entry]], list[Entry]]:
    """The files of each task, also where a folder is misplaced or misnamed; and all other files."""
    folders: dict[str, list[Entry]] = {}
    others: list[Entry] = []
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


def _stray(archive: Archive, entry: Entry, told: set[tuple[str, ...]], problems: Problems) -> None:
    parts = entry.path.parts[:-1]
    if len(parts) >= 2 and parts[0] == TOP:
        if parts[:2] not in told:
            told.add(parts[:2])
            problems.add("C603", f"{archive.label}/{'/'.join(parts[:2])}", name=parts[1])
    else:
        problems.add("C606", f"{archive.label}/{entry.name}")


def _check_folder(
    archive: Archive, task: str, entries: Sequence[Entry], test: Sequence[Asked] | None, problems: Problems
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
        except Refused as refused:
            problems.refuse(refused, label)
    if not any(one.path.suffix == ".jsonl" for one in entries):
        problems.add("C604", folder)
    _check_counts(task, counts, test, problems)
    return {label.rpartition("/")[2]: count for label, count in counts.items()}


def _summed(pieces: Iterable[bytes], total: hashlib._Hash) -> Iterator[bytes]:
    for piece in pieces:
        total.update(piece)
        yield piece


def _check_counts(task: str, counts: Mapping[str, int], test: Sequence[Asked] | None, problems: Problems) -> None:
    first = next(iter(counts), "")
    for label, count in counts.items():
        if test is not None:
            if count != len(test):
                problems.add("C622", label, count=count, wanted=len(test))
        elif count != counts[first]:
            problems.add("C623", label, count=count, wanted=counts[first], other=first.rpartition("/")[2])
        elif abs(count - PUBLISHED[task]) > ROUNDED:
            problems.add("C624", label, count=count, wanted=PUBLISHED[task])


def _code(archive: Archive, folder: str, entries: Sequence[Entry], problems: Problems) -> ModelFile:
    named = [one for one in entries if one.path.name == CODE]
    if len(entries) != 1 or len(named) != 1:
        found = ", ".join(one.path.name for one in entries) or word("no-python")
        problems.add("C605", folder, found=found)
    if not named:
        return ModelFile(None)
    label = f"{archive.label}/{named[0].name}"
    try:
        return read_model_file(archive.read(named[0], MOST_CODE), label, problems)
    except Refused as refused:
        problems.refuse(refused, label)
        return ModelFile(None)
