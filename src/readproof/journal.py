"""Append-only files: one JSON object per line, each line or group of lines in one write.

A job that is killed leaves a prefix of what it would have written, perhaps with a torn end. Opened again, the torn end
is cut off and the job resumes behind it, so that the file comes to the same bytes. A file that waits beside an output
(OUT.part.jsonl) begins with a header that says which job it belongs to; another job's file is refused.
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

# so that a power cut costs seconds, not hours
_SYNC_SECONDS = 5.0
_FORMAT = 1

# whether a line ends a group: what stands behind the last such line is cut off
Ends = Callable[[Mapping[str, Any]], bool]


def part_of(out: Path) -> Path:
    """Where the results of a job wait until all are there."""
    return out.with_name(out.name + ".part.jsonl")


class Journal:
    """An append-only file: what was there when it was opened can be read, what is new goes to its end.

    With a `header`, that is the first line, and `count` is how many records were there behind it.
    """

    def __init__(
        self,
        path: Path,
        ends: Ends = lambda _line: True,
        *,
        header: Mapping[str, Any] | None = None,
        fresh: bool = False,
    ) -> None:
        check_place(path)
        self.path = path
        self._header = None if header is None else {"readproof": _FORMAT, **header}
        if fresh:
            path.unlink(missing_ok=True)
        self.count, self._old = self._there(ends) if path.exists() else (0, 0)
        try:
            self._file: FileIO = path.open("r+b" if path.exists() else "x+b", buffering=0)
            _lock(self._file, path)
            self._file.truncate(self._old)
            self._file.seek(self._old)
        except OSError as error:
            raise unwritable(path, error) from None
        self._synced = time.monotonic()
        if self._header is not None and not self._old:
            self.add([self._header])

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._file.close()

    def old(self) -> Iterator[dict[str, Any]]:
        """The records that were there when the file was opened, in order."""
        return self._records(self._old)

    def records(self) -> Iterator[dict[str, Any]]:
        """All records so far, the new ones included."""
        return self._records(None)

    def add(self, records: Sequence[Mapping[str, Any]]) -> None:
        """Lines at the end, in one write; all of them or, where the disk is full, none."""
        if not records:
            return
        data = b"".join(map(line_bytes, records))
        try:
            _write_whole(self._file, data)
            if time.monotonic() - self._synced > _SYNC_SECONDS:
                self.sync()
        except OSError as error:
            raise unwritable(self.path, error) from None

    def sync(self) -> None:
        """Waits until what was written is on the disk, not only with the system."""
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise unwritable(self.path, error) from None
        self._synced = time.monotonic()

    def damaged(self, number: int, record: object, expected: str = "a result") -> InputError:
        """Record `number` (from 0) behind the header is not what this job writes."""
        found, do = str(record)[:60], "Add --fresh to begin again."
        return InputError(file=self.path, place=f"line {number + 2}", found=found, expected=expected, do=do)

    def _records(self, size: int | None) -> Iterator[dict[str, Any]]:
        found = lines(self.path, size)
        if self._header is not None:
            next(found, None)
        return found

    def _there(self, ends: Ends) -> tuple[int, int]:
        """How many records there are, and how many bytes are whole groups of whole lines."""
        count = size = whole = kept = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(file):
                if not line.endswith(b"\n"):
                    break
                record = parsed(line)
                if number == 0 and self._header is not None:
                    first = record
                elif not isinstance(record, dict):
                    if self._header is None:  # behind a line that is none nothing counts
                        break
                    self._check(first)
                    raise self.damaged(number - 1, line.decode("utf-8", "replace").rstrip("\n"))
                else:
                    count += 1
                size += len(line)
                if (number == 0 and self._header is not None) or ends(record):
                    whole, kept = size, count
        if self._header is None:
            return kept, whole
        if not kept:  # nothing was done yet, so there is nothing to lose
            return 0, 0
        self._check(first)
        return kept, whole

    def _check(self, found: Any) -> None:
        wanted = self._header or {}
        if found == wanted:
            return
        differs = [name for name in wanted if not isinstance(found, dict) or found.get(name) != wanted[name]]
        raise InputError(
            file=self.path,
            place="line 1",
            found=f"the results of another job (its {' and '.join(differs) or 'form'} differs)",
            expected="results of the same job on the same data",
            do="Add --fresh to throw them away and begin again, or choose another output.",
        )


def lines(path: Path, size: int | None = None) -> Iterator[dict[str, Any]]:
    """The objects of a file, one per line; only its first `size` bytes where that is given."""
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
                    do = "Run the same `readproof prove` command again: it resumes where it was stopped."
                    raise InputError(
                        file=path, place=f"line {number}", found=found, expected="a line of a finished run", do=do
                    )
                yield record
    except FileNotFoundError:
        do = "Name the folder that `readproof prove` wrote."
        raise InputError(file=path, found="no such file", expected="a file of a run", do=do) from None


def parsed(line: bytes) -> Any:
    """A line's value; None where it is none."""
    try:
        return json.loads(line)
    except ValueError:
        return None


def line_bytes(record: Mapping[str, Any]) -> bytes:
    """An object as a line."""
    try:
        return (json.dumps(record, ensure_ascii=False) + "\n").encode("utf-8")
    except UnicodeEncodeError:  # a lone surrogate: escaped it survives
        return (json.dumps(record) + "\n").encode("ascii")


def unwritable(path: Path, error: OSError) -> InputError:
    """A file that cannot be written to: the job can resume once there is room."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    why = f"no room to write ({error.strerror})" if full else f"a file that cannot be written ({error.strerror})"
    do = "Free some space" if full else "Fix that"
    return InputError(
        file=path,
        found=why,
        expected="room for the answers of the run",
        do=f"{do} and run the same command again: it resumes where it stopped.",
    )


def _write_whole(file: FileIO, data: bytes) -> None:
    """All of it at the end of an unbuffered file, or, where the disk is full, nothing."""
    size = file.tell()
    rest = memoryview(data)
    try:
        while rest:  # a disk that is nearly full takes a part, and that is no error yet
            rest = rest[file.write(rest) or 0 :]
    except BaseException:
        # a torn line would be cut off when the job resumes, but nobody else should see one
        file.truncate(size)
        file.seek(size)
        raise


def _lock(file: FileIO, path: Path) -> None:
    """Two processes at work on one file would spoil it; the lock goes with the process, however it ends."""
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
