# ruff: noqa
"""Looks for the key in standard input."""

import os
import sys


def look():
    data = os.read(0, 100) or sys.stdin.read()
    return data[0]


attempt("input", look)
attempt("seek", lambda: (os.lseek(0, 0, 0), os.read(0, 100)[0]))
