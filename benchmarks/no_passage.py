"""How much of a score on questions with options is left without the passages: the official score both ways, paired.

    python benchmarks/no_passage.py gcrc:dev.json --reader zh
    python benchmarks/no_passage.py c3:c3-m-test.json --limit 500

What a reader scores without the passage it did not read. Triples are scored by the official script of GCRC_advRobust.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from readproof.items import Answer, ChoiceItem, Item, Triple
from readproof.readers import Reader, load_reader
from readproof.readers.api import questions_of
from readproof.tasks import Score, Task, find, load
from readproof.tasks.scoring import compare, score


def without_passage(item: Item) -> Item:
    """The same with nothing to read."""
    if isinstance(item, Triple):
        original, positive, negative = (replace(one, passage="") for one in item.questions)
        return replace(item, original=original, positive=positive, negative=negative)
    return replace(item, passage="") if isinstance(item, ChoiceItem) else item


def scored(task: Task, gold: Path, items: Sequence[Item], reader: Reader, folder: Path) -> Score:
    """The official score of a reader's answers to some items, against a gold file."""
    answers: dict[str, Answer] = {}
    for item in items:
        answers |= {one.id: reader.answer([one])[0] for one in questions_of(item)}
    path = folder / "predictions.json"
    with path.open("w", encoding="utf-8") as file:
        task.write_predictions(items, answers, file)
    names = {item.id for item in items}
    return score(task, path, gold, only=names)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("--reader", default="zh")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--limit", type=int)
    given = parser.parse_args()
    task, path = find(given.data)
    items = list(load(given.data))[: given.limit]
    reader = load_reader(given.reader, threads=given.threads)
    with tempfile.TemporaryDirectory() as folder:
        without = scored(task, path, [without_passage(item) for item in items], reader, Path(folder))
        whole = scored(task, path, items, reader, Path(folder))
    print(f"{given.reader} on {given.data}: {len(items)} items")
    for name, difference in compare(whole, without).items():
        low, high = whole.intervals.get(name, (float("nan"),) * 2)
        print(
            f"  {name:<8} {whole.exact[name]:7.4f} ({low:.4f} to {high:.4f}) with the passage, "
            f"{without.exact[name]:7.4f} without; difference {difference.difference:+.4f} "
            f"({difference.low:+.4f} to {difference.high:+.4f}), p = {difference.p:.3f}"
        )


if __name__ == "__main__":
    main()
