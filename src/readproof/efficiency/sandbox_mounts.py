"""The sandbox's own namespaces, and in them a file system that holds the planned files and nothing else."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from readproof.efficiency import sandbox_kernel as kernel
from readproof.efficiency.sandbox_plan import MOST_SCRATCH_FILES, SCRATCH, Limits, Mount

_BASE, _NEW, _OLD = "/tmp", "/new", "/old"
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_ALL = (
    kernel.CLONE_NEWNS
    | kernel.CLONE_NEWPID
    | kernel.CLONE_NEWNET
    | kernel.CLONE_NEWIPC
    | kernel.CLONE_NEWUTS
    | kernel.CLONE_NEWCGROUP
)


def enter_namespaces(*, own_users: bool) -> None:
    """Leave the host's namespaces; the process namespace takes effect for the next child."""
    if not own_users:
        kernel.unshare(_ALL)
        return
    user, group = os.geteuid(), os.getegid()
    if user == 0:
        _with_helper(_identity("uid_map"), _identity("gid_map"))
        return
    kernel.unshare(kernel.CLONE_NEWUSER | _ALL)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def _with_helper(users: str, groups: str) -> None:
    """A map of more than one's own number can be written only by a process that stayed outside."""
    parent = os.getpid()
    go, start = os.pipe()
    helper = os.fork()
    if helper == 0:
        status = 1
        try:
            os.close(start)
            os.read(go, 1)
            Path(f"/proc/{parent}/uid_map").write_text(users)
            Path(f"/proc/{parent}/gid_map").write_text(groups)
            status = 0
        finally:
            os._exit(status)
    try:
        kernel.unshare(kernel.CLONE_NEWUSER | _ALL)
    finally:
        os.close(go)
        os.close(start)
        _, ended = os.waitpid(helper, 0)
    if ended:
        raise PermissionError(1, "the user numbers of the user namespace cannot be set")


def _identity(name: str) -> str:
    """Every number that this system knows, as itself: nobody must be nobody on both sides."""
    extents = [line.split() for line in Path(f"/proc/self/{name}").read_text().splitlines()]
    return "\n".join(f"{inside} {inside} {count}" for inside, _, count in extents)


def build_files(mounts: Sequence[Mount], limits: Limits) -> None:
    """Make the planned files the only ones: a new root from read-only binds, the old root detached."""
    kernel.mount("none", "/", flags=kernel.MS_REC | kernel.MS_PRIVATE)
    kernel.mount("tmpfs", _BASE, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "size=4m,mode=0755")
    for name in (_NEW, _OLD):
        Path(_BASE + name).mkdir(mode=0o755)
    kernel.mount("tmpfs", _BASE + _NEW, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "size=4m,mode=0755")
    kernel.pivot_root(_BASE, _BASE + _OLD)
    os.chdir("/")
    for one in sorted(mounts, key=lambda mount: mount.target):
        _bind(one)
    for device in _DEVICES:
        _make(_NEW + device, folder=False)
        kernel.mount(_OLD + device, _NEW + device, flags=kernel.MS_BIND)
        kernel.restrict_mount(_NEW + device, kernel.ATTR_NOSUID | kernel.ATTR_NOEXEC, recursive=False)
    _make(_NEW + SCRATCH, folder=True)
    kernel.mount(
        "tmpfs",
        _NEW + SCRATCH,
        "tmpfs",
        kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC,
        f"size={limits.written},nr_inodes={MOST_SCRATCH_FILES},mode=0777",
    )
    kernel.unmount(_OLD)
    os.chdir(_NEW)
    kernel.pivot_root(".", ".")
    kernel.unmount(".")
    os.chdir("/")
    kernel.restrict_mount("/", kernel.ATTR_RDONLY, recursive=False)


def _bind(one: Mount) -> None:
    target = _NEW + one.target
    _make(target, folder=one.folder)
    kernel.mount(_OLD + one.source, target, flags=kernel.MS_BIND | kernel.MS_REC)
    kernel.restrict_mount(target, kernel.ATTR_RDONLY | kernel.ATTR_NOSUID | kernel.ATTR_NODEV, recursive=True)


def _make(path: str, *, folder: bool) -> None:
    place = Path(path)
    if folder:
        place.mkdir(mode=0o755, parents=True, exist_ok=True)
        return
    place.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    place.touch(mode=0o644)
