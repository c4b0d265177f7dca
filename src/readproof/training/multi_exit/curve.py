"""The baseline curve of the CELUE tasks, out of finished trainings: at each depth the best of what was trained for it.

A point is the reader of so many layers with the head above the last of them. Which runs are candidates is for the
caller to say: readers that were trained for one depth alone (`depth = 6`, `weights = "last"`), each with its seeds, or
the exits of one that was trained for all. The best by the very figure that is measured is taken: it flatters the
baseline, and so makes it harder to beat.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from readproof.efficiency.elue import TASKS
from readproof.errors import InputError
from readproof.files import writing
from readproof.jsonstream import load_json
from readproof.training.multi_exit.depths import DEPTHS, read_lines
from readproof.training.multi_exit.train import MEASURED


@dataclass(frozen=True, slots=True)
class Candidate:
    """One reader of a fixed depth: how good, at what cost."""

    task: str
    layer: int
    performance: float
    flops: float
    parameters: int
    items: int
    made: str


def candidates_of(folder: Path) -> list[Candidate]:
    """What the readers of every depth, or a finished training's exits, reached on the part that was measured."""
    if (folder / DEPTHS).is_file():
        return [_of_line(one) for one in read_lines(folder / DEPTHS)]
    path = folder / MEASURED
    if not path.is_file():
        found = f"neither {DEPTHS} nor {MEASURED}"
        raise InputError(file=folder, found=found, expected="the work folder of a finished training")
    record = load_json(path)
    return [
        Candidate(
            record["task"],
            int(layer),
            float(one["performance"]),
            float(one["flops"]),
            int(one["parameters"]),
            int(record["items"]),
            f"layer {layer}, {folder.name}, {record['job']}",
        )
        for layer, one in record["exits"].items()
    ]


def _of_line(one: Mapping[str, Any]) -> Candidate:
    made = f"{one['depth']} layers, run {one['run']}, lr {one['lr']:g}, {one['epochs']} epochs"
    figures = (float(one["performance"]), float(one["flops"]), int(one["parameters"]), int(one["items"]))
    return Candidate(one["task"], int(one["depth"]), *figures, made)


def curve_of(candidates: Iterable[Candidate], *, name: str, made: Any) -> dict[str, Any]:
    """The curve: of every task at every depth the best candidate."""
    grouped: dict[str, dict[int, list[Candidate]]] = {}
    for one in candidates:
        grouped.setdefault(one.task, {}).setdefault(one.layer, []).append(one)
    tasks: dict[str, Any] = {}
    for task in (*(known for known in TASKS if known in grouped), *sorted(set(grouped) - set(TASKS))):
        items = {one.items for group in grouped[task].values() for one in group}
        if len(items) > 1:
            expected = "runs that were measured on the same items"
            raise InputError(place=task, found=f"runs measured on {sorted(items)} items", expected=expected)
        best = [max(group, key=lambda one: one.performance) for _, group in sorted(grouped[task].items())]
        points = [_point(one, len(grouped[task][one.layer])) for one in best]
        tasks[task] = {"items": items.pop(), "points": points}
    return {"name": name, "made": made, "tasks": tasks}


def write_curve(out: Path, folders: Sequence[Path], *, name: str, made: Any) -> Mapping[str, Any]:
    """The curve of these work folders as a file that `readproof elue --curve` reads."""
    curve = curve_of((one for folder in folders for one in candidates_of(folder)), name=name, made=made)
    with writing(out) as file:
        file.write(json.dumps(curve, ensure_ascii=False, indent=1) + "\n")
    return curve


def _point(one: Candidate, among: int) -> dict[str, Any]:
    made = f"{one.made}; the best of {among}"
    figures = {"performance": round(one.performance, 4), "flops": one.flops, "parameters": one.parameters}
    return {**figures, "made": made}
