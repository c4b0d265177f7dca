"""The outer side of one run: feed the program, collect what it writes, and end it when it exceeds a limit."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from tempfile import TemporaryFile

from readproof.efficiency import sandbox_watch
from readproof.efficiency.sandbox_plan import MOST_SCRATCH_FILES, Limits, Plan, Verdict, dumped

_LOOK_EVERY = 0.05
_CHUNK = 1 << 16
_REAPING = 10.0
_OWN_THREADS = 2  # the first process, and one that is just ending


@dataclass
class Run:
    """What is known of a run so far."""

    stdout: bytearray = field(default_factory=bytearray)
    stderr: bytearray = field(default_factory=bytearray)
    report: bytearray = field(default_factory=bytearray)
    ended: Verdict | None = None
    """Why the sandbox ended it; None if it ended by itself."""
    seconds: float = 0.0

    def reported(self, key: str) -> object:
        """What the inner side reported under a name, the last time."""
        lines = [json.loads(line) for line in bytes(self.report).splitlines()]
        return next((line[key] for line in reversed(lines) if key in line), None)


def run(command: Sequence[str], plan: Plan, stdin: bytes) -> Run:
    """Start a command whose inner side reads the plan, and stay with it to its end."""
    result = Run()
    began = time.monotonic()
    with TemporaryFile() as file:
        file.write(dumped(plan))
        file.seek(0)
        reading, writing = os.pipe()
        try:
            process = subprocess.Popen(
                [*command, str(file.fileno()), str(writing)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={},
                cwd="/",
                pass_fds=(file.fileno(), writing),
                start_new_session=True,
            )
        except BaseException:
            os.close(reading)
            raise
        finally:
            os.close(writing)
    try:
        _follow(process, reading, stdin, plan, result, began)
    finally:
        _end(process)
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                with suppress(OSError):  # what was never read by the program
                    pipe.close()
        os.close(reading)
    result.seconds = time.monotonic() - began
    return result


def _follow(process: subprocess.Popen[bytes], report: int, stdin: bytes, plan: Plan, result: Run, began: float) -> None:
    limits = plan.limits
    if process.stdin is None or process.stdout is None or process.stderr is None:
        raise RuntimeError("a process started without pipes")
    sinks = {process.stdout.fileno(): result.stdout, process.stderr.fileno(): result.stderr, report: result.report}
    feed, left = process.stdin.fileno(), memoryview(stdin)
    with selectors.DefaultSelector() as selector:
        for descriptor in sinks:
            os.set_blocking(descriptor, False)
            selector.register(descriptor, selectors.EVENT_READ)
        os.set_blocking(feed, False)
        selector.register(feed, selectors.EVENT_WRITE)
        next_look = began
        while report in selector.get_map():
            for key, _ in selector.select(_LOOK_EVERY):
                if key.fd == feed:
                    left = _fed(feed, left)
                    if not left:
                        selector.unregister(feed)
                        process.stdin.close()
                elif not _taken(key.fd, sinks[key.fd], limits.output):
                    selector.unregister(key.fd)
            now = time.monotonic()
            result.ended = _over_output(result, limits) or ("time" if now - began > limits.seconds else None)
            if result.ended is None and now >= next_look:
                result.ended = _over_use(process.pid, plan)
                next_look = now + _LOOK_EVERY
            if result.ended:
                return
        _drain(sinks, selector, limits)
        result.ended = _over_output(result, limits)


def _fed(descriptor: int, left: memoryview) -> memoryview:
    try:
        return left[os.write(descriptor, left[:_CHUNK]) :] if left else left
    except BlockingIOError:
        return left
    except OSError:  # nobody reads it any more
        return left[:0]


def _taken(descriptor: int, sink: bytearray, most: int) -> bool:
    """Read once; whether there may be more. One byte too many is kept as the sign of it."""
    try:
        data = os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return True
    except OSError:
        return False
    sink += data[: most + 1 - len(sink)]
    return bool(data)


def _drain(sinks: dict[int, bytearray], selector: selectors.BaseSelector, limits: Limits) -> None:
    """What is still in the pipes; without a fence some orphan may hold them open, so nobody waits for the end."""
    open_still = [descriptor for descriptor in sinks if descriptor in selector.get_map()]
    for descriptor in open_still:
        before = -1
        while len(sinks[descriptor]) != before:
            before = len(sinks[descriptor])
            if not _taken(descriptor, sinks[descriptor], limits.output):
                break


def _over_output(result: Run, limits: Limits) -> Verdict | None:
    return "output" if max(len(result.stdout), len(result.stderr)) > limits.output else None


def _over_use(process: int, plan: Plan) -> Verdict | None:
    limits = plan.limits
    use = sandbox_watch.use(process, limits.memory)
    if use.memory > limits.memory:
        return "memory"
    if use.cpu_seconds > limits.cpu_seconds:
        return "time"
    # bubblewrap cannot limit them beforehand
    if plan.fence == "bubblewrap" and sandbox_watch.scratch_files(process) > MOST_SCRATCH_FILES:
        return "memory"
    return "processes" if use.threads > limits.processes + _OWN_THREADS else None


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill what is left and wait for it: the process we started goes last, so that none below it is lost from sight."""
    if process.poll() is None:
        sandbox_watch.end(process.pid)
        try:
            process.wait(_REAPING)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
