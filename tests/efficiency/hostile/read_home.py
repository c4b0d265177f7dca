# ruff: noqa
"""Reads the user's files."""

import os
from pathlib import Path

attempt("home file", lambda: Path(TARGET["home_secret"]).read_text())
attempt("home by name", lambda: Path(TARGET["home"], ".bashrc").read_text())
attempt("home by user", lambda: (Path("~root").expanduser() / Path(TARGET["home_secret"]).name).read_text())
attempt("ssh keys", lambda: os.listdir(Path(TARGET["home"], ".ssh")))
