# ruff: noqa
"""Uses the devices of the host."""

import fcntl
import os
import stat
import termios

for name in (
    "mem",
    "kmem",
    "kmsg",
    "port",
    "sda",
    "vda",
    "nvme0n1",
    "tty",
    "console",
    "ptmx",
    "fuse",
    "kvm",
    "net/tun",
    "vsock",
    "nvidia0",
    "shm",
    "fd/0",
):
    attempt(name, lambda: os.open(f"/dev/{name}", os.O_RDONLY))
attempt("node", lambda: os.mknod("disk", stat.S_IFBLK | 0o666, os.makedev(254, 0)))
attempt("node", lambda: os.mknod("memory", stat.S_IFCHR | 0o666, os.makedev(1, 1)))
attempt("typing", lambda: [fcntl.ioctl(number, termios.TIOCSTI, b"x") for number in range(3)])
