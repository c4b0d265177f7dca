"""HotFlip: AddAny's sentence, its words exchanged by what the reader's own gradients say would hurt.

It needs a reader that gives gradients, so one with torch weights; an ONNX reader has none. Beside AddAny it finds
sentences that hurt as much with fewer queries, which is what training against them needs.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar

import numpy as np

from readproof.attacks.addany import judge_added, unfit, with_sentence, words_for
from readproof.attacks.base import AttackInfo, AttackOutput, SearchOutput, random_for, skipped
from readproof.attacks.search import (
    Genome,
    GenomeScores,
    GenomeSearchResult,
    GenomeWords,
    JudgedAnswer,
    groups,
    judge,
    together,
)
from readproof.errors import InputError
from readproof.items import SpanItem, Variant
from readproof.readers.api import GRADIENTS, SPANS, GivesGradients, Reader

# HotFlip over whole words: exchanges are ranked by the reader's gradients, and the best of them tried by reading.
# A generator like the searches in `genomes`: it yields genomes to be judged, and `FlipGradient`s, which ask how much
# each exchange of a word would hurt by the first-order estimate. Each of both counts as a query.

# a genome to be judged, or the estimates for it: a row a place, a column a word
Flipping = Generator[list["Genome | FlipGradient"], list[Any], GenomeSearchResult]

_STARTS = 4
_TOGETHER = (2, 3, 5)  # how many words are exchanged at once, besides one


@dataclass(frozen=True, slots=True)
class FlipGradient:
    """Which exchange of a word of this genome for one of these words would hurt?"""

    genome: Genome
    words: tuple[str, ...]


def flips(words: GenomeWords, random: Random, *, length: int, tries: int, budget: int) -> Flipping:
    """From the best of a few genomes on: the exchanges that promise most, one by one and several at once.

    Where none of them is better, the search begins again with another genome.
    """
    book = GenomeScores(budget)
    candidates = tuple(dict.fromkeys([*words.question, *words.common]))
    best = yield from _begun(words, random, book, length)
    while book.left > 1 and not book.broken():
        (table,) = yield [FlipGradient(best, candidates)]
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
    words: GenomeWords, random: Random, book: GenomeScores, length: int, *, starts: int = _STARTS
) -> Generator[list[Genome | FlipGradient], list[JudgedAnswer], Genome]:
    drawn = [words.genome(random, length) for _ in range(starts)]
    yield from _asked(book, drawn)
    return min((genome for genome in drawn if genome in book.known), key=book.rank)


def _asked(
    book: GenomeScores, genomes: Sequence[Genome]
) -> Generator[list[Genome | FlipGradient], list[JudgedAnswer], None]:
    """The book's own asking, in the wider type of this search."""
    asking = book.ask(genomes)
    try:
        wanted = next(asking)
        while True:
            replies = yield list(wanted)
            wanted = asking.send(replies)
    except StopIteration:
        return


def _children(genome: Genome, words: Sequence[str], table: Any, book: GenomeScores, tries: int) -> list[Genome]:
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


NAME = "hotflip"
_USUAL = 60  # queries an item where no budget is given
_FEWEST = 3  # a clean reading, an attacked one, a gradient
_SHARE = 0.75


@dataclass(frozen=True, slots=True)
class _Wish:
    """One genome of one item to be judged, or its exchanges to be estimated."""

    item: SpanItem
    want: Genome | FlipGradient


