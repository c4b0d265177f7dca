"""Killed for real: by signal 9 at chance moments, and by a disk with no more room."""

from __future__ import annotations

import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from readproof.tasks.itemlines import write_items
from tests.proof.conftest import contents
from tests.proof.made_readers import sample

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "readproof", "prove", "tests.proof.made_readers:slow"]
ATTACKS = ["--attacks", "invisible,reorder,script,triples", "--json", "--out"]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "small.jsonl"
    with path.open("w", encoding="utf-8") as file:
        write_items([*sample()[:15], *sample()[-5:]], file)
    return path


@pytest.fixture(scope="module")
def start(data: Path) -> Callable[..., subprocess.Popen[bytes]]:
    def started(folder: Path, **more: Any) -> subprocess.Popen[bytes]:
        command = [*COMMAND, str(data), *ATTACKS, str(folder)]
        return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **more)

    return started


Start = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture(scope="module")
def whole(start: Start, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float]:
    """A run that nobody stopped, and how long one takes: the second, for the first may have modules to compile."""
    for name in ("first", "second"):
        folder = tmp_path_factory.mktemp(name) / "run"
        begun = time.monotonic()
        assert start(folder).wait() == 0
        took = time.monotonic() - begun
    return folder, took


@pytest.mark.slow
def test_twenty_kills_at_random_moments_end_in_the_same_bytes(
    start: Start, whole: tuple[Path, float], tmp_path: Path
) -> None:
    """Runs are killed again and again until they end; all that end have the same bytes."""
    random = Random("kills")
    kills = ended = hurt = 0
    while kills < 20 or not ended:
        folder = tmp_path / f"run-{ended}"
        for _ in range(5):  # at the most so many kills a run, so that some of them end
            if kills >= 20:
                break
            process = start(folder)
            with suppress(subprocess.TimeoutExpired):
                process.wait(random.uniform(0.3, 0.8) * whole[1])
            process.send_signal(signal.SIGKILL)
            killed = process.wait() == -signal.SIGKILL
            kills += killed
            hurt += killed and (folder / "answers.jsonl").exists() and not (folder / "scores.json").exists()
            if not killed:  # it was sooner
                break
        process = start(folder)
        _, said = process.communicate()
        assert process.returncode == 0, said
        assert contents(folder) == contents(whole[0])
        assert (folder / "report.html").read_bytes().rstrip().endswith(b"</html>")
        ended += 1
    assert hurt >= 5, "most kills should find it at work"


def test_a_full_disk_gives_a_clear_error_and_a_run_that_goes_on(
    start: Start, whole: tuple[Path, float], tmp_path: Path
) -> None:
    """No file may grow beyond a limit: the system's own way to say that there is no room."""
    folder = tmp_path / "run"
    sizes = sorted((whole[0] / name).stat().st_size for name in ("answers.jsonl", "variants.jsonl"))
    for room in (2_000, sizes[0] // 2, sizes[1] // 2):

        def little(room: int = room) -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

        process = start(folder, preexec_fn=little)
        _, said = process.communicate()
        assert process.returncode == 2, said
        assert b"no room to write" in said
        assert b"resumes where it stopped" in said
        assert not (folder / "scores.json").exists()
    assert start(folder).wait() == 0
    assert contents(folder) == contents(whole[0])


def _heeds_interrupts() -> None:
    """Test processes that run side by side ignore interrupts, and what they start would do so too."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_an_interrupt_says_how_to_go_on(start: Start, whole: tuple[Path, float], tmp_path: Path) -> None:
    folder = tmp_path / "run"
    process = start(folder, preexec_fn=_heeds_interrupts)
    while not (folder / "answers.jsonl").exists() or not (folder / "answers.jsonl").stat().st_size:
        time.sleep(0.01)
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 130
    assert b"Run the same command to resume" in said
    assert start(folder).wait() == 0
    assert contents(folder) == contents(whole[0])
