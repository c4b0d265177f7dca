"""Zips written byte by byte, so that every field of them can lie."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

STORED, DEFLATED = 0, 8


@dataclass(kw_only=True)
class Member:
    """A member; what is None is told as it is."""

    name: str | bytes
    data: bytes = b""
    method: int = DEFLATED
    flags: int | None = None
    mode: int = 0o100644
    crc: int | None = None
    size: int | None = None
    packed_size: int | None = None
    packed: bytes | None = None
    local_name: bytes | None = None
    offset: int | None = None
    comment: bytes = b""
    header: bytes = b"PK\x03\x04"

    def raw_name(self) -> bytes:
        return self.name if isinstance(self.name, bytes) else self.name.encode()


def raw_zip(members: Iterable[Member], *, prefix: bytes = b"", suffix: bytes = b"", count: int | None = None) -> bytes:
    """The members and their directory."""
    body = bytearray(prefix)
    directory = bytearray()
    number = 0
    for one in members:
        number += 1
        name = one.raw_name()
        flags = one.flags if one.flags is not None else (0 if isinstance(one.name, bytes) else 0x800)
        packed = one.packed if one.packed is not None else _packed(one.data, one.method)
        crc = zlib.crc32(one.data) if one.crc is None else one.crc
        size = len(one.data) if one.size is None else one.size
        length = len(packed) if one.packed_size is None else one.packed_size
        extra = b""
        if max(size, length) >= 0xFFFFFFFF:
            extra = struct.pack("<HHQQ", 1, 16, size, length)
            size = length = 0xFFFFFFFF
        offset = len(body) - len(prefix) if one.offset is None else one.offset
        local = name if one.local_name is None else one.local_name
        body += one.header + struct.pack("<HHHHHLLLHH", 20, flags, one.method, 0, 33, crc, 0, 0, len(local), 0)
        body += local + packed
        directory += b"PK\x01\x02" + struct.pack(
            "<HHHHHHLLLHHHHHLL", 0x314, 20, flags, one.method, 0, 33, crc, length, size, len(name), len(extra),
            len(one.comment), 0, 0, one.mode << 16, offset,
        ) + name + extra + one.comment  # fmt: skip
    start = len(body) - len(prefix)
    told = number if count is None else count
    end = b"PK\x05\x06" + struct.pack("<HHHHLLH", 0, 0, told, told, len(directory), start, 0)
    return bytes(body + directory + end) + suffix


def _packed(data: bytes, method: int) -> bytes:
    if method != DEFLATED:
        return data
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def zeros(name: str, size: int) -> Member:
    """So many zero bytes, a thousandth of it packed."""
    packed, crc = _zeros(size)
    return Member(name=name, packed=packed, size=size, crc=crc)


@lru_cache(maxsize=2)
def _zeros(size: int) -> tuple[bytes, int]:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    piece = bytes(1 << 20)
    pieces, crc = [], 0
    for _ in range(size >> 20):
        pieces.append(packer.compress(piece))
        crc = zlib.crc32(piece, crc)
    return b"".join(pieces) + packer.flush(), crc
