"""A reader by the words that open it, so that it can be opened wherever it is asked, once a process.

What travels to a worker is the words and the fingerprint; a worker that finds another reader under the same words says
so, instead of mixing the answers of two.
"""

from __future__ import annotations

import re
from typing import Any

from readproof.engine import Engine
from readproof.errors import InputError
from readproof.readers.api import Reader, StreamingReader
from readproof.readers.factory import load_reader

# a function of a module has a name that can be opened elsewhere; a lambda, or a function of a notebook, has not
_FUNCTION = re.compile(r"(?!__main__:)[^\W\d][\w.]*:[^\W\d]\w*")


class ReaderRef:
    """How to open a reader; opened at the first use, and kept."""

    def __init__(
        self, spec: str, *, threads: int = 0, no_answer: bool = False, exit: str = "", opened: Reader | None = None
    ) -> None:
        self.spec = spec
        self.threads = threads
        self.no_answer = no_answer
        self.exit = exit
        self._fingerprint = ""
        self._opened = opened

    def open(self) -> Reader:
        """The reader."""
        if self._opened is None:
            reader = load_reader(self.spec, threads=self.threads, no_answer=self.no_answer, exit=self.exit)
            if self._fingerprint and reader.fingerprint != self._fingerprint:
                found, expected = f"another reader under the name {self.spec!r}", "the one that the run was begun with"
                raise InputError(found=found, expected=expected, do="Wait until it is not being changed any more.")
            self._opened = reader
        return self._opened

    def __getstate__(self) -> dict[str, Any]:
        # a session of onnxruntime does not travel
        return {**self.__dict__, "_fingerprint": self.open().fingerprint, "_opened": None}


def reader_ref(reader: Reader | ReaderRef) -> ReaderRef:
    """A reader that was opened already; where its name is that of a function, it can be opened elsewhere too."""
    if isinstance(reader, ReaderRef):
        return reader
    return ReaderRef(reader.name if _FUNCTION.fullmatch(reader.name) else "", opened=reader)


def check_engine(engine: Engine, *readers: ReaderRef | None) -> None:
    """An InputError where the readers cannot work on an engine."""
    if engine.name == "local":
        return
    for one in readers:
        if one is None:
            continue
        if isinstance(one.open(), StreamingReader):
            raise InputError(
                place=f"--engine {engine.name}",
                found=f"{one.open().name}, which asks many questions at a time by itself",
                expected="--engine local",
                do="How many, its option concurrency says: llm:…#model?concurrency=32",
            )
        if not one.spec:
            raise InputError(
                place=f"--engine {engine.name}",
                found=f"the reader {one.open().name!r} without a name that opens it elsewhere",
                expected="the name of a reader, a folder, or a function in a module (module:function)",
            )
