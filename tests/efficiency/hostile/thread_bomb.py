# ruff: noqa
"""Starts threads without end."""

import threading
import time

try:
    while True:
        threading.Thread(target=time.sleep, args=(100,), daemon=True).start()
except RuntimeError as error:
    attempt("threads", lambda: 1 / 0)