@dataclass(frozen=True, slots=True, kw_only=True)
class HotFlip:
    """`budget` of `search` caps the queries an item; a gradient counts as one."""

    about: ClassVar[AttackInfo] = AttackInfo(
        name=NAME,
        does="a sentence of common words and question words, chosen by the gradients of the reader",
        languages=("zh", "fa", "en"),
        needs=(SPANS, GRADIENTS, "reader"),
    )

    words: int = field(default=10, metadata={"help": "words in the sentence"})
    tries: int = field(default=8, metadata={"help": "exchanges that are read after each gradient"})
    question_words: bool = field(default=True, metadata={"help": "no: common words only"})
    place: str = field(default="end", metadata={"values": ("end", "start"), "help": "where the sentence goes"})
    together: int = field(default=16, metadata={"help": "items searched at the same time"})

    def __post_init__(self) -> None:
        for name in ("words", "tries", "together"):
            if getattr(self, name) < 1:
                raise InputError(place=name, found=str(getattr(self, name)), expected="at least 1")

    def search(
        self, items: Sequence[SpanItem], reader: Reader, *, seed: int = 0, budget: int = 0
    ) -> Iterator[SearchOutput]:
        """One result an item, in order."""
        if budget and budget < _FEWEST:
            raise InputError(place="budget", found=str(budget), expected=f"at least {_FEWEST} queries, or 0")
        if not isinstance(reader, GivesGradients):
            expected, do = "one that gives gradients", "Name a trained folder (torch weights): ONNX readers have none."
            raise InputError(found=f"the reader {reader.name!r} for {NAME}", expected=expected, do=do)
        for group in groups(list(items), self.together):
            yield from self._group(group, reader, seed, (budget or _USUAL) - 1)

    def _group(self, items: Sequence[SpanItem], reader: Any, seed: int, allowed: int) -> list[SearchOutput]:
        reasons = [unfit(item) for item in items]
        fit = [item for item, reason in zip(items, reasons, strict=True) if not reason]
        before = judge(reader, fit)
        searches = [_wishing(item, self._flips(item, seed, allowed)) for item in fit]
        outcomes = iter(zip(fit, before, together(searches, lambda wishes: self._reply(reader, wishes)), strict=True))
        found = []
        for reason in reasons:
            if reason:
                found.append(SearchOutput(made=skipped(reason)))
                continue
            item, clean, outcome = next(outcomes)
            found.append(
                SearchOutput(
                    made=AttackOutput(variants=(self._variant(item, outcome.genome),)),
                    queries=outcome.queries + 1,
                    clean=clean.expected,
                    attacked=outcome.judged.expected,
                    before=clean.answer,
                    after=outcome.judged.answer,
                )
            )
        return found

    def _flips(self, item: SpanItem, seed: int, allowed: int) -> Flipping:
        words = words_for(item, _SHARE, question_words=self.question_words)
        return flips(words, random_for(seed, NAME, item.id), length=self.words, tries=self.tries, budget=allowed)

    def _reply(self, reader: Any, wishes: list[_Wish]) -> list[Any]:
        """Judgements and tables, each kind asked for together."""
        read = [
            (wish.item, self._variant(wish.item, wish.want))
            for wish in wishes
            if not isinstance(wish.want, FlipGradient)
        ]
        leans = [(wish.item, wish.want) for wish in wishes if isinstance(wish.want, FlipGradient)]
        judged = iter(judge_added(reader, read)) if read else iter(())
        news = [self._variant(item, lean.genome) for item, lean in leans]
        places = [places_of(new, lean.genome) for new, (_, lean) in zip(news, leans, strict=True)]
        tables = iter(
            reader.exchanges([new.item for new in news], places, [lean.words for _, lean in leans]) if leans else ()
        )
        return [next(tables) if isinstance(wish.want, FlipGradient) else next(judged) for wish in wishes]

    def _variant(self, item: SpanItem, genome: Genome) -> Variant:
        return with_sentence(item, genome, place=self.place, attack=NAME, strategy="gradients")


def places_of(variant: Variant, genome: Genome) -> list[tuple[int, int]]:
    """Where the words of a genome stand in the passage of its variant."""
    (edit,) = variant.edits
    at, places = 0, []
    for word in genome:
        at = edit.new.index(word, at)
        places.append((edit.start + at, edit.start + at + len(word)))
        at += len(word)
    return places


def _wishing(item: SpanItem, search: Flipping) -> Generator[list[_Wish], list[Any], GenomeSearchResult]:
    """A search over genomes as a search over genomes of this item."""
    replies: list[Any] | None = None
    while True:
        try:
            wanted = next(search) if replies is None else search.send(replies)
        except StopIteration as stop:
            outcome: GenomeSearchResult = stop.value
            return outcome
        replies = yield [_Wish(item, one) for one in wanted]
