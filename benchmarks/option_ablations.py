"""What does each part of reading options bring? The shipped reader with one of them left out, on triples.

    python -m benchmarks.option_ablations gcrc:dev.json [--only both] [--json FILE]

Nothing is trained: the same weights read the same questions with both passes, with one alone (of the fine pass the
sentences are then chosen by shared letters alone), and by segments that do not overlap. Every row reads all by itself,
so that its seconds are what it costs: those of a core, whatever else the machine does. Scores are the official ones, in
percent; the interval is that of `score`.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from readproof.items import ChoiceItem, Item
from readproof.readers.api import questions_of
from readproof.readers.card import FILE as CARD
from readproof.readers.embedded import AdaptedModel
from readproof.readers.options import OptionReading, OptionReadingConfig, manner_of
from readproof.readers.shipped import ZH
from readproof.tasks import find
from readproof.tasks.scoring import score

_SCORES = ("Score", "Acc0", "Acc1", "Acc2")


def manners() -> dict[str, OptionReadingConfig]:
    """How the shipped reader reads, and the same without one part."""
    usual = manner_of(ZH.card().options, ZH.folder / CARD)
    return {
        "both": usual,
        "coarse": replace(usual, fine_share=0.0),
        "fine": replace(usual, fine_share=1.0, liking=0.0),
        "no-overlap": replace(usual, overlap=0),
    }


def row(data: str, config: OptionReadingConfig, threads: int, limit: int | None = None) -> dict[str, Any]:
    """All questions of a file (or of its first `limit` triples) answered with a configuration, and scored."""
    task, path = find(data)
    items: Sequence[Item] = list(task.load(path))[:limit]
    asked = [one for item in items for one in questions_of(item) if isinstance(one, ChoiceItem)]
    reading = OptionReading(AdaptedModel(ZH.folder, threads, config), config)
    begun = time.process_time()
    answers = {one.id: reading.judge(one).answer for one in asked}
    seconds = time.process_time() - begun
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "predictions.json"
        with out.open("w", encoding="utf-8") as file:
            task.write_predictions(items, answers, file)
        found = score(task, out, path, only={item.id for item in items})
    figures = {name: round(100 * found.exact[name], 4) for name in _SCORES}
    low, high = found.intervals.get("Score", (float("nan"), float("nan")))
    interval = [round(100 * low, 2), round(100 * high, 2)]
    return figures | {"interval": interval, "questions": len(asked), "threads": threads, "seconds": round(seconds, 1)}


def line(name: str, found: dict[str, Any]) -> str:
    """A row of the table."""
    low, high = found["interval"]
    cells = [f"{found['Score']:.1f} ({low:.1f} – {high:.1f})", *(f"{found[one]:.1f}" for one in _SCORES[1:])]
    return f"| {name} | {' | '.join(cells)} | {found['seconds']:.0f} |"


def main() -> None:
    known = manners()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("--only", choices=tuple(known), action="append", help="a row; may be given again")
    parser.add_argument("--threads", type=int, default=1, help="with more, waiting threads are counted too")
    parser.add_argument("--limit", type=int, help="the first so many triples, for a quick look")
    parser.add_argument("--json", type=Path, help="a file for the rows; those it has from before stay")
    given = parser.parse_args()
    print("| passes | Score | Acc_0 | Acc_1 | Acc_2 | seconds of a core |\n|---|---|---|---|---|---|", flush=True)
    rows = json.loads(given.json.read_text(encoding="utf-8")) if given.json and given.json.is_file() else {}
    for name in given.only or known:
        rows[name] = row(given.data, known[name], given.threads, given.limit)
        print(line(name, rows[name]), flush=True)
        if given.json:
            given.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
