"""HotFlip: AddAny's sentence, its words exchanged by what the reader's own gradients say would hurt.

It needs a reader that gives gradients, so one with torch weights; an ONNX reader has none. Beside AddAny it finds
sentences that hurt as much with fewer queries, which is what training against them needs.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from readproof.attacks.addany import judge_added, unfit, with_sentence, words_for
from readproof.attacks.base import About, Found, Made, random_for, skipped
from readproof.attacks.search.flips import Flipping, Lean, flips
from readproof.attacks.search.genomes import Genome, Outcome
from readproof.attacks.search.judge import judge
from readproof.attacks.search.together import groups, together
from readproof.errors import InputError
from readproof.items import SpanItem, Variant
from readproof.readers.base import GRADIENTS, SPANS, Gradients, Reader

NAME = "hotflip"
_USUAL = 60  # queries an item where no budget is given
_FEWEST = 3  # a clean reading, an attacked one, a gradient
_SHARE = 0.75


@dataclass(frozen=True, slots=True)
class _Wish:
    """One genome of one item to be judged, or its exchanges to be estimated."""

    item: SpanItem
    want: Genome | Lean


@dataclass(frozen=True, slots=True, kw_only=True)
class HotFlip:
    """`budget` of `search` caps the queries an item; a gradient counts as one."""

    about: ClassVar[About] = About(
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

    def search(self, items: Sequence[SpanItem], reader: Reader, *, seed: int = 0, budget: int = 0) -> Iterator[Found]:
        """One result an item, in order."""
        if budget and budget < _FEWEST:
            raise InputError(place="budget", found=str(budget), expected=f"at least {_FEWEST} queries, or 0")
        if not isinstance(reader, Gradients):
            expected, do = "one that gives gradients", "Name a trained folder (torch weights): ONNX readers have none."
            raise InputError(found=f"the reader {reader.name!r} for {NAME}", expected=expected, do=do)
        for group in groups(list(items), self.together):
            yield from self._group(group, reader, seed, (budget or _USUAL) - 1)

    def _group(self, items: Sequence[SpanItem], reader: Any, seed: int, allowed: int) -> list[Found]:
        reasons = [unfit(item) for item in items]
        fit = [item for item, reason in zip(items, reasons, strict=True) if not reason]
        before = judge(reader, fit)
        searches = [_wishing(item, self._flips(item, seed, allowed)) for item in fit]
        outcomes = iter(zip(fit, before, together(searches, lambda wishes: self._reply(reader, wishes)), strict=True))
        found = []
        for reason in reasons:
            if reason:
                found.append(Found(made=skipped(reason)))
                continue
            item, clean, outcome = next(outcomes)
            found.append(
                Found(
                    made=Made(variants=(self._variant(item, outcome.genome),)),
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
        read = [(wish.item, self._variant(wish.item, wish.want)) for wish in wishes if not isinstance(wish.want, Lean)]
        leans = [(wish.item, wish.want) for wish in wishes if isinstance(wish.want, Lean)]
        judged = iter(judge_added(reader, read)) if read else iter(())
        news = [self._variant(item, lean.genome) for item, lean in leans]
        places = [places_of(new, lean.genome) for new, (_, lean) in zip(news, leans, strict=True)]
        tables = iter(
            reader.exchanges([new.item for new in news], places, [lean.words for _, lean in leans]) if leans else ()
        )
        return [next(tables) if isinstance(wish.want, Lean) else next(judged) for wish in wishes]

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


def _wishing(item: SpanItem, search: Flipping) -> Generator[list[_Wish], list[Any], Outcome]:
    """A search over genomes as a search over genomes of this item."""
    replies: list[Any] | None = None
    while True:
        try:
            wanted = next(search) if replies is None else search.send(replies)
        except StopIteration as stop:
            outcome: Outcome = stop.value
            return outcome
        replies = yield [_Wish(item, one) for one in wanted]
