"""Searching with a reader: how variants are judged, and how better ones are found within a budget of questions."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Protocol, TypeVar, runtime_checkable

from readproof.items import Answer, SpanItem, without_gold
from readproof.lang.api import get_language
from readproof.lang.cleaning import clean_golds, cleaned
from readproof.readers.api import DISTRIBUTION, Reader
from readproof.tasks.metrics import cmrc, squad

# How much a variant hurts a reader: the F1 it still gets, and how sure it still is of the gold answer.
#
# Success is told two ways: the answer becomes wrong (`f1` falls), or the reader believes less in the gold answer
# (`expected` falls). The second can be seen long before the first, so it is what a search follows.


LIKELIEST = 20

Measure = Callable[[str, Sequence[str]], tuple[float, float]]


@runtime_checkable
class GivesDistribution(Protocol):
    """A reader that says how likely each span is."""

    def distribution(self, item: SpanItem, count: int = LIKELIEST) -> list[tuple[int, int, float]]:
        """The likeliest spans: raw start, raw end, probability; the likeliest first."""
        ...


@runtime_checkable
class AnswersSpans(Protocol):
    """One that gives them as answers too: where text stands in another order, a raw span is wider than its answer."""

    def likely(self, item: SpanItem, count: int = LIKELIEST) -> list[Answer]:
        """The likeliest spans, each with its probability as confidence; the likeliest first."""
        ...


@runtime_checkable
class AnswersManySpans(Protocol):
    """One that reads many items at once, each as if it were alone."""

    def likeliest(self, items: Sequence[SpanItem], count: int = LIKELIEST) -> list[list[Answer]]:
        """What is likely of each item, in order."""
        ...


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """A reader's answer with its F1, and the F1 to be expected by its own probabilities (else the same)."""

    answer: Answer
    f1: float
    expected: float


def measure_of(language: str) -> Measure:
    """Exact match and F1 as the language's own tasks count them."""
    return squad.version_1 if get_language(language).spaced else cmrc.official


def plain_f1(item: SpanItem, answer: str) -> float:
    """The F1 of an answer; an unanswerable question is answered by nothing. Text is compared clean, as it is scored."""
    golds = tuple(gold.text for gold in clean_golds(item))
    if item.impossible or not golds:
        return float(not answer)
    return measure_of(item.language)(answer, golds)[1]


def judge(reader: Reader, items: Sequence[SpanItem]) -> list[JudgedAnswer]:
    """One judgement an item, in order; a reader without a distribution is judged by its answers."""
    if DISTRIBUTION in reader.capabilities and isinstance(reader, AnswersManySpans):
        found = reader.likeliest(items, LIKELIEST)
        return [_by_distribution(answers, item) for answers, item in zip(found, items, strict=True)]
    if DISTRIBUTION in reader.capabilities and isinstance(reader, GivesDistribution):
        return [_by_distribution(likely_of(reader, item), item) for item in items]
    judged = []
    for item, answer in zip(items, reader.answer(list(map(without_gold, items))), strict=True):
        score = plain_f1(item, answer.text)
        judged.append(JudgedAnswer(answer, score, score))
    return judged


def likely_of(reader: GivesDistribution, item: SpanItem, count: int = LIKELIEST) -> list[Answer]:
    """The likeliest spans as answers; of a reader that tells spans alone they are cut from the clean passage."""
    if isinstance(reader, AnswersSpans):
        return reader.likely(item, count)
    passage = cleaned(item.passage)
    return [
        Answer(
            id=item.id,
            text=passage.clean[slice(*passage.to_clean(start, end))],
            raw=item.passage[start:end],
            start=start,
            end=end,
            confidence=share,
        )
        for start, end, share in reader.distribution(item, count)
    ]


def _by_distribution(answers: Sequence[Answer], item: SpanItem) -> JudgedAnswer:
    """One reading: the likeliest span is the answer, and all of them weigh in the expectation."""
    if not answers:
        score = plain_f1(item, "")
        return JudgedAnswer(Answer(id=item.id, confidence=0.0), score, score)
    scores = {text: plain_f1(item, text) for text in dict.fromkeys(one.text for one in answers)}
    shares = [one.confidence or 0.0 for one in answers]
    mass = sum(shares)
    expected = sum(share * scores[one.text] for share, one in zip(shares, answers, strict=True)) / mass if mass else 0
    answer = replace(answers[0], scores=(), confidence=min(1.0, shares[0]))
    return JudgedAnswer(answer, scores[answer.text], expected)


