"""Probes: questions changed so that the answer of a reader that reads is known to change.

A reader that answers as well without the passage has not read it; one that gives the same answer to another question
has not read the question; one that sticks to an answer that the passage no longer holds remembers it. Kaushik and
Lipton (2018) found readers of the first two kinds, Longpre et al. (2021) of the third. Every reader is asked the
probes as they are. What a probe is compared with is in `readproof.proof.verdict`.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from random import Random
from typing import TypeVar

from readproof.attacks.addsent.making import place_of
from readproof.attacks.addsent.making import sentences as added_sentences
from readproof.attacks.addsent.rules import Rules, Slots, rules_of
from readproof.attacks.base import random_for, random_of
from readproof.items import Answer, ChoiceItem, Edit, Gold, SpanItem
from readproof.lang.api import get_language
from readproof.lang.cloze import Cloze, clozes
from readproof.proof.records import Question, Single, Skipped, text_key
from readproof.proof.results import PROBE, PartName
from readproof.readers.evidence import relevance
from readproof.readers.evidence import sentences as evidence_sentences
from readproof.text import applied

Chosen = TypeVar("Chosen")

# a question to be put in place of an item's own, and how it came about
Made = tuple[Single, str, tuple[Edit, ...]]

_TRIES = 40
# an answer longer than this is a clause, which no other of its type can stand for
_CLAUSES = ("reason", "manner", "description", "yesno", "choice")
_OPTIONS = 4
_NUMBER = re.compile(r"\d+(?:[.,，]\d+)*[万亿]?")
_COUNTS = re.compile(r"[\d零〇一二两三四五六七八九十百千万亿]")
_ASKS = re.compile("[？?؟]")
# the two ways in which a fresh question with options asks
FACT_ASKED, FALSE_ASKED = "asks for a fact", "asks for the false one"
_PER_OPTION = 2
# fresh questions of each way of asking, at most, for one question of the data
_FRESH = 2
_CLAUSE = re.compile("[，、；：,;:،؛。.]|——")


class ItemPool:
    """The items of a run, to choose others from; which one is chosen does not depend on the order of the items."""

    def __init__(self, items: Sequence[Single], seed: int) -> None:
        self.seed = seed
        self._ring = sorted(((text_key(item), item) for item in items), key=lambda one: one[0])
        self._keys = [key for key, _ in self._ring]
        self._on: dict[tuple[str, str], list[Single]] = defaultdict(list)
        for _, item in self._ring:
            self._on[item.language, item.passage].append(item)

    def others(self, item: Single, probe: str) -> Iterator[Single]:
        """Some items of the same kind and language on other passages."""
        mark = hashlib.sha256(f"{self.seed}|{probe}|".encode() + text_key(item)).digest()
        first = bisect_left(self._keys, mark)
        for step in range(min(len(self._ring), _TRIES)):
            other = self._ring[(first + step) % len(self._ring)][1]
            same_kind = type(other) is type(item) and other.language == item.language
            if same_kind and other.passage != item.passage:
                yield other

    def on_same_passage(self, item: Single, probe: str) -> list[Single]:
        """The other questions on the item's passage, in an order of chance."""
        found = [one for one in self._on[item.language, item.passage] if one.question != item.question]
        self.random(item, probe).shuffle(found)
        return found

    def in_turn(self, item: Single, probe: str, found: Sequence[Chosen]) -> list[Chosen]:
        """Things made of a passage in an order of chance, for each question on it beginning with another one."""
        order = list(found)
        random_of(f"{self.seed}|{probe}|{item.passage}").shuffle(order)
        turn = next((at for at, one in enumerate(self._on[item.language, item.passage]) if one == item), 0)
        first = turn % max(1, len(order))
        return order[first:] + order[:first]

    def random(self, item: Single, probe: str) -> Random:
        """The chance of one probe on one item."""
        return random_for(self.seed, f"{PROBE}{probe}", item.id)


# probes of every kind of question


def _no_passage(item: Single, _pool: ItemPool) -> Iterator[Made]:
    yield _without_places(replace(item, passage="")), "", ()


def _question_only(item: Single, _pool: ItemPool) -> Iterator[Made]:
    yield _without_places(replace(item, passage=item.question)), "", ()


def _another_passage(item: Single, pool: ItemPool) -> Iterator[Made]:
    """The passage of another item that does not hold an answer by accident."""
    golds = _gold_texts(item)
    for other in pool.others(item, "another-passage"):
        if not any(gold in other.passage for gold in golds):
            yield _without_places(replace(item, passage=other.passage, title=other.title)), "", ()
            return


