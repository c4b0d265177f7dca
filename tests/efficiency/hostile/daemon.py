# ruff: noqa
"""Leaves a process behind that lives on, without a parent, a session or open files."""

import os
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() > 0:
        os._exit(0)
    os.closerange(0, 256)
    time.sleep(1000)
    os._exit(0)
os.wait()
