"""Files are read whatever their packing, refused with a place when broken, and written whole or not at all."""

from __future__ import annotations

import gzip
import lzma
import os
import threading
from pathlib import Path

import pytest

from readproof.errors import InputError
from readproof.files import chunks, has_byte_order_mark, lines, read_text, writing


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress])
def test_packed_by_content_not_by_name(pack: type, tmp_path: Path) -> None:
    path = tmp_path / "any.name"
    path.write_bytes(pack("\ufeff你好\r\nسلام\n".encode()))
    assert read_text(path) == "你好\r\nسلام\n"
    assert list(lines(path)) == [(1, "你好"), (2, "سلام")]
    assert has_byte_order_mark(path)


def test_characters_across_chunk_borders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "text"
    path.write_text("a中文𠀀b" * 100, encoding="utf-8")
    monkeypatch.setattr("readproof.files.read_bytes.__defaults__", (7, 0))
    assert "".join(chunks(path)) == "a中文𠀀b" * 100


@pytest.mark.parametrize(
    ("data", "found", "place"),
    [
        ("好\n好".encode() + b"\xff\xfe", "bytes ff fe", "line 2"),
        ("中文".encode("utf-16"), "UTF-16", "byte 0"),
        ("第一\n中文，简体".encode("gb18030"), "not UTF-8", "line 1"),
        (gzip.compress(b"x" * 5000, mtime=0)[:30], "truncated archive", ""),
        (lzma.compress(b"x" * 5000)[:40], "truncated archive", ""),
    ],
)
def test_broken_files(data: bytes, found: str, place: str, tmp_path: Path) -> None:
    path = tmp_path / "broken"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_text(path)
    assert found in caught.value.found
    assert caught.value.place.startswith(place)


def test_gb18030_is_named(tmp_path: Path) -> None:
    path = tmp_path / "gb"
    path.write_bytes("简体中文".encode("gb18030"))
    with pytest.raises(InputError, match="GB18030"):
        read_text(path)


def test_missing_and_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_text(tmp_path / "none")
    with pytest.raises(InputError, match="folder"):
        read_text(tmp_path)


def test_writing_leaves_nothing_half_written(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    path.write_text("old", encoding="utf-8")

    def fail() -> None:
        with writing(path) as file:
            file.write("new")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert path.read_text(encoding="utf-8") == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["out.json"]
    with writing(path) as file:
        file.write("new")
    assert path.read_text(encoding="utf-8") == "new"


def test_writing_into_no_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no folder"), writing(tmp_path / "none" / "out.json"):
        pass


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_read_whole(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=("故宫位于北京。",), kwargs={"encoding": "utf-8"})
    writer.start()
    assert read_text(pipe) == "故宫位于北京。"
    writer.join()
