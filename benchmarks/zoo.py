"""The verdict on a zoo of readers, honest and dishonest (tests/proof/zoo): who is called a reader.

    python benchmarks/zoo.py spans cmrc2018:dev.json                  the confusion matrix at 30, 60, 100, 200, 500
    python benchmarks/zoo.py options c3:c3-d-test.json --sizes 60,200
    python benchmarks/zoo.py spans dev.json --only memory --verbose   every specimen with the reason of its verdict

No attack is tried: whether a reader reads is decided by the baselines and the probes. Passages come in the order of the
hash of their texts, each with all its questions, so that they are the same on every machine.
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.proof.zoo import ZOO, Specimen

from readproof.items import ChoiceItem, Item, SpanItem, Triple
from readproof.proof.run import RunResults, prove_reader
from readproof.tasks import load

SIZES = (30, 60, 100, 200, 500)
_OUTCOMES = ("yes", "not shown", "no")


def items_of(data: str, part: str) -> list[Item]:
    """The answerable questions of one kind, passage by passage in an order of chance that is always the same."""
    kept: dict[tuple[str, str], Item] = {}
    for item in load(data):
        if isinstance(item, SpanItem) and part == "spans" and item.golds and not item.impossible:
            kept.setdefault((item.passage, item.question), item)
        if isinstance(item, Triple | ChoiceItem) and part == "options":
            one = item.original if isinstance(item, Triple) else item
            if one.answer is not None:
                kept.setdefault((one.passage, one.question + "".join(one.options)), one)
    return [kept[texts] for texts in sorted(kept, key=lambda texts: (_mark(texts[0]), texts[1]))]


def _mark(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def verdict_of(specimen: Specimen, items: Sequence[Item], learnt: Sequence[Item], folder: Path) -> RunResults:
    """The run of one specimen, which may have learnt all of the data by heart."""
    reader = specimen.make(learnt)
    return prove_reader(reader, list(items), attacks=[], out=folder / specimen.name, fresh=True)


def substituted(run: RunResults) -> str:
    """Of the answers that were replaced in the passage: how many followed, how many were remembered."""
    shares = next((one.shares for one in run.scores.parts[0].probes if one.name == "substituted"), {})
    return ", ".join(f"{name} {100 * share:.0f} %" for name, share in shares.items() if share is not None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=("spans", "options"))
    parser.add_argument("data")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--only", default="", help="specimens whose name has this in it")
    parser.add_argument("--without", default="", help="leave out specimens whose name has this in it")
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args()
    items = items_of(given.data, given.part)
    zoo = [one for one in ZOO if one.part == given.part and given.only in one.name]
    zoo = [one for one in zoo if not given.without or given.without not in one.name]
    print(f"{given.data}: {len(items)} questions; {sum(one.honest for one in zoo)} honest readers, ", end="")
    print(f"{sum(not one.honest for one in zoo)} dishonest ones")
    print(f"{'questions':>10}{'honest:':>10}{'reads':>8}{'not shown':>11}{'does not':>10}", end="")
    print(f"{'dishonest:':>13}{'reads':>8}{'not shown':>11}{'does not':>10}{'seconds':>10}")
    for size in map(int, given.sizes.split(",")):
        begun = time.perf_counter()
        counts: Counter[tuple[bool, str]] = Counter()
        told = []
        with tempfile.TemporaryDirectory() as folder:
            for specimen in zoo:
                run = verdict_of(specimen, items[:size], items[: max(size, 500)], Path(folder))
                (verdict,) = run.scores.verdict.parts
                counts[specimen.honest, verdict.reads] += 1
                if given.verbose or (specimen.honest is not (verdict.reads == "yes")):
                    clean = run.scores.parts[0].clean[run.scores.parts[0].single].value
                    kind = "honest" if specimen.honest else "dishonest"
                    told.append(f"    {kind:<10}{specimen.name:<34}{clean:6.1f}  {run.scores.verdict.headline}")
                    if given.verbose:
                        told.append(f"{'':>54}{substituted(run)}")
        honest, dishonest = ([counts[one, outcome] for outcome in _OUTCOMES] for one in (True, False))
        print(f"{min(size, len(items)):>10}{'':>10}{honest[0]:>8}{honest[1]:>11}{honest[2]:>10}", end="")
        print(
            f"{'':>13}{dishonest[0]:>8}{dishonest[1]:>11}{dishonest[2]:>10}{time.perf_counter() - begun:>10.0f}",
            flush=True,
        )
        print("\n".join(told), flush=True) if told else None


if __name__ == "__main__":
    main()
