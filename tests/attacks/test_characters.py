"""Character attacks: what a person sees stays the same (or nearly so), golds follow, the same seed gives the same."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

import pytest
from bidi import get_display

from readproof.attacks import ATTACKS, make_attack
from readproof.attacks.characters import undone
from readproof.attacks.edits import golds_stand
from readproof.attacks.homoglyph import doubles
from readproof.items import ChoiceItem, Gold, Item, SpanItem, Variant
from readproof.text import sanitised

NAMES = ("invisible", "homoglyph", "reorder", "script", "typo")
CHINESE = SpanItem(
    id="z",
    passage="《战国无双3》是由光荣和ω-force开发的战国无双系列的正统第三续作。本作以三大故事为主轴，丰富游戏内的剧情。",
    question="《战国无双3》是由哪两个公司合作开发的？",
    golds=(Gold("光荣和ω-force", 9),),
)
PERSIAN = SpanItem(
    id="f",
    passage="علی در تهران به دنیا آمد و در دانشگاه شیراز درس خواند. او پس از آن به کرج رفت.",
    question="علی در کجا به دنیا آمد؟",
    golds=(Gold("تهران", 7),),
    language="fa",
)
ENGLISH = SpanItem(
    id="e",
    passage="Ada Lovelace was born in London in 1815. She wrote the first program for a machine.",
    question="Where was Ada Lovelace born?",
    golds=(Gold("London", 25),),
    language="en",
)
CONTROLS = re.compile("[\u202a-\u202e\u2066-\u2069]")


def made(name: str, item: Item, seed: int = 0, count: int = 1, **options: str) -> tuple[Variant, ...]:
    attack = make_attack(name, options)
    return attack.make(item, seed=seed, count=count).variants  # type: ignore[union-attr]


def new_item(name: str, item: Item, seed: int = 0, **options: str) -> SpanItem:
    found = made(name, item, seed, **options)[0].item
    assert isinstance(found, SpanItem)
    return found


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("item", [CHINESE, PERSIAN, ENGLISH], ids=["zh", "fa", "en"])
def test_golds_follow_and_the_seed_decides(name: str, item: SpanItem) -> None:
    if item.language not in ATTACKS.get(name).about.languages:
        assert make_attack(name).make(item).skipped == f"not for {item.language}"  # type: ignore[union-attr]
        return
    new = new_item(name, item, seed=1)
    assert golds_stand(new)
    assert new.passage != item.passage
    assert made(name, item, seed=1) == made(name, item, seed=1)
    if name != "script" and (name, item.language) not in (("invisible", "fa"), ("invisible", "en")):
        assert made(name, item, seed=1) != made(name, item, seed=2)


@pytest.mark.parametrize("name", ["invisible", "homoglyph", "reorder", "typo"])
def test_several_variants_differ(name: str) -> None:
    found = made(name, CHINESE, count=4)
    assert len({variant.item.passage for variant in found}) == 4  # type: ignore[union-attr]
    assert [variant.item.id for variant in found] == [f"z-{name}-{number}" for number in range(4)]


def test_invisible_before_spaces_is_the_studys_code() -> None:
    new = new_item("invisible", PERSIAN, mode="before")
    assert new.passage == PERSIAN.passage.replace(" ", "\u200e ")
    assert undone(new, PERSIAN)


def test_invisible_in_place_of_spaces_is_the_studys_text() -> None:
    new = new_item("invisible", PERSIAN, mode="replace")
    assert new.passage == PERSIAN.passage.replace(" ", "\u200e")
    assert new.golds[0].text == "تهران"


def test_joiners_are_not_invisible_in_persian() -> None:
    for seed in range(20):
        new = new_item("invisible", PERSIAN, seed=seed, mode="anywhere")
        assert new.passage.count("\u200c") == PERSIAN.passage.count("\u200c") and "\u200d" not in new.passage
        assert len(new.passage) > len(PERSIAN.passage)


def test_invisible_anywhere_in_chinese_is_undone() -> None:
    item = replace(CHINESE, passage=CHINESE.passage.replace("ω-force", "欧米茄"), golds=(Gold("光荣和欧米茄", 9),))
    for seed in range(10):
        new = new_item("invisible", item, seed=seed)
        assert undone(new, item)
        assert sanitised(new.golds[0].text).clean == "光荣和欧米茄"


def test_a_budget_of_insertions() -> None:
    assert len(made("invisible", CHINESE, budget="3")[0].edits) == 3
    assert len(made("typo", CHINESE, budget="2")[0].edits) == 2


@pytest.mark.parametrize("item", [CHINESE, PERSIAN, ENGLISH], ids=["zh", "fa", "en"])
def test_reordered_text_looks_as_before(item: SpanItem) -> None:
    base = "R" if item.language == "fa" else "L"
    for seed in range(20):
        new = new_item("reorder", item, seed=seed)
        assert CONTROLS.sub("", get_display(new.passage, base_dir=base)) == get_display(item.passage, base_dir=base)
        assert CONTROLS.sub("", new.passage) != item.passage


def test_script_goes_there_and_back() -> None:
    there = new_item("script", CHINESE)
    assert "戰國無雙" in there.passage
    assert new_item("script", there).passage == CHINESE.passage
    assert "ي" in new_item("script", PERSIAN).passage


def test_answers_are_left_alone_where_they_would_become_others() -> None:
    for name in ("homoglyph", "reorder", "typo"):
        for seed in range(20):
            assert new_item(name, CHINESE, seed=seed).golds[0].text == "光荣和ω-force"


def test_the_question_can_be_attacked_too() -> None:
    new = new_item("typo", CHINESE, where="question")
    assert (new.passage, new.golds) == (CHINESE.passage, CHINESE.golds)
    assert new.question != CHINESE.question
    assert {edit.where for edit in made("typo", CHINESE, where="both")[0].edits} == {"passage", "question"}


def test_doubles_are_other_characters() -> None:
    for letter, others in doubles().items():
        assert letter not in others
        assert all(unicodedata.category(other)[0] in "LNS" for other in others), letter


def test_odd_items_are_skipped_with_a_reason() -> None:
    choice = ChoiceItem(id="c", passage="甲", question="？", options=("乙", "丙"))
    empty = SpanItem(id="x", passage="", question="")
    for name in NAMES:
        attack = make_attack(name)
        assert attack.make(choice).skipped  # type: ignore[union-attr]
        assert attack.make(empty).skipped  # type: ignore[union-attr]
