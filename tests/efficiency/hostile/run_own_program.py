# ruff: noqa
"""Brings a program of its own, marked to run as its owner, and hopes for more rights."""

import os
import shutil
import subprocess
import sys


def program():
    code = "import os; print(0 in os.getresuid(), open('/proc/self/status').read())"
    return subprocess.run([os.path.abspath("python"), "-I", "-c", code], check=True, capture_output=True).stdout


shutil.copy(os.path.realpath(sys.executable), "python")
os.chmod("python", 0o6755)
attempt("program", program)
