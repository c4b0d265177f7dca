"""Half a character, as broken software leaves it, in an id, a question, a passage and an option: attacks still work."""

from __future__ import annotations

import pytest

from readproof.attacks import ATTACKS
from readproof.attacks.base import Attack, random_for
from readproof.attacks.known import make_attack
from readproof.items import ChoiceItem, Gold, SpanItem
from readproof.lang.zh.words import words
from readproof.proof.records import type_of
from readproof.readers.llm.reader import orders

HALF = "\ud800"


def span(language: str, passage: str, question: str, gold: str) -> SpanItem:
    golds = (Gold(gold, passage.find(gold)),)
    return SpanItem(id=f"1{HALF}", passage=passage, question=question, golds=golds, language=language)


SPANS = (
    span("zh", f"{HALF}《战国无双3》是由光荣和ω-force于2010年开发的。因为没有资金，所以{HALF}公司停产。",
         f"《战国{HALF}无双3》是由哪两个公司开发的？", "光荣和ω-force"),
    span("fa", f"تهران{HALF} پایتخت ایران است و در سال ۱۳۹۵ جمعیت آن ۹ میلیون نفر بود.",
         f"جمعیت تهران{HALF} در سال ۱۳۹۵ چند نفر بود؟", "۹ میلیون"),
    span("en", f"Tehran{HALF} is the capital of Iran. In 2016 its population was 9 million, said John Smith.",
         f"What{HALF} was the population of Tehran in 2016?", "9 million"),
)  # fmt: skip
OPTIONS = ChoiceItem(
    id=f"2{HALF}",
    passage=f"1975年{HALF}越南统一。因为没有资金，公司停产。",
    question=f"下列{HALF}说法不正确的一项是",
    options=(f"因为没有资金，所以公司停产{HALF}。", f"越南于1975年统一{HALF}。", f"公司全部停产{HALF}。", HALF),
    answer=2,
)


NEED_MORE = ("addany", "hotflip", "backtranslate")


@pytest.mark.parametrize("name", [name for name in ATTACKS.names() if name not in NEED_MORE])
def test_every_attack_that_needs_no_reader(name: str) -> None:
    attack = make_attack(name, {})
    assert isinstance(attack, Attack)
    for item in (*SPANS, OPTIONS):
        if ("span" if isinstance(item, SpanItem) else "choice") in attack.about.kinds:
            made = attack.make(item, count=2)
            assert made.variants or made.skipped


def test_words_keep_the_text_as_it_is() -> None:
    text = SPANS[0].question
    assert "".join(word.text for word in words(text)) == text


def test_types_of_questions() -> None:
    assert [type_of(item) for item in (*SPANS, OPTIONS)] == ["organisation", "number", "thing", "wrong"]


def test_chance_is_the_same_as_ever() -> None:
    assert random_for(0, "typo", "DEV_0").random() == 0.8840010480237653
    assert random_for(0, "typo", HALF).random() != random_for(1, "typo", HALF).random()


def test_options_are_shuffled() -> None:
    assert orders(OPTIONS, 3, 0)