def _rotated(item: Single, _pool: ItemPool) -> Iterator[Made]:
    """The first sentence moved to the end: the passage says the same, and nothing stands where it stood."""
    known = list(get_language(item.language).sentences(item.passage))
    yield from _reordered(item, known[1:] + known[:1])


def _shuffled(item: Single, pool: ItemPool) -> Iterator[Made]:
    known = list(get_language(item.language).sentences(item.passage))
    order = list(known)
    pool.random(item, "shuffled").shuffle(order)
    yield from _reordered(item, order if order != known else order[1:] + order[:1])


def _reordered(item: Single, order: Sequence[tuple[int, int]]) -> Iterator[Made]:
    if len(order) < 2:
        return
    passage = get_language(item.language).gap.join(item.passage[slice(*one)] for one in order)
    new = _without_places(replace(item, passage=passage))
    if isinstance(new, ChoiceItem) or any(gold.text in passage for gold in new.golds):
        yield new, "", ()  # else the answer went over the end of a sentence


# probes of span questions


def _half_passage(item: Single, _pool: ItemPool) -> Iterator[Made]:
    """The half of the passage, cut between two sentences, that does not hold the answer."""
    if not isinstance(item, SpanItem):
        return
    known = get_language(item.language).sentences(item.passage)
    cuts = [start for start, _ in known[1:]]
    middle = len(item.passage) / 2
    for cut in sorted(cuts, key=lambda at: abs(at - middle)):
        for half in (item.passage[:cut], item.passage[cut:]):
            if not any(gold in half for gold in _gold_texts(item)):
                yield _without_places(replace(item, passage=half.strip())), "", ()
                return


def _another_question(item: Single, pool: ItemPool) -> Iterator[Made]:
    """Another question on the same passage with another answer; where there is none, one from another passage."""
    if not isinstance(item, SpanItem):
        return
    golds = _gold_texts(item)
    for other in pool.on_same_passage(item, "another-question"):
        if isinstance(other, SpanItem) and not other.impossible and not _share(golds, _gold_texts(other)):
            yield replace(item, question=other.question, golds=other.golds), "same passage", ()
            return
    for other in pool.others(item, "another-question"):
        if isinstance(other, SpanItem) and not _share(golds, _gold_texts(other)):
            yield replace(item, question=other.question, golds=(), impossible=True), "other passage", ()
            return


def _neutral_question(item: Single, pool: ItemPool) -> Iterator[Made]:
    neutral = get_language(item.language).neutral_questions
    yield replace(item, question=pool.random(item, "neutral").choice(neutral)), "", ()


def _substituted(item: Single, pool: ItemPool) -> Iterator[Made]:
    """The answer replaced throughout the passage by another of its type."""
    rules = rules_of(item.language)
    if not isinstance(item, SpanItem) or rules is None:
        return
    core = _core(item, rules)
    if core is None:
        return
    new = _substitute(item, core, rules, pool.random(item, "substituted"))
    places = _places(core.text, item.passage, item.language)
    if not new or not places:
        return
    edits = tuple(Edit(at, core.text, new, "answer replaced", "passage") for at in places)
    golds = dict.fromkeys(gold.text.replace(core.text, new) for gold in item.golds if core.text in gold.text)
    passage = applied(item.passage, edits).clean
    placed = tuple(Gold(text, at if (at := passage.find(text)) >= 0 else None) for text in golds)
    yield replace(item, passage=passage, golds=placed), core.text, edits


def _core(item: SpanItem, rules: Rules) -> Gold | None:
    """The shortest gold answer, where it is a name, a number, a time or a short thing and not part of the question."""
    asked = rules.question_phrase(item)
    known = [gold for gold in item.golds if gold.start is not None and item.passage.startswith(gold.text, gold.start)]
    core = min(known, key=lambda gold: len(gold.text), default=None)
    if core is None or asked is None or asked in _CLAUSES or core.text in item.question:
        return None
    spoken = get_language(item.language)
    short = len(spoken.units(core.text)) <= spoken.answer_units
    whole = len(core.text) > 1 or core.text.isdigit()
    return core if short and whole and core.text == core.text.strip() else None


def _substitute(item: SpanItem, core: Gold, rules: Rules, random: Random) -> str:
    """Another answer of the same type that neither the passage nor the question holds; "" where none is found."""
    asked = replace(item, golds=(core,))
    for new in islice(rules.fake_answers(asked, random), 24):
        if new and new not in item.passage + item.question and new not in core.text and core.text not in new:
            return new
    return ""


