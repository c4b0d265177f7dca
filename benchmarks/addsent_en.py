"""English AddSent beside Jia & Liang's own sentences: the share of questions with a statement, and ten side by side.

    python -m benchmarks.addsent_en DATA

DATA is a file of theirs: items whose id has a dash carry a sentence of theirs at the end of the passage.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path
from random import Random

from readproof.attacks.addsent import AddOneSent
from readproof.files import read_text
from readproof.items import Gold, SpanItem

_SHOWN = 10


def items_of(path: Path) -> tuple[dict[str, SpanItem], dict[str, str]]:
    """The original questions, and the first sentence that Jia & Liang added to each."""
    items: dict[str, SpanItem] = {}
    theirs: dict[str, str] = {}
    for article in json.loads(read_text(path))["data"]:
        for paragraph in article["paragraphs"]:
            for one in paragraph["qas"]:
                golds = tuple(Gold(gold["text"], gold["answer_start"]) for gold in one["answers"])
                items[one["id"]] = SpanItem(
                    id=one["id"], passage=paragraph["context"], question=one["question"], golds=golds, language="en"
                )
    originals = {id: item for id, item in items.items() if "-" not in id}
    for id, item in sorted(items.items()):
        origin = originals.get(id.split("-")[0])
        if origin is not None and "-" in id and item.passage.startswith(origin.passage):
            theirs.setdefault(origin.id, item.passage[len(origin.passage) :].strip())
    return originals, theirs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    originals, theirs = items_of(options.data)
    attack = AddOneSent()
    started = time.perf_counter()
    made = {id: attack.make(item, seed=options.seed) for id, item in sorted(originals.items())}
    spent = time.perf_counter() - started
    ours = {id: one.variants[0].edits[0].new.strip(" .") + "." for id, one in made.items() if one.variants}
    print(
        f"questions {len(originals)}; with a statement of ours {len(ours)} ({len(ours) / len(originals):.1%}); ", end=""
    )
    print(f"with a sentence of theirs {len(theirs)} ({len(theirs) / len(originals):.1%})")
    print(f"{len(ours) / spent:.0f} variants a second")
    for reason, count in Counter(one.skipped for one in made.values() if one.skipped).most_common():
        print(f"skipped {count}: {reason}")
    both = sorted(set(ours) & set(theirs))
    print("\n| question | theirs | ours |\n|---|---|---|")
    for id in Random(options.seed).sample(both, min(_SHOWN, len(both))):
        print(f"| {originals[id].question.strip()} | {theirs[id]} | {ours[id]} |")


if __name__ == "__main__":
    main()
