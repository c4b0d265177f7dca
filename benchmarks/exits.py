"""How much sooner a multi-exit span reader is done when it may stop early, and what that costs in answers.

    python -m benchmarks.exits READER DATA --exit entropy:0.3@8 [--questions 300] [--threads 2] [--json FILE]

The same reader twice in one run: once through all its layers, once with the rule. They take turns, some questions
each, so that a busy machine slows both alike. READER is the folder that `readproof train celue cmrc2018` wrote; the
rule is to be chosen on other data than DATA (`tools/rules.py` takes the held-out part of the training).
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from pathlib import Path
from typing import Any

from readproof.items import Answer, SpanItem
from readproof.readers.api import Reader
from readproof.readers.factory import load_reader
from readproof.tasks import load
from readproof.tasks.metrics import cmrc

_TURN = 20


def drawn(data: str, count: int) -> list[SpanItem]:
    """All questions, or so many of them, always the same."""
    items = [item for item in load(data) if isinstance(item, SpanItem) and item.golds]
    return items if not count or count >= len(items) else random.Random(0).sample(items, count)


def in_turns(readers: dict[str, Reader], items: list[SpanItem]) -> dict[str, tuple[list[Answer], float]]:
    """Of each reader its answers and its seconds."""
    answers: dict[str, list[Answer]] = {name: [] for name in readers}
    seconds = dict.fromkeys(readers, 0.0)
    for reader in readers.values():
        reader.answer(items[:2])
    for at in range(0, len(items), _TURN):
        for name, reader in readers.items():
            begun = time.perf_counter()
            answers[name] += reader.answer(items[at : at + _TURN])
            seconds[name] += time.perf_counter() - begun
        print(f"  {at + _TURN} of {len(items)}", end="\r", flush=True)
    return {name: (answers[name], seconds[name]) for name in readers}


def figures(items: list[SpanItem], answers: list[Answer], seconds: float) -> dict[str, Any]:
    pairs = zip(items, answers, strict=True)
    each = [cmrc.official(answer.text, [gold.text for gold in item.golds]) for item, answer in pairs]
    exact, f1 = (100 * statistics.mean(column) for column in zip(*each, strict=True))
    exits = [answer.exit or 0 for answer in answers]
    return {"exact": exact, "f1": f1, "exit": statistics.mean(exits), "seconds": seconds}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reader")
    parser.add_argument("data")
    parser.add_argument("--exit", required=True)
    parser.add_argument("--questions", type=int, default=0, help="so many [all]")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    items = drawn(given.data, given.questions)
    readers = {
        "all layers": load_reader(given.reader, threads=given.threads),
        given.exit: load_reader(given.reader, threads=given.threads, exit=given.exit),
    }
    found = {name: figures(items, *one) for name, one in in_turns(readers, items).items()}
    print(f"{len(items)} questions of {given.data}, {given.threads} threads")
    print(f"{'':<16}{'EM':>7}{'F1':>7}{'highest exit':>14}{'seconds':>9}")
    for name, one in found.items():
        print(f"{name:<16}{one['exact']:>7.2f}{one['f1']:>7.2f}{one['exit']:>14.2f}{one['seconds']:>9.1f}")
    full, early = found.values()
    print(f"{full['seconds'] / early['seconds']:.2f} times as fast, EM {early['exact'] - full['exact']:+.2f}")
    if given.json:
        record = {"data": given.data, "questions": len(items), "threads": given.threads, "readers": found}
        given.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
