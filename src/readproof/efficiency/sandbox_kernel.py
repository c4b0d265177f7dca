"""The Linux calls of the sandbox that Python 3.11 does not have, by ctypes; each raises OSError when it fails."""

from __future__ import annotations

import ctypes
import errno
import os

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 0x1, 0x2, 0x4, 0x8
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000
MNT_DETACH = 2
ATTR_RDONLY, ATTR_NOSUID, ATTR_NODEV, ATTR_NOEXEC = 0x1, 0x2, 0x4, 0x8

CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS = 0x20000, 0x2000000, 0x4000000
CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x8000000, 0x10000000, 0x20000000, 0x40000000

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_GET_SECCOMP, PR_CAPBSET_DROP, PR_SET_CHILD_SUBREAPER = 1, 4, 21, 24, 36
PR_SET_NO_NEW_PRIVS, PR_GET_NO_NEW_PRIVS = 38, 39
PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 47, 4

_AT_RECURSIVE = 0x8000
_AT_FDCWD = -100
_CAPABILITY_VERSION = 0x20080522
# these four calls have the same numbers on x86-64 and on 64-bit ARM, the processors that sandbox_filter knows
SYS_MOUNT_SETATTR = 442
SYS_LANDLOCK_CREATE, SYS_LANDLOCK_ADD, SYS_LANDLOCK_RESTRICT = 444, 445, 446
_SYS_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}

_libc: ctypes.CDLL | None = None


class _MountAttributes(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "users"))


class _CapabilityHeader(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("process", ctypes.c_int))


class _CapabilityHalf(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint32) for name in ("effective", "permitted", "inheritable"))


def libc() -> ctypes.CDLL:
    """The C library, loaded when first needed: other systems have no such calls."""
    global _libc
    if _libc is None:
        _libc = ctypes.CDLL(None, use_errno=True)
        _libc.syscall.restype = ctypes.c_long
    return _libc


def checked(result: int, what: str) -> int:
    """The result of a call; -1 becomes an OSError that names the call."""
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def system_call(number: int, *arguments: object, what: str) -> int:
    """A call by its number."""
    return checked(libc().syscall(ctypes.c_long(number), *arguments), what)


def prctl(option: int, first: int = 0, second: int = 0) -> int:
    """prctl(2)."""
    rest = (ctypes.c_ulong(first), ctypes.c_ulong(second), ctypes.c_ulong(0), ctypes.c_ulong(0))
    return checked(libc().prctl(option, *rest), f"prctl {option}")


def unshare(flags: int) -> None:
    """unshare(2); os.unshare came with Python 3.12."""
    checked(libc().unshare(flags), "unshare")


def mount(source: str, target: str, kind: str = "", flags: int = 0, data: str = "") -> None:
    """mount(2)."""
    arguments = source.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags), data.encode()
    checked(libc().mount(*arguments), f"mount {target}")


def restrict_mount(target: str, attributes: int, *, recursive: bool) -> None:
    """Set attributes on a mount and, if asked, on all the mounts in it: mount(2) reaches the topmost only."""
    wanted = _MountAttributes(set=attributes)
    flags = _AT_RECURSIVE if recursive else 0
    system_call(
        SYS_MOUNT_SETATTR,
        ctypes.c_int(_AT_FDCWD),
        target.encode(),
        ctypes.c_uint(flags),
        ctypes.byref(wanted),
        ctypes.c_size_t(ctypes.sizeof(wanted)),
        what=f"mount_setattr {target}",
    )


def unmount(target: str) -> None:
    """Detach a mount and all in it."""
    checked(libc().umount2(target.encode(), MNT_DETACH), f"umount {target}")


def pivot_root(new: str, old: str) -> None:
    """pivot_root(2), for which the C library has no name."""
    system_call(_SYS_PIVOT_ROOT[os.uname().machine], new.encode(), old.encode(), what="pivot_root")


def bound_capabilities() -> None:
    """Take every capability out of what this process and its children can ever gain; needs privilege itself."""
    for number in range(64):
        try:
            prctl(PR_CAPBSET_DROP, number)
        except OSError as error:
            if error.errno != errno.EINVAL:
                raise
            break  # past the last one that this kernel knows


def drop_capabilities() -> None:
    """Give up every capability."""
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    header, none = _CapabilityHeader(_CAPABILITY_VERSION, 0), (_CapabilityHalf * 2)()
    checked(libc().capset(ctypes.byref(header), ctypes.byref(none)), "capset")


def capabilities() -> int:
    """The permitted capabilities as bits; 0 is none."""
    header, held = _CapabilityHeader(_CAPABILITY_VERSION, 0), (_CapabilityHalf * 2)()
    checked(libc().capget(ctypes.byref(header), ctypes.byref(held)), "capget")
    return int(held[0].permitted) | int(held[1].permitted) << 32
