"""The graphs of a multi-exit reader, one a stage: embeddings, then some layers and the head above them.

    stage-0.onnx   ids, types [1, n] → hidden [1, n, width]
    stage-K.onnx   below (what the stage below gave) → hidden, scores
                   where tags are read also `active`, the places that are worked out and scored;
                   where labels or options are, `places`, those that are scored

A graph is loaded when it is first needed: what always stops early never loads the upper ones. Where the head need not
be asked, its scores are not computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from readproof.errors import InputError
from readproof.readers.embedded import session
from readproof.readers.exits.asking import TokenRow
from readproof.readers.exits.config import ExitConfig
from readproof.readers.exits.deciding import HeadOutput, Numbers, spoken_of
from readproof.readers.spans import Floats
from readproof.readers.tokens import Ints


def stage_name(number: int) -> str:
    return f"stage-{number}.onnx"


def stage_takes(config: ExitConfig) -> tuple[str, ...]:
    """The inputs of the graphs above the embeddings."""
    if config.kind == "tags":
        return ("below", "active")
    placed = config.kind in ("label", "choice") and config.pool == "first"
    return ("below", "places") if placed else ("below",)


class Stages:
    """The graphs of a folder."""

    def __init__(self, folder: Path, config: ExitConfig, threads: int) -> None:
        self.config = config
        self._folder = folder
        self._threads = threads
        self._sessions: dict[int, Any] = {}
        for number in range(len(config.exits) + 1):
            if not (folder / stage_name(number)).is_file():
                expected = f"stage-0.onnx to {stage_name(len(config.exits))}"
                do = "Give the reader's whole folder."
                raise InputError(file=folder, found=f"no {stage_name(number)}", expected=expected, do=do)

    def embedded(self, ids: Ints, types: Ints) -> Floats:
        window = {"ids": ids[None].astype(np.int64), "types": types[None].astype(np.int64)}
        found: Floats = self._session(0).run(["hidden"], window)[0]
        return found

    def run(self, number: int, inputs: dict[str, Any], *, scores: bool) -> tuple[Floats, Floats | None]:
        """A stage: what goes to the next one, and, where the head is asked, its scores (places × outputs)."""
        if not scores:
            return self._session(number).run(["hidden"], inputs)[0], None
        hidden, found = self._session(number).run(["hidden", "scores"], inputs)
        return hidden, found[0]

    def _session(self, number: int) -> Any:
        if number not in self._sessions:
            takes = stage_takes(self.config) if number else ("ids", "types")
            gives = ("hidden", "scores") if number else ("hidden",)
            path = self._folder / stage_name(number)
            self._sessions[number] = session(path, self._threads, takes=takes, gives=gives)
        return self._sessions[number]


@dataclass(slots=True)
class PendingRow:
    """One row on its way up."""

    stages: Stages
    row: TokenRow
    hidden: Floats | None = None
    stage: int = 0

    def up(self, layer: int, active: Numbers | None = None) -> Floats:
        """The scores of the head after this layer: of the row's places, or of those that are active."""
        config = self.stages.config
        if self.hidden is None:
            self.hidden = self.stages.embedded(self.row.ids, self.row.types)
        inputs: dict[str, Any] = {}
        takes = stage_takes(config)
        if "places" in takes:
            inputs["places"] = self.row.places.astype(np.int64)
        if "active" in takes:
            chosen = self.row.places if active is None else self.row.places[active]
            inputs["active"] = np.concatenate(([0], chosen, [len(self.row.ids) - 1])).astype(np.int64)
        scores: Floats | None = None
        for number in range(self.stage + 1, config.exits.index(layer) + 2):
            asked = config.exits[number - 1] == layer
            self.hidden, scores = self.stages.run(number, {"below": self.hidden, **inputs}, scores=asked)
            self.stage = number
        if scores is None:
            raise ValueError(f"layer {layer} lies below stage {self.stage}")
        return scores[1:-1] if "active" in takes else scores


@dataclass(slots=True)
class PendingRows:
    """The rows of one unit; `scores` is what its heads said last."""

    stages: Stages
    rows: Sequence[TokenRow]
    scores: list[Floats] = field(default_factory=list)
    climbing: list[PendingRow] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.climbing = [PendingRow(self.stages, row) for row in self.rows]

    @property
    def lengths(self) -> list[int]:
        return [len(row.ids) for row in self.rows]

    @property
    def scored(self) -> int:
        return len(self.rows[0].places)

    def up(self, layer: int, active: Numbers | None = None) -> HeadOutput:
        self.scores = [one.up(layer, active) for one in self.climbing]
        return spoken_of(self.stages.config.kind, self.scores)
