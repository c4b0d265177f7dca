"""What this system can fence with: found by trying, once in the life of the process, and told in words."""

from __future__ import annotations

import os
import platform
import re
import sys
from dataclasses import dataclass
from functools import cache

from readproof.efficiency import sandbox_bubblewrap, sandbox_filter, sandbox_landlock, sandbox_loop, sandbox_paths
from readproof.efficiency.sandbox_plan import ENVIRONMENT, SCRATCH, Fence, Limits, Plan
from readproof.errors import InputError

_OLDEST = (5, 14)  # from here on, mounts are made read-only as a whole and processes are counted in their namespace
_BOOT = """import sys; sys.path.append({!r})
from readproof.efficiency.sandbox_inside import main; main(*map(int, sys.argv[1:]))"""
_TRIAL = Limits(seconds=20, cpu_seconds=10, memory=2**30, processes=8)


@dataclass(frozen=True)
class Way:
    """One way to build the fence."""

    fence: Fence
    own_users: bool = True

    def __str__(self) -> str:
        if self.fence == "bubblewrap":
            return "bubblewrap"
        return "namespaces" if self.own_users else "namespaces without a user namespace"


@dataclass(frozen=True)
class Ability:
    """What the system can do: the fence it would use (None: untrusted code is refused), and all of it in words."""

    fence: str | None
    landlock: int
    """Its version; 0 is none."""
    words: tuple[str, ...]


@cache
def able() -> Ability:
    """Try the ways to fence, the best first, and tell."""
    found, tried = _trials()
    landlock = sandbox_landlock.version() if sys.platform == "linux" else 0
    words = [f"{way}: {why or 'works'}" for way, why in tried]
    if found is None:
        words.insert(0, "no sandbox: model files are refused unless they are trusted")
        return Ability(None, landlock, tuple(words))
    user = "nobody" if os.geteuid() == 0 else "the calling user, without capabilities"
    words.insert(0, f"sandbox: {found}; model files run as {user}")
    words.append(f"Landlock: {f'version {landlock}, a second fence' if landlock else 'not in this kernel'}")
    return Ability(str(found), landlock, tuple(words))


def chosen() -> Way:
    """The way to fence on this system, or an InputError that says what is missing."""
    found, tried = _trials()
    if found is None:
        raise InputError(
            found="no way to fence in a model file (" + "; ".join(f"{way}: {why}" for way, why in tried) + ")",
            expected="bubblewrap 0.7 or newer, or namespaces that this user may make",
            do=_advice(),
        )
    return found


def launched(plan: Plan) -> list[str]:
    """The command that starts the inner side of a plan."""
    inner = [sys.executable, "-I", "-S", "-B", "-c", _BOOT.format(str(sandbox_paths.package_parent()))]
    if plan.fence != "bubblewrap":
        return inner
    place, why = sandbox_bubblewrap.program()
    if place is None:
        raise InputError(found=why, expected="bubblewrap")
    return sandbox_bubblewrap.command(place, plan, inner)


@cache
def _trials() -> tuple[Way | None, tuple[tuple[str, str], ...]]:
    tried: list[tuple[str, str]] = []
    lacking = _lacking()
    if lacking:
        return None, (("this system", lacking),)
    for way in _ways():
        why = tried_out(way)
        tried.append((str(way), why))
        if not why:
            return way, tuple(tried)
    return None, tuple(tried)


def _ways() -> tuple[Way, ...]:
    """Our own namespaces limit more than bubblewrap can; bubblewrap is let through by some systems that stop us."""
    if os.geteuid() == 0:
        return Way("namespaces"), Way("bubblewrap"), Way("namespaces", own_users=False)
    return Way("namespaces"), Way("bubblewrap")


def tried_out(way: Way) -> str:
    """Why a way does not work; empty if a harmless program ran in it to its end."""
    if way.fence == "bubblewrap" and sandbox_bubblewrap.program()[0] is None:
        return sandbox_bubblewrap.program()[1]
    argv = (sys.executable, "-I", "-S", "-c", "print('here')")
    mounts = sandbox_paths.planned(())
    plan = Plan(argv, ENVIRONMENT, SCRATCH, mounts, _TRIAL, way.fence, way.own_users, os.getpid())
    run = sandbox_loop.run(launched(plan), plan, b"")
    if run.reported("status") == 0 and run.stdout == b"here\n":
        return ""
    said = bytes(run.stderr).decode(errors="replace").strip().splitlines()
    return str(run.reported("error") or run.ended or (said[-1] if said else "it does not start"))


def _lacking() -> str:
    if sys.platform != "linux":
        return f"{platform.system()} has no namespaces"
    version = tuple(int(part) for part in re.findall(r"\d+", platform.release())[:2])
    if version < _OLDEST:
        return f"Linux {platform.release()} is older than {_OLDEST[0]}.{_OLDEST[1]}"
    if sandbox_filter.machine() is None:
        return f"no system call filter for the processor {platform.machine()}"
    return ""


def _advice() -> str:
    trust = "Or trust the file (--trust): it then runs with limits but without a fence."
    if sys.platform != "linux":
        return f"Use Linux, for example in a virtual machine. {trust}"
    if os.geteuid() == 0:
        return f"Let the container make namespaces (by its seccomp profile, or CAP_SYS_ADMIN). {trust}"
    return (
        "Install bubblewrap, or let users make namespaces "
        f"(sysctl kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns). {trust}"
    )
