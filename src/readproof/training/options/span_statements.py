"""Span questions as statements: the question with its own answer is true, with another question's answer it is not.

Half of the questions become statements by the rules of `lang/zh/statements`, the others are asked and answered, as C3's
are. Another answer is one that the same passage gives to another question, of the same type where there is one, so that
it cannot be told by its words alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from random import Random

from readproof.items import SpanItem
from readproof.lang.zh.questions import phrases
from readproof.lang.zh.statements import is_clause, statement_edits
from readproof.text import applied
from readproof.training.options.records import Group

_LONGEST = 40
_OTHERS = 3


def told(items: Iterable[SpanItem], name: str) -> Iterator[Group]:
    """A group for each question whose passage answers other questions too."""
    passages: defaultdict[str, list[SpanItem]] = defaultdict(list)
    for item in items:
        if item.golds and item.golds[0].start is not None and len(item.golds[0].text) <= _LONGEST:
            passages[item.passage].append(item)
    for same in passages.values():
        for item in same:
            group = _group(item, same, name)
            if group is not None:
                yield group


def _group(item: SpanItem, same: list[SpanItem], name: str) -> Group | None:
    random = Random(f"told|{name}|{item.id}")
    gold = item.golds[0]
    others = _others(item, same, random)
    if not others or gold.start is None:
        return None
    said = None
    if random.random() < 0.6:
        said = _said(item.question, [gold.text, *others])
    statements = said or [f"{item.question} {answer}" for answer in (gold.text, *others)]
    order = list(range(len(statements)))
    random.shuffle(order)
    return Group(
        id=f"{name}-{item.id}",
        passage=item.passage,
        statements=tuple(statements[at] for at in order),
        labels=tuple(int(at == 0) for at in order),
        kind="one",
        place=(gold.start, gold.start + len(gold.text)),
    )


def _others(item: SpanItem, same: list[SpanItem], random: Random) -> list[str]:
    """Answers to other questions that are no answer to this one."""
    own = [gold.text for gold in item.golds]
    wanted = _type(item.question)
    found: dict[str, bool] = {}
    for other in same:
        text = other.golds[0].text
        if any(_share(text, one) for one in own) or text in item.question:
            continue
        found[text] = _type(other.question) == wanted
    alike = sorted(text for text, like in found.items() if like)
    unlike = sorted(text for text, like in found.items() if not like)
    random.shuffle(alike)
    random.shuffle(unlike)
    return [*alike, *unlike][:_OTHERS]


def _type(question: str) -> str:
    found = phrases(question)
    return found[0].type if found else ""


def _share(one: str, other: str) -> bool:
    return one in other or other in one or len(set(one) & set(other)) > 0.6 * min(len(set(one)), len(set(other)))


def _said(question: str, answers: list[str]) -> list[str] | None:
    """The question with each answer as a statement; None where one of them cannot be."""
    out = []
    for answer in answers:
        edits = None if is_clause(answer) else statement_edits(question, answer)
        if not edits:
            return None
        out.append(f"{applied(question, edits).clean.rstrip('，,。')}。")
    return out


def yes_no(items: Iterable[SpanItem], name: str) -> Iterator[Group]:
    """Questions answered by yes or no: each is a statement that is true or not."""
    for item in items:
        answer = item.golds[0].text.upper() if item.golds else ""
        if answer in ("YES", "NO", "是", "否"):
            label = int(answer in ("YES", "是"))
            yield Group(id=f"{name}-{item.id}", passage=item.passage, statements=(item.question,), labels=(label,))
