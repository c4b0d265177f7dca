from __future__ import annotations

from pathlib import Path

import pytest

from readproof.proof.run import RunResults, prove_reader
from tests.proof import made_readers


@pytest.fixture(scope="session")
def perfect_run(tmp_path_factory: pytest.TempPathFactory) -> RunResults:
    """The whole sample, read by a reader that knows it, under every fast attack."""
    return prove_reader(made_readers.perfect, made_readers.SAMPLE, out=tmp_path_factory.mktemp("perfect") / "run")


@pytest.fixture(scope="session")
def small_run(tmp_path_factory: pytest.TempPathFactory) -> RunResults:
    """Six span questions and three triples: small enough to be run again and again."""
    return prove_reader(made_readers.perfect, small(), out=tmp_path_factory.mktemp("small") / "run", attacks=SMALL)


SMALL = ("addsent", "invisible", "reorder", "options/keyword", "triples")


def small() -> list[made_readers.Item]:
    items = made_readers.sample()
    return [*items[:6], *items[-3:]]


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a run but its times, and the page that shows them."""
    timed = ("timings.json", "report.html")
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.name not in timed}
