"""Zip files of strangers, read in bounded time and memory and never unpacked to disk.

The directory is measured before it is read, every member is judged before it is opened, and all that is unpacked is
paid from one budget. A member is a view that can be sought in: a stored one lies in the file as it is, a packed one is
unpacked forward, with the last megabytes kept, so that even a zip inside a zip is read in a few passes.
"""

from __future__ import annotations

import codecs
import os
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Protocol

from readproof.files import is_cut
from readproof.reports.labels import Label
from readproof.submit.problems import Problems, UnreadableError, word

# Members of a zip as files that can be sought in, with nothing unpacked but what is read, and that within a budget.


# what one check may unpack: so much, and so many times the size of the package
_UNPACKED, _TIMES = 256 << 20, 12
_WINDOW = 4 << 20
PIECE = 1 << 18


class Seekable(Protocol):
    """As much of a file as is needed here."""

    def read(self, size: int = -1, /) -> bytes: ...
    def seek(self, offset: int, whence: int = 0, /) -> int: ...
    def tell(self) -> int: ...


@dataclass(slots=True)
class Budget:
    """How many bytes may still be unpacked for this package."""

    left: int
    whole: int = 0

    @classmethod
    def of(cls, size: int) -> Budget:
        return cls(_UNPACKED + _TIMES * size)

    def __post_init__(self) -> None:
        self.whole = self.left

    def spend(self, count: int) -> None:
        self.left -= count
        if self.left < 0:
            raise UnreadableError("A109", size=f"> {megabytes(self.whole)}", packed=word("one-file"))


@dataclass(slots=True)
class Stored:
    """A member that lies in the archive as it is."""

    file: Seekable
    start: int
    size: int
    at: int = 0

    def read(self, size: int = -1, /) -> bytes:
        wanted = self.size - self.at if size < 0 else min(size, self.size - self.at)
        if wanted <= 0:
            return b""
        self.file.seek(self.start + self.at)
        data = self.file.read(wanted)
        if len(data) < wanted:
            raise UnreadableError("A112", reason=word("short"))
        self.at += len(data)
        return data

    def seek(self, offset: int, whence: int = 0, /) -> int:
        self.at = max(0, offset + (0, self.at, self.size)[whence])
        return self.at

    def tell(self) -> int:
        return self.at


class Packed:
    """A packed member: unpacked forward as far as is asked, its last megabytes kept, or from the start again."""

    def __init__(self, file: Seekable, start: int, packed: int, size: int, budget: Budget) -> None:
        self._file, self._start, self._packed, self._size, self._budget = file, start, packed, size, budget
        self._at = 0
        self._begin()

    def read(self, size: int = -1, /) -> bytes:
        left = self._size - self._at
        wanted = left if size < 0 else min(size, left)
        pieces = []
        while wanted > 0:
            piece = self._kept(min(wanted, PIECE))
            pieces.append(piece)
            self._at += len(piece)
            wanted -= len(piece)
        return b"".join(pieces)

    def seek(self, offset: int, whence: int = 0, /) -> int:
        self._at = max(0, offset + (0, self._at, self._size)[whence])
        return self._at

    def tell(self) -> int:
        return self._at

    def _begin(self) -> None:
        self._unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
        self._taken = 0
        self._window = bytearray()
        self._from = 0
        self._waiting = b""

    def _kept(self, size: int) -> bytes:
        if self._at < self._from:
            self._begin()
        while self._at + size > self._from + len(self._window):
            self._more()
        first = self._at - self._from
        return bytes(self._window[first : first + size])

    def _more(self) -> None:
        if not self._waiting:
            wanted = min(PIECE, self._packed - self._taken)
            self._file.seek(self._start + self._taken)
            self._waiting = self._file.read(wanted) if wanted > 0 else b""
            self._taken += len(self._waiting)
        given = self._waiting
        try:
            # without new input too: what was given before may not all have come out
            piece = b"" if self._unpacker.eof else self._unpacker.decompress(given, PIECE)
        except zlib.error as error:
            raise UnreadableError("A112", reason=str(error)) from None
        if not piece and (self._unpacker.eof or not given):
            raise UnreadableError("A112", reason=word("short"))
        self._waiting = self._unpacker.unconsumed_tail
        self._budget.spend(len(piece))
        self._window += piece
        if len(self._window) > 2 * _WINDOW:
            drop = len(self._window) - _WINDOW
            del self._window[:drop]
            self._from += drop


def megabytes(size: int) -> str:
    """A size for a person."""
    return f"{size / 1e6:,.1f} MB"


# Bytes of a prediction file as text: strictly UTF-8 without a byte-order mark, with a guess at what else it may be.


# archives under the name of a text, by their first bytes
_PACKED = {b"\x1f\x8b": "gzip", b"\xfd7zXZ\0": "xz", b"PK\x03\x04": "zip"}
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def decoded(data: bytes, code: str) -> str:
    """The text; refused with the line where it stops being UTF-8, and perhaps with the encoding it is in."""
    for start, name in _PACKED.items():
        if data.startswith(start):
            raise UnreadableError(code, "line 1", hint=name)
    if data.startswith(_UTF16) or b"\0" in data[:200]:
        raise UnreadableError(code, "line 1", hint="UTF-16 / NUL")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableError(code, f"line {line}", hint=_guess(data, error)) from None


