# ruff: noqa
"""Waits for the end to have the last word."""

import atexit
import os
import threading


def last_word():
    for number in range(1, 64):
        try:
            os.write(number, b"BREACHED last word")
        except OSError:
            pass


atexit.register(last_word)
threading._register_atexit(last_word)
