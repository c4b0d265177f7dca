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


@contextmanager
def until_closed() -> Iterator[None]:
    """Write to standard output inside; if its reader goes away the command ends well, and Python's exit is quiet."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        _to_nowhere(sys.stdout)
        raise typer.Exit(0) from None


class Commands(TyperGroup):
    """All commands, whatever they write and whether or not they thought of their reader; theirs alone ends well."""

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
        raise typer.Exit(0) from None


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
