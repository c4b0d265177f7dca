"""Runs made once for all tests of the report, and a browser where there is one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from readproof.prove.run import Run
from tests.report import made_runs

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return made_runs.sample_run(tmp_path_factory.mktemp("runs") / "sample")


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return made_runs.hostile_run(tmp_path_factory.mktemp("runs") / "hostile")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """The system's Chromium; nothing is downloaded."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs the package playwright")
    program = next((found for found in map(shutil.which, _NAMES) if found), None)
    if program is None:
        pytest.skip("needs Chromium (Debian: apt-get install chromium)")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def sample_page(sample: Run) -> Path:
    from readproof.report import write_report

    return write_report(sample)


@pytest.fixture(scope="session")
def hostile_page(hostile: Run) -> Path:
    from readproof.report import write_report

    return write_report(hostile)
