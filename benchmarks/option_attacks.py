"""What the attacks on options can do, on data whose options are known true or false.

    python -m benchmarks.option_attacks coverage gcrc:dev_a.json     how many options are turned, kept, and how alike
    python -m benchmarks.option_attacks triples gcrc:dev_a.json zh   a reader on made triples beside the data's own
    python -m benchmarks.option_attacks telltales A B C              lang/zh/telltales.tsv, made of training questions

Alike is the ratio of difflib's SequenceMatcher, letter by letter.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from difflib import SequenceMatcher
from statistics import fmean

from readproof.attacks.base import random_of
from readproof.attacks.options.blind import blind_scores, learnt
from readproof.attacks.options.making import truths_of
from readproof.attacks.options.rewriting import rewrites
from readproof.attacks.options.triples import build
from readproof.items import ChoiceItem, Triple, without_gold
from readproof.lang.api import lines
from readproof.readers import load_reader
from readproof.tasks import load


def questions(data: str) -> list[ChoiceItem]:
    """The original questions whose options are known true or false."""
    found = []
    for item in load(data):
        one = item.original if isinstance(item, Triple) else item
        if isinstance(one, ChoiceItem) and truths_of(one):
            found.append(one)
    return found


def alike(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def coverage(data: str) -> None:
    """How many options get a variant that keeps, and one that flips their truth, without denying the whole option."""
    counts: Counter[str] = Counter()
    similar: list[float] = []
    items = questions(data)
    begun = time.process_time()
    for item in items:
        for option, truth in zip(item.options, truths_of(item), strict=True):
            counts["true" if truth else "false"] += 1
            for wanted in ("kept", "flipped"):
                found = next(rewrites(option, item.passage, truth, wanted, random_of(item.id + option)), None)
                if found is None:
                    continue
                counts[wanted] += 1
                counts[f"{'true' if truth else 'false'} {wanted}"] += 1
                counts[f"  {found.strategy}"] += 1
                if wanted == "kept":
                    similar.append(alike(option, found.of(option)))
    took = time.process_time() - begun  # of one core, whatever else runs
    total = counts["true"] + counts["false"]
    print(f"{len(items)} questions, {total} options")
    print(f"true options flipped   {100 * counts['true flipped'] / counts['true']:.1f} %")
    print(f"false options flipped  {100 * counts['false flipped'] / counts['false']:.1f} %")
    print(f"options kept           {100 * counts['kept'] / total:.1f} %, alike {fmean(similar):.3f}")
    print(f"{(counts['kept'] + counts['flipped']) / took:.0f} variants a second")
    for name, count in sorted(counts.items()):
        if name.startswith("  "):
            print(f"{name:<30}{count:>6}")


def triples(data: str, reader: str, seed: int) -> None:
    """A reader on the data's own triples and on made ones of the same originals; blind readers on both."""
    own = [item for item in load(data) if isinstance(item, Triple)]
    made, reasons = [], Counter[str]()
    for item in questions(data):
        built = build(item, seed)
        if isinstance(built, str):
            reasons[built] += 1
        else:
            made.append(built.triple)
    print(f"{len(made)} triples of {len(made) + sum(reasons.values())} questions; {dict(reasons)}")
    originals = {one.original.passage + one.original.question for one in made}
    same = [one for one in own if one.original.passage + one.original.question in originals]
    opened = load_reader(reader) if reader else None
    known: dict[ChoiceItem, int | None] = {}
    for name, given in (("own, all", own), ("own, of these originals", same), ("made", made)):
        if not given:
            continue
        for blind in blind_scores(given):
            made_part = f"made questions {blind.made:.1f} % ({blind.low:.1f} to {blind.high:.1f})"
            print(f"{name:<26}{blind.reader:<10}{blind.score:5.1f}  {made_part}", flush=True)
        if opened is not None:
            asked = [without_gold(one) for triple in given for one in triple.questions]
            new = [one for one in asked if one not in known]
            known |= {one: said.choice for one, said in zip(new, opened.answer(new), strict=True)}
            right = [[known[without_gold(one)] == one.answer for one in triple.questions] for triple in given]
            acc = [
                100 * fmean(map(float, found))
                for found in (
                    [first for first, _, _ in right],
                    [first and (one or other) for first, one, other in right],
                    [all(one) for one in right],
                )
            ]
            score = 0.2 * acc[0] + 0.3 * acc[1] + 0.5 * acc[2]
            print(f"{name:<26}{reader:<10}{score:5.1f} (Acc {acc[0]:.1f} / {acc[1]:.1f} / {acc[2]:.1f})", flush=True)


def telltales(data: list[str], seed: int, *, again: bool) -> None:
    """The table of character pairs that tell true options from false ones, of triples that are not balanced by it.

    With `again` what triples balanced by the table still tell is added to it.
    """
    built = [build(item, seed, balanced=again) for name in data for item in questions(name)]
    known = Counter({pair: float(worth) for pair, worth in lines("zh", "telltales")} if again else {})
    print(
        "# made by benchmarks/option_attacks.py telltales: pairs that tell true made options from false ones, log odds"
    )
    known.update(learnt([one.triple for one in built if not isinstance(one, str)]))
    for pair, worth in sorted(known.items()):
        print(f"{pair}\t{worth:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("coverage", "triples", "telltales"))
    parser.add_argument("data", nargs="+", help="a data file; for triples a reader after it, for telltales more data")
    parser.add_argument("--again", action="store_true", help="add to the table what balanced triples still tell")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    if given.what == "coverage":
        coverage(given.data[0])
    elif given.what == "triples":
        triples(given.data[0], given.data[1] if len(given.data) > 1 else "", given.seed)
    else:
        telltales(given.data, given.seed, again=given.again)


if __name__ == "__main__":
    main()
