"""What a person sees while it runs: the plan, then lines with an estimate, all on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

Say = Callable[[str], None]
_EVERY = 10.0


def say(text: str) -> None:
    """One line."""
    print(text, file=sys.stderr, flush=True)


def in_words(seconds: float) -> str:
    """A length of time as a person says it."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 100 * 60 else f"{seconds / 3600:.1f} h"


class Pace:
    """How much is left of a job of so many readings, by how long those so far took (before any: by a guess)."""

    def __init__(self, readings: float, guess: float, say: Say, now: Callable[[], float] = time.monotonic) -> None:
        self._left, self._guess, self._say, self._now = readings, guess, say, now
        self._begun = self._said = now()
        self._done = 0.0

    def did(self, readings: float, where: str) -> None:
        """Some more are done; tells so every ten seconds."""
        self._left -= readings
        self._done += readings
        if self._now() - self._said >= _EVERY:
            self._said = self._now()
            self._say(f"{where}; about {in_words(self.left())} left")

    def left(self) -> float:
        each = (self._now() - self._begun) / self._done if self._done else self._guess
        return max(0.0, self._left) * each
