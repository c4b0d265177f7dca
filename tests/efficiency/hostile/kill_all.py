# ruff: noqa
"""Kills every process that it may."""

import os
import signal

try:
    os.kill(-1, signal.SIGKILL)
except ProcessLookupError:
    pass
attempt("host process", lambda: os.kill(TARGET["host_process"], signal.SIGKILL))
