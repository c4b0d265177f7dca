"""Members of a zip as files that can be sought in, with nothing unpacked but what is read, and that within a budget."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Protocol

from readproof.submit.problems import Refused, word

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
            raise Refused("A109", size=f"> {megabytes(self.whole)}", packed=word("one-file"))


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
            raise Refused("A112", reason=word("short"))
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
            raise Refused("A112", reason=str(error)) from None
        if not piece and (self._unpacker.eof or not given):
            raise Refused("A112", reason=word("short"))
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
