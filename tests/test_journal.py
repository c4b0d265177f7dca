"""Append-only files: whatever a kill, a power cut or a full disk leaves of one, the job resumes from whole lines."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readproof.errors import InputError
from readproof.journal import Journal, lines
from tests.strategies import texts


@given(records=st.lists(st.dictionaries(texts(4), texts(), max_size=2), max_size=6), cut=st.integers(0, 400))
def test_a_log_that_was_cut_anywhere_holds_a_beginning_and_goes_on(
    records: list[dict[str, str]], cut: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("log") / "log.jsonl"
    with Journal(path) as journal:
        for record in records:
            journal.add([record])
    whole = path.read_bytes()
    path.write_bytes(whole[:cut])
    with Journal(path) as journal:
        there = list(journal.old())
        assert there == records[: len(there)]
        journal.add(records[len(there) :])
    assert path.read_bytes() == whole
    assert list(lines(path)) == records


def test_lines_of_one_group_are_kept_together(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"last": true}\n{"last": false}\n{"last": tr', encoding="utf-8")
    with Journal(path, lambda line: bool(line["last"])) as journal:
        assert list(journal.old()) == [{"last": True}]
    assert path.read_text(encoding="utf-8") == '{"last": true}\n'


def test_what_a_power_cut_leaves_behind_a_whole_line_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"a": 1}\n' + bytes(100) + b'\n{"a": 2}\n')
    with Journal(path) as journal:
        assert list(journal.old()) == [{"a": 1}]


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
    with Journal(path, header=HEADER) as journal:
        journal._file = Nearly(journal._file, room)
        for record in RECORDS[journal.count :]:
            journal.add([record])


def held(path: Path) -> list[dict[str, Any]]:
    with Journal(path, header=HEADER) as journal:
        return list(journal.records())


def test_a_short_write_is_completed(tmp_path: Path) -> None:
    put(tmp_path / "part", room=10_000)
    assert held(tmp_path / "part") == RECORDS


@pytest.mark.parametrize("room", [1, 40, 100])
def test_a_full_disk_leaves_whole_lines_and_a_job_that_resumes(tmp_path: Path, room: int) -> None:
    path = tmp_path / "part"
    with pytest.raises(InputError, match="no room to write"):
        put(path, room)
    assert path.read_bytes().endswith(b"\n")
    put(path, room=10_000)
    assert held(path) == RECORDS


def test_another_job_s_results_are_refused_unless_there_are_none(tmp_path: Path) -> None:
    path = tmp_path / "part"
    with Journal(path, header={"job": "other"}):
        pass
    with Journal(path, header=HEADER) as journal:  # nothing was done yet
        journal.add(RECORDS[:2])
    with pytest.raises(InputError, match=r"another job \(its job differs"):
        Journal(path, header={"job": "third"})
    with Journal(path, header={"job": "third"}, fresh=True) as journal:
        assert journal.count == 0


def test_a_damaged_line_is_told_and_not_cut_off_with_all_behind_it(tmp_path: Path) -> None:
    path = tmp_path / "part"
    with Journal(path, header=HEADER) as journal:
        journal.add(RECORDS[:3])
    whole = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*whole[:2], b"{spoilt\n", *whole[3:]]))
    with pytest.raises(InputError, match=r"line 3: found \{spoilt; expected a result"):
        Journal(path, header=HEADER)
    assert path.read_bytes().count(b"\n") == 4


def test_two_processes_do_not_share_one(tmp_path: Path) -> None:
    path = tmp_path / "part"
    with Journal(path, header=HEADER), pytest.raises(InputError, match="another process"):
        Journal(path, header=HEADER)
