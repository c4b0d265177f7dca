# ruff: noqa
"""Takes other processes over, or reads their memory."""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def call(name, *arguments):
    if getattr(libc, name)(*arguments) == -1:
        raise OSError(ctypes.get_errno(), name)


for process in (1, os.getppid(), TARGET["host_process"]):
    attempt(f"attach {process}", lambda: call("ptrace", 16, process, 0, 0))
    attempt(f"seize {process}", lambda: call("ptrace", 0x4206, process, 0, 0))
    attempt(f"read {process}", lambda: call("process_vm_readv", process, 0, 0, 0, 0, 0))
