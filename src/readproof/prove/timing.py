"""The times of a run, gathered over all its sessions: they live in timings.json and nowhere else."""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median, quantiles

from readproof.errors import InputError
from readproof.prove.forms import read_form, write_form
from readproof.prove.model import Speed, Timings

FILE = "timings.json"
_SAMPLES = 5000
# what a kill costs of the times
_EVERY = 5.0


class Clock:
    """Seconds by phase and inside the readers, milliseconds a clean question; goes on from an earlier session."""

    def __init__(self, path: Path) -> None:
        self.path = path
        before = _read(path)
        self._begun = time.perf_counter()
        self._seconds = before.seconds
        self._reader = before.reader_seconds
        self._phases = dict(before.phases)
        self._samples = {part: list(values) for part, values in before.samples.items()}
        self._sessions = before.sessions + 1
        self._written = self._since = self._begun
        self._phase = ""

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """The time of one phase."""
        self._since = time.perf_counter()
        self._phase = name
        try:
            yield
        finally:
            self._spend()
            self._phase = ""

    def question(self, part: str, milliseconds: float) -> None:
        """The time of one clean question; one that was remembered took none."""
        kept = self._samples.setdefault(part, [])
        if milliseconds > 0 and len(kept) < _SAMPLES:
            kept.append(round(milliseconds, 3))

    def tick(self, reader_seconds: float) -> None:
        """Called often: writes what is known so far every few seconds."""
        if time.perf_counter() - self._written >= _EVERY:
            self.write(reader_seconds)

    def _spend(self) -> None:
        now = time.perf_counter()
        if self._phase:
            self._phases[self._phase] = self._phases.get(self._phase, 0.0) + now - self._since
        self._since = now

    def write(self, reader_seconds: float) -> Timings:
        """What is known so far, as a file."""
        self._spend()
        self._written = time.perf_counter()
        found = Timings(
            seconds=self._seconds + time.perf_counter() - self._begun,
            reader_seconds=self._reader + reader_seconds,
            phases=self._phases,
            speed={part: _speed(values) for part, values in self._samples.items() if values},
            peak_memory=peak_memory(),
            sessions=self._sessions,
            machine=_machine(),
            samples={part: tuple(values) for part, values in self._samples.items()},
        )
        with suppress(OSError, InputError):  # times are not worth a run; where the disk is full the answers tell
            write_form(self.path, found)
        return found


def peak_memory() -> int | None:
    """The most memory this process had, in bytes; None where the system does not say."""
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


def _speed(values: list[float]) -> Speed:
    p90 = quantiles(values, n=10, method="inclusive")[-1] if len(values) > 1 else values[0]
    return Speed(count=len(values), median=median(values), p90=p90)


def _machine() -> dict[str, str]:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return {"system": platform.system(), "machine": platform.machine(), "cores": str(cores)} | {
        "python": platform.python_version()
    }


def _read(path: Path) -> Timings:
    """The times of the sessions before; a file that cannot be read costs nothing but them."""
    try:
        return read_form(path, Timings) if path.exists() else Timings()
    except InputError:
        return Timings()