def _guess(data: bytes, error: UnicodeDecodeError) -> str | Label:
    at = error.start
    bad = data[at : at + 4].hex(" ")
    if is_cut(error):
        return word("cut-short", bytes=bad)
    for name in ("gb18030", "big5"):
        try:
            codecs.getincrementaldecoder(name)().decode(data[at : at + 4096])
        except UnicodeDecodeError:
            continue
        return f"{bad}; {name.upper()}?"
    return bad


# more than any honest package has
MOST_MEMBERS = 5000
MOST_DIRECTORY = 2 << 20
MOST_NAME = 200
MOST_DEPTH = 20
MOST_BYTES = 4 << 30
# a larger member that shrinks more than this is there to fill a memory; text repeats itself some 150 times at most
_RATIO = 200
_RATIO_FROM = 32 << 20

_END = b"PK\x05\x06"
_LONGEST_END = 22 + 65535
_LOCAL = 30
_METHODS = {zipfile.ZIP_STORED: "stored", zipfile.ZIP_DEFLATED: "deflated"}
_NAMES = {9: "deflate64", 12: "bzip2", 14: "lzma", 93: "zstd", 95: "xz", 98: "ppmd"}
_AES = 99
_ENCRYPTED = 0x1 | 0x40 | 0x2000
_UTF8 = 0x800
_KINDS = (0, stat.S_IFREG, stat.S_IFDIR)
_LITTER = ("__MACOSX/", ".DS_Store", "Thumbs.db", "desktop.ini")


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """A member that was found to be harmless so far."""

    name: str
    size: int
    packed: int
    offset: int
    stored: bool
    crc: int
    raw_name: bytes

    @property
    def path(self) -> PurePosixPath:
        return PurePosixPath(self.name)


@dataclass(frozen=True, slots=True)
class Archive:
    """The members of a zip that can be opened; `label` is what its problems are filed under."""

    label: str
    file: Seekable
    entries: tuple[ArchiveEntry, ...]
    budget: Budget

    def named(self, name: str) -> ArchiveEntry | None:
        return next((one for one in self.entries if one.name == name), None)

    def view(self, entry: ArchiveEntry) -> Seekable:
        """The member as a file, nothing of it read yet."""
        start = _data_start(self.file, entry)
        if entry.stored:
            return Stored(self.file, start, entry.size)
        return Packed(self.file, start, entry.packed, entry.size, self.budget)

    def pieces(self, entry: ArchiveEntry, view: Seekable | None = None) -> Iterator[bytes]:
        """The member's bytes, checked against its sum at the end."""
        view = view or self.view(entry)
        total = 0
        while piece := view.read(PIECE):
            total = zlib.crc32(piece, total)
            yield piece
        if total != entry.crc:
            raise UnreadableError("A112", reason="CRC-32")

    def read(self, entry: ArchiveEntry, most: int) -> bytes:
        """The whole member, if it is not too large."""
        if entry.size > most:
            raise UnreadableError("A108", size=megabytes(entry.size), most=megabytes(most))
        return b"".join(self.pieces(entry))

    def verified(self, entry: ArchiveEntry) -> Seekable:
        """The member as a file, after it was read to its end and forgotten: only its last bytes are still at hand."""
        view = self.view(entry)
        for _ in self.pieces(entry, view):
            pass
        return view


def open_archive(file: Seekable, label: str, problems: Problems, budget: Budget) -> Archive | None:
    """The archive without the members that are refused; None where it cannot be read at all."""
    try:
        end = _measured(file)
        listed = zipfile.ZipFile(file).infolist()
    except UnreadableError as refused:
        problems.refuse(refused, label)
        return None
    except UnicodeDecodeError as error:
        problems.add("A107", label, name=error.object[:40])
        return None
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError, struct.error, EOFError, zlib.error) as error:
        problems.add("A101", label, reason=error)
        return None
    if not listed:
        problems.add("A118", label)
    entries = tuple(_harmless(listed, label, problems, end))
    return Archive(label, file, entries, budget)


def size_of(file: Seekable) -> int:
    return file.seek(0, os.SEEK_END)


