"""A reader of our output that has seen enough (head, less) is no fault."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

import typer
from typer.core import TyperGroup

_CLOSED = 128 + 13  # by SIGPIPE, as a shell says it
_HELP = frozenset({"-h", "--help"})


@contextmanager
def until_closed() -> Iterator[None]:
    """Write results to standard output inside; if its reader goes away the rest is dropped, and the status stands."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        if not _is_unread(sys.stdout):
            raise
        _to_nowhere(sys.stdout)


class Commands(TyperGroup):
    """All commands, also those that did not think of their reader: without a traceback, as other programs end there."""

    def make_context(self, *arguments: Any, **options: Any) -> Any:
        with _unless_read():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: Any) -> Any:
        with _unless_read():
            return super().invoke(ctx)


@contextmanager
def _unless_read() -> Iterator[None]:
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        unread = [stream for stream in (sys.stdout, sys.stderr) if _is_unread(stream)]
        if not unread:  # the pipe of a worker, say: that is a failure
            raise
        for stream in unread:
            _to_nowhere(stream)
        # of a help text enough was seen; else what was to come is not known: a job may have been half-way
        raise typer.Exit(0 if _HELP.intersection(sys.argv) else _CLOSED) from None


def _is_unread(stream: TextIO) -> bool:
    """Whether this is a pipe that nobody reads any more."""
    if not hasattr(select, "poll"):  # a system without it: most likely so
        return True
    try:
        asked = select.poll()
        asked.register(stream.fileno(), 0)
        return any(event & (select.POLLERR | select.POLLHUP) for _, event in asked.poll(0))
    except (OSError, ValueError):  # no stream of the process
        return False


def _to_nowhere(stream: TextIO) -> None:
    # what is still in the buffer must go somewhere at exit
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
