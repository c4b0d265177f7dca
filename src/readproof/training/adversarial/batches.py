"""Clean and attacked windows in one batch: an attacked one always beside the clean one that it is held to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from readproof.training.adversarial.aligned import Attacked
from readproof.training.distil import gathered
from readproof.training.windows import Batch, Windows, collate, joined

_POOL = 64


@dataclass(slots=True)
class MixedBatch:
    """`partners` are the rows of attacked windows with those of their clean ones (two columns); `origins` the places
    in the clean window, -1 for a token that is not there; `clean` says which rows are clean; `said` is what the reader
    before said of the clean rows.
    """

    windows: Batch
    partners: Tensor
    origins: Tensor
    clean: Tensor
    said: Tensor | None

    @property
    def ids(self) -> Tensor:
        return self.windows.ids

    def to(self, device: torch.device) -> MixedBatch:
        if device.type == "cpu":
            return self

        def move(tensor: Tensor) -> Tensor:
            return tensor.pin_memory().to(device, non_blocking=True)

        said = None if self.said is None else move(self.said)
        return MixedBatch(self.windows.to(device), move(self.partners), move(self.origins), move(self.clean), said)


class Mixed:
    """The examples of one epoch: every clean window once, every attacked one once."""

    def __init__(self, clean: Windows, attacked: Attacked, said: NDArray[np.float16] | None = None) -> None:
        self._clean, self._attacked, self._said = clean, attacked, said
        self.windows = joined([clean, attacked.windows]) if len(attacked.windows) else clean

    def batches(self, size: int, seed: int) -> list[NDArray[np.int64]]:
        """Batches of about `size` windows of like length, in random order."""
        random = np.random.default_rng(seed)
        units = self._units()
        lengths = self.windows.lengths
        longest = np.asarray([int(lengths[list(unit)].max()) for unit in units])
        order = random.permutation(len(units))
        together = max(1, round(size * _POOL * len(units) / len(self.windows)))
        batches: list[NDArray[np.int64]] = []
        for at in range(0, len(order), together):
            part = order[at : at + together]
            batch: list[int] = []
            for number in part[np.argsort(longest[part], kind="stable")]:
                unit = units[number]
                if batch and len(batch) + len(unit) > size:
                    batches.append(np.asarray(batch, dtype=np.int64))
                    batch = []
                batch += unit
            if batch:
                batches.append(np.asarray(batch, dtype=np.int64))
        return [batches[at] for at in random.permutation(len(batches))]

    def collate(self, batch: NDArray[np.int64]) -> MixedBatch:
        windows = collate(self.windows, batch)
        size, width = len(self._clean), windows.ids.shape[1]
        row_of = {int(window): row for row, window in enumerate(batch)}
        origins = np.full((len(batch), width), -1, dtype=np.int64)
        pairs: list[tuple[int, int]] = []
        for row, window in enumerate(batch.tolist()):
            if window < size:
                continue
            number = window - size
            partner = row_of.get(int(self._attacked.partners[number]))
            if self._attacked.partners[number] < 0 or partner is None:
                continue
            start, end = self._attacked.windows.offsets[number], self._attacked.windows.offsets[number + 1]
            origins[row, : end - start] = self._attacked.origins[start:end]
            pairs.append((row, partner))
        clean = batch < size
        return MixedBatch(
            windows=windows,
            partners=torch.as_tensor(pairs, dtype=torch.int64).reshape(-1, 2),
            origins=torch.from_numpy(origins),
            clean=torch.from_numpy(np.flatnonzero(clean)),
            said=None if self._said is None else gathered(self._clean, self._said, batch[clean], width),
        )

    def _units(self) -> list[list[int]]:
        """Windows that must be in one batch: a clean one with its attacked ones."""
        size = len(self._clean)
        units = [[number] for number in range(size)]
        alone: list[list[int]] = []
        for number, partner in enumerate(self._attacked.partners.tolist()):
            if partner >= 0:
                units[partner].append(size + number)
            else:
                alone.append([size + number])
        return units + alone
