# ruff: noqa
"""Multiplies, each child leaving its parent behind."""

import os
import time

end = time.monotonic() + 0.5
while time.monotonic() < end:
    try:
        if os.fork() > 0:
            time.sleep(0.001)
        else:
            os.setsid()
    except OSError:
        time.sleep(0.01)
if os.getppid() != 1:
    time.sleep(100)
