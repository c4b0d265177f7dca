"""What the sandbox's two sides tell each other: the limits, the outcome, and the plan of one run.

The inner side runs in a bare interpreter without site-packages, so this file needs the standard library only.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Literal

SCRATCH = "/.scratch"
NOBODY = 65534
MOST_SCRATCH_FILES = 4096

Verdict = Literal["done", "crashed", "time", "memory", "processes", "output"]
Fence = Literal["namespaces", "bubblewrap", "none"]

ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOME": SCRATCH,
    "TMPDIR": SCRATCH,
    "USER": "nobody",
    "LOGNAME": "nobody",
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "CUDA_VISIBLE_DEVICES": "",
    # one thread: the count of processes holds threads too, and a library on a large machine would start one a core
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}


@dataclass(frozen=True)
class Limits:
    """What a run may use; the whole of it, children included, unless said otherwise."""

    seconds: float = 60
    cpu_seconds: float = 60
    memory: int = 4 * 2**30
    """Bytes, of address space for each process and of memory in use for all of them."""
    processes: int = 64
    """Threads count too."""
    files: int = 256
    """Open files, for each process."""
    written: int = 64 * 2**20
    """Bytes in the scratch folder."""
    output: int = 16 * 2**20
    """Bytes on standard output, and as many on standard error."""


@dataclass(frozen=True)
class Outcome:
    """How a run ended: `done` means that it ended by itself with status 0, and says nothing about its answer."""

    verdict: Verdict
    status: int | None
    """The exit status, minus the signal's number if a signal ended it, None if the sandbox ended it."""
    stdout: bytes
    stderr: bytes
    seconds: float


@dataclass(frozen=True)
class Mount:
    """A file or folder of the host, and the name it has inside; read-only."""

    source: str
    target: str
    folder: bool


@dataclass(frozen=True)
class Plan:
    """All that the inner side has to know."""

    argv: tuple[str, ...]
    environment: dict[str, str]
    folder: str
    mounts: tuple[Mount, ...]
    limits: Limits
    fence: Fence
    own_users: bool
    """Whether a user namespace is made; root can do without where the system has none."""
    parent: int
    """The process that asks: the run ends with it, however it ends."""


def dumped(plan: Plan) -> bytes:
    """The plan as bytes for the inner side."""
    return json.dumps(asdict(plan)).encode()


def loaded(data: bytes) -> Plan:
    """The plan again."""
    raw = json.loads(data)
    return Plan(
        argv=tuple(raw["argv"]),
        environment=raw["environment"],
        folder=raw["folder"],
        mounts=tuple(Mount(**one) for one in raw["mounts"]),
        limits=Limits(**raw["limits"]),
        fence=raw["fence"],
        own_users=raw["own_users"],
        parent=raw["parent"],
    )
