"""The house rules, kept by tests: lint, types, the direction of imports, READMEs that tell the truth."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import readproof

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent


def _run(*command: str) -> None:
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr


def test_ruff() -> None:
    _run(str(BIN / "ruff"), "check", ".")
    _run(str(BIN / "ruff"), "format", "--check", ".")


def test_mypy() -> None:
    _run(str(BIN / "mypy"))


def test_imports_point_one_way() -> None:
    _run(str(BIN / "lint-imports"))


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md", "CONTRIBUTING.md"])
def test_ci_runs_the_test_command_of_the_readme(name: str) -> None:
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")
    command = script.strip().splitlines()[-1]
    assert "pytest" in command
    assert command in (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md", "CONTRIBUTING.md"])
def test_links_lead_somewhere(name: str) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", (ROOT / name).read_text(encoding="utf-8")):
        assert (ROOT / target).exists(), target


def test_every_command_in_the_readme_exists() -> None:
    from readproof.cli.main import COMMANDS, GROUPS

    named = set(re.findall(r"^readproof ([\w-]+)", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.M))
    assert named == {*COMMANDS, *GROUPS}


def test_version_and_changelog() -> None:
    assert f'version = "{readproof.__version__}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").startswith("# Changelog")


def test_files_stay_small() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in (ROOT / "src").rglob("*.py")
        if (lines := path.read_text(encoding="utf-8").count("\n")) > 400
    }
    assert not long
