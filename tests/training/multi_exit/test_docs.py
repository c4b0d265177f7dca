"""The first commands of docs/multi-exit.md, as printed, on tiny data."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from readproof.cli.main import app
from tests.training.multi_exit.made import save_data

DOCS = Path(__file__).parents[3] / "docs" / "multi-exit.md"


def test_the_first_commands_run(exit_start: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    block = re.search(r"```\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    save_data(tmp_path / "data/celue", "chnc", 120)
    (tmp_path / "zh-bert-base").symlink_to(exit_start)
    monkeypatch.chdir(tmp_path)
    for line in block[1].splitlines():
        words = shlex.split(line)
        if words[0] == "mkdir":
            Path(words[-1]).mkdir(parents=True)
            continue
        more = {"train": ["--epochs", "1"], "elue": ["--trust"]}.get(words[1], [])
        found = CliRunner().invoke(app(), [*words[1:], *more])
        assert found.exit_code == 0, f"{line}: {found.output} {found.exception}"
    assert "sure.jsonl" in found.stdout