def _places(text: str, passage: str, language: str) -> list[int]:
    """Where a text stands as a whole: no number inside a longer one, and where words have spaces no part of a word."""
    return [found.start() for found in get_language(language).whole(text).finditer(passage)]


def _fresh_question(item: Single, pool: ItemPool) -> Iterator[Made]:
    """A question made of a sentence in each half of the passage; neither asks for the gold answer."""
    if not isinstance(item, SpanItem):
        return
    golds = _gold_texts(item)
    middle = len(item.passage) / 2
    known = [one for one in clozes(item.passage, get_language(item.language)) if not _gives_away(one, item, golds)]
    for half, wanted in (("first half", False), ("second half", True)):
        own = [one for one in known if (one.start >= middle) is wanted]
        if own:
            one = pool.in_turn(item, f"fresh-question, {half}", own)[0]
            answers = tuple(Gold(text, at if (at := item.passage.find(text)) >= 0 else None) for text in one.answers)
            yield replace(item, question=one.question, golds=answers), half, ()


def _gives_away(one: Cloze, item: SpanItem, golds: Sequence[str]) -> bool:
    """Whether the fresh question has the answer of the item's own, or its own question has the fresh one's."""
    return any(
        answer in item.question or any(answer in gold or gold in answer for gold in golds) for answer in one.answers
    )


def _contrast_question(item: Single, pool: ItemPool) -> Iterator[Made]:
    """A sentence about somebody or something else added to the passage, and asked about.

    It is the sentence that AddSent adds to distract a reader. One that only learnt to pass over such sentences gives
    the answer to the question that it was not asked.
    """
    rules = rules_of(item.language)
    if not isinstance(item, SpanItem) or rules is None or rules.question_phrase(item) is None:
        return
    random = pool.random(item, "contrast-question")
    found = next(added_sentences(item, rules, Slots(), (), random, Counter()), None)
    if found is None:
        return
    question = applied(item.question, sorted(found.alteration.edits, key=lambda edit: edit.start)).clean
    at = place_of(item, rules, "random", random)
    edit = Edit(at, "", rules.joined(item.passage[:at], found.text), "asked about", "passage")
    passage = applied(item.passage, [edit]).clean
    gold = Gold(found.answer, place if (place := passage.find(found.answer)) >= 0 else None)
    yield replace(item, passage=passage, question=question, golds=(gold,)), found.alteration.kind, (edit,)


# probes of questions with options


def _options_only(item: Single, _pool: ItemPool) -> Iterator[Made]:
    yield replace(item, passage="", question=""), "", ()


def _stem_turned(item: Single, _pool: ItemPool) -> Iterator[Made]:
    """正确 for 不正确 and the other way round: another letter is wanted."""
    turned = get_language(item.language).turned_stem(item.question)
    if isinstance(item, ChoiceItem) and turned:
        yield replace(item, question=turned, answer=None), "", ()


def _rival_option(item: Single, pool: ItemPool) -> Iterator[Made]:
    """A wrong option replaced by the right one of another question on the passage: only the question tells them apart.

    Not where the stem asks which statement is true or false: there both would be right.
    """
    if (
        not isinstance(item, ChoiceItem)
        or item.answer is None
        or get_language(item.language).stem_polarity(item.question) is not None
    ):
        return
    known = "".join(item.options)
    for other in pool.on_same_passage(item, "rival-option"):
        if (
            not isinstance(other, ChoiceItem)
            or other.answer is None
            or get_language(item.language).stem_polarity(other.question) is not None
        ):
            continue
        rival = other.options[other.answer]
        if len(rival) < 2 or rival in known or any(option in rival for option in item.options):
            continue
        place = pool.random(item, "rival-option").choice([at for at in range(len(item.options)) if at != item.answer])
        options = tuple(rival if at == place else option for at, option in enumerate(item.options))
        yield replace(item, options=options, truths=()), f"rival {place}", ()
        return


def _options_reordered(item: Single, pool: ItemPool) -> Iterator[Made]:
    """The options in another order, none of them in its place."""
    if not isinstance(item, ChoiceItem) or len(item.options) < 2 or item.answer is None:
        return
    step = pool.random(item, "options-reordered").randrange(1, len(item.options))
    order = [(at + step) % len(item.options) for at in range(len(item.options))]
    truths = tuple(item.truths[at] for at in order) if len(item.truths) == len(item.options) else ()
    options = tuple(item.options[at] for at in order)
    yield replace(item, options=options, answer=order.index(item.answer), truths=truths), "", ()


