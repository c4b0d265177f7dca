"""The filter on system calls: what no model file needs and what namespaces alone do not fence.

A network namespace holds the internet families but not, say, AF_VSOCK, which leads from a virtual machine to its host;
a memory file is no file in the scratch folder. So sockets other than Unix ones, and a list of calls, are refused:
bubblewrap installs the filter that is made here.
"""

from __future__ import annotations

import errno
import platform
import socket
import struct

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_ALLOW, _ERROR, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NEW_NAMESPACES = 0x7E020000
_OTHER_X86_CALLS = 0x40000000

_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# linux/arch/x86/entry/syscalls/syscall_64.tbl and linux/include/uapi/asm-generic/unistd.h
_CLONE = {"x86_64": 56, "aarch64": 220}
_SOCKET = {"x86_64": 41, "aarch64": 198}
_CLONE3 = 435
_REFUSED: dict[str, tuple[int, int]] = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "setns": (308, 268),
    "unshare": (272, 97),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264),
    "memfd_create": (319, 279),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "acct": (163, 89),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "syslog": (103, 116),
    "quotactl": (179, 60),
    "fanotify_init": (300, 262),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "vhangup": (153, 58),
}
# newer calls have one number everywhere: pidfd_send_signal, io_uring_*, open_tree … fspick, pidfd_open, pidfd_getfd,
# process_madvise, mount_setattr, quotactl_fd, memfd_secret, open_tree_attr
_REFUSED_EVERYWHERE = (424, 425, 426, 427, 428, 429, 430, 431, 432, 433, 434, 438, 440, 442, 443, 447, 467)
_REFUSED_X86 = (154, 172, 173)  # modify_ldt, iopl, ioperm


def machine() -> str | None:
    """The processor's name if the filter knows its calls."""
    name = platform.machine()
    return name if name in _AUDIT and struct.calcsize("P") == 8 else None


def program(name: str) -> bytes:
    """The filter for a processor, as the kernel's packet-filter code."""
    column = 0 if name == "x86_64" else 1
    refused = sorted({*(pair[column] for pair in _REFUSED.values()), *_REFUSED_EVERYWHERE})
    if name == "x86_64":
        refused = sorted({*refused, *_REFUSED_X86})
    code = [_step(_LOAD, _ARCHITECTURE), _step(_EQUAL, _AUDIT[name], 1, 0), _step(_RETURN, _KILL)]
    code += [_step(_LOAD, _NUMBER)]
    if name == "x86_64":
        code += [_step(_AT_LEAST, _OTHER_X86_CALLS, 0, 1), _step(_RETURN, _KILL)]
    for number in refused:
        code += [_step(_EQUAL, number, 0, 1), _step(_RETURN, _ERROR | errno.EPERM)]
    # clone3 hides its flags in memory; told that there is none, the C library takes clone
    code += [_step(_EQUAL, _CLONE3, 0, 1), _step(_RETURN, _ERROR | errno.ENOSYS)]
    code += [
        _step(_EQUAL, _CLONE[name], 0, 4),
        _step(_LOAD, _FIRST_ARGUMENT),
        _step(_ANY_BIT, _NEW_NAMESPACES, 0, 1),
        _step(_RETURN, _ERROR | errno.EPERM),
        _step(_RETURN, _ALLOW),
    ]
    code += [
        _step(_EQUAL, _SOCKET[name], 0, 3),
        _step(_LOAD, _FIRST_ARGUMENT),
        _step(_EQUAL, socket.AF_UNIX, 1, 0),
        _step(_RETURN, _ERROR | errno.EPERM),
        _step(_RETURN, _ALLOW),
    ]
    return b"".join(code)


def _step(operation: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("=HBBI", operation, then, otherwise, value)