def _measured(file: Seekable) -> int:
    """Where the directory starts; refused before a line of it is read if it is too large or out of place."""
    size = size_of(file)
    start = max(0, size - _LONGEST_END)
    file.seek(start)
    tail = file.read(size - start)
    at = tail.rfind(_END)
    if at < 0 or len(tail) - at < 22:
        raise UnreadableError("A101", reason=word("no-directory"))
    count, length, offset = struct.unpack("<HLL", tail[at + 10 : at + 20])
    (comment,) = struct.unpack("<H", tail[at + 20 : at + 22])
    if at + 22 + comment != len(tail):
        raise UnreadableError("A115", count=len(tail) - at - 22 - comment)
    ends_at = start + at
    locator = tail[at - 20 : at] if at >= 20 else b""
    if locator.startswith(b"PK\x06\x07"):
        (where,) = struct.unpack("<Q", locator[8:16])
        file.seek(min(where, size))
        record = file.read(56)
        if len(record) < 56 or not record.startswith(b"PK\x06\x06"):
            raise UnreadableError("A101", reason="zip64")
        count, length, offset = struct.unpack("<QQQ", record[32:56])
        ends_at = where
    if count > MOST_MEMBERS or length > MOST_DIRECTORY:
        raise UnreadableError("A102", count=count, most=MOST_MEMBERS)
    if offset + length != ends_at:
        # bytes before the zip: a program, a picture, or a second zip for readers that look from the front
        raise UnreadableError("A115", count=ends_at - offset - length)
    return int(offset)


def _harmless(listed: list[zipfile.ZipInfo], label: str, problems: Problems, end: int) -> Iterator[ArchiveEntry]:
    overlapping = _overlapping(listed, end)
    seen: dict[str, str] = {}
    for info in listed:
        name, raw = _name(info, label, problems)
        if name is None:
            continue
        file = f"{label}/{name}"
        fault = _fault(info, name)
        if fault is not None:
            problems.refuse(fault, file)
            continue
        if info.header_offset in overlapping:
            problems.add("A113", file)
            continue
        alike = unicodedata.normalize("NFC", name).casefold().rstrip("/")
        if alike in seen:
            problems.add("A106", file, name=seen[alike])
            continue
        seen[alike] = name
        if name.startswith(_LITTER) or name.rpartition("/")[2] in _LITTER:
            problems.add("A114", file)
        elif not name.endswith("/"):
            stored = info.compress_type == zipfile.ZIP_STORED
            yield ArchiveEntry(name, info.file_size, info.compress_size, info.header_offset, stored, info.CRC, raw)


def _name(info: zipfile.ZipInfo, label: str, problems: Problems) -> tuple[str | None, bytes]:
    """The name as text; zips made on Chinese Windows have GBK where the standard has none."""
    name = info.orig_filename
    if info.flag_bits & _UTF8:
        return name, name.encode()
    raw = name.encode("cp437")
    try:
        return raw.decode(), raw
    except UnicodeDecodeError:
        problems.add("A107", label, name=raw.decode("gb18030", errors="backslashreplace"))
        return None, raw


def _fault(info: zipfile.ZipInfo, name: str) -> UnreadableError | None:
    if _is_trick(name):
        return UnreadableError("A103", name=name)
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in _KINDS:
        return UnreadableError("A104", kind="symlink" if kind == stat.S_IFLNK else f"{kind:o}")
    if info.flag_bits & _ENCRYPTED or info.compress_type == _AES:
        return UnreadableError("A105")
    if info.compress_type not in _METHODS:
        return UnreadableError("A111", method=_NAMES.get(info.compress_type, info.compress_type))
    if name.endswith("/") and info.file_size:
        return UnreadableError("A112", reason=word("folder-bytes"))
    if info.file_size > _RATIO_FROM and info.file_size > _RATIO * max(info.compress_size, 1):
        return UnreadableError("A109", size=megabytes(info.file_size), packed=megabytes(info.compress_size))
    if info.file_size > MOST_BYTES:
        return UnreadableError("A108", size=megabytes(info.file_size), most=megabytes(MOST_BYTES))
    if info.compress_type == zipfile.ZIP_STORED and info.file_size != info.compress_size:
        return UnreadableError("A112", reason=word("two-sizes"))
    return None


def _is_trick(name: str) -> bool:
    parts = name.removesuffix("/").split("/")
    return (
        len(name) > MOST_NAME
        or len(parts) > MOST_DEPTH
        or any(part in ("", ".", "..") or part != part.strip() or part.endswith(".") for part in parts)
        or any(sign in '\\:*?"<>|' or not sign.isprintable() for sign in name)
    )


def _overlapping(listed: list[zipfile.ZipInfo], end: int) -> set[int]:
    """Members that share bytes: one packed piece that is unpacked a thousand times is a bomb."""
    found: set[int] = set()
    last, reached = -1, 0
    for info in sorted(listed, key=lambda one: one.header_offset):
        after = info.header_offset + _LOCAL + len(info.orig_filename) + info.compress_size
        if info.header_offset < reached:
            found |= {last, info.header_offset}
        if after > end or info.header_offset < 0:
            found.add(info.header_offset)
        if after > reached:
            last, reached = info.header_offset, after
    return found


def _data_start(file: Seekable, entry: ArchiveEntry) -> int:
    file.seek(entry.offset)
    header = file.read(_LOCAL)
    if len(header) < _LOCAL or not header.startswith(b"PK\x03\x04"):
        raise UnreadableError("A112", reason=word("no-header"))
    name_length, extra_length = struct.unpack("<HH", header[26:30])
    name = file.read(name_length)
    if name != entry.raw_name:
        raise UnreadableError("A112", reason=word("two-names", name=name[:60]))
    return entry.offset + _LOCAL + int(name_length) + int(extra_length)
