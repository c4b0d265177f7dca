"""A fixture for a team's own tests: `robustness` proves a reader and holds it to limits.

    def test_reader(robustness):
        robustness("my_package:reader", "dev.json", attacks=["addsent"]).at_least(f1=60)

pytest finds it by its entry point; nothing of readproof is loaded before the fixture is used.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from readproof.api import Run


class Robustness:
    """A finished run that can be held to limits; a limit that is not kept fails the test, with the table."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def at_least(self, **limits: float) -> Robustness:
        """The clean score and the score under every attack are at least so high: f1, em, accuracy, score, …"""
        attacked = {name for one in self.run.scores.attacks for name in one.attacked}
        wishes = [f"{name}={limit:g}" for name, limit in limits.items()]
        wishes += [f"attacked.{name}={limit:g}" for name, limit in limits.items() if name in attacked]
        return self.keeps(",".join(wishes))

    def keeps(self, limits: str) -> Robustness:
        """Limits as `readproof prove --fail-under` takes them: "addsent.f1=60,addsent.kept=0.7,reads"."""
        __tracebackhide__ = True
        broken = self.run.broken(limits)
        if broken:
            pytest.fail("\n".join([*broken, "", self.run.table()]), pytrace=False)
        return self


@pytest.fixture
def robustness(tmp_path: Path) -> Callable[..., Robustness]:
    """Proves a reader: `robustness(reader, data, attacks=…, limit=…)`, with all that `readproof.prove` takes."""
    runs: list[Path] = []

    def proved(reader: Any, data: Any = None, **options: Any) -> Robustness:
        from readproof.api import prove

        runs.append(tmp_path / f"run-{len(runs)}")
        return Robustness(prove(reader, data, **{"out": runs[-1], "page": False, **options}))

    return proved
