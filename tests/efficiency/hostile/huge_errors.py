# ruff: noqa
"""Writes to standard error without end."""

import sys

while True:
    sys.stderr.write("x" * 2**16)
