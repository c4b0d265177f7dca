"""A browser where there is one: one a process, for Playwright cannot be started twice in it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


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
