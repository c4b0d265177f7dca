"""The same fence built by bubblewrap, which some systems let make namespaces where they let nobody else."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

from readproof.efficiency.sandbox_plan import SCRATCH, Plan

_NEEDED = ("--size", "--as-pid-1", "--remount-ro", "--cap-drop", "--clearenv", "--perms")
_DEVICES = ("null", "zero", "full", "random", "urandom")


@cache
def program() -> tuple[str | None, str]:
    """Where bubblewrap is and, if it cannot be used, why."""
    place = shutil.which("bwrap")
    if place is None:
        return None, "bubblewrap is not installed"
    try:
        text = subprocess.run([place, "--help"], capture_output=True, text=True, check=False, timeout=10).stdout
    except (OSError, subprocess.SubprocessError) as error:
        return None, f"{place} does not run ({error})"
    lacking = [option for option in _NEEDED if option not in text]
    return (None, f"{place} is too old: it has no {', '.join(lacking)}") if lacking else (place, "")


def command(place: str, plan: Plan, inner: list[str]) -> list[str]:
    """The command line that runs the inner side as the first process of bubblewrap's namespaces."""
    line = [place, "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    if os.geteuid() == 0:
        # the inner side drops to nobody, and needs these three to do so
        line += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"]
    else:
        line += ["--unshare-user", "--cap-drop", "ALL"]
    line += ["--die-with-parent", "--as-pid-1", "--clearenv", "--hostname", "sandbox"]
    # bubblewrap makes the folders above a mount with permissions that would keep nobody out of it
    targets = [*(Path(mount.target) for mount in plan.mounts), Path("/dev/null")]
    for above in sorted({above for target in targets for above in target.parents} - {Path("/")}):
        line += ["--perms", "0755", "--dir", str(above)]
    for mount in sorted(plan.mounts, key=lambda one: one.target):
        line += ["--ro-bind", mount.source, mount.target]
    for device in _DEVICES:
        line += ["--dev-bind", f"/dev/{device}", f"/dev/{device}"]
    line += ["--perms", "0777", "--size", str(plan.limits.written), "--tmpfs", SCRATCH, "--remount-ro", "/"]
    return [*line, "--chdir", "/", "--", *inner]
