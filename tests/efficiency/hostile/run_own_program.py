# ruff: noqa
"""Brings a program of its own, and runs it."""

import os
import shutil
import subprocess
import sys

shutil.copy(os.path.realpath(sys.executable), "python")
os.chmod("python", 0o6755)
attempt("program", lambda: subprocess.run([os.path.abspath("python"), "-c", ""], check=True))
