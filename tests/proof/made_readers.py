"""Readers made for the tests: each has one habit that a verdict must find out. All know the sample.

`perfect` does what a perfect reader would do with the sample and with whatever a probe makes of it: it finds an answer
by the words around it, not by its own, so that it follows the passage; and it answers a fresh question by the sentence
that the question was made of.
"""

from __future__ import annotations

import re
import time
from functools import lru_cache

from readproof.items import ChoiceItem, Item, SpanItem, Triple
from readproof.lang.api import get_language
from readproof.lang.zh.stems import flip_stem, polarity
from readproof.proof.plan import sample_path
from readproof.tasks import load

_SENTENCE = re.compile("[^。！？!?]+[。！？!?]?")
_BLANK = re.compile("《什么》|哪一年|什么时候|多少|哪里|谁")
_AROUND = 6


SAMPLE = f"items:{sample_path('zh')}"


@lru_cache(maxsize=1)
def sample() -> tuple[Item, ...]:
    return tuple(load(SAMPLE))


@lru_cache(maxsize=1)
def _spans() -> dict[str, SpanItem]:
    return {item.question: item for item in sample() if isinstance(item, SpanItem)}


@lru_cache(maxsize=1)
def _choices() -> dict[tuple[str, frozenset[str]], ChoiceItem]:
    """The questions with options of the sample, by stem and options in any order."""
    every = [one for item in sample() if isinstance(item, Triple) for one in item.questions]
    return {(one.question, frozenset(one.options)): one for one in every}


def perfect(passage: str, question: str, options: list[str] | None = None) -> str | int:
    """Right wherever the passage says the answer; of options wherever their evidence is in it."""
    if options is not None:
        return _choice(passage, question, options)
    known = _spans().get(question)
    return cloze(passage, question) if known is None else found_in(known, passage)


def found_in(item: SpanItem, passage: str) -> str:
    """The answer to an item in a passage that may have been changed: its own, or what stands in its place."""
    gold = item.golds[0]
    if gold.text in passage or gold.start is None:
        return gold.text if gold.text in passage else ""
    before = item.passage[max(0, gold.start - _AROUND) : gold.start]
    after = item.passage[gold.start + len(gold.text) :][:_AROUND]
    return _between(passage, before, after)


def _between(passage: str, before: str, after: str) -> str:
    """What stands between two texts, where both are there."""
    start = passage.find(before) + len(before) if before and before in passage else -1
    end = passage.find(after, start) if after else len(passage)
    return passage[start:end] if 0 <= start < end else ""


def cloze(passage: str, question: str) -> str:
    """What stands in the place of the question word, in the sentence that the rest of the question is of."""
    blank = _BLANK.search(question)
    if blank is None:
        return ""
    before, after = question[: blank.start()], question[blank.end() :].rstrip("？")
    if blank[0] == "《什么》":
        before, after = f"{before}《", f"》{after}"
    for start, end in get_language("zh").sentences(passage):
        sentence = passage[start:end]
        if before in sentence and after in sentence:
            first = sentence.find(before) + len(before)
            last = sentence.find(after, first) if after else len(sentence)
            if first < last:
                return sentence[first:last].strip("。，；")
    return ""


def _choice(passage: str, question: str, options: list[str]) -> int:
    known = _choices().get((question, frozenset(options)))
    turned = _choices().get((flip_stem(question) or "", frozenset(options)))
    found = known or turned
    if found is None and polarity(question) is None:  # a fresh question
        text = cloze(passage, question)
        return options.index(text) if text in options else 0
    if found is None:  # sentences of the passage, or not
        held = [option in passage for option in options]
        wanted = polarity(question) is not False
        return held.index(wanted) if wanted in held and len(set(held)) > 1 else 0
    if not _speaks_of(found, passage):
        return 0
    assert found.answer is not None
    right = options.index(found.options[found.answer])
    return right if known else (right + 1) % len(options)


def _speaks_of(item: ChoiceItem, passage: str) -> bool:
    """Whether the passage still has the sentences that share most with the options."""
    pairs = {option[at : at + 2] for option in item.options for at in range(len(option) - 1)}
    known = [item.passage[slice(*one)] for one in get_language("zh").sentences(item.passage)]
    best = sorted(known, key=lambda text: -sum(pair in text for pair in pairs))[:2]
    return all(sentence in passage for sentence in best)


def slow(passage: str, question: str, options: list[str] | None = None) -> str | int:
    """The perfect one, but it takes its time, so that a kill finds it at work."""
    time.sleep(0.004)
    return perfect(passage, question, options)


def ignores(passage: str, question: str, options: list[str] | None = None) -> str | int:
    """Gives what it learnt by heart, whatever the passage."""
    if options is not None:
        texts = {text: at for at, text in enumerate(options)}
        right = {one.options[one.answer or 0] for one in _choices().values() if set(one.options) == set(options)}
        return next((texts[text] for text in right if text in texts), 0)
    known = _spans().get(question)
    return known.golds[0].text if known else ""


def careful(passage: str, question: str) -> str:
    """The same, but only where the passage holds it: nothing is lost by asking without the passage."""
    answer = str(ignores(passage, question))
    return answer if answer in passage else ""


def last_sentence(passage: str, question: str) -> str:
    """Right, unless the last sentence has pairs of characters of the question: most of them, or any where a sentence
    was added. Then it says that sentence."""
    pieces = _SENTENCE.findall(passage)
    pairs = {question[at : at + 2] for at in range(len(question) - 1)}
    shared = sum(pair in pieces[-1] for pair in pairs) if pieces else 0
    known = _spans().get(question)
    if known and pairs:
        added = len(pieces) > len(_SENTENCE.findall(known.passage))
        if shared > (0 if added else len(pairs) / 2):
            return pieces[-1]
    return str(perfect(passage, question))


def stumbles(passage: str, question: str) -> str:
    """Cannot read nothing."""
    if not passage:
        raise ZeroDivisionError("no passage to divide")
    return str(perfect(passage, question))
