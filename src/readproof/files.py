"""Reading any text file (plain, .gz or .xz, by content), and writing files whole or not at all."""

from __future__ import annotations

import codecs
import errno
import gzip
import hashlib
import lzma
import os
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import BinaryIO, TextIO

from readproof.errors import InputError

CHUNK = 1 << 20
_GZIP = b"\x1f\x8b"
_XZ = b"\xfd7zXZ\x00"
_ZIP = b"PK\x03\x04"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
# what was read of a pipe, by its identity and the time when it was last written to
_read_of: dict[tuple[int, int, int], Path] = {}


def open_binary(path: Path) -> BinaryIO:
    """Open a file for reading, unpacking gzip and xz; a pipe, as a shell's <(…), may be opened again and again."""
    named = path
    try:
        path = _lasting(path)
        file = path.open("rb")
        head = file.peek(len(_XZ))
        if not head.startswith((_GZIP, _XZ)):
            return file
        file.close()
        if head.startswith(_GZIP):
            return gzip.open(path, "rb")  # type: ignore[return-value]
        return lzma.open(path, "rb")  # type: ignore[return-value]
    except FileNotFoundError:
        raise InputError(file=named, found="no such file", expected="a file", do=where_else(named)) from None
    except IsADirectoryError:
        raise InputError(file=named, found="a folder", expected="a file", do="Name a file inside it.") from None
    except (OSError, ValueError) as error:
        raise InputError(
            file=named.as_posix().replace("\0", "\\0"),
            found=f"a file that cannot be opened ({error})",
            expected="a readable file",
            do="Check its name and permissions.",
        ) from None


def where_else(path: Path) -> str:
    """What to do about a file that is not there: the same one may lie beside it packed, or unpacked."""
    others = [path.with_name(path.name + end) for end in (".xz", ".gz")]
    others += [path.with_suffix("")] if path.suffix in (".xz", ".gz") else []
    there = next((one for one in others if one.is_file()), None)
    return f"There is {there.name} beside it, which is read as it is." if there else "Check the path."


def _lasting(path: Path) -> Path:
    """The file itself, or what a pipe held: a pipe can be read once, but a format is recognised before it is read."""
    if not path.is_fifo():
        return path
    kept = _read_of.get(_identity(path.stat()))
    if kept is None:
        with path.open("rb") as pipe:
            handle, name = tempfile.mkstemp(dir=_room_for_pipes().name)
            kept = Path(name)
            with os.fdopen(handle, "wb") as file:
                shutil.copyfileobj(pipe, file, CHUNK)
            _read_of[_identity(os.fstat(pipe.fileno()))] = kept
    return kept


def _identity(found: os.stat_result) -> tuple[int, int, int]:
    """With the time, as the number of a pipe that is gone is given to another."""
    return found.st_dev, found.st_ino, found.st_mtime_ns


@cache
def _room_for_pipes() -> tempfile.TemporaryDirectory[str]:
    """It goes away with the process."""
    return tempfile.TemporaryDirectory(prefix="readproof-pipes-")


