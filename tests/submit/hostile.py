"""All hostile and broken packages, written to a folder: `python -m tests.submit.hostile FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.submit import hostile_archives, hostile_celue, hostile_gcrc
from tests.submit.cases import Case
from tests.submit.parts import LINES, gold_file, predictions


def every_case() -> list[Case]:
    return [*hostile_archives.cases(), *hostile_gcrc.cases(), *hostile_celue.cases()]


def write(folder: Path) -> list[tuple[Case, Path]]:
    """Each in a folder of its own, under the name that it is sent by; the test files beside them."""
    for task in LINES:
        (folder / f"{task}.test").write_bytes(gold_file(task))
    (folder / "gcrc.test").write_bytes(predictions())
    found = []
    for number, case in enumerate(every_case()):
        path = folder / f"{number:03d}" / case.called
        path.parent.mkdir()
        path.write_bytes(case.make())
        found.append((case, path))
    return found


def files_for(case: Case, folder: Path) -> list[str]:
    """The test files that a case is held against."""
    if not case.compared:
        return []
    return [f"{task}:{folder / f'{task}.test'}" for task in (*LINES, "gcrc")]


if __name__ == "__main__":
    write(Path(sys.argv[1]))
