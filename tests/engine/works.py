"""Work made for the purpose: what comes of a shard of numbers is known, how long it takes and how it ends is not."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from readproof.errors import InputError


@dataclass(frozen=True)
class Squares:
    """Squares; each worker says in FOLDER that it has begun, and each shard who did it.

    A shard takes at most `seconds`, at chance. A shard with `deadly` ends its worker, `once` for the first time only;
    one with `wrong` is an error.
    """

    folder: Path
    seconds: float = 0.0
    deadly: int | None = None
    once: bool = True
    wrong: int | None = None
    stillborn: bool = False

    def open(self) -> Callable[[list[int]], list[int]]:
        if self.stillborn:
            os.kill(os.getpid(), signal.SIGKILL)
        (self.folder / f"worker-{os.getpid()}").touch()
        return self._do

    def names(self, shard: list[int]) -> list[str]:
        return [f"number {one}" for one in shard]

    def _do(self, shard: list[int]) -> list[int]:
        (self.folder / f"shard-{shard[0]}-{os.getpid()}").touch()
        time.sleep(Random(shard[0]).uniform(0, self.seconds))
        died = self.folder / "died"
        if self.deadly in shard and not (self.once and died.exists()):
            died.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if self.wrong in shard:
            raise InputError(file="numbers", place=f"number {self.wrong}", found="a wrong one", expected="right ones")
        return [one * one for one in shard]


def begun(folder: Path) -> list[int]:
    """The processes that have begun to work."""
    return [int(path.name.partition("-")[2]) for path in folder.glob("worker-*")]
