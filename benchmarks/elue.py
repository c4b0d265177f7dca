"""How long a CHNC prediction file of 36,000 lines with modules takes to score, against the time to read its JSON.

    python -m benchmarks.elue [--lines 36000] [--model model_to_eval.py] [--trust]

Scoring is all that `readproof elue` does for the file: reading gold and predictions, the modules grammar, FLOPs,
accuracy, the gain against a curve with its interval. The model is a description of BERT base, or the file given; that a
model file has to be run by torch, once for all files, is timed apart.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

from readproof.efficiency.elue import load_curve
from readproof.efficiency.evaluate import ElueSettings, evaluate
from readproof.efficiency.flops import measure
from readproof.efficiency.predictions import read
from readproof.tasks.celue.chnc import LABELS

REPEATS = 5
LONGEST = 42
BERT = {
    "modules": {
        "emb": {"kind": "embeddings", "rows": [21128, 512, 2], "hidden": 768},
        "layer_1..layer_12": {"kind": "layer", "hidden": 768, "heads": 12, "inner": 3072},
        **{f"exit_{number}": {"kind": "linear", "inputs": 768, "outputs": 18} for number in range(1, 13)},
    }
}


def best_of(call: Callable[[], Any]) -> float:
    times = []
    for _ in range(REPEATS):
        begun = time.perf_counter()
        call()
        times.append(time.perf_counter() - begun)
    return min(times)


def made(folder: Path, lines: int) -> tuple[Path, Path, Path]:
    """A package of an early-exit reader, its gold, a curve."""
    chance = random.Random(0)
    task = folder / "package/chnc"
    task.mkdir(parents=True)
    gold = folder / "gold"
    gold.mkdir()
    labels = [chance.choice(LABELS) for _ in range(lines)]
    (gold / "chnc.csv").write_text(
        "category,news\n" + "".join(f"{label},第 {at} 个 新闻 标题\n" for at, label in enumerate(labels)),
        encoding="utf-8",
    )
    with (task / "early.jsonl").open("w", encoding="utf-8") as file:
        for label in labels:
            said = label if chance.random() < 0.8 else chance.choice(LABELS)
            file.write(json.dumps({"label": said, "modules": modules(chance)}) + "\n")
    (task / "model_to_eval.json").write_text(json.dumps(BERT), encoding="utf-8")
    points = [{"performance": 60.0 + 2 * depth, "flops": depth * 3e8} for depth in range(1, 13)]
    curve = folder / "curve.json"
    curve.write_text(json.dumps({"tasks": {"chnc": {"points": points}}}), encoding="utf-8")
    return folder / "package", gold, curve


def modules(chance: random.Random) -> str:
    """Every exit that was passed is listed, and paid for."""
    length, depth = chance.randint(8, LONGEST), chance.randint(1, 12)
    passed = (f"({length},768),layer_{number};(768),exit_{number}" for number in range(1, depth + 1))
    return f"({length}),emb;{';'.join(passed)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--lines", type=int, default=36_000)
    parser.add_argument("--model", type=Path, help="a model file, whose run in the sandbox is timed too")
    parser.add_argument("--trust", action="store_true", help="without a sandbox")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        package, gold, curve = made(Path(name), arguments.lines)
        path = package / "chnc/early.jsonl"
        settings = ElueSettings(curve=load_curve(curve), gold=gold)

        def plain() -> list[Any]:
            with path.open(encoding="utf-8") as file:
                return [json.loads(line) for line in file]

        def fast() -> list[Any]:
            with path.open("rb") as file:
                return [orjson.loads(line) for line in file]

        slow, quick = best_of(plain), best_of(fast)
        reading, whole = best_of(lambda: read("chnc", path)), best_of(lambda: evaluate(package, settings))
        predictions, _ = read("chnc", path)
        if predictions is None:
            raise SystemExit("the made file is malformed")
        size = path.stat().st_size / 1e6
        print(f"{arguments.lines:,} lines, {size:.1f} MB, {len(predictions.traces):,} distinct modules texts, ", end="")
        print(f"{len(predictions.uses()):,} distinct (module, shape) pairs; best of {REPEATS}")
        print(f"its JSON by Python's json     {1000 * slow:8.1f} ms")
        print(f"its JSON by orjson            {1000 * quick:8.1f} ms")
        print(
            f"answers and modules           {1000 * reading:8.1f} ms   {reading / slow:.1f} ×   {reading / quick:.1f} ×"
        )
        print(f"the whole score               {1000 * whole:8.1f} ms   {whole / slow:.1f} ×   {whole / quick:.1f} ×")
        if arguments.model:
            begun = time.perf_counter()
            wanted = {use for use in predictions.uses() if not use.name.startswith("exit")}
            costs = measure(arguments.model, wanted, trust=arguments.trust)
            took = time.perf_counter() - begun
            print(f"the model file, {len(costs.of):,} pairs   {took:8.1f} s, once for all files")


if __name__ == "__main__":
    main()
