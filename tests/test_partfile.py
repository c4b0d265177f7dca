"""Results on disk: whole lines on a disk that is nearly full, and none that is torn in the middle."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import pytest

from readproof.partfile import add, appending, results, whole_bytes

HEADER = {"job": "made"}
RECORDS = [{"number": number, "text": "读" * number} for number in range(20)]


class Nearly:
    """A file on a disk that takes a few bytes at a time, and no more once it is full."""

    def __init__(self, file: Any, room: int) -> None:
        self.file, self.room = file, room

    def write(self, data: bytes) -> int:
        if not self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        taken = self.file.write(bytes(data)[: min(7, self.room)])
        self.room -= taken
        return taken

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


def put(path: Path, room: int) -> None:
    done, whole = whole_bytes(path, HEADER)
    with appending(path, HEADER, whole) as file:
        for record in RECORDS[done:]:
            add(Nearly(file, room), record)  # type: ignore[arg-type]


def test_a_short_write_is_gone_on_with(tmp_path: Path) -> None:
    put(tmp_path / "part", room=10_000)
    assert list(results(tmp_path / "part")) == RECORDS


@pytest.mark.parametrize("room", [1, 40, 100])
def test_a_full_disk_leaves_whole_lines_and_a_job_that_goes_on(tmp_path: Path, room: int) -> None:
    path = tmp_path / "part"
    with pytest.raises(OSError, match=r"No space left.*part"):
        put(path, room)
    assert path.read_bytes().endswith(b"\n")
    put(path, room=10_000)
    assert list(results(path)) == RECORDS
