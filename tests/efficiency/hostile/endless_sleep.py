# ruff: noqa
"""Waits for ever."""

import time

time.sleep(10**6)
