"""Make the sample that `readproof prove` without DATA reads: src/readproof/samples/zh.jsonl.xz.

    python tools/sample.py CMRC_DEV VGAOKAO GAOKAO

30 span questions of CMRC 2018 dev, one an article, in turn by the type of answer that they ask for; and 10 triples made
of VGaokao questions, only of passages that are held out of training (`kept_apart`: no copies are learnt from).
Which ones is decided by hashes of their ids, before any reader has seen them, and never by what a reader makes of them.
GAOKAO is the other file that is learnt from, for its copies.
"""

from __future__ import annotations

import hashlib
import io
import lzma
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from readproof.attacks.options.triples import build_triple
from readproof.items import ChoiceItem, Item, SpanItem, Triple
from readproof.proof.records import type_of
from readproof.tasks import load
from readproof.tasks.itemlines import write_items
from readproof.training.options.sets import kept_apart

OUT = Path(__file__).parents[1] / "src/readproof/samples/zh.jsonl.xz"
SPANS, TRIPLES = 30, 10


def by_hash(items: Iterable[Item]) -> list[Item]:
    return sorted(items, key=lambda item: hashlib.sha256(f"sample|{item.id}".encode()).hexdigest())


def spans(path: str) -> list[SpanItem]:
    """In turn of each type, one an article, until there are enough; only questions whose answers all stand in place."""
    by_type: dict[str, list[SpanItem]] = {}
    for item in by_hash(load(path)):
        if isinstance(item, SpanItem) and item.golds and all(gold.start is not None for gold in item.golds):
            by_type.setdefault(type_of(item), []).append(item)
    chosen: list[SpanItem] = []
    articles: set[str] = set()
    queues = [iter(by_type[kind]) for kind in sorted(by_type)]
    while len(chosen) < SPANS and queues:
        for queue in list(queues):
            found = next((item for item in queue if item.passage not in articles), None)
            if found is None:
                queues.remove(queue)
            elif len(chosen) < SPANS:
                articles.add(found.passage)
                chosen.append(found)
    return chosen


def triples(path: str, other: str) -> list[Triple]:
    """One a passage, of passages that no reader of ours is trained on."""
    chosen: list[Triple] = []
    passages: set[str] = set()
    every = [item for file in (path, other) for item in load(file) if isinstance(item, ChoiceItem)]
    held = {item.passage for item in kept_apart(every)[1]}
    for item in by_hash(load(path)):
        if not isinstance(item, ChoiceItem) or item.passage in passages or item.passage not in held:
            continue
        made = build_triple(item)
        if isinstance(made, Triple):
            passages.add(item.passage)
            chosen.append(made)
    return chosen[:TRIPLES]


def write(items: Sequence[Item], path: Path) -> None:
    text = io.StringIO()
    write_items(items, text)
    path.write_bytes(lzma.compress(text.getvalue().encode("utf-8"), preset=9 | lzma.PRESET_EXTREME))


def main() -> None:
    cmrc, vgaokao, gaokao = sys.argv[1:]
    items: list[Item] = [*spans(cmrc), *triples(vgaokao, gaokao)]
    write(items, OUT)
    kinds: dict[str, int] = {}
    for item in items:
        kind = type_of(item) if isinstance(item, SpanItem) else "triple"
        kinds[kind] = kinds.get(kind, 0) + 1
    print(f"{len(items)} items, {OUT.stat().st_size} bytes: {kinds}")


if __name__ == "__main__":
    main()
