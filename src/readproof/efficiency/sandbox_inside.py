"""The inner side of the sandbox: the first process of its namespaces, which starts the program and reports its end.

Nothing is started before every fence stands: each step raises when it fails, and `sandbox_check` looks once more.
When the first process ends, the kernel ends every other one in the namespace.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from collections.abc import Callable
from typing import NoReturn

from readproof.efficiency import (
    sandbox_check,
    sandbox_filter,
    sandbox_kernel,
    sandbox_landlock,
    sandbox_mounts,
    sandbox_watch,
)
from readproof.efficiency.sandbox_plan import NOBODY, Limits, Plan, loaded

FAILED = 70


def main(plan_descriptor: int, report_descriptor: int) -> NoReturn:
    """Read the plan, build the fence, run the program, write how it ended as one line of JSON."""
    os.set_inheritable(report_descriptor, False)
    os.umask(0o022)
    plan = loaded(_whole(plan_descriptor))

    def report(**found: object) -> None:
        os.write(report_descriptor, json.dumps(found).encode() + b"\n")

    if plan.fence == "none":
        _end_with_parent(plan.parent)
        _outer(plan, report, report_descriptor)
    elif plan.fence == "bubblewrap":
        _first_process(plan, report, report_descriptor)
    else:
        _guarded(lambda: sandbox_mounts.enter_namespaces(own_users=plan.own_users), "namespaces", report)
        _end_with_parent(plan.parent)
        first = os.fork()
        if first == 0:
            _end_with_parent(0)  # as a parent outside the namespace is called
            _guarded(lambda: sandbox_mounts.build_files(plan.mounts, plan.limits), "files", report)
            _first_process(plan, report, report_descriptor)
        _close_from(0, but=report_descriptor)
        os.waitpid(first, 0)
    os._exit(0)


def _end_with_parent(parent: int) -> None:
    if sys.platform == "linux":
        sandbox_kernel.prctl(sandbox_kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(FAILED)


def _outer(plan: Plan, report: Callable[..., None], report_descriptor: int) -> None:
    """Without a fence: limits only. Orphans come back to this process, and end with it as far as they can be found."""
    if sys.platform == "linux":
        sandbox_kernel.prctl(sandbox_kernel.PR_SET_CHILD_SUBREAPER, 1)
    launcher = os.getpid()
    program = os.fork()
    if program == 0:
        _end_with_parent(launcher)
        _guarded(lambda: _limit(plan.limits, processes=False), "limits", report)
        _start(plan, report, report_descriptor)
    status = _status_of(program)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those that are killed now
    sandbox_watch.end(os.getpid())
    report(status=status)


def _first_process(plan: Plan, report: Callable[..., None], report_descriptor: int) -> NoReturn:
    _guarded(lambda: sandbox_kernel.prctl(sandbox_kernel.PR_SET_DUMPABLE, 0), "dumpable", report)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the kernel keeps unhandled signals from a first process
    program = os.fork()
    if program == 0:
        _guarded(lambda: _fence_in(plan), "fence", report)
        _start(plan, report, report_descriptor)
    _close_from(0, but=report_descriptor)
    sandbox_kernel.drop_capabilities()
    report(status=_status_of(program))
    os._exit(0)


def _fence_in(plan: Plan) -> None:
    os.setsid()
    _limit(plan.limits, processes=True)
    if sandbox_kernel.capabilities():
        sandbox_kernel.bound_capabilities()
    if os.getuid() == 0:
        _become_nobody()
    sandbox_kernel.drop_capabilities()
    sandbox_kernel.prctl(sandbox_kernel.PR_SET_NO_NEW_PRIVS, 1)
    sandbox_check.before_filter()
    sandbox_landlock.restrict(plan.mounts)
    sandbox_filter.install()
    sandbox_check.after_filter()


def _become_nobody() -> None:
    try:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    except OSError as error:
        raise OSError(error.errno, f"root cannot become nobody here: {error.strerror}") from error


def _limit(limits: Limits, *, processes: bool) -> None:
    cpu = max(1, round(limits.cpu_seconds))
    wanted = {
        resource.RLIMIT_CPU: (cpu, cpu + 1),
        resource.RLIMIT_AS: (limits.memory, limits.memory),
        resource.RLIMIT_NOFILE: (limits.files, limits.files),
        resource.RLIMIT_FSIZE: (limits.written, limits.written),
        # 1, not 0: a kernel that pipes core dumps to a program minds only this
        resource.RLIMIT_CORE: (1, 1),
    }
    if processes:
        wanted[resource.RLIMIT_NPROC] = (limits.processes, limits.processes)
        wanted[resource.RLIMIT_MSGQUEUE] = (0, 0)
    for which, (soft, hard) in wanted.items():
        most = resource.getrlimit(which)[1]
        if most != resource.RLIM_INFINITY:
            soft, hard = min(soft, most), min(hard, most)
        try:
            resource.setrlimit(which, (soft, hard))
        except (OSError, ValueError):
            if sys.platform == "linux":
                raise  # elsewhere there is no fence but trust, and not every limit exists


def _start(plan: Plan, report: Callable[..., None], report_descriptor: int) -> NoReturn:
    try:
        _close_from(3, but=report_descriptor)  # which exec closes
        os.chdir(plan.folder)
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)  # Python ignores two of them, and what is ignored stays so
        os.execve(plan.argv[0], plan.argv, plan.environment)
    except OSError as error:
        report(failed="program", error=f"{plan.argv[0]}: {error.strerror}")
    os._exit(FAILED)


def _guarded(step: Callable[[], object], name: str, report: Callable[..., None]) -> None:
    try:
        step()
    except BaseException as error:
        report(failed=name, error=str(error) or type(error).__name__)
        os._exit(FAILED)


def _status_of(program: int) -> int:
    """Wait for the program; reap whatever else comes home."""
    while True:
        ended, status = os.wait()
        if ended == program:
            return os.waitstatus_to_exitcode(status)


def _close_from(first: int, *, but: int) -> None:
    """Close descriptors: an end of the program's pipes left open here would keep them from ending."""
    os.closerange(first, but)
    os.closerange(but + 1, 1024)


def _whole(descriptor: int) -> bytes:
    with os.fdopen(descriptor, "rb") as file:
        return file.read()
