"""The slots of AddSent, each filled with a small function of a user's own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from readproof.attacks.addsent import AddSent
from readproof.attacks.addsent.rules import MASK
from readproof.items import Gold, Mark, SpanItem
from readproof.lang.api import Word

PASSAGE = "海蟑螂常见于岩岸。渔民认为它的外壳很硬，最怕干燥的天气。"
ITEM = SpanItem(id="slot", passage=PASSAGE, question="渔民最怕什么天气？", golds=(Gold("干燥的天气", 21),))


def test_an_entity_tagger_says_what_is_a_name() -> None:
    def tagged(text: str) -> Sequence[Mark]:
        found = re.search("渔民", text)
        return [Mark(found.start(), found.end(), "person")] if found else []

    variant = AddSent(entity_tagger=tagged).make(ITEM).variants[0]
    assert variant.strategy == "person" and "渔民" not in variant.edits[0].new


def test_a_language_model_refills_one_of_its_top_five() -> None:
    asked: list[str] = []

    def refill(text: str) -> Sequence[str]:
        asked.append(text)
        return ["渔民", "水手", "牧民", "商人", "工匠", "猎户", "从不选到"]

    def tagged(text: str) -> Sequence[Word]:
        return [Word(0, 2, text[:2], "n"), Word(2, len(text), text[2:], "v")]

    made = AddSent(refill=refill, word_tagger=tagged, entity_tagger=lambda _text: []).make(ITEM, count=4)
    news = [variant.edits[0].new for variant in made.variants if variant.strategy == "refilled"]
    assert asked == [f"{MASK}最怕什么天气？"]
    assert len(news) >= 2 and all(re.match("水手|牧民|商人|工匠|猎户", new) for new in news)


def test_a_model_makes_the_statement() -> None:
    def stated(question: str, answer: str) -> str:
        return "据说" + question.replace("什么天气？", f"{answer}。")

    new = AddSent(statement=stated).make(ITEM).variants[0].edits[0].new
    assert new.startswith("据说") and "什么" not in new


def test_a_model_that_cannot_is_counted() -> None:
    made = AddSent(statement=lambda _question, _answer: "").make(ITEM)
    assert made.skipped == "rejected: no statement"
