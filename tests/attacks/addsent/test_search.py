"""The searching form: of several sentences, the one that hurts the reader most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from readproof.attacks import SearchAttack
from readproof.attacks.addsent import AddSent
from readproof.items import Answer, Gold, Item, SpanItem
from readproof.readers.api import SPANS

PASSAGE = "张建国于1956年出生在湖南省长沙市。他的父亲张明德是一位教师。"
ITEMS = [
    SpanItem(id="a", passage=PASSAGE, question="张建国出生在哪里？", golds=(Gold("湖南省长沙市", 12),)),
    SpanItem(id="b", passage=PASSAGE, question="？？", golds=()),
    SpanItem(id="c", passage=PASSAGE, question="张建国的父亲是谁？", golds=(Gold("张明德", 23),)),
]
GOLDS = {item.question: item.golds[0].text for item in ITEMS if item.golds}


@dataclass
class LastSentence:
    """A reader that is fooled by every added sentence, and by the longest most."""

    name: str = "last"
    fingerprint: str = "last"
    capabilities: frozenset[str] = frozenset({SPANS})
    asked: list[str] = field(default_factory=list)

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        answers = []
        for item in items:
            assert isinstance(item, SpanItem)
            self.asked.append(item.id)
            gold = GOLDS[item.question]
            text = gold if item.passage == PASSAGE else gold[:2] if len(item.passage) % 2 else "错"
            answers.append(Answer(id=item.id, text=text))
        return answers


def test_the_worst_variant_is_found() -> None:
    reader = LastSentence()
    attack = AddSent(worst_of=4)
    assert isinstance(attack, SearchAttack)
    first, empty, last = attack.search(ITEMS, reader, seed=1)
    assert empty.made.skipped == "no question phrase" and empty.queries == 0
    for found, item in ((first, ITEMS[0]), (last, ITEMS[2])):
        assert found.clean == 1.0 and found.queries == 5 and found.before is not None and found.after is not None
        assert found.attacked <= min(1.0, found.clean) and len(found.made.variants) == 1
        assert found.made.variants[0].origin == item.id
        assert found.after.text == "错" or all(
            len(variant.item.passage) % 2 for variant in attack.make(item, seed=1, count=4).variants
        )
    assert reader.asked[0] == "a" and reader.asked.count("a") == 1


def test_a_budget_caps_the_queries() -> None:
    reader = LastSentence()
    found = list(AddSent(worst_of=9).search(ITEMS, reader, seed=1, budget=3))
    assert [one.queries for one in found] == [3, 0, 3]


def test_a_budget_of_one_leaves_no_variant() -> None:
    (found,) = AddSent().search(ITEMS[:1], LastSentence(), budget=1)
    assert not found.made.variants and found.made.skipped


@pytest.mark.parametrize("seed", [1, 2])
def test_searching_twice_finds_the_same(seed: int) -> None:
    one, other = (list(AddSent().search(ITEMS, LastSentence(), seed=seed)) for _ in range(2))
    assert one == other
