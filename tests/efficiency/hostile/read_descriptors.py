# ruff: noqa
"""Looks for files that someone left open."""

import os
import stat


def look():
    found = []
    for number in range(3, 1024):
        try:
            kind = os.fstat(number).st_mode
        except OSError:
            continue
        if not stat.S_ISFIFO(kind):  # the worker's own way out is a pipe
            found.append((number, oct(kind)))
        try:
            found.append((number, os.read(number, 10)))
        except OSError:
            pass
    return found[0]


attempt("descriptors", look)
