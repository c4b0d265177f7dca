"""A reader of our output that has seen enough (head, less) is no fault."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer


@contextmanager
def until_closed() -> Iterator[None]:
    """Write to standard output inside; if its reader goes away the command ends well, and Python's exit is quiet."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        # what is still in the buffer must go somewhere at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None
