"""Sequences of words that are to hurt, and two ways to better ones: a genetic search and a greedy one.

Both are generators: they yield genomes to be judged and are sent the judgements. A genome is never asked about twice.
Both end when the budget is spent or the answer is altogether wrong.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from random import Random

from readproof.attacks.search.judge import Judged

Genome = tuple[str, ...]
Asking = Generator[list[Genome], list[Judged], "Outcome"]

_TOURNAMENT = 3


@dataclass(frozen=True, slots=True)
class Outcome:
    """The genome that hurts most, how it was judged, and how often the reader was asked."""

    genome: Genome
    judged: Judged
    queries: int


@dataclass(frozen=True, slots=True)
class Words:
    """What genomes are made of: common words, and the question's own words in their order."""

    common: Sequence[str]
    question: Sequence[str]
    share: float

    def draw(self, random: Random) -> str:
        """One word: with the probability `share` one of the question's."""
        if self.question and random.random() < self.share:
            return random.choice(self.question)
        return random.choice(self.common)

    def genome(self, random: Random, length: int) -> Genome:
        """Words drawn one by one; those of the question stand in its order, as a reader matches them so."""
        drawn = [self.draw(random) for _ in range(length)]
        places = {word: at for at, word in reversed(list(enumerate(self.question)))}
        ordered = iter(sorted((word for word in drawn if word in places), key=lambda word: places[word]))
        return tuple(next(ordered) if word in places else word for word in drawn)


class Book:
    """What was judged so far; `spent` are queries that were no judgements."""

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self.spent = 0
        self.known: dict[Genome, Judged] = {}

    @property
    def left(self) -> int:
        return self.budget - self.queries

    @property
    def queries(self) -> int:
        return len(self.known) + self.spent

    def ask(self, genomes: Sequence[Genome]) -> Generator[list[Genome], list[Judged], None]:
        fresh = [genome for genome in dict.fromkeys(genomes) if genome not in self.known][: self.left]
        if fresh:
            replies = yield fresh
            self.known.update(zip(fresh, replies, strict=True))

    def rank(self, genome: Genome) -> tuple[float, float]:
        """Smaller hurts more: first what is to be expected, then the answer given."""
        judged = self.known[genome]
        return (judged.expected, judged.f1)

    def outcome(self) -> Outcome:
        # an answer that is wrong outright beats one that is merely less believed in
        best = min(self.known, key=lambda genome: (self.known[genome].f1, self.known[genome].expected))
        return Outcome(best, self.known[best], self.queries)

    def broken(self) -> bool:
        return any(judged.f1 == 0 for judged in self.known.values())


def genetic(
    words: Words, random: Random, *, length: int, population: int, generations: int, mutation: float, budget: int
) -> Asking:
    """Tournament selection, crossover by position, each word replaced with probability `mutation`; the best live on."""
    book = Book(budget)
    living = [words.genome(random, length) for _ in range(population)]
    yield from book.ask(living)
    for _ in range(generations - 1):
        living = sorted({genome for genome in living if genome in book.known}, key=lambda one: (book.rank(one), one))
        if book.left <= 0 or book.broken():
            break
        living = living[:population]
        children = [_child(living, book, words, random, mutation) for _ in range(population)]
        yield from book.ask(children)
        living = living[: max(1, population // 3)] + [child for child in children if child in book.known]
    return book.outcome()


def _child(living: Sequence[Genome], book: Book, words: Words, random: Random, mutation: float) -> Genome:
    def parent() -> Genome:
        return min((random.choice(living) for _ in range(_TOURNAMENT)), key=book.rank)

    mother, father = parent(), parent()
    child = [random.choice(pair) for pair in zip(mother, father, strict=True)]
    for at in range(len(child)):
        if random.random() < mutation:
            child[at] = words.draw(random)
    if random.random() < mutation:
        one, other = random.randrange(len(child)), random.randrange(len(child))
        child[one], child[other] = child[other], child[one]
    return tuple(child)


def greedy(words: Words, random: Random, *, length: int, tries: int, budget: int) -> Asking:
    """Coordinate search as in the original paper: place by place, in random order, the best of some words is kept."""
    book = Book(budget)
    best = words.genome(random, length)
    yield from book.ask([best])
    while book.left > 0 and not book.broken():
        before = len(book.known)
        for at in random.sample(range(length), length):
            drawn = [*(words.draw(random) for _ in range(tries)), *words.question]
            candidates = [(*best[:at], word, *best[at + 1 :]) for word in dict.fromkeys(drawn)]
            yield from book.ask(candidates)
            judged = [candidate for candidate in [best, *candidates] if candidate in book.known]
            best = min(judged, key=book.rank)
            if book.left <= 0 or book.broken():
                break
        if len(book.known) == before:
            break
    return book.outcome()
