"""Turns at work that takes a core or much memory: so many at once, so many waiting, and others are sent away at once.

Whoever waits holds one of the server's threads; if all waited, no other page would be served.
"""

from __future__ import annotations

import threading

from readproof.board.refusal import Refusal

_PATIENCE = 20.0


class Turns:
    """`with turns:` is one turn, or a refusal."""

    def __init__(self, at_once: int, waiting: int) -> None:
        self._working = threading.Semaphore(at_once)
        self._places = threading.Semaphore(at_once + waiting)

    def __enter__(self) -> None:
        if not self._places.acquire(blocking=False):
            raise Refusal("refused.busy", 503)
        if not self._working.acquire(timeout=_PATIENCE):
            self._places.release()
            raise Refusal("refused.busy", 503)

    def __exit__(self, *_: object) -> None:
        self._working.release()
        self._places.release()
