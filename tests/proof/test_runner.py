"""The clock of a run; how a run goes on is in test_run and test_kills."""

from __future__ import annotations

from pathlib import Path

import pytest

from readproof.proof.results import read_timings
from readproof.proof.runner import Stopwatch


def test_times_are_kept_while_a_phase_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("readproof.proof.runner.time.perf_counter", lambda: now[0])
    path = tmp_path / "timings.json"
    clock = Stopwatch(path)
    with clock.phase("clean"):
        clock.question("spans", 80.0)
        now[0] = 4.0
        clock.tick(3.0)
        assert not path.exists(), "not at every question"
        now[0] = 6.0
        clock.tick(5.0)
    # killed here, the next session goes on from what is on disk
    found = read_timings(path)
    assert (found.seconds, found.reader_seconds, found.phases) == (6.0, 5.0, {"clean": 6.0})
    assert found.speed["spans"].median == 80.0
    with Stopwatch(path).phase("typo"):
        now[0] = 8.0
    assert clock.write(7.0).phases == {"clean": 6.0}, "a phase is counted once"
