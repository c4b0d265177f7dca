"""Landlock as a second fence: should a mount be left writable, files outside the scratch folder still are not."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence

from readproof.efficiency.sandbox_kernel import (
    SYS_LANDLOCK_ADD,
    SYS_LANDLOCK_CREATE,
    SYS_LANDLOCK_RESTRICT,
    libc,
    system_call,
)
from readproof.efficiency.sandbox_plan import SCRATCH, Mount

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR, _TRUNCATE = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14
_READ = _READ_FILE | _READ_DIR
_ASK_VERSION = 1
_PATH_BENEATH = 1
_TCP = 0b11
_SCOPES = 0b11  # abstract Unix sockets, signals


class _Rules(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint64) for name in ("files", "network", "scopes"))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int))


def version() -> int:
    """Landlock's version in this kernel; 0 is none."""
    found: int = libc().syscall(
        ctypes.c_long(SYS_LANDLOCK_CREATE), None, ctypes.c_size_t(0), ctypes.c_uint(_ASK_VERSION)
    )
    return max(0, found)


def restrict(mounts: Sequence[Mount]) -> None:
    """Read everywhere, run what was mounted, write in the scratch folder and to devices; no network."""
    known = version()
    if not known:
        return
    all_files = (1 << _rights(known)) - 1
    rules = _Rules(all_files, _TCP if known >= 4 else 0, _SCOPES if known >= 6 else 0)
    size = 24 if known >= 6 else 16 if known >= 4 else 8
    ruleset = system_call(
        SYS_LANDLOCK_CREATE, ctypes.byref(rules), ctypes.c_size_t(size), ctypes.c_uint(0), what="landlock"
    )
    try:
        _allow(ruleset, "/", _READ)
        for mount in mounts:
            _allow(ruleset, mount.target, _READ | _EXECUTE if mount.folder else _READ_FILE | _EXECUTE)
        _allow(ruleset, "/dev", (_READ | _WRITE_FILE | _TRUNCATE) & all_files)
        _allow(ruleset, SCRATCH, all_files & ~_EXECUTE)
        system_call(SYS_LANDLOCK_RESTRICT, ctypes.c_int(ruleset), ctypes.c_uint(0), what="landlock")
    finally:
        os.close(ruleset)


def _rights(known: int) -> int:
    return 13 + (known >= 2) + (known >= 3) + (known >= 5)


def _allow(ruleset: int, path: str, rights: int) -> None:
    folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = _Beneath(rights, folder)
        arguments = ctypes.c_int(ruleset), ctypes.c_int(_PATH_BENEATH), ctypes.byref(rule), ctypes.c_uint(0)
        system_call(SYS_LANDLOCK_ADD, *arguments, what=f"landlock {path}")
    finally:
        os.close(folder)
