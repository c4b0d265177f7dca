"""Every fault in the texts of a fresh suite that a program can see, with file and place; and what they add up to.

python -m tools.fresh.check tools/fresh/texts/zh/suite
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from pathlib import Path

from tools.fresh.texts import GENRES, STRATEGIES, ChoiceText, FreshText, SpanText, files_in, insertion, read

from readproof.lang.api import get_language

# characters of a passage
LENGTHS = {"zh": (300, 1200), "fa": (500, 2200), "en": (500, 2200)}
CLASSICAL = (150, 500)
OPTION_LENGTHS = (12, 80)
# above this share of equal runs two texts are the same with a word swapped
ALIKE = 0.85
# so many characters in a row in two texts were copied
COPIED = {"zh": 16, "fa": 50, "en": 50}


def faults_of(text: FreshText, file: str) -> Iterator[str]:
    if text.id != file or text.genre not in GENRES:
        yield f"id {text.id!r} in {file}.yaml, genre {text.genre!r}"
    low, high = CLASSICAL if text.genre == "classical" else LENGTHS[text.language]
    if not low <= len(text.passage) <= high:
        yield f"passage: {len(text.passage)} characters, expected {low} to {high}"
    for number, question in enumerate(text.questions, 1):
        yield from (f"question {number}: {one}" for one in _span_faults(text, question))
    for number, choice in enumerate(text.choices, 1):
        yield from (f"options {number}: {one}" for one in _choice_faults(text, choice))
    asked = Counter(question.question for question in text.questions)
    yield from (f"question {one!r} stands twice" for one, count in asked.items() if count > 1)


def _span_faults(text: FreshText, question: SpanText) -> Iterator[str]:
    passage = text.passage
    for name in ("question", "paraphrase", "distractor", "distractor2"):
        if not getattr(question, name):
            yield f"{name} is empty"
    if _alike(question.question, question.paraphrase) > ALIKE:
        yield "paraphrase: hardly other words"
    if question.answer:
        for answer in (question.answer, *question.also):
            if answer not in passage:
                yield f"answer {answer!r} does not stand in the passage"
        if passage.count(question.answer) > 1 and not question.context:
            yield f"answer {question.answer!r} stands {passage.count(question.answer)} times: give context"
        if question.context and (passage.count(question.context) != 1 or question.answer not in question.context):
            yield f"context {question.context!r}: not once in the passage, or without the answer"
        if question.answer in question.question:
            yield "the question holds its answer"
        if question.sentences not in (1, 2):
            yield f"sentences: {question.sentences}"
    for name in ("distractor", "distractor2"):
        added = getattr(question, name)
        if question.answer and question.answer in added:
            yield f"{name} holds the answer {question.answer!r}"
        if added and added in passage:
            yield f"{name} stands in the passage already"
        try:
            insertion(text, question, added)
        except ValueError as error:
            yield f"distractor_after: {error}"
    count = len(get_language(text.language).sentences(question.distractor2))
    if question.distractor2 and count != 2:
        yield f"distractor2 has {count} sentences"
    if question.substitute is not None:
        yield from _substitute_faults(passage, question)


def _substitute_faults(passage: str, question: SpanText) -> Iterator[str]:
    substitute = question.substitute
    if substitute is None:
        return
    text = passage
    for old, new in substitute.edits:
        if old not in text:
            yield f"substitute: {old!r} does not stand in the passage"
        text = text.replace(old, new)
    if substitute.answer not in text:
        yield f"substitute: {substitute.answer!r} does not stand in the passage it makes"
    if substitute.answer in passage:
        yield f"substitute: {substitute.answer!r} stands in the passage already"
    if question.answer and question.answer in text:
        yield f"substitute: the old answer {question.answer!r} still stands there"


def _choice_faults(text: FreshText, choice: ChoiceText) -> Iterator[str]:
    if len(choice.options) != 4:
        yield f"{len(choice.options)} options"
    fitting = sum(one.truth is choice.asks for one in choice.options)
    if fitting != 1:
        yield f"{fitting} options fit the stem"
    asked = get_language(text.language).stem_polarity(choice.stem)
    if asked is None:
        yield f"stem {choice.stem!r}: it is not clear to readproof which option it asks for"
    elif asked is not choice.asks:
        yield f"stem {choice.stem!r} asks for the {'true' if asked else 'false'} option"
    for letter, option in zip("ABCD", choice.options, strict=False):
        if option.strategy not in STRATEGIES:
            yield f"{letter}: strategy {option.strategy!r}"
        for piece in option.evidence:
            if piece not in text.passage:
                yield f"{letter}: evidence {piece!r} does not stand in the passage"
        if not option.evidence:
            yield f"{letter}: no evidence"
        for name in ("text", "positive", "negative"):
            length = len(getattr(option, name))
            if not OPTION_LENGTHS[0] <= length <= OPTION_LENGTHS[1]:
                yield f"{letter}: {name} has {length} characters"
        if _alike(option.text, option.positive) > ALIKE:
            yield f"{letter}: positive is hardly said otherwise"
        if option.text == option.negative or _alike(option.text, option.negative) < 0.4:
            yield f"{letter}: negative should be nearly the same words"


def _alike(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def copies(texts: Iterable[FreshText]) -> Iterator[str]:
    """Long runs of characters that stand in two passages."""
    seen: dict[str, str] = {}
    for text in texts:
        size = COPIED[text.language]
        for at in range(len(text.passage) - size + 1):
            run = text.passage[at : at + size]
            if seen.setdefault(run, text.id) != text.id:
                yield f"{text.id}: {run!r} stands in {seen[run]} too"
                break


def summary(texts: list[FreshText]) -> str:
    questions = [one for text in texts for one in text.questions]
    options = [one for text in texts for choice in text.choices for one in choice.options]
    share = Counter(one.strategy for one in options)
    genres = Counter(text.genre for text in texts)
    choices = sum(len(text.choices) for text in texts)
    lines = [
        f"{len(texts)} passages: {', '.join(f'{name} {count}' for name, count in genres.items())}",
        f"{len(questions)} span questions: {sum(one.sentences == 2 for one in questions)} need two sentences, "
        f"{sum(not one.answer for one in questions)} have no answer, "
        f"{sum(one.substitute is not None for one in questions)} have a substitute, "
        f"{sum(bool(one.distractor_after) for one in questions)} have their distractor inside",
        f"{choices} questions with options: {sum(choice.asks for text in texts for choice in text.choices)} "
        f"ask for the true one; of {len(options)} options {sum(one.truth for one in options)} are true; "
        + ", ".join(f"{name} {share[name]}" for name in STRATEGIES),
    ]
    for word in ("都", "所有", "一定", "必须", "只", "唯一", "完全", "全部", "可能", "部分"):
        true = sum(word in one.text for one in options if one.truth)
        false = sum(word in one.text for one in options if not one.truth)
        if abs(true - false) >= 5:
            lines.append(f"  {word} stands in {true} true and {false} false options")
    for truth in (True, False):
        lengths = [len(one.text) for one in options if one.truth is truth]
        if lengths:
            lines.append(f"  {'true' if truth else 'false'} options: {sum(lengths) / len(lengths):.1f} characters")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    given = parser.parse_args()
    texts, count = [], 0
    for path in (one for folder in given.folders for one in (files_in(folder) if folder.is_dir() else [folder])):
        try:
            text = read(path)
        except (ValueError, KeyError, TypeError) as error:
            print(f"{path.name}: {error}")
            count += 1
            continue
        texts.append(text)
        for fault in faults_of(text, path.stem):
            print(f"{path.name}: {fault}")
            count += 1
    for fault in copies(texts):
        print(fault)
        count += 1
    print(summary(texts))
    print(f"{count} faults")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
