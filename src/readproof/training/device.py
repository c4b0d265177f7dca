"""Where training runs, and how long it will take: jobs weighed by their arithmetic against what is done so far."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping

import torch

# How long will it take? Jobs weighed by their arithmetic, against what this process has got through so far.


class Clock:
    """`units` is the weight of every job; finished ones count for nothing."""

    def __init__(self, units: Mapping[str, float], now: Callable[[], float] = time.monotonic) -> None:
        self._left = dict(units)
        self._whole = dict(units)
        self._now = now
        self._begun = now()
        self._done = 0.0

    def step(self, job: str, done: int, steps: int) -> None:
        """A job has done one more step; one that was resumed begins in the middle, which is not credited."""
        each = self._whole[job] / steps
        self._left[job] = each * (steps - done)
        self._done += each

    def finish(self, job: str) -> None:
        """A job is done, or was done before."""
        self._left[job] = 0.0

    def left(self) -> str:
        """The time left in words; nothing before there is anything to judge by."""
        passed = self._now() - self._begun
        if self._done <= 0 or passed <= 0:
            return ""
        return f"about {words(sum(self._left.values()) * passed / self._done)} left"


def words(seconds: float) -> str:
    """A length of time as a person says it."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 100 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def pick_device() -> torch.device:
    """The device, set up so that the same run gives the same weights on it again, as far as it can promise that."""
    if not torch.cuda.is_available():
        return torch.device("cpu")
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.utils.deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]
    torch.set_float32_matmul_precision("high")
    torch.backends.cuda.enable_cudnn_sdp(False)  # it would plan anew for every length of window
    return torch.device("cuda")


def device_name(device: torch.device) -> str:
    """The device in words, for the notes beside the weights."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else "cpu"
