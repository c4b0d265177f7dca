# ruff: noqa
"""Changes the file system, or makes namespaces in which it could."""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def call(name, *arguments):
    if getattr(libc, name)(*arguments) == -1:
        raise OSError(ctypes.get_errno(), name)


def raw(*arguments):
    if libc.syscall(*arguments) == -1:
        raise OSError(ctypes.get_errno(), "syscall")


attempt("proc", lambda: call("mount", b"proc", b"/.scratch", b"proc", 0, b""))
attempt("tmpfs", lambda: call("mount", b"tmpfs", b"/.scratch", b"tmpfs", 0, b""))
attempt("writable", lambda: call("mount", b"none", b"/", b"", 0x20, b""))
attempt("unmount", lambda: call("umount2", b"/.scratch", 2))
attempt("users", lambda: call("unshare", 0x10000000))
attempt("mounts", lambda: call("unshare", 0x20000))
attempt("clone3", lambda: raw(435, 0, 0))
attempt("open_tree", lambda: raw(428, -100, b"/", 1))
attempt("fsopen", lambda: raw(430, b"tmpfs", 0))
attempt("root", lambda: os.chroot("/.scratch"))
attempt("namespace", lambda: call("setns", 0, 0))
attempt("handle", lambda: call("open_by_handle_at", 0, 0, 0))
attempt("ring", lambda: raw(425, 8, ctypes.create_string_buffer(200)))
attempt("keys", lambda: raw({"x86_64": 250, "aarch64": 219}[os.uname().machine], 0, -3, 1))
attempt("host name", lambda: call("sethostname", b"evil", 4))
