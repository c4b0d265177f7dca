"""Looking after a running sandbox from outside: its processes, the memory and the time that they use together.

The kernel's own limits hold for one process each. The processes of a sandbox all descend from the one that we started,
even when their parents die, so the whole can be found and summed.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from readproof.efficiency.sandbox_plan import SCRATCH

_PROCESSES = Path("/proc")


@dataclass(frozen=True)
class Use:
    """What the processes use now: how many threads, CPU seconds so far, bytes of memory."""

    threads: int = 0
    cpu_seconds: float = 0.0
    memory: int = 0


def descendants(root: int) -> list[int]:
    """The processes below one, each after its parent."""
    found = [root]
    for process in found:
        found.extend(one for one in _children(process) if one not in found)
    return found[1:]


def use(root: int, enough_memory: int) -> Use:
    """The use of a process's descendants; memory is looked into closely only when it might exceed what is enough."""
    ticks = os.sysconf("SC_CLK_TCK")
    page = os.sysconf("SC_PAGE_SIZE")
    threads, spent, resident = 0, 0, 0
    processes = descendants(root)
    for process in processes:
        fields = _stat(process)
        if fields:
            threads += int(fields[17])
            spent += sum(map(int, fields[11:15]))
            resident += int(fields[21]) * page
    memory = resident
    if resident > enough_memory:
        memory = sum(_own_memory(process) for process in processes)
    return Use(threads, spent / ticks, memory)


def scratch_files(root: int) -> int:
    """How many files a sandbox has made: empty ones take no room in its scratch folder, but memory of the kernel."""
    for process in reversed(descendants(root)):
        with suppress(OSError):
            found = os.statvfs(_PROCESSES / str(process) / "root" / SCRATCH.lstrip("/"))
            return found.f_files - found.f_ffree
    return 0


def end(root: int) -> None:
    """Kill a process's descendants, however fast they multiply, but not the process itself: it waits for them."""
    for _ in range(100):
        processes = descendants(root)
        if not processes:
            return
        for process in processes:
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)


def _children(process: int) -> Iterator[int]:
    with suppress(OSError):
        for task in (_PROCESSES / str(process) / "task").iterdir():
            with suppress(OSError):
                yield from map(int, (task / "children").read_text().split())


def _stat(process: int) -> list[str]:
    """The fields of /proc/N/stat from the third on; the second, the name, may hold anything."""
    try:
        return (_PROCESSES / str(process) / "stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return []


def _own_memory(process: int) -> int:
    """A process's share of its memory: pages that a fork has not yet copied are counted once, not once a process."""
    try:
        for line in (_PROCESSES / str(process) / "smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except OSError:
        fields = _stat(process)
        return int(fields[21]) * os.sysconf("SC_PAGE_SIZE") if fields else 0
    return 0
