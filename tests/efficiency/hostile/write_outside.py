# ruff: noqa
"""Writes wherever the host might keep it."""

import os
import sys
import tempfile
from pathlib import Path

name = TARGET["mark"]
for folder in (
    TARGET["home"],
    TARGET["folder"],
    "/",
    "/tmp",
    "/var/tmp",
    "/etc",
    "/dev",
    "/dev/shm",
    "/usr/lib",
    "/root",
    sys.prefix,
    sys.base_prefix,
    TARGET["package"],
    TARGET["package"] + "/__pycache__",
    "/proc",
    "/lib",
):
    attempt(f"write {folder}", lambda: Path(folder, name).write_text("x"))
    attempt(f"folder {folder}", lambda: Path(folder, name + "d").mkdir())
for path in (TARGET["model"], TARGET["package"] + "/__init__.py", os.__file__, sys.executable):
    attempt(f"append {path}", lambda: open(path, "ab"))
    attempt(f"remove {path}", lambda: os.remove(path))
    attempt(f"mode {path}", lambda: os.chmod(path, 0o777))
    attempt(f"rename {path}", lambda: os.rename(path, path + "x"))
    attempt(f"times {path}", lambda: os.utime(path, (0, 0)))
    attempt(f"truncate {path}", lambda: os.truncate(path, 0))
assert tempfile.gettempdir() == os.environ["TMPDIR"]  # the one place to write
Path(tempfile.gettempdir(), name).write_text("x")