def _evidence_removed(item: Single, _pool: ItemPool) -> Iterator[Made]:
    """The passage without the sentences that share most with each option; not where that is most of it."""
    if not isinstance(item, ChoiceItem):
        return
    known = evidence_sentences(item.passage)
    gone: set[int] = set()
    for option in item.options:
        weights = relevance(option, known)
        gone |= set(sorted(range(len(known)), key=lambda at: -weights[at])[:_PER_OPTION])
    size = sum(one.size for one in known)
    kept = [item.passage[one.start : one.end] for at, one in enumerate(known) if at not in gone]
    if gone and 2 * sum(known[at].size for at in gone) <= size:
        yield replace(item, passage=get_language(item.language).gap.join(kept)), "", ()


def _fresh_options(item: Single, pool: ItemPool) -> Iterator[Made]:
    """New questions on the passage: some that ask for a fact, some that ask for a false statement."""
    if isinstance(item, ChoiceItem):
        yield from islice(_fresh_facts(item, pool), _FRESH)
        yield from islice(_fresh_statements(item, pool), _FRESH)


def _fresh_facts(item: ChoiceItem, pool: ItemPool) -> Iterator[Made]:
    """Fresh questions with the answer and three others of the same type and shape, from the same passage if it can."""
    random = pool.random(item, "fresh-fact")
    for one in pool.in_turn(item, "fresh-fact", clozes(item.passage, get_language(item.language))):
        wrong = list(islice(_alike(one, item, pool, random), _OPTIONS - 1))
        if len(wrong) == _OPTIONS - 1:
            options = [one.answers[0], *wrong]
            random.shuffle(options)
            answer = options.index(one.answers[0])
            yield replace(item, question=one.question, options=tuple(options), answer=answer, truths=()), FACT_ASKED, ()


def _alike(one: Cloze, item: ChoiceItem, pool: ItemPool, random: Random) -> Iterator[str]:
    """Texts that could answer a fresh question, none of which holds another or the answer."""
    found = [one.answers[0]]
    for passage in (item.passage, *(other.passage for other in islice(pool.others(item, "fresh-fact"), _TRIES))):
        texts = sorted({text for text in _texts_of(one.type, passage, item.language) if text not in one.question})
        random.shuffle(texts)
        for text in texts:
            if shape(text) == shape(found[0]) and not any(text in old or old in text for old in found):
                found.append(text)
                yield text


def _texts_of(type: str, passage: str, language: str) -> Iterator[str]:
    """The texts of a type in a passage; of counts only the number, as a fresh question keeps what is counted."""
    for span in get_language(language).typed_spans(passage):
        text = passage[span.start : span.end]
        number = _NUMBER.match(text) if type == "number" else None
        if span.type == type:
            yield number[0] if number else text


def shape(text: str) -> str:
    """How a number or a date is written, so that one can stand for another: 1952年 and 1961年, but not 三月."""
    return (
        re.sub(r"[零〇一二两三四五六七八九十百千万亿]+", "一", re.sub(r"\d+", "0", text))
        if _COUNTS.search(text)
        else ""
    )


def _fresh_statements(item: ChoiceItem, pool: ItemPool) -> Iterator[Made]:
    """Four statements of the passage, a name or a number exchanged in one of them: which does not agree with it?"""
    stems = get_language(item.language).truth_stems
    if stems is None:
        return
    random = pool.random(item, "fresh-statement")
    known = pool.in_turn(item, "fresh-statement", _statements(item))
    if len(known) < _OPTIONS:
        return
    for at, text in enumerate(known):
        false = _exchanged(text, item, pool, random)
        if not false:
            continue
        options = [false, *random.sample(known[:at] + known[at + 1 :], _OPTIONS - 1)]
        random.shuffle(options)
        answer = options.index(false)
        truths = tuple(place != answer for place in range(_OPTIONS))
        yield replace(item, question=stems[1], options=tuple(options), answer=answer, truths=truths), FALSE_ASKED, ()


def _statements(item: ChoiceItem) -> list[str]:
    """What the passage says in pieces that stand by themselves: its sentences; clauses too where these are few."""
    spoken = get_language(item.language)
    low, high = spoken.statement_units
    sentences = dict.fromkeys(item.passage[slice(*one)] for one in spoken.sentences(item.passage))
    pieces = [text for text in sentences if low <= len(spoken.units(text)) <= high and not _ASKS.search(text)]
    if len(pieces) < _OPTIONS:
        clauses = (one.strip() for text in sentences if not _ASKS.search(text) for one in _CLAUSE.split(text))
        pieces = [text for text in dict.fromkeys(clauses) if low <= len(spoken.units(text)) <= high]
    return pieces


