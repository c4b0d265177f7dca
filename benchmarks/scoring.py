"""How fast CMRC scoring is against the plain script, and how time and memory grow up to a million questions.

    python -m benchmarks.scoring [--data DEV.json] [--predictions PREDICTIONS.json] [--largest 1000000]

Without --data it makes questions of its own; the sizes 10 k, 100 k and 1 M are always made from the questions given.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from readproof.files import writing
from readproof.items import Gold, SpanItem
from readproof.tasks import TASKS, load
from readproof.tasks.convert import write_squad
from readproof.tasks.metrics import cmrc
from readproof.tasks.metrics.cmrc import words
from readproof.tasks.metrics.spans import read_predictions, tally
from readproof.tasks.scoring import score, without_collector

REPEATS = 5


def best_of(call: Callable[[], Any], repeats: int) -> tuple[float, Any]:
    best = float("inf")
    result = None
    for _ in range(repeats):
        start = time.perf_counter()
        result = call()
        best = min(best, time.perf_counter() - start)
    return best, result


def cold(call: Callable[[], Any]) -> Any:
    """A call that remembers nothing of the last one."""
    words.cache_clear()
    return call()


def official_alone(gold: Path, predictions: Path) -> tuple[str, str]:
    """What the plain script computes and no more: exact match and F1 of the official metric, from the two files."""

    def call() -> tuple[str, str]:
        found = tally(TASKS.get("cmrc2018").load(gold), read_predictions(predictions), cmrc.official)
        return f"{found.percent(0):.3f}", f"{found.percent(1):.3f}"

    with without_collector():
        return cold(call)


def made_items(count: int = 3000) -> Iterator[SpanItem]:
    """Chinese-looking questions, for machines without the data set."""
    chance = random.Random(0)
    for number in range(count):
        passage = "".join(
            chance.choices(
                "的一是不了人我在有他这中大来上国和地到以说时要就出会可也你对生能而子那得于着下自之年", k=500
            )
        )
        start = chance.randrange(450)
        golds = tuple(Gold(passage[start : start + size], start) for size in (8, 9, 12))
        yield SpanItem(id=f"DEV_{number // 3}_QUERY_{number % 3}", passage=passage, question="哪里？", golds=golds)


def noisy(items: list[SpanItem], path: Path) -> None:
    """Predictions of a mediocre reader: right, cut short, too long, elsewhere, or missing."""
    chance = random.Random(1)
    texts = {}
    for item in items:
        gold = chance.choice(item.golds).text
        if chance.random() < 0.05:
            continue
        start = chance.randrange(max(1, len(item.passage) - 20))
        texts[item.id] = chance.choice(
            [gold, gold, gold[: len(gold) // 2 + 1], gold + "的时候", item.passage[start : start + 12]]
        )
    path.write_text(json.dumps(texts, ensure_ascii=False), encoding="utf-8")


def grown(items: list[SpanItem], count: int, folder: Path) -> tuple[Path, Path]:
    """The same questions again and again under new ids, up to a count."""
    gold, predictions = folder / f"gold-{count}.json", folder / f"predictions-{count}.json"

    def copies() -> Iterator[SpanItem]:
        for number in range(count):
            item = items[number % len(items)]
            yield SpanItem(
                id=f"DEV_{number}_QUERY_0",
                passage=item.passage,
                question=item.question,
                golds=item.golds,
                passage_id=f"{item.passage_id}/{number // len(items)}",
            )

    with writing(gold) as file:
        write_squad(copies(), file)
    with writing(predictions) as file:
        file.write("{")
        for number in range(count):
            golds = items[number % len(items)].golds
            text = golds[number % len(golds)].text[: 4 + number % 9]
            file.write(
                ("," if number else "")
                + json.dumps(f"DEV_{number}_QUERY_0")
                + ":"
                + json.dumps(text, ensure_ascii=False)
            )
        file.write("}")
    return gold, predictions


def alone(gold: Path, predictions: Path) -> dict[str, float]:
    """Time and peak memory of one scoring run in a process of its own."""
    code = "import sys; from benchmarks.scoring import child; child(*sys.argv[1:])"
    out = subprocess.run(
        [sys.executable, "-c", code, str(gold), str(predictions)], check=True, capture_output=True, text=True
    ).stdout
    return json.loads(out)


def child(gold: str, predictions: str) -> None:
    start = time.perf_counter()
    score("cmrc2018", predictions, gold)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "peak_mb": peak}))


def main() -> None:
    from benchmarks import plain_cmrc

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="CMRC 2018 dev")
    parser.add_argument("--predictions", type=Path, help="predictions for it; made if not given")
    parser.add_argument("--largest", type=int, default=1_000_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        items = [item for item in (load(options.data) if options.data else made_items()) if isinstance(item, SpanItem)]
        gold, predictions = folder / "gold.json", folder / "predictions.json"
        with writing(gold) as file:
            write_squad(items, file)
        if options.predictions:
            predictions.write_bytes(options.predictions.read_bytes())
        else:
            noisy(items, predictions)
        same_work, found = best_of(lambda: official_alone(gold, predictions), REPEATS)
        whole, ours = best_of(lambda: cold(lambda: score("cmrc2018", predictions, gold)), REPEATS)
        slow, plain = best_of(lambda: plain_cmrc.evaluate(gold, predictions), 2)
        same = all(ours.official[key] == value for key, value in plain.items()) and found == (plain["EM"], plain["F1"])
        print(f"questions {len(items)}; same result: {same}; {plain}")
        print(f"plain script                               {slow * 1000:7.1f} ms")
        for name, seconds in (("the same figures", same_work), ("both metrics, counts, intervals", whole)):
            print(f"readproof, {name:<31} {seconds * 1000:7.1f} ms   {slow / seconds:.1f} times as fast")
        print(f"{'questions':>10} {'seconds':>9} {'µs each':>9} {'peak MB':>9}")
        for count in (10_000, 100_000, 1_000_000):
            if count <= options.largest:
                paths = grown(items, count, folder)
                found = alone(*paths)
                seconds, peak = found["seconds"], found["peak_mb"]
                print(f"{count:>10} {seconds:>9.2f} {seconds / count * 1e6:>9.1f} {peak:>9.0f}")
                for path in paths:
                    path.unlink()


if __name__ == "__main__":
    main()
