"""How the tests share a machine: cores, a browser a process, and tests that go where there is time for them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def pytest_configure(config: pytest.Config) -> None:
    """Each of several test processes keeps to its share of the cores, and so does all that it starts.

    Else every reader in every one of them takes all cores, and its threads spin while others' work.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker is None or not hasattr(os, "sched_setaffinity"):
        return
    cores, number = sorted(os.sched_getaffinity(0)), int(worker.removeprefix("gw"))
    count = min(int(os.environ["PYTEST_XDIST_WORKER_COUNT"]), len(cores))
    os.sched_setaffinity(0, cores[number % count :: count])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Neighbours stay together, for they share what was built for them; who is done takes from who is not."""
    from xdist.scheduler import WorkStealingScheduling  # type: ignore[import-untyped]

    return WorkStealingScheduling(config, log) if config.getvalue("dist") == "load" else None


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """The system's Chromium, one a process, for Playwright cannot be started twice in it; nothing is downloaded."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs the package playwright")
    program = next((found for found in map(shutil.which, _NAMES) if found), None)
    if program is None:
        pytest.skip("needs Chromium (Debian: apt-get install chromium)")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield opened
        opened.close()
