"""Zip files of strangers, read in bounded time and memory and never unpacked to disk.

The directory is measured before it is read, every member is judged before it is opened, and all that is unpacked is
paid from one budget. A member is a view that can be sought in: a stored one lies in the file as it is, a packed one is
unpacked forward, with the last megabytes kept, so that even a zip inside a zip is read in a few passes.
"""

from __future__ import annotations

import os
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from readproof.submit.problems import Problems, Refused, word
from readproof.submit.views import PIECE, Budget, Packed, Seekable, Stored, megabytes

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
class Entry:
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
    entries: tuple[Entry, ...]
    budget: Budget

    def named(self, name: str) -> Entry | None:
        return next((one for one in self.entries if one.name == name), None)

    def view(self, entry: Entry) -> Seekable:
        """The member as a file, nothing of it read yet."""
        start = _data_start(self.file, entry)
        if entry.stored:
            return Stored(self.file, start, entry.size)
        return Packed(self.file, start, entry.packed, entry.size, self.budget)

    def pieces(self, entry: Entry, view: Seekable | None = None) -> Iterator[bytes]:
        """The member's bytes, checked against its sum at the end."""
        view = view or self.view(entry)
        total = 0
        while piece := view.read(PIECE):
            total = zlib.crc32(piece, total)
            yield piece
        if total != entry.crc:
            raise Refused("A112", reason="CRC-32")

    def read(self, entry: Entry, most: int) -> bytes:
        """The whole member, if it is not too large."""
        if entry.size > most:
            raise Refused("A108", size=megabytes(entry.size), most=megabytes(most))
        return b"".join(self.pieces(entry))

    def verified(self, entry: Entry) -> Seekable:
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
    except Refused as refused:
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
        raise Refused("A101", reason=word("no-directory"))
    count, length, offset = struct.unpack("<HLL", tail[at + 10 : at + 20])
    (comment,) = struct.unpack("<H", tail[at + 20 : at + 22])
    if at + 22 + comment != len(tail):
        raise Refused("A115", count=len(tail) - at - 22 - comment)
    ends_at = start + at
    locator = tail[at - 20 : at] if at >= 20 else b""
    if locator.startswith(b"PK\x06\x07"):
        (where,) = struct.unpack("<Q", locator[8:16])
        file.seek(min(where, size))
        record = file.read(56)
        if len(record) < 56 or not record.startswith(b"PK\x06\x06"):
            raise Refused("A101", reason="zip64")
        count, length, offset = struct.unpack("<QQQ", record[32:56])
        ends_at = where
    if count > MOST_MEMBERS or length > MOST_DIRECTORY:
        raise Refused("A102", count=count, most=MOST_MEMBERS)
    if offset + length != ends_at:
        # bytes before the zip: a program, a picture, or a second zip for readers that look from the front
        raise Refused("A115", count=ends_at - offset - length)
    return int(offset)


def _harmless(listed: list[zipfile.ZipInfo], label: str, problems: Problems, end: int) -> Iterator[Entry]:
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
            yield Entry(name, info.file_size, info.compress_size, info.header_offset, stored, info.CRC, raw)


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


def _fault(info: zipfile.ZipInfo, name: str) -> Refused | None:
    if _is_trick(name):
        return Refused("A103", name=name)
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in _KINDS:
        return Refused("A104", kind="symlink" if kind == stat.S_IFLNK else f"{kind:o}")
    if info.flag_bits & _ENCRYPTED or info.compress_type == _AES:
        return Refused("A105")
    if info.compress_type not in _METHODS:
        return Refused("A111", method=_NAMES.get(info.compress_type, info.compress_type))
    if name.endswith("/") and info.file_size:
        return Refused("A112", reason=word("folder-bytes"))
    if info.file_size > _RATIO_FROM and info.file_size > _RATIO * max(info.compress_size, 1):
        return Refused("A109", size=megabytes(info.file_size), packed=megabytes(info.compress_size))
    if info.file_size > MOST_BYTES:
        return Refused("A108", size=megabytes(info.file_size), most=megabytes(MOST_BYTES))
    if info.compress_type == zipfile.ZIP_STORED and info.file_size != info.compress_size:
        return Refused("A112", reason=word("two-sizes"))
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


def _data_start(file: Seekable, entry: Entry) -> int:
    file.seek(entry.offset)
    header = file.read(_LOCAL)
    if len(header) < _LOCAL or not header.startswith(b"PK\x03\x04"):
        raise Refused("A112", reason=word("no-header"))
    name_length, extra_length = struct.unpack("<HH", header[26:30])
    name = file.read(name_length)
    if name != entry.raw_name:
        raise Refused("A112", reason=word("two-names", name=name[:60]))
    return entry.offset + _LOCAL + int(name_length) + int(extra_length)
