"""A newcomer's path, walked: the README's first command, then every command of the first steps, as they are written.

Both begin with nothing: the README's in an unpacked sdist, the page's in an empty folder where pip finds the wheel.
They are two tests, so that two processes can share them.
"""

from __future__ import annotations

import os
import re
import subprocess
import tarfile
from pathlib import Path

import pytest

from tests.docs.conftest import Distributions
from tests.docs.pages import DOCS, ROOT, Block, blocks, shown_in

pytestmark = pytest.mark.slow

STEPS = DOCS / "first-steps.md"
_PATIENCE = 900


def clean_environment(**more: str) -> dict[str, str]:
    """As of a person who has not seen this checkout; modules are compiled when they are used, which saves time."""
    left_out = (
        "VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME", "PYTHONDONTWRITEBYTECODE", "PYTEST_CURRENT_TEST",
        "COVERAGE_PROCESS_START",
    )  # fmt: skip
    return {name: value for name, value in os.environ.items() if name not in left_out} | {"PIP_COMPILE": "0"} | more


def script_of(steps: list[Block]) -> str:
    """The blocks as one script, for what a block sets holds in the next; a mark is printed before each."""
    lines = ["set -euo pipefail"]
    for number, block in enumerate(steps):
        lines.append(f"printf '\\n@@{number}@@\\n'")
        lines.append(block.text if block.language == "bash" else f"python - <<'PYTHON'\n{block.text}PYTHON")
    return "\n".join(lines)


def test_the_readmes_first_command(built: Distributions, tmp_path: Path) -> None:
    with tarfile.open(built.sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (home,) = tmp_path.iterdir()
    readme = blocks(ROOT / "README.md")
    command, shown = (next(one for one in readme if one.language == language) for language in ("bash", ""))
    assert command.text == next(one for one in blocks(ROOT / "README.zh-CN.md") if one.language == "bash").text
    done = subprocess.run(
        ["bash", "-c", command.text],
        cwd=home, env=clean_environment(), capture_output=True, text=True, timeout=_PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert not shown_in(shown.text, done.stdout), done.stdout
    assert "zh on zh-fresh: " in done.stdout and "CC BY 4.0" in done.stdout
    (folder,) = (path for path in (home / "runs").iterdir() if path.is_dir())
    assert (home / "runs/index.html").is_file()
    assert (folder / "scores.json").is_file() and (folder / "report.html").is_file()


def test_the_first_steps(built: Distributions, tmp_path: Path) -> None:
    found = blocks(STEPS)
    steps = [one for one in found if one.language in ("bash", "python")]
    shown = {found[at - 1].line: one for at, one in enumerate(found) if one.language == "text"}
    links = " ".join(filter(None, [os.environ.get("PIP_FIND_LINKS"), str(built.wheel.parent)]))
    environment = clean_environment(PIP_FIND_LINKS=links, PIP_CONSTRAINT=str(ROOT / "constraints.txt"))
    done = subprocess.run(
        ["bash", "-c", script_of(steps)],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=_PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    printed = re.split(r"^@@\d+@@\n", done.stdout, flags=re.M)[1:]
    assert len(printed) == len(steps)
    for step, text in zip(steps, printed, strict=True):
        if step.line in shown:
            missing = shown_in(shown[step.line].text, text)
            assert not missing, f"{step.place}: {missing!r} was not printed, but\n{text}"
    assert len(shown) >= 7
    assert (tmp_path / "runs/mine/report.html").is_file() and (tmp_path / "my-hard/model.safetensors").is_file()


def test_the_chinese_page_has_the_same_commands() -> None:
    assert [(one.language, one.text) for one in blocks(STEPS)] == [
        (one.language, one.text) for one in blocks(DOCS / "first-steps.zh.md")
    ]


def test_what_is_shown_is_really_looked_for() -> None:
    printed = "Verdict: Reads.\n  addsent   91.0  90.0  2/29  1/29  stands\nPage: runs/zh-1f/report.html"
    assert shown_in("Verdict: …\n addsent 88.0 stands\n…\nPage: runs/zh-…/report.html", printed) == ""
    assert shown_in("Page: runs/fa-…/report.html", printed)
    assert shown_in("addsent 91.0 FALLS", printed) == "addsent 91.0 FALLS"
    assert shown_in("Page:\nVerdict:", printed) == "Verdict:", "the order counts"
