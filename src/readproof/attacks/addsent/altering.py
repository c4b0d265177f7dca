"""What altering a question has in common in all languages: free places, words for a language model, fair turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from readproof.attacks.addsent.rules import Alteration
from readproof.attacks.addsent.slots import MASK, TOP, Slots
from readproof.items import Edit
from readproof.lang.words import Word

# the places of a question that stay as they are
Fixed = Sequence[tuple[int, int]]


def free(start: int, end: int, fixed: Fixed) -> bool:
    """Whether nothing of a place is fixed."""
    return all(end <= first or start >= last for first, last in fixed)


def refillable(question: str, taken: Fixed, slots: Slots, words: Callable[[str], Sequence[Word]]) -> Iterator[Word]:
    """Nouns and adjectives that a language model may change."""
    if slots.refill is None:
        return
    for word in slots.words(question) if slots.words else words(question):
        if word.tag.startswith(("n", "a", "N", "A")) and len(word.text) > 1 and free(word.start, word.end, taken):
            yield word


def refilled(word: Word, question: str, slots: Slots, random: Random) -> Iterator[Alteration]:
    """What the language model puts in a word's place: one of its first few."""
    if slots.refill is None:
        return
    masked = question[: word.start] + MASK + question[word.end :]
    proposals = [one for one in slots.refill(masked) if one and one != word.text and MASK not in one][:TOP]
    random.shuffle(proposals)
    for new in proposals:
        yield Alteration((Edit(word.start, word.text, new, "refilled"),), "refilled")


def in_turn(streams: list[Iterator[Alteration]]) -> Iterator[Alteration]:
    """The first of each stream, then the second of each, and so on."""
    while streams:
        left = []
        for stream in streams:
            found = next(stream, None)
            if found is not None:
                left.append(stream)
                yield found
        streams = left