def _exchanged(statement: str, item: ChoiceItem, pool: ItemPool, random: Random) -> str:
    """A sentence with one of its names, numbers or times exchanged for one of the same type from another passage."""
    spans = [
        one
        for one in get_language(item.language).typed_spans(statement)
        if one.type != "name" and one.end - one.start > 1
    ]
    random.shuffle(spans)
    for span in spans:
        old = statement[span.start : span.end]
        for other in islice(pool.others(item, "fresh-statement"), _TRIES):
            for one in get_language(item.language).typed_spans(other.passage):
                new = other.passage[one.start : one.end]
                alike = one.type == span.type and shape(new) == shape(old)
                if alike and new not in item.passage and len(new) > 1:
                    return statement[: span.start] + new + statement[span.end :]
    return ""


Make = Callable[[Single, ItemPool], Iterator[Made]]

PROBES: Mapping[PartName, Mapping[str, Make]] = {
    "spans": {
        "no-passage": _no_passage,
        "question-only": _question_only,
        "another-passage": _another_passage,
        "half-passage": _half_passage,
        "another-question": _another_question,
        "neutral-question": _neutral_question,
        "substituted": _substituted,
        "fresh-question": _fresh_question,
        "rotated": _rotated,
        "contrast-question": _contrast_question,
        "shuffled": _shuffled,
    },
    "options": {
        "no-passage": _no_passage,
        "another-passage": _another_passage,
        "options-only": _options_only,
        "neutral-question": _neutral_question,
        "stem-turned": _stem_turned,
        "rival-option": _rival_option,
        "options-reordered": _options_reordered,
        "evidence-removed": _evidence_removed,
        "fresh-options": _fresh_options,
    },
}
# the probes that the baselines answer too, because what they get right by chance is not the same for all data
BESIDE_BASELINES = frozenset({"rival-option", "fresh-options"})
NAMES = tuple(dict.fromkeys(name for part in PROBES.values() for name in part))


def probe(name: str, at: int, item: Single, pool: ItemPool) -> list[Question] | Skipped:
    """The questions of a probe on one item, or why there are none."""
    attack = f"{PROBE}{name}"
    part: PartName = "options" if isinstance(item, ChoiceItem) else "spans"
    if isinstance(item, SpanItem) and (item.impossible or not item.golds):
        return Skipped(at=at, attack=attack, origin=item.id, reason="has no answer that could change")
    questions = []
    for number, (made, strategy, edits) in enumerate(PROBES[part][name](item, pool)):
        id = f"{item.id}-probe-{name}" + (f"-{number}" if number else "")
        named = replace(made, id=id, passage_id="")
        questions.append(Question(at=at, attack=attack, item=named, origin=item.id, strategy=strategy, edits=edits))
    return questions or Skipped(at=at, attack=attack, origin=item.id, reason="cannot be made of this item")


def compared(
    question: Question,
    answer: Answer,
    clean: SpanItem | ChoiceItem,
    before: Answer,
    f1: Callable[[SpanItem, str], float],
    right: Callable[[SpanItem, str], bool],
) -> dict[str, float]:
    """What a probe's answer is measured by beside the score: how it relates to the clean question and its answer."""
    if question.probe == "another-question" and isinstance(clean, SpanItem):
        same = f1(replace(clean, golds=(Gold(before.text),), impossible=False), answer.text) if before.text else 0.0
        return {"same": max(same, f1(clean, answer.text))}
    if question.probe in ("substituted", "contrast-question") and isinstance(clean, SpanItem):
        return {"old": f1(clean, answer.text), "old_right": float(right(clean, answer.text))}
    if question.probe == "stem-turned":
        return {"changed": float(answer.choice is not None and answer.choice != before.choice)}
    if question.probe == "rival-option":
        return {"rival": float(answer.choice == int(question.strategy.rpartition(" ")[2]))}
    if question.probe == "options-reordered":
        new, old = _chosen(question.item, answer), _chosen(clean, before)
        return {"moved": float(new is not None and new == old)}
    return {}


def _chosen(item: Single, answer: Answer) -> str | None:
    return item.options[answer.choice] if isinstance(item, ChoiceItem) and answer.choice is not None else None


def _gold_texts(item: Single) -> list[str]:
    return [] if isinstance(item, ChoiceItem) else [gold.text for gold in item.golds if gold.text]


def _share(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two questions want the same answer, or one a part of the other's."""
    return any(first in second or second in first for first in one for second in other)


def _without_places(item: Single) -> Single:
    """The texts of the golds stay, as they are what is asked for; their places are no longer places."""
    if isinstance(item, ChoiceItem):
        return item
    return replace(item, golds=tuple(replace(gold, start=None) for gold in item.golds))
