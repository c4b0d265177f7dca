"""The work folder of a training: what is finished stays, so a run that was killed goes on where it was.

    plan.json             what this folder belongs to: plan, hashes of the data and of the start
    sets/NAME.json        prepared data
    models/NAME.safetensors   the best weights of a job so far; their own metadata say which epoch they are
    jobs/NAME.json        a finished job: its scores
    said/SET.npy          the teachers' log-probabilities
    checkpoints/NAME.pt   an unfinished job

Every file appears whole or not at all. A job is finished when its file in jobs/ is there, and only then goes its
checkpoint.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor

from readproof.errors import InputError
from readproof.files import writing


class WorkFolder:
    """One work folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for part in ("sets", "models", "jobs", "said", "checkpoints"):
            (folder / part).mkdir(parents=True, exist_ok=True)

    def claim(self, belongs: Mapping[str, Any]) -> None:
        """An InputError if the folder holds another training than this."""
        path = self.folder / "plan.json"
        record = json.loads(json.dumps(belongs, default=str))
        if path.exists():
            before = _read(path)
            differ = [key for key in record if before.get(key) != record[key]]
            if differ:
                raise InputError(
                    file=path,
                    place=differ[0],
                    found="the work of another training",
                    expected="the same plan, data and start",
                    do="Name another work folder.",
                )
            return
        _write(path, record)

    def result(self, job: str) -> dict[str, Any] | None:
        """What a finished job left; None while it is not finished."""
        path = self.folder / "jobs" / f"{job}.json"
        return _read(path) if path.exists() else None

    def finish(self, job: str, result: Mapping[str, Any]) -> None:
        """Mark a job finished; its model must be stored by now."""
        _write(self.folder / "jobs" / f"{job}.json", result)
        self.checkpoint(job).unlink(missing_ok=True)
        (self.folder / "checkpoints" / f"{job}.json").unlink(missing_ok=True)

    def notes(self, job: str) -> dict[str, Any]:
        """What an unfinished job has noted down."""
        path = self.folder / "checkpoints" / f"{job}.json"
        return _read(path) if path.exists() else {}

    def note(self, job: str, notes: Mapping[str, Any]) -> None:
        _write(self.folder / "checkpoints" / f"{job}.json", notes)

    def checkpoint(self, job: str) -> Path:
        return self.folder / "checkpoints" / f"{job}.pt"

    def store(self, job: str, state: Mapping[str, Tensor], facts: Mapping[str, str]) -> None:
        """Keep a job's weights in place of what it had before."""
        path = self._model(job)
        part = path.with_suffix(".part")
        save_file(dict(state), part, metadata=dict(facts))
        part.replace(path)

    def load(self, job: str) -> dict[str, Tensor]:
        return load_file(self._model(job))

    def drop(self, job: str) -> None:
        """Forget the weights of a finished job that nothing goes on from; its result stays."""
        self._model(job).unlink(missing_ok=True)

    def facts(self, job: str) -> dict[str, str]:
        """What was stored with a job's weights; empty while there are none."""
        if not self._model(job).exists():
            return {}
        with safe_open(self._model(job), "pt") as file:
            return dict(file.metadata() or {})

    def said(self, name: str) -> NDArray[np.float16] | None:
        """The teachers' log-probabilities of a set, if they are there."""
        path = self.folder / "said" / f"{name.replace('/', '_')}.npy"
        return np.load(path) if path.exists() else None

    def keep_said(self, name: str, logs: NDArray[np.float16]) -> None:
        path = self.folder / "said" / f"{name.replace('/', '_')}.npy"
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            np.save(file, logs)
        part.replace(path)

    def _model(self, job: str) -> Path:
        return self.folder / "models" / f"{job}.safetensors"


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _write(path: Path, value: Mapping[str, Any]) -> None:
    with writing(path) as file:
        file.write(json.dumps(value, ensure_ascii=False, indent=1, default=str) + "\n")
