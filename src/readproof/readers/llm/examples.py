"""Answered questions of the user's that are shown to the model before its own."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from readproof.errors import InputError
from readproof.files import digest
from readproof.items import ChoiceItem, Item, SpanItem, letter
from readproof.readers.base import questions_of
from readproof.readers.llm.templates import Words, filled
from readproof.tasks import find


@dataclass(frozen=True, slots=True)
class Examples:
    """Questions with their gold answers, and the file they came from."""

    choices: tuple[ChoiceItem, ...] = ()
    spans: tuple[SpanItem, ...] = ()
    shots: int = 0
    digest: str = ""

    def turns(self, item: ChoiceItem | SpanItem, words: Words, no_answer: str) -> list[tuple[str, str]]:
        """The examples for an item; never one on the item's own passage, which might give its answer away."""
        given = self.choices if isinstance(item, ChoiceItem) else self.spans
        chosen = islice((one for one in given if one.passage != item.passage), self.shots)
        return [(filled(words.user, one, no_answer), _answer(one)) for one in chosen]


def load_examples(data: str, shots: int) -> Examples:
    """The first answered questions of a data file, a few more than are shown."""
    task, path = find(data)
    choices: list[ChoiceItem] = []
    spans: list[SpanItem] = []
    for item in task.load(path):
        for question in questions_of(item):
            _take(question, choices, spans)
        if max(len(choices), len(spans)) >= 16 * shots:
            break
    if not choices and not spans:
        raise InputError(file=path, found="no answered question", expected="examples with gold answers")
    return Examples(tuple(choices), tuple(spans), shots, digest(path))


def _take(question: Item, choices: list[ChoiceItem], spans: list[SpanItem]) -> None:
    if isinstance(question, ChoiceItem) and question.answer is not None:
        choices.append(question)
    elif isinstance(question, SpanItem) and question.golds:
        spans.append(question)


def _answer(item: ChoiceItem | SpanItem) -> str:
    if isinstance(item, ChoiceItem):
        return letter(item.answer or 0)
    return item.golds[0].text
