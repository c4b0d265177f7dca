# ruff: noqa
"""Kills the process that watches it."""

import os
import signal

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL, signal.SIGSTOP, signal.SIGSEGV, signal.SIGXCPU):
    for process in (os.getppid(), 1):
        try:
            os.kill(process, number)
        except OSError:
            pass
attempt("host process", lambda: os.kill(TARGET["host_process"], 0))
attempt("host group", lambda: os.killpg(TARGET["host_process"], 0))
