# ruff: noqa
"""Uses the processor through many short children, none of which reaches a limit."""

import os

while True:
    if os.fork() == 0:
        sum(range(10**6))
        os._exit(0)
    os.wait()