# Sequences of words that are to hurt, and two ways to better ones: a genetic search and a greedy one.
#
# Both are generators: they yield genomes to be judged and are sent the judgements. A genome is never asked about twice.
# Both end when the budget is spent or the answer is altogether wrong.


Genome = tuple[str, ...]
Asking = Generator[list[Genome], list[JudgedAnswer], "GenomeSearchResult"]

_TOURNAMENT = 3


@dataclass(frozen=True, slots=True)
class GenomeSearchResult:
    """The genome that hurts most, how it was judged, and how often the reader was asked."""

    genome: Genome
    judged: JudgedAnswer
    queries: int


@dataclass(frozen=True, slots=True)
class GenomeWords:
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


class GenomeScores:
    """What was judged so far; `spent` are queries that were no judgements."""

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self.spent = 0
        self.known: dict[Genome, JudgedAnswer] = {}

    @property
    def left(self) -> int:
        return self.budget - self.queries

    @property
    def queries(self) -> int:
        return len(self.known) + self.spent

    def ask(self, genomes: Sequence[Genome]) -> Generator[list[Genome], list[JudgedAnswer], None]:
        fresh = [genome for genome in dict.fromkeys(genomes) if genome not in self.known][: self.left]
        if fresh:
            replies = yield fresh
            self.known.update(zip(fresh, replies, strict=True))

    def rank(self, genome: Genome) -> tuple[float, float]:
        """Smaller hurts more: first what is to be expected, then the answer given."""
        judged = self.known[genome]
        return (judged.expected, judged.f1)

    def outcome(self) -> GenomeSearchResult:
        # an answer that is wrong outright beats one that is merely less believed in
        best = min(self.known, key=lambda genome: (self.known[genome].f1, self.known[genome].expected))
        return GenomeSearchResult(best, self.known[best], self.queries)

    def broken(self) -> bool:
        return any(judged.f1 == 0 for judged in self.known.values())


def genetic(
    words: GenomeWords, random: Random, *, length: int, population: int, generations: int, mutation: float, budget: int
) -> Asking:
    """Tournament selection, crossover by position, each word replaced with probability `mutation`; the best live on."""
    book = GenomeScores(budget)
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


def _child(living: Sequence[Genome], book: GenomeScores, words: GenomeWords, random: Random, mutation: float) -> Genome:
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


def greedy(words: GenomeWords, random: Random, *, length: int, tries: int, budget: int) -> Asking:
    """Coordinate search as in the original paper: place by place, in random order, the best of some words is kept."""
    book = GenomeScores(budget)
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


# Many searches at once: each is a generator that asks for candidates to be judged; all their wishes go out as one.
#
# So a reader that reads in batches, or many machines, get whole populations of many items together, while each search
# is still written as if it were alone, and finds the same whatever runs beside it.


Wish = TypeVar("Wish")
Reply = TypeVar("Reply")
Result = TypeVar("Result")


def together(
    searches: Sequence[Generator[list[Wish], list[Reply], Result]], reply: Callable[[list[Wish]], list[Reply]]
) -> list[Result]:
    """Runs all searches to their ends, round by round."""
    results: dict[int, Result] = {}
    wishes: dict[int, list[Wish]] = {}

    def advance(number: int, replies: list[Reply] | None) -> None:
        try:
            wishes[number] = next(searches[number]) if replies is None else searches[number].send(replies)
        except StopIteration as stop:
            results[number] = stop.value

    for number in range(len(searches)):
        advance(number, None)
    while wishes:
        asked, wishes = wishes, {}
        flat = reply([wish for wanted in asked.values() for wish in wanted])
        at = 0
        for number, wanted in asked.items():
            advance(number, flat[at : at + len(wanted)])
            at += len(wanted)
    return [results[number] for number in range(len(searches))]


def groups(items: Sequence[Wish], size: int) -> Iterator[Sequence[Wish]]:
    """The items in runs of `size`."""
    return (items[at : at + size] for at in range(0, len(items), size))
