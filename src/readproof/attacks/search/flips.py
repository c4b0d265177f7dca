"""HotFlip over whole words: exchanges are ranked by the reader's gradients, and the best of them tried by reading.

A generator like the searches in `genomes`: it yields genomes to be judged, and `Lean`s, which ask how much each
exchange of a word would hurt by the first-order estimate. Each of both counts as a query.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from readproof.attacks.search.genomes import Book, Genome, Outcome, Words
from readproof.attacks.search.judge import Judged

# a genome to be judged, or the estimates for it: a row a place, a column a word
Flipping = Generator[list["Genome | Lean"], list[Any], Outcome]

_STARTS = 4
_TOGETHER = (2, 3, 5)  # how many words are exchanged at once, besides one


@dataclass(frozen=True, slots=True)
class Lean:
    """Which exchange of a word of this genome for one of these words would hurt?"""

    genome: Genome
    words: tuple[str, ...]


def flips(words: Words, random: Random, *, length: int, tries: int, budget: int) -> Flipping:
    """From the best of a few genomes on: the exchanges that promise most, one by one and several at once.

    Where none of them is better, the search begins again with another genome.
    """
    book = Book(budget)
    candidates = tuple(dict.fromkeys([*words.question, *words.common]))
    best = yield from _begun(words, random, book, length)
    while book.left > 1 and not book.broken():
        (table,) = yield [Lean(best, candidates)]
        book.spent += 1
        children = _children(best, candidates, np.asarray(table), book, tries)
        yield from _asked(book, children)
        judged = [child for child in children if child in book.known]
        better = min([best, *judged], key=book.rank)
        if better == best and book.left > 1:
            better = yield from _begun(words, random, book, length, starts=1)
        best = better
    return book.outcome()


def _begun(
    words: Words, random: Random, book: Book, length: int, *, starts: int = _STARTS
) -> Generator[list[Genome | Lean], list[Judged], Genome]:
    drawn = [words.genome(random, length) for _ in range(starts)]
    yield from _asked(book, drawn)
    return min((genome for genome in drawn if genome in book.known), key=book.rank)


def _asked(book: Book, genomes: Sequence[Genome]) -> Generator[list[Genome | Lean], list[Judged], None]:
    """The book's own asking, in the wider type of this search."""
    asking = book.ask(genomes)
    try:
        wanted = next(asking)
        while True:
            replies = yield list(wanted)
            wanted = asking.send(replies)
    except StopIteration:
        return


def _children(genome: Genome, words: Sequence[str], table: Any, book: Book, tries: int) -> list[Genome]:
    """At most `tries` genomes: those with several of the best exchanges, then those with one, no place too often."""
    order = np.argsort(-table, axis=None, kind="stable")
    places, columns = np.unravel_index(order[: 20 * tries * len(genome)], table.shape)
    best_at: dict[int, str] = {}
    single: list[Genome] = []
    often: dict[int, int] = {}
    for place, column in zip(places.tolist(), columns.tolist(), strict=True):
        word = words[column]
        if word == genome[place]:
            continue
        best_at.setdefault(place, word)
        if often.get(place, 0) >= max(2, tries // 3) or len(single) >= tries:
            continue
        often[place] = often.get(place, 0) + 1
        single.append((*genome[:place], word, *genome[place + 1 :]))
    several = [
        tuple(best_at[at] if at in chosen else word for at, word in enumerate(genome))
        for count in _TOGETHER
        if len(chosen := set(list(best_at)[:count])) == count
    ]
    fresh = [child for child in dict.fromkeys([*several, *single]) if child not in book.known and child != genome]
    return fresh[:tries]
