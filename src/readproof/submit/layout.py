"""Does a folder or a zip of the user's look like a CELUE submission? Asked by commands that take something else."""

from __future__ import annotations

import shlex
from pathlib import Path

from readproof.submit.archive import open_archive
from readproof.submit.celue import TOP, is_celue
from readproof.submit.gcrc import DOCUMENT, MODEL, PREDICTIONS
from readproof.submit.lines import FOLDERS
from readproof.submit.problems import Problems
from readproof.submit.views import Budget


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
