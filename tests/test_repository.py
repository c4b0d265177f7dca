"""The house rules, kept by tests: lint, types, the direction of imports, READMEs that tell the truth."""

from __future__ import annotations

import ast
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


def test_a_class_name_means_one_thing() -> None:
    """A class that every language has one of, in the module of the same name, is one thing."""
    homes: dict[str, set[str]] = {}
    for path in (ROOT / "src/readproof").rglob("*.py"):
        place = re.sub(r"/lang/(?:zh|fa|en)/", "/lang/", str(path.relative_to(ROOT / "src")))
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, set()).add(place)
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


def test_no_code_outside_lang_asks_which_language_it_is() -> None:
    """What differs by language is said by `Language`; the pages' own two languages are another matter."""
    asks = re.compile(r"""language\w*\)?\s*(?:==|!=|in \(|not in)\s*\(?["'](?:zh|fa|en)["']""")
    pages = ("board", "reports", "submit")
    own = {
        "training/pretrain/places.py",  # word lists for the pretraining of the Persian encoder
        "training/ship.py",  # what notes say that a card has a place for
    }
    found = set()
    for path in (ROOT / "src/readproof").rglob("*.py"):
        place = path.relative_to(ROOT / "src/readproof")
        if place.parts[0] not in ("lang", *pages) and asks.search(path.read_text(encoding="utf-8")):
            found.add(place.as_posix())
    assert found <= own, found - own


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
    from readproof.cli.main import COMMANDS

    named = set(re.findall(r"^readproof ([\w-]+)", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.M))
    assert named
    assert named <= set(COMMANDS)


def test_version_and_changelog() -> None:
    assert f'version = "{readproof.__version__}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").startswith("# Changelog")
