"""The baseline curve of the CELUE tasks, out of finished trainings: at each depth the best of what was trained for it.

A point is the reader of so many layers with the head above the last of them. Which runs are candidates is for the
caller to say: readers that were trained for one depth alone (`depth = 6`, `weights = "last"`), each with its seeds, or
the exits of one that was trained for all. The best by the very figure that is measured is taken: it flatters the
baseline, and so makes it harder to beat.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from readproof.efficiency.elue import TASKS
from readproof.errors import InputError
from readproof.files import writing
from readproof.jsonstream import load_json
from readproof.readers.exits.trace import parameters
from readproof.training.encoder import chosen_layers
from readproof.training.fit import OutOfTimeError, fit
from readproof.training.multi_exit.bench import ExitBench
from readproof.training.multi_exit.model import exit_loss
from readproof.training.multi_exit.recipe import ExitPlan, check_exit_plan
from readproof.training.multi_exit.sets import task_parts, write_gold
from readproof.training.multi_exit.train import MEASURED, head_seed
from readproof.training.site import Say
from readproof.training.start import read_folder
from readproof.training.work import WorkFolder

# Readers of every depth, each trained for that depth alone: what a baseline curve is drawn through.
# All depths and seeds of a task share its data, so one process trains them one after another. What each reached is a
# line of `depths.jsonl`; nothing else is kept, and a depth that has its line is not trained again.

DEPTHS = "depths.jsonl"


@dataclass(frozen=True, slots=True)
class DepthRun:
    """One training: a seed with the learning rate that goes with it; shallow readers see the data longer."""

    seed: int
    lr: float
    epochs: int
    shallow_epochs: int

    def epochs_at(self, depth: int, deepest: int) -> int:
        return self.shallow_epochs if 3 * depth <= deepest else self.epochs


def train_depths(
    plan: ExitPlan,
    *,
    data: Sequence[str | Path],
    start: Path,
    work: Path,
    depths: Iterable[int],
    runs: Sequence[DepthRun],
    held_out: float = 0.05,
    say: Say = lambda _: None,
    out_of_time: Callable[[], bool] = lambda: False,
    replay: bool = True,
) -> Path:
    """Train a reader of each depth in each run, measure it after its last epoch, and write its line; gives the file.

    No epoch is chosen: the held-out part is measured too, but only to compare a reader with these on data that neither
    was judged by.
    """
    plan = replace(plan, weights="last", exits=(), equilibrium=False, taught=0.0, depth=0, together=False)
    check_exit_plan(plan)
    begin = read_folder(start)
    parts = task_parts(plan.task, data, held=held_out)
    if not parts.measured:
        raise InputError(place="data", found="files of your own", expected="a folder with the published files")
    bench = ExitBench(plan, WorkFolder(work), parts, begin, say=say, replay=replay)
    state = {name.removeprefix("bert."): one for name, one in begin.state().items()}
    inner = {name: one for name, one in state.items() if not name.startswith("qa_outputs.")}
    path = work / DEPTHS
    lines = read_lines(path)
    done = {(one["depth"], one["run"]) for one in lines}
    work.mkdir(parents=True, exist_ok=True)
    write_gold(plan.task, parts.measured, work / "gold")
    deepest_first = sorted(set(depths), reverse=True)
    asked = [(run, depth) for run in runs for depth in deepest_first]
    for number, (run, depth) in enumerate(asked):
        if (depth, run.seed) in done:
            continue
        if not 1 <= depth <= begin.layers:
            raise InputError(place="depths", found=f"{depth}", expected=f"1 to {begin.layers}, the start's layers")
        try:
            record = _trained(bench, inner, depth, run, begin.layers, out_of_time)
        except OutOfTimeError:
            say("out of time; the same command goes on from here")
            break
        lines.append(record)
        with writing(path) as file:
            file.writelines(json.dumps(one) + "\n" for one in lines)
        figures = f"held out {record['held']:.2f}, measured {record['performance']:.2f}"
        where = f"{plan.task} {number + 1}/{len(asked)}: depth {depth}, run {run.seed}"
        say(f"{where}: {figures}, {record['seconds']:.0f} s")
    return path


def _trained(
    bench: ExitBench,
    inner: dict[str, Tensor],
    depth: int,
    run: DepthRun,
    deepest: int,
    out_of_time: Callable[[], bool],
) -> dict[str, Any]:
    begun = time.monotonic()
    torch.manual_seed(head_seed(run.seed))
    model = bench.model(chosen_layers(inner, tuple(range(depth))) if depth < deepest else inner)
    epochs = run.epochs_at(depth, deepest)
    how = replace(bench.plan.fit, seed=run.seed, lr=run.lr, epochs=epochs)
    examples, _ = bench.examples(model.config)
    fit(model, examples, exit_loss(model, bench.plan), how, out_of_time=out_of_time, replay=bench.replay)
    held, measured = (bench.scores(model, part, bench.said(model, part)) for part in ("held", "measured"))
    at = str(depth)
    cost = {"flops": measured[at]["flops"], "held_flops": held[at]["flops"] if held else 0.0}
    figures = {"performance": measured[at]["performance"], "held": held[at]["performance"] if held else 0.0, **cost}
    sizes = {"parameters": parameters(model.config, depth), "items": len(bench.parts.measured)}
    bench.free()
    return {
        "task": bench.task,
        "depth": depth,
        "run": run.seed,
        "lr": run.lr,
        "epochs": epochs,
        **figures,
        **sizes,
        "seconds": round(time.monotonic() - begun, 1),
    }


def read_lines(path: Path) -> list[dict[str, Any]]:
    """What a file of depths says; a line cut short by a kill is not there."""
    if not path.is_file():
        return []
    whole = path.read_text(encoding="utf-8").splitlines(keepends=True)
    return [json.loads(line) for line in whole if line.endswith("\n")]


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
