"""Running a submitted model file where it can do no harm: a fenced process with limits, or an honest refusal.

    outcome = run_sandboxed([sys.executable, "-I", "worker.py"], stdin=b"…", readable=[Path("model_to_eval.py")])

docs/sandbox.md says what is guaranteed and what is not.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from readproof.efficiency import sandbox_loop, sandbox_paths
from readproof.efficiency.sandbox_ability import Ability, able, chosen, launched
from readproof.efficiency.sandbox_plan import ENVIRONMENT, SCRATCH, Limits, Outcome, Plan, Verdict
from readproof.errors import InputError

__all__ = ["Ability", "Limits", "Outcome", "able", "run_sandboxed"]

_OUT_OF_MEMORY = (b"MemoryError", b"std::bad_alloc", b"can't allocate memory", b"Cannot allocate memory")
_TAIL = 2000


def run_sandboxed(
    argv: Sequence[str],
    *,
    stdin: bytes = b"",
    readable: Sequence[Path] = (),
    limits: Limits = Limits(),  # noqa: B008 - frozen
    trust: bool = False,
) -> Outcome:
    """Run a program that nobody vouches for.

    `argv[0]` is this Python or lies in `readable`. Trust lifts the fence: limits and a clean environment only.
    Raises InputError where the system has no fence, or where the sandbox cannot be built.
    """
    if trust:
        return _trusted(argv, stdin, limits)
    way = chosen()
    plan = Plan(
        argv=tuple(argv),
        environment=ENVIRONMENT,
        folder=SCRATCH,
        mounts=sandbox_paths.planned(readable),
        limits=limits,
        fence=way.fence,
        own_users=way.own_users,
        parent=os.getpid(),
    )
    return _outcome(sandbox_loop.run(launched(plan), plan, stdin), limits)


def _trusted(argv: Sequence[str], stdin: bytes, limits: Limits) -> Outcome:
    if sys.platform == "win32":
        raise InputError(found="Windows", expected="Linux, or with trust macOS", do="Use WSL 2.")
    folder = tempfile.mkdtemp(prefix="readproof-")
    try:
        environment = {**ENVIRONMENT, "HOME": folder, "TMPDIR": folder}
        plan = Plan(tuple(argv), environment, folder, (), limits, fence="none", own_users=False, parent=os.getpid())
        return _outcome(sandbox_loop.run(launched(plan), plan, stdin), limits)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _outcome(run: sandbox_loop.Run, limits: Limits) -> Outcome:
    failed = run.reported("failed")
    if failed is not None:
        raise InputError(
            place=f"sandbox, {failed}",
            found=str(run.reported("error")),
            expected="a fence that stands before the program starts",
            do="Nothing was run. `readproof doctor` tells what this system can do.",
        )
    status = run.reported("status")
    number = status if isinstance(status, int) and run.ended is None else None
    stderr = bytes(run.stderr[: limits.output])
    verdict = run.ended or _verdict(number, stderr)
    return Outcome(verdict, number, bytes(run.stdout[: limits.output]), stderr, run.seconds)


def _verdict(status: int | None, stderr: bytes) -> Verdict:
    if status == 0:
        return "done"
    if status == -signal.SIGXCPU:
        return "time"
    # an allocation over the limit fails inside the program, which then ends as it likes: only its last words tell
    if any(words in stderr[-_TAIL:] for words in _OUT_OF_MEMORY):
        return "memory"
    return "crashed"
