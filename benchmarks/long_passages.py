"""How much a reader loses when the passage of a question is one of many in a long text.

    python -m benchmarks.long_passages --data dev.json [--lengths 3000 10000 30000 100000] [--questions 0]

The passages of the file are shuffled and joined by newlines into texts of about each length; what the last text lacks
is filled up with passages of the others. Every question is asked on its own passage alone and on each text that holds
it. A question may fit another passage as well as its own ("who directed the film?"): part of the loss is no fault of
the reader. `found` is the share of questions of which a gold answer stands in what the reader reads, `right place` of
which the answer overlaps a gold one; `-` where a reader does not say.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from readproof.items import Answer, Gold, SpanItem
from readproof.readers.api import Reader
from readproof.readers.factory import load_reader
from readproof.readers.reading import ReadsSpans
from readproof.tasks import load
from readproof.tasks.metrics import cmrc

LENGTHS = (3_000, 10_000, 30_000, 100_000)


def in_long_texts(items: Sequence[SpanItem], length: int, seed: int = 0) -> list[SpanItem]:
    """The same questions, each on a text of about `length` characters that holds its passage."""
    chance = Random(f"{seed}|long passages|{length}")
    passages = list(dict.fromkeys(item.passage for item in items))
    chance.shuffle(passages)
    groups: list[list[str]] = [[]]
    for passage in passages:
        if sum(map(len, groups[-1])) >= length:
            groups.append([])
        groups[-1].append(passage)
    others = [passage for group in groups[:-1] for passage in group]
    chance.shuffle(others)
    while others and sum(map(len, groups[-1])) < length:
        groups[-1].append(others.pop())
    placed: dict[str, tuple[str, int]] = {}
    for group in groups:
        chance.shuffle(group)
        text, at = "\n".join(group), 0
        for passage in group:
            placed.setdefault(passage, (text, at))
            at += len(passage) + 1
    return [_moved(item, *placed[item.passage]) for item in items]


def _moved(item: SpanItem, text: str, by: int) -> SpanItem:
    golds = tuple(Gold(gold.text, gold.start + by if _stands(gold) else gold.start) for gold in item.golds)
    return replace(item, passage=text, golds=golds)


def _stands(gold: Gold) -> bool:
    return gold.start is not None and gold.start >= 0 and bool(gold.text)


def scores(items: Sequence[SpanItem], answers: Sequence[Answer]) -> tuple[float, float]:
    """Exact match and F1, official, in percent."""
    pairs = [
        cmrc.official(answer.text, [gold.text for gold in item.golds])
        for item, answer in zip(items, answers, strict=True)
    ]
    return 100 * sum(pair[0] for pair in pairs) / len(pairs), 100 * sum(pair[1] for pair in pairs) / len(pairs)


def found(items: Sequence[SpanItem], reader: Reader) -> str:
    """The share of questions of which a gold answer stands in what is read."""
    if not isinstance(reader, ReadsSpans):
        return "-"
    count = 0
    for item in items:
        read = reader.reading.places(item)
        golds = [(gold.start or 0, (gold.start or 0) + len(gold.text)) for gold in item.golds if _stands(gold)]
        count += any(low <= start and end <= high for start, end in golds for low, high in read)
    return f"{100 * count / len(items):.1f}"


def right_place(items: Sequence[SpanItem], answers: Sequence[Answer]) -> str:
    """The share of questions whose answer overlaps a gold one."""
    count = 0
    for item, answer in zip(items, answers, strict=True):
        golds = [(gold.start or 0, (gold.start or 0) + len(gold.text)) for gold in item.golds if _stands(gold)]
        start, end = answer.start, answer.end
        count += start is not None and end is not None and any(start < last and first < end for first, last in golds)
    return f"{100 * count / len(items):.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="span data; questions without an answer are left out")
    parser.add_argument("--reader", default="zh")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--lengths", type=int, nargs="+", default=LENGTHS, help="characters")
    parser.add_argument("--questions", type=int, default=0, help="ask only so many, evenly picked; 0 for all")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    items = [item for item in load(options.data) if isinstance(item, SpanItem) and item.golds]
    step = max(1, len(items) // options.questions) if options.questions else 1
    asked = slice(0, step * options.questions if options.questions else None, step)
    reader = load_reader(options.reader, threads=options.threads)
    print(f"{'characters':>10} {'texts':>6} {'asked':>6} {'EM':>7} {'F1':>7} {'loss':>6}", end=" ")
    print(f"{'found %':>8} {'right place %':>14} {'ms':>6}")
    base = 0.0
    for length in (0, *options.lengths):
        whole = in_long_texts(items, length, options.seed) if length else items
        long = whole[asked]
        start = time.perf_counter()
        answers = reader.answer(long)
        taken = 1000 * (time.perf_counter() - start) / len(long)
        exact, f1 = scores(long, answers)
        base = f1 if not length else base
        texts = len({item.passage for item in long})
        print(f"{length or 'alone':>10} {texts:>6} {len(long):>6} {exact:>7.2f} {f1:>7.2f} {base - f1:>6.2f}", end=" ")
        print(f"{found(long, reader):>8} {right_place(long, answers):>14} {taken:>6.0f}", flush=True)


if __name__ == "__main__":
    main()
