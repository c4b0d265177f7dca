"""A last look before untrusted code starts: whoever built the fence, it must stand, or an OSError tells the hole."""

from __future__ import annotations

import errno
import os
import socket

from readproof.efficiency import sandbox_kernel
from readproof.efficiency.sandbox_plan import SCRATCH

_FILTERED = 2


def before_filter() -> None:
    """Namespaces, files and privileges; asked before the filter takes away the means to ask."""
    _require(os.getppid() == 1, "a process namespace of its own")
    _require([name for _, name in socket.if_nameindex() if name != "lo"] == [], "a network namespace of its own")
    _require(0 not in os.getresuid(), "an unprivileged user")
    _require(sandbox_kernel.capabilities() == 0, "no capabilities")
    _require(bool(os.statvfs("/").f_flag & os.ST_RDONLY), "a read-only root folder")
    _require(not os.path.exists("/proc/self"), "no process folder")  # noqa: PTH110
    _require(os.access(SCRATCH, os.W_OK), "a scratch folder")


def after_filter() -> None:
    """The filter itself."""
    _require(sandbox_kernel.prctl(sandbox_kernel.PR_GET_NO_NEW_PRIVS) == 1, "no new privileges")
    _require(sandbox_kernel.prctl(sandbox_kernel.PR_GET_SECCOMP) == _FILTERED, "a system call filter")
    try:
        socket.socket(socket.AF_INET).close()
    except PermissionError:
        return
    _require(False, "no sockets")


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise OSError(errno.EPERM, f"the fence has a hole: there should be {what}")
