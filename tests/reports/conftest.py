"""Runs made once for all tests of the report."""

from __future__ import annotations

from pathlib import Path

import pytest

from readproof.proof.run import RunResults
from tests.reports import made_runs


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> RunResults:
    return made_runs.sample_run(tmp_path_factory.mktemp("runs") / "sample")


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> RunResults:
    return made_runs.hostile_run(tmp_path_factory.mktemp("runs") / "hostile")


@pytest.fixture(scope="session")
def sample_page(sample: RunResults) -> Path:
    from readproof.reports import write_report

    return write_report(sample)


@pytest.fixture(scope="session")
def hostile_page(hostile: RunResults) -> Path:
    from readproof.reports import write_report

    return write_report(hostile)
