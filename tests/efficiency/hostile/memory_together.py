# ruff: noqa
"""Asks for less than the limit, in many processes."""

import os
import time

for _ in range(8):
    if os.fork() == 0:
        kept = bytearray(b"x") * (100 * 2**20)
        time.sleep(100)
time.sleep(100)
