"""What every job of a training works with, whatever is trained: the work folder, the sets by name, device and clock."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from readproof.errors import InputError
from readproof.training.device import Clock, pick_device
from readproof.training.work import WorkFolder

Say = Callable[[str], None]
# the scores of each held-out set, and the figure that choices are made by; None where nothing is held out
Judged = tuple[dict[str, Any], float | None]


class TrainingSite(ABC):
    """One training in one work folder."""

    def __init__(self, work: WorkFolder, sets: Mapping[str, Path], *, say: Say, save_every: float = 120.0) -> None:
        self.work = work
        self.say = say
        self.save_every = save_every
        self.device = pick_device()
        self.clock = Clock({})
        self.files = sets

    @abstractmethod
    def held(self, readers: Sequence[Any]) -> Judged:
        """Scores on the held-out sets, and their weighted mean."""

    @abstractmethod
    def in_words(self, found: Mapping[str, Any]) -> str:
        """Scores on one line."""

    def has(self, name: str) -> bool:
        return name.partition("/")[0] in self.files

    def there(self, names: Iterable[str], place: str) -> tuple[str, ...]:
        """Those of the sets that there are; an InputError where none is left."""
        wanted = tuple(names)
        found = tuple(name for name in wanted if self.has(name))
        if not found:
            expected = f"at least one of {', '.join(wanted)}"
            raise InputError(
                place=place, found="none of its sets", expected=expected, do="Add the data they come from."
            )
        return found

    def free(self) -> None:
        """Give the device back what finished jobs used."""
        if self.device.type == "cuda":
            torch.cuda.empty_cache()
