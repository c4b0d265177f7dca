# ruff: noqa
"""Stops itself, so that it uses no time at all."""

import os
import signal

os.kill(os.getpid(), signal.SIGSTOP)
signal.pause()
