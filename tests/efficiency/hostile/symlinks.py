# ruff: noqa
"""Reads and writes through links that lead outside."""

import os
from pathlib import Path

for number, path in enumerate(
    (TARGET["home_secret"], TARGET["gold"], "/etc/shadow", "/proc/1/root", "../../etc/shadow")
):
    os.symlink(path, f"link{number}")
    attempt(f"read {path}", lambda: Path(f"link{number}").read_bytes())
    attempt(f"list {path}", lambda: os.listdir(f"link{number}"))
os.symlink(TARGET["home"], "home")
attempt("write", lambda: Path("home", TARGET["mark"]).write_text("x"))
os.symlink(TARGET["model"], "model")
attempt("write model", lambda: Path("model").write_text("x"))
