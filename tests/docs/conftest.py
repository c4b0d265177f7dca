"""What takes seconds to build is built once a session: the distributions, as for a release, and the docs site."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from filelock import FileLock

from tests.docs.pages import DOCS, ROOT


@dataclass(frozen=True, slots=True)
class Distributions:
    """`wheel` was built from the sdist, `direct` from the checkout."""

    sdist: Path
    wheel: Path
    direct: Path


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Distributions:
    def make(folder: Path) -> None:
        build = [sys.executable, "-m", "build", "--no-isolation", str(ROOT), "-o"]
        # an sdist, and out of it a wheel
        _run([*build, str(folder / "dist")])
        _run([*build, str(folder / "direct"), "--wheel"])

    folder = _once(tmp_path_factory, "distributions", make)
    (sdist,), (wheel,) = (folder / "dist").glob("*.tar.gz"), (folder / "dist").glob("*.whl")
    (direct,) = (folder / "direct").glob("*.whl")
    return Distributions(sdist, wheel, direct)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built where nothing else is, so that no cache and no earlier site can help."""

    def make(folder: Path) -> None:
        for name in ("CONTRIBUTING.md", "CHANGELOG.md", "mkdocs.yml"):
            shutil.copy(ROOT / name, folder / name)
        shutil.copytree(DOCS, folder / "docs")
        left_out = shutil.ignore_patterns("__pycache__", "*.npz", "*.onnx", "*.tsv", "*.xz")
        shutil.copytree(ROOT / "src", folder / "src", ignore=left_out)
        _run([str(Path(sys.executable).parent / "zensical"), "build", "--strict"], cwd=folder)

    return _once(tmp_path_factory, "docs", make) / "site"


def _once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that the first process to come fills, and those beside it find."""
    base = factory.getbasetemp()
    root = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, done = root / name, root / f"{name}.done"
    with FileLock(root / f"{name}.lock"):
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            done.touch()
    return folder


def _run(command: list[str], cwd: Path = ROOT) -> None:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
