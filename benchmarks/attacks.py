"""How fast attacks are, how much memory they take, and how much of a search is spent inside the reader.

    python benchmarks/attacks.py speed DATA…             variants a second on one core, each attack that fits the data
    python benchmarks/attacks.py memory DATA ATTACK      resident memory over 100,000 items
    python benchmarks/attacks.py inside DATA [READER]    share of addany's time inside the reader
    python benchmarks/attacks.py strength DATA [READER]  F1 of 100 questions under addsent (worst of 5) and addany

DATA as everywhere; the Chinese figures in docs/attacks.md are from CMRC 2018 (strength: dev, else train) and VGaokao.
"""

from __future__ import annotations

import argparse
import itertools
import resource
import time
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

from readproof.attacks import ATTACKS, Attack, SearchAttack, make_attack
from readproof.attacks.search import plain_f1
from readproof.items import Answer, ChoiceItem, Item, SpanItem
from readproof.readers import load_reader
from readproof.readers.api import Reader
from readproof.tasks import load


def fits(attack: Any, item: Item) -> bool:
    kind = "span" if isinstance(item, SpanItem) else "choice" if isinstance(item, ChoiceItem) else ""
    return kind in attack.about.kinds and getattr(item, "language", "") in attack.about.languages


def speed(files: Sequence[str], seconds: float) -> None:
    print(f"{'attack':<20}{'language':<10}{'items':>8}{'variants':>10}{'a second':>10}{'attacked':>10}  skipped")
    for data in files:
        items = list(load(data))
        for name in ATTACKS.names():
            attack = make_attack(name) if ATTACKS.get(name).about.needs == () else None
            if not isinstance(attack, Attack) or not fits(attack, items[0]):
                continue
            attack.make(items[0])  # tables are loaded once, not timed
            made = attacked = done = 0
            skipped: Counter[str] = Counter()
            begun = time.process_time()
            for item in items:
                # a question has about four options, and each variant changes one
                result = attack.make(item, count=4 if isinstance(item, ChoiceItem) and name != "triples" else 1)
                done += 1
                made += len(result.variants)
                attacked += bool(result.variants)
                skipped[result.skipped] += not result.variants
                if time.process_time() - begun > seconds:
                    break
            took = time.process_time() - begun
            reasons = ", ".join(f"{reason or 'no variant'} {number}" for reason, number in skipped.most_common(3))
            share = f"{100 * attacked / done:.1f} %"
            language = getattr(items[0], "language", "")
            print(f"{name:<20}{language:<10}{done:>8}{made:>10}{made / took:>10.0f}{share:>10}  {reasons}", flush=True)


def memory(data: str, name: str, upto: int) -> None:
    attack = make_attack(name)
    if not isinstance(attack, Attack):
        raise SystemExit(f"{name} needs a reader")
    for number, item in enumerate(itertools.cycle(load(data)), start=1):
        attack.make(item)
        if number in (upto // 100, upto // 10, upto // 2, upto):
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(f"{name}: {number:>9,} items, peak {peak:.0f} MB", flush=True)
        if number >= upto:
            return


class Timed:
    """A reader that knows how long it was asked for."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.name, self.capabilities, self.fingerprint = reader.name, reader.capabilities, reader.fingerprint
        self.seconds = 0.0

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        begun = time.perf_counter()
        answers = self.reader.answer(items)
        self.seconds += time.perf_counter() - begun
        return answers

    def distribution(self, item: SpanItem, count: int = 20) -> list[tuple[int, int, float]]:
        begun = time.perf_counter()
        spans: list[tuple[int, int, float]] = self.reader.distribution(item, count)  # type: ignore[attr-defined]
        self.seconds += time.perf_counter() - begun
        return spans


def inside(data: str, reader: str, count: int) -> None:
    timed = Timed(load_reader(reader))
    items = sample(data, count)
    timed.distribution(items[0])
    timed.seconds = 0.0
    attack = make_attack("addany")
    begun = time.perf_counter()
    found = list(attack.search(items, timed))  # type: ignore[union-attr]
    took = time.perf_counter() - begun
    queries = sum(one.queries for one in found)
    print(f"addany: {queries} queries in {took:.1f} s, {100 * timed.seconds / took:.1f} % of it inside the reader")


def sample(data: str, count: int) -> list[SpanItem]:
    """The same questions each time, whatever their order in the file."""
    items = [item for item in load(data) if isinstance(item, SpanItem) and item.golds]
    return Random("attacks").sample(items, min(count, len(items)))


def strength(data: str, reader: str, count: int, budget: int, only: str) -> None:
    items = sample(data, count)
    opened = load_reader(reader)
    print(f"reader {opened.name}, {opened.fingerprint[:16]}; {len(items)} questions of {data}")
    runs: list[tuple[str, dict[str, str], int]] = [
        ("addsent", {"worst_of": "5"}, 0),
        ("addany", {"preset": "study"}, 0),
        ("addany", {"preset": "strong"}, budget),
    ]
    for name, options, queries in runs:
        if only and only != name:
            continue
        attack = make_attack(name, options)
        if not isinstance(attack, SearchAttack):
            continue
        begun = time.perf_counter()
        clean, attacked, asked, shaken = [], [], 0, 0
        for item, found in zip(items, attack.search(items, opened, budget=queries), strict=True):
            before = found.before.text if found.before else opened.answer([item])[0].text
            clean.append(plain_f1(item, before))
            new = found.made.variants[0].item if found.made.variants else item
            after = found.after.text if found.after else before
            attacked.append(plain_f1(new, after) if isinstance(new, SpanItem) else 0.0)
            asked += found.queries
            shaken += found.attacked < found.clean - 0.1
        wrong = sum(one > 0 and other == 0 for one, other in zip(clean, attacked, strict=True))
        mean, worst = 100 * sum(clean) / len(items), 100 * sum(attacked) / len(items)
        low, high = _interval(attacked)
        how = " ".join(f"{key}={value}" for key, value in options.items()) + (f" budget={queries}" if queries else "")
        print(
            f"{name} {how}: F1 {mean:.2f} -> {worst:.2f} (95 %: {low:.1f}-{high:.1f}), "
            f"{100 * worst / mean:.1f} % of clean; answer wrong {wrong}, belief in the gold falls "
            f"{shaken}; {asked / len(items):.0f} queries an item, "
            f"{time.perf_counter() - begun:.0f} s",
            flush=True,
        )


def _interval(values: list[float]) -> tuple[float, float]:
    """95 % by bootstrap over questions."""
    random = Random(0)
    means = sorted(100 * sum(random.choices(values, k=len(values))) / len(values) for _ in range(1000))
    return means[25], means[975]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("speed", "memory", "inside", "strength"))
    parser.add_argument("data", nargs="+")
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--budget", type=int, default=600)
    parser.add_argument("--only", default="", help="one attack of `strength`")
    given = parser.parse_args()
    if given.what == "speed":
        speed(given.data, given.seconds)
    elif given.what == "memory":
        memory(given.data[0], given.data[1], given.count or 100_000)
    elif given.what == "inside":
        inside(given.data[0], (given.data[1:] or ["zh"])[0], given.count or 8)
    else:
        strength(given.data[0], (given.data[1:] or ["zh"])[0], given.count or 100, given.budget, given.only)


if __name__ == "__main__":
    main()
