"""Running checks in a process of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
Job = tuple[str, list[str], dict[str, str]]


def measured(jobs: Sequence[Job], folder: Path) -> dict[str, Any]:
    """What each check found and took, and what all of them did."""
    listed = folder / "jobs.json"
    listed.write_text(json.dumps(jobs), encoding="utf-8")
    found = subprocess.run(
        [sys.executable, "-m", "tests.submit.measured", str(listed)],
        cwd=ROOT, capture_output=True, text=True, encoding="utf-8", timeout=300, check=False,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    record: dict[str, Any] = json.loads(found.stdout)
    return record
