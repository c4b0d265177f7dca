"""A file of 36,000 lines is scored in under ten times the time of reading its JSON."""

from __future__ import annotations

import json
import time
from pathlib import Path

from benchmarks.elue import made

from readproof.efficiency.elue import load_curve
from readproof.efficiency.evaluate import ElueSettings, evaluate


def test_scoring_takes_little_more_than_reading(tmp_path: Path) -> None:
    package, gold, curve = made(tmp_path, 36_000)
    path = package / "chnc/early.jsonl"
    settings = ElueSettings(curve=load_curve(curve), gold=gold)
    reading, scoring = [], []
    # in turns, so that a busy machine slows both
    for _ in range(4):
        begun = time.process_time()
        with path.open(encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        reading.append(time.process_time() - begun)
        begun = time.process_time()
        found = evaluate(package, settings)
        scoring.append(time.process_time() - begun)
    assert found.score.tasks["chnc"].gains[0].point.items == len(lines) == 36_000
    assert min(scoring) < 10 * min(reading)
