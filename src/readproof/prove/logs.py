"""Files that only grow: one JSON object a line, each line or group of lines in one write.

A run that is killed leaves a prefix of what it would have written, perhaps with a torn end. Opened again, the torn end
is cut off and the run goes on behind it, so that the file comes to the same bytes.
"""

from __future__ import annotations

import errno
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Any

from readproof.errors import InputError
from readproof.files import check_place
from readproof.partfile import parsed, write_whole

# so that a power cut costs seconds, not hours
_SYNC_SECONDS = 5.0

# whether a line ends a group: what stands behind the last such line is cut off
Ends = Callable[[Mapping[str, Any]], bool]


class Log:
    """An append-only file: what was there when it was opened can be read, what is new goes to its end."""

    def __init__(self, path: Path, ends: Ends = lambda _line: True) -> None:
        check_place(path)
        self.path = path
        self._old = _whole(path, ends) if path.exists() else 0
        try:
            self._file: FileIO = path.open("r+b" if path.exists() else "x+b", buffering=0)
            _alone(self._file, path)
            self._file.truncate(self._old)
            self._file.seek(self._old)
        except OSError as error:
            raise broken(path, error) from None
        self._synced = time.monotonic()

    def __enter__(self) -> Log:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._file.close()

    def old(self) -> Iterator[dict[str, Any]]:
        """The lines that were there when the file was opened, in order."""
        return lines(self.path, self._old)

    def add(self, records: Sequence[Mapping[str, Any]]) -> None:
        """Lines at the end, in one write; all of them or, where the disk is full, none."""
        if not records:
            return
        data = b"".join(map(_line, records))
        try:
            write_whole(self._file, data)
            if time.monotonic() - self._synced > _SYNC_SECONDS:
                self.sync()
        except OSError as error:
            raise broken(self.path, error) from None

    def sync(self) -> None:
        """What was written is on the disk, not only with the system."""
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise broken(self.path, error) from None
        self._synced = time.monotonic()


def lines(path: Path, size: int | None = None) -> Iterator[dict[str, Any]]:
    """The objects of a file, one a line; only its first `size` bytes where that is given."""
    at = 0
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                at += len(line)
                if size is not None and at > size:
                    return
                record = parsed(line)
                if not isinstance(record, dict):
                    found = "a line that was cut short" if not line.endswith(b"\n") else "a line that is no JSON object"
                    do = "Run the same `readproof prove` command again: it goes on where it was stopped."
                    raise InputError(
                        file=path, place=f"line {number}", found=found, expected="a line of a finished run", do=do
                    )
                yield record
    except FileNotFoundError:
        do = "Name the folder that `readproof prove` wrote."
        raise InputError(file=path, found="no such file", expected="a file of a run", do=do) from None


def broken(path: Path, error: OSError) -> InputError:
    """A file that cannot be written on: the run can go on once there is room."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    why = f"no room to write ({error.strerror})" if full else f"a file that cannot be written ({error.strerror})"
    do = "Free some space" if full else "Mend that"
    return InputError(
        file=path,
        found=why,
        expected="room for the answers of the run",
        do=f"{do} and run the same command again: it goes on where it stopped.",
    )


def _alone(file: FileIO, path: Path) -> None:
    """Two processes at work on one run would spoil it; the lock goes with the process, however it ends."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        found, do = "a run that another process is at work on", "Wait for it, or choose another --out."
        raise InputError(file=path, found=found, expected="a run that nobody is at work on", do=do) from None
    except OSError:
        return  # a file system without locks


def _line(record: Mapping[str, Any]) -> bytes:
    try:
        return (json.dumps(record, ensure_ascii=False) + "\n").encode("utf-8")
    except UnicodeEncodeError:  # a lone surrogate: escaped it survives
        return (json.dumps(record) + "\n").encode("ascii")


def _whole(path: Path, ends: Ends) -> int:
    """How many bytes of a file are whole groups of whole lines; behind a line that is none nothing counts."""
    size = whole = 0
    with path.open("rb") as file:
        for line in file:
            record = parsed(line) if line.endswith(b"\n") else None
            if not isinstance(record, dict):
                break
            size += len(line)
            if ends(record):
                whole = size
    return whole
