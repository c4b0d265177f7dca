# ruff: noqa
"""Reads other processes by the process folder."""

import os
from pathlib import Path

for process in (1, os.getppid(), TARGET["host_process"], "self"):
    for name in ("environ", "cmdline", "maps", "mem", "root/etc/shadow", "cwd/x", "fd/0"):
        attempt(f"{process} {name}", lambda: Path(f"/proc/{process}/{name}").read_bytes())
attempt("kernel memory", lambda: open("/proc/kcore", "rb").read(8))
attempt("kernel settings", lambda: open("/proc/sys/kernel/core_pattern").read())
