# ruff: noqa
"""Writes a little, again and again, so that it always seems to be at work."""

import time

while True:
    print("working …", flush=True)
    time.sleep(0.01)
