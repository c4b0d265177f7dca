"""Files are read whatever their packing, refused with a place when broken, and written whole or not at all."""

from __future__ import annotations

import errno
import gzip
import lzma
import os
import subprocess
import sys
import threading
import zipfile
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


@pytest.mark.parametrize("missing", [1, 2])
def test_a_character_cut_at_the_end_is_no_other_encoding(missing: int, tmp_path: Path) -> None:
    path = tmp_path / "cut.json"
    path.write_bytes('{"data": "简体中文'.encode()[:-missing])
    with pytest.raises(InputError, match="seems cut short") as caught:
        read_text(path)
    assert "GB18030" not in str(caught.value)


def test_a_zip_is_named(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("data.json", "{}")
    with pytest.raises(InputError, match="a zip archive"):
        read_text(path)


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


@pytest.mark.parametrize(
    ("asked", "there"), [("a.json", "a.json.xz"), ("a.json", "a.json.gz"), ("a.json.xz", "a.json")]
)
def test_the_same_file_packed_or_unpacked_is_named(asked: str, there: str, tmp_path: Path) -> None:
    (tmp_path / there).write_bytes(b"")
    with pytest.raises(InputError, match=f"There is {there} beside it"):
        read_text(tmp_path / asked)


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


def test_a_full_disk_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    with pytest.raises(OSError, match=r"No space left.*out\.json"), writing(path):
        raise full
    assert not list(tmp_path.iterdir())
    with pytest.raises(ConnectionError), writing(path):
        raise ConnectionResetError(errno.ECONNRESET, "a reader's server, no fault of the file")


def test_writing_into_no_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no folder"), writing(tmp_path / "none" / "out.json"):
        pass


def _fed(pipe: Path, data: bytes) -> threading.Thread:
    writer = threading.Thread(target=pipe.write_bytes, args=(data,))
    writer.start()
    return writer


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress])
def test_a_pipe_is_read_as_often_as_a_file(pack: type, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = _fed(pipe, pack("故宫位于北京。".encode()))
    assert not has_byte_order_mark(pipe)
    assert read_text(pipe) == "故宫位于北京。"
    writer.join()
    # a pipe of the same name that was made anew is another
    pipe.unlink()
    os.mkfifo(pipe)
    writer = _fed(pipe, pack(b"more"))
    assert read_text(pipe) == "more"
    writer.join()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_nothing_is_left_of_a_pipe(tmp_path: Path) -> None:
    code = "from pathlib import Path; from readproof.files import read_text; print(read_text(Path('/dev/stdin')))"
    found = subprocess.run(
        [sys.executable, "-c", code], input="好", capture_output=True, text=True, check=True, encoding="utf-8",
        env=os.environ | {"TMPDIR": str(tmp_path)},
    )  # fmt: skip
    assert found.stdout == "好\n"
    assert not list(tmp_path.iterdir())
