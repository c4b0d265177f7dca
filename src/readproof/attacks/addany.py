"""AddAny: a sentence of common words and the question's own words, found by asking the reader, added to the passage.

The words mean nothing together, so no person changes the answer for them; a reader that matches words instead of
reading does. Words of a gold answer are never used.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from readproof.attacks.base import AttackInfo, AttackOutput, SearchOutput, random_for, skipped, variant_id
from readproof.attacks.checks import gold_untouched
from readproof.attacks.edits import inserted, variant
from readproof.attacks.search import (
    Asking,
    Genome,
    GenomeSearchResult,
    GenomeWords,
    JudgedAnswer,
    genetic,
    greedy,
    groups,
    judge,
    together,
)
from readproof.errors import InputError
from readproof.items import Answer, SpanItem, Variant
from readproof.lang.api import get_language
from readproof.readers.api import SPANS, Reader

NAME = "addany"
_FEWEST = 2  # one clean reading and one attacked

# what the study of Persian readers used, and what hurts more at the same number of words
_PRESETS = {
    "study": {"population": 6, "generations": 10, "mutation": 0.3, "share": 0.5},
    "strong": {"population": 24, "generations": 25, "mutation": 0.15, "share": 0.75},
}


@dataclass(frozen=True, slots=True)
class _Ask:
    """One genome of one item, to be judged."""

    item: SpanItem
    genome: Genome


@dataclass(frozen=True, slots=True, kw_only=True)
class AddAny:
    """Numbers left at 0 are those of the preset. `budget` of `search`, where given, caps the queries an item."""

    about: ClassVar[AttackInfo] = AttackInfo(
        name=NAME,
        does="a sentence of common words and question words that the reader was seen to fall for",
        languages=("zh", "fa", "en"),
        needs=(SPANS, "reader"),
    )

    preset: str = field(
        default="study", metadata={"values": tuple(_PRESETS), "help": "the study's values, or stronger ones"}
    )
    method: str = field(
        default="genetic",
        metadata={"values": ("genetic", "greedy"), "help": "genetic search, or place by place as in the first paper"},
    )
    words: int = field(default=10, metadata={"help": "words in the sentence"})
    population: int = field(default=0, metadata={"help": "sentences alive at a time"})
    generations: int = field(default=0, metadata={"help": "rounds of the genetic search"})
    mutation: float = field(default=0.0, metadata={"help": "how likely a word is replaced in a child"})
    tries: int = field(default=10, metadata={"help": "common words tried at a place by the greedy search"})
    question_words: bool = field(default=True, metadata={"help": "no: common words only (AddCommon)"})
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
        for group in groups(list(items), max(1, self.together)):
            yield from self._group(group, reader, seed, budget)

    def _group(self, items: Sequence[SpanItem], reader: Reader, seed: int, budget: int) -> list[SearchOutput]:
        reasons = [unfit(item) for item in items]
        fit = [item for item, reason in zip(items, reasons, strict=True) if not reason]
        before = judge(reader, fit)

        def reply(wishes: list[_Ask]) -> list[JudgedAnswer]:
            return judge_added(reader, [(wish.item, self._variant(wish.item, wish.genome)) for wish in wishes])

        searches = [_asking(item, self._search(item, seed, budget)) for item in fit]
        outcomes = iter(zip(fit, before, together(searches, reply), strict=True))
        return [SearchOutput(made=skipped(reason)) if reason else self._found(*next(outcomes)) for reason in reasons]

    def _found(self, item: SpanItem, before: JudgedAnswer, outcome: GenomeSearchResult) -> SearchOutput:
        return SearchOutput(
            made=AttackOutput(variants=(self._variant(item, outcome.genome),)),
            queries=outcome.queries + 1,
            clean=before.expected,
            attacked=outcome.judged.expected,
            before=before.answer,
            after=outcome.judged.answer,
        )

    def _search(self, item: SpanItem, seed: int, budget: int) -> Asking:
        chosen = _PRESETS[self.preset]
        population = self.population or int(chosen["population"])
        generations = self.generations or int(chosen["generations"])
        allowed = budget - 1 if budget else population * generations
        random = random_for(seed, NAME, item.id)
        words = words_for(item, chosen["share"], question_words=self.question_words)
        if self.method == "greedy":
            return greedy(words, random, length=self.words, tries=self.tries, budget=allowed)
        return genetic(
            words,
            random,
            length=self.words,
            population=min(population, allowed),
            generations=max(generations, allowed // population) if budget else generations,
            mutation=self.mutation or chosen["mutation"],
            budget=allowed,
        )

    def _variant(self, item: SpanItem, genome: Genome) -> Variant:
        return with_sentence(item, genome, place=self.place, attack=NAME, strategy=self.method)


def words_for(item: SpanItem, share: float, *, question_words: bool = True) -> GenomeWords:
    """The words that may be added to an item: none is in a gold answer or holds one."""
    golds = [gold.text for gold in item.golds if gold.text]

    def free(word: str) -> bool:
        return all(word not in gold and gold not in word for gold in golds)

    spoken = get_language(item.language)
    common = list(filter(free, spoken.common_words()))
    asked = list(filter(free, spoken.words(item.question)))
    return GenomeWords(common, tuple(dict.fromkeys(asked)) if question_words else (), share)


def with_sentence(item: SpanItem, genome: Genome, *, place: str, attack: str, strategy: str) -> Variant:
    """The item with the words added as a sentence."""
    spoken = get_language(item.language)
    sentence = spoken.sentence_of(genome)
    at = len(item.passage) if place == "end" else 0
    text = spoken.gap + sentence if place == "end" else sentence + spoken.gap
    edit = inserted(item, at, text, why="words found by search")
    return variant(item, [edit], id=variant_id(item.id, attack, 0), attack=attack, strategy=strategy)


def _asking(item: SpanItem, search: Asking) -> Generator[list[_Ask], list[JudgedAnswer], GenomeSearchResult]:
    """A search over genomes as a search over genomes of this item."""
    replies: list[JudgedAnswer] | None = None
    while True:
        try:
            wanted = next(search) if replies is None else search.send(replies)
        except StopIteration as stop:
            outcome: GenomeSearchResult = stop.value
            return outcome
        replies = yield [_Ask(item, genome) for genome in wanted]


# a sentence that holds an answer hurts nobody
_SAYS_GOLD = JudgedAnswer(Answer(id=""), 1.0, 1.0)


def judge_added(reader: Reader, added: Sequence[tuple[SpanItem, Variant]]) -> list[JudgedAnswer]:
    """Variants with an added sentence, each with its original, judged; one whose sentence says a gold is not asked."""
    news = [one.item for _, one in added if isinstance(one.item, SpanItem)]
    sound = [not _says_gold(item, variant) for item, variant in added]
    asked = iter(judge(reader, [item for item, fine in zip(news, sound, strict=True) if fine]))
    return [next(asked) if fine else _SAYS_GOLD for fine in sound]


def _says_gold(item: SpanItem, variant: Variant) -> bool:
    """Whether neighbouring words together make a gold answer."""
    return bool(gold_untouched(variant.edits[0].new, [gold.text for gold in item.golds]))


def unfit(item: SpanItem) -> str:
    """Why words cannot be added to an item; nothing where they can."""
    if not AddAny.about.speaks(item.language):
        return f"no word list for {item.language}"
    if not item.passage.strip() or not item.question.strip():
        return "nothing to read"
    if item.impossible or not item.golds:
        return "no gold answer"
    return ""
