"""Files that are the same point are told, each pair once and by what is most alike in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from readproof.efficiency.elue import EluePoint
from readproof.efficiency.evaluate import copies
from readproof.efficiency.predictions import read


def notes(folder: Path, files: Mapping[str, tuple[str, str, float | None, float]]) -> list[str]:
    """Of each file: its labels, a letter for each line; its module; its performance and FLOPs."""
    predictions, points = [], []
    for name, (labels, module, performance, flops) in files.items():
        path = folder / name
        lines = [json.dumps({"label": label, "modules": f"(9),{module}"}) for label in labels]
        path.write_text("\n".join(lines), encoding="utf-8")
        found, _ = read("chnc", path)
        assert found is not None
        predictions.append(found)
        points.append(EluePoint(file=name, items=len(labels), flops=flops, parameters=1, performance=performance))
    return [note.partition(";")[0] for note in copies("p/chnc", predictions, points)]


def test_every_likeness_is_told_once(tmp_path: Path) -> None:
    found = notes(
        tmp_path,
        {
            "1.jsonl": ("ab", "emb", 50.0, 1.0),
            "2.jsonl": ("ab", "emb", 50.0, 1.0),
            "3.jsonl": ("ab", "other", 50.0, 2.0),
            "4.jsonl": ("ba", "emb", 50.0, 1.0),
            "5.jsonl": ("bb", "emb", 70.0, 1.0),
        },
    )
    assert found == [
        "p/chnc: copies of one file: 1.jsonl, 2.jsonl",
        "p/chnc: files with the same answers: 1.jsonl, 3.jsonl",
        "p/chnc: files with the same performance and FLOPs: 1.jsonl, 4.jsonl",
    ]


def test_points_without_performance_are_not_the_same(tmp_path: Path) -> None:
    assert not notes(tmp_path, {"1.jsonl": ("ab", "emb", None, 1.0), "2.jsonl": ("bb", "emb", None, 1.0)})
