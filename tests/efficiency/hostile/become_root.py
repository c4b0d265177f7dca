# ruff: noqa
"""Becomes another user."""

import ctypes
import os
import shutil
import subprocess
import sys

for number in (0, 1, 1000):
    attempt(f"user {number}", lambda: os.setresuid(number, number, number) if number != os.getuid() else 1 / 0)
    attempt(f"group {number}", lambda: os.setresgid(number, number, number) if number != os.getgid() else 1 / 0)
attempt("groups", lambda: os.setgroups([0]))
attempt("su", lambda: subprocess.run(["/usr/bin/su", "-c", "id"], check=True))
attempt("sudo", lambda: subprocess.run(["/usr/bin/sudo", "-n", "id"], check=True))
attempt("owner", lambda: (open("x", "w").close(), os.chown("x", 0, 0)))
libc = ctypes.CDLL(None, use_errno=True)
attempt("capabilities", lambda: 1 / (libc.prctl(24, 0, 0, 0, 0) + 1))  # PR_CAPBSET_DROP needs a capability
