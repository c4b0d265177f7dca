# ruff: noqa
"""Writes to every way out without end."""

import os

while True:
    for number in range(1, 16):
        try:
            os.write(number, b"x" * 2**16)
        except OSError:
            pass