def chunks(path: Path) -> Iterator[str]:
    """The text of a file piece by piece, decoded strictly as UTF-8; a byte-order mark at the start is dropped."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    seen = 0
    line = 1
    with open_binary(path) as file:
        while True:
            data = read_bytes(file, path, seen=seen)
            if seen == 0:
                _refuse_other(data, path)
                data = data.removeprefix(codecs.BOM_UTF8)
            try:
                text = decoder.decode(data, final=not data)
            except UnicodeDecodeError as error:
                good = error.object[: error.start]
                raise _not_utf8(path, error, line + good.count(b"\n"), seen) from None
            seen += len(data)
            if not data:
                if text:
                    yield text
                return
            line += text.count("\n")
            yield text


def has_byte_order_mark(path: Path) -> bool:
    """Whether a file starts with a UTF-8 byte-order mark."""
    with open_binary(path) as file:
        return read_bytes(file, path, len(codecs.BOM_UTF8)) == codecs.BOM_UTF8


def read_text(path: Path) -> str:
    """The whole text of a file."""
    return "".join(chunks(path))


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """Numbered lines without their ends; only line feeds end a line, so U+2028 inside a text survives."""
    rest = ""
    number = 0
    for chunk in chunks(path):
        pieces = (rest + chunk).split("\n")
        rest = pieces.pop()
        for piece in pieces:
            number += 1
            yield number, piece.removesuffix("\r")
    if rest:
        yield number + 1, rest.removesuffix("\r")


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    with _lasting(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_place(path: Path) -> None:
    """An InputError where no file of this name can be written: told before the work, not after it."""
    folder = path.parent
    if not folder.is_dir():
        found = f"no folder {str(folder)!r}"
        raise InputError(file=path, found=found, expected="an existing folder", do="Make it first.")
    if path.is_dir():
        raise InputError(file=path, found="a folder", expected="a file name to write to")
    if path.exists() and not path.is_file():
        # a device would be replaced by a file of its name
        raise InputError(file=path, found="no plain file", expected="a file name to write to")


def check_apart(out: Path, *inputs: Path | None) -> None:
    """An InputError where an output would be written over an input; None is one that was not given."""
    if any(one is not None and one.exists() and one.resolve() == out.resolve() for one in inputs):
        raise InputError(file=out, found="a file that is read from", expected="another name to write to")


def check_folder(path: Path) -> None:
    """An InputError where no folder of this name can be made."""
    if path.exists() and not path.is_dir():
        raise InputError(file=path, found="a file", expected="a folder to write to")


@contextmanager
def writing(path: Path) -> Iterator[TextIO]:
    """Write a file whole or not at all: into a temporary file beside it, renamed at the end."""
    check_place(path)
    path = path.resolve()  # a link stays one
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    except OSError as error:
        raise InputError(
            file=path, found=f"a folder that cannot be written ({error.strerror})", expected="a writable folder"
        ) from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(path)
    except BaseException as error:
        Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError):
            name_full(path, error)
        raise


def name_full(path: Path, error: OSError) -> None:
    """The system does not say which file there was no room for."""
    if error.errno in _FULL and error.filename is None:
        error.filename = str(path)


def no_room(error: OSError) -> InputError | None:
    """What to tell of a file that could not be written for want of room; None where it was for something else."""
    if error.errno not in _FULL:
        return None
    return InputError(
        file=error.filename or "",
        found=f"no room to write ({error.strerror})",
        expected="room on the disk",
        do="Free some space, or name another place, and run the same command again.",
    )


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def read_bytes(file: BinaryIO, path: Path, size: int = CHUNK, seen: int = 0) -> bytes:
    """Some bytes of an open file; a broken archive is the user's to mend."""
    try:
        return file.read(size)
    except (EOFError, lzma.LZMAError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(
            file=path,
            place=f"after {seen} unpacked bytes",
            found=f"a broken or truncated archive ({error})",
            expected="a whole .gz or .xz file",
            do="Fetch or pack the file again.",
        ) from None
    except OSError as error:
        raise InputError(
            file=path, found=f"a file that cannot be read ({error.strerror})", expected="a readable file"
        ) from None


def _refuse_other(data: bytes, path: Path) -> None:
    if data.startswith(_ZIP):
        raise InputError(file=path, place="byte 0", found="a zip archive", expected="UTF-8 text", do="Unpack it first.")
    if data.startswith(_UTF16):
        raise InputError(
            file=path, place="byte 0", found="UTF-16 text", expected="UTF-8 text", do="Save the file as UTF-8."
        )


def _not_utf8(path: Path, error: UnicodeDecodeError, line: int, seen: int) -> InputError:
    bad = error.object[error.start : error.start + 4]
    sample = error.object[error.start : error.start + 4096]
    hint = "Save the file as UTF-8."
    if is_cut(error):
        return InputError(
            file=path,
            place=f"line {line}, at its end",
            found=f"the bytes {bad.hex(' ')} of a character without its rest",
            expected="UTF-8 text",
            do="The file seems cut short: fetch or write it again.",
        )
    if b"\0" not in sample and _decodes(sample, "gb18030"):
        hint = "If it is GB18030, convert it first: iconv -f GB18030 -t UTF-8 FILE"
    return InputError(
        file=path,
        place=f"line {line}, near byte {seen + error.start}",
        found=f"bytes {bad.hex(' ')} that are not UTF-8",
        expected="UTF-8 text",
        do=hint,
    )


def is_cut(error: UnicodeDecodeError) -> bool:
    """Whether all is UTF-8 up to the end, and only the last character is not whole."""
    return error.reason == "unexpected end of data"


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        codecs.getincrementaldecoder(encoding)().decode(data)
    except UnicodeDecodeError:
        return False
    return True
