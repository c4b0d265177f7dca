"""The worst of several sentences: the one after which the reader's answer is worst, or its trust in the gold least."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from readproof.attacks.base import Found, Made, skipped
from readproof.attacks.search.judge import Judged, judge
from readproof.attacks.search.together import groups
from readproof.items import SpanItem
from readproof.readers.base import Reader

# items whose variants go to the reader together
_TOGETHER = 32


def searched(items: Sequence[SpanItem], reader: Reader, make: Callable[[SpanItem], Made]) -> Iterator[Found]:
    """One result an item, in order: the clean answer is asked for first, then all variants of a group of items."""
    for group in groups(items, _TOGETHER):
        tried = [make(item) for item in group]
        asked: list[SpanItem] = []
        for item, made in zip(group, tried, strict=True):
            if made.variants:
                asked += [item, *(one.item for one in made.variants if isinstance(one.item, SpanItem))]
        judged = iter(judge(reader, asked))
        for made in tried:
            if not made.variants:
                yield Found(made=made if made.skipped else skipped("no budget", made.rejected))
                continue
            before = next(judged)
            yield _worst(made, before, [next(judged) for _ in made.variants])


def _worst(made: Made, before: Judged, judged: Sequence[Judged]) -> Found:
    best = min(range(len(judged)), key=lambda number: (judged[number].f1, judged[number].expected, number))
    after = judged[best]
    return Found(
        made=Made(variants=(made.variants[best],), rejected=made.rejected),
        queries=1 + len(judged),
        clean=before.expected,
        attacked=after.expected,
        before=before.answer,
        after=after.answer,
    )
