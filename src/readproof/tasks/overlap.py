"""Passages that two files share: measuring a reader on what it was trained on measures its memory."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from readproof.items import ChoiceItem, Item, LabelItem, SpanItem, TagItem, Triple

SHINGLE = 25
SHARED = 0.30


@dataclass(frozen=True, slots=True)
class Shared:
    """A passage of one file and the passage of the other that it shares most with; `share` from 0 to 1."""

    id: str
    other_id: str
    share: float


def passages(items: Iterable[Item]) -> Iterator[tuple[str, str]]:
    """Each distinct passage with the id of the first item that has it."""
    seen: set[int] = set()
    for item in items:
        text = passage_of(item)
        key = hash(text)
        if key not in seen and text:
            seen.add(key)
            yield item.id, text


def passage_of(item: Item) -> str:
    """The text an item is about."""
    if isinstance(item, SpanItem | ChoiceItem):
        return item.passage
    if isinstance(item, Triple):
        return item.original.passage
    if isinstance(item, LabelItem | TagItem):
        return item.text
    raise TypeError(type(item).__name__)


def shared_passages(items: Iterable[Item], others: Iterable[Item], limit: float = SHARED) -> list[Shared]:
    """Passages that share more than `limit` of their 25-character shingles (the shorter one's) with another's."""
    index: defaultdict[int, list[int]] = defaultdict(list)
    names: list[str] = []
    sizes: list[int] = []
    for name, text in passages(others):
        found = shingles(text)
        for shingle in found:
            index[shingle].append(len(names))
        names.append(name)
        sizes.append(len(found))
    result = []
    for name, text in passages(items):
        found = shingles(text)
        common: Counter[int] = Counter()
        for shingle in found:
            if shingle in index:
                common.update(index[shingle])
        best = max(((count / min(len(found), sizes[at]), at) for at, count in common.items()), default=(0.0, -1))
        if best[0] > limit:
            result.append(Shared(name, names[best[1]], best[0]))
    return result


def shingles(text: str) -> set[int]:
    """Hashes of every 25-character piece, white space left out; a shorter text is one piece."""
    text = "".join(text.split())
    if len(text) <= SHINGLE:
        return {hash(text)} if text else set()
    return {hash(text[at : at + SHINGLE]) for at in range(len(text) - SHINGLE + 1)}
