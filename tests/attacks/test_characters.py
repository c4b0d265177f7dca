"""Character attacks: what a person sees stays the same (or nearly so), golds follow, the same seed gives the same."""

from __future__ import annotations

import json
import lzma
import re
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from bidi import get_display

from readproof.attacks import ATTACKS, make_attack
from readproof.attacks.characters import alike, doubles, undone
from readproof.attacks.edits import golds_stand
from readproof.items import ChoiceItem, Gold, Item, SpanItem, Variant
from readproof.lang.forms import shown
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


# what Unicode says of the joining of the letters that PQuAD's passages hold (ArabicShaping.txt), written out here once
# more so that the test does not trust the code it tests
RIGHT = "آأؤإاةدذرزژوۀەڕۆ"
DUAL = "ئبتثجحخسشصضطظعغفقكلمنهىيپچکگیھہێڵـ"
PASSAGES = Path(__file__).parents[3] / "shared" / "data" / "pquad" / "Validation.json.xz"


def shape(text: str, at: int) -> tuple[bool, bool]:
    """Whether a letter is joined to the one before it, and to the one after."""
    bare = [place for place, sign in enumerate(text) if unicodedata.category(sign) not in ("Mn", "Me")]
    here = bare.index(at)
    before = text[bare[here - 1]] if here else " "
    after = text[bare[here + 1]] if here + 1 < len(bare) else " "
    joins = RIGHT + DUAL
    return (text[at] in joins and before in DUAL, text[at] in DUAL and after in joins)


def looks(sign: str, joined: tuple[bool, bool]) -> str:
    """A name for what is seen: two letters that look the same there have one name."""
    before, after = joined
    if sign in "ىیي":
        return f"{'dotted' if after or sign == 'ي' else 'plain'} ye" if sign != "ى" else "plain ye"
    if sign in "کك":
        return "kaf" if after else f"{sign} at an end"
    if sign in "هە":
        return "he" if not after else f"{sign} before a letter"
    return unicodedata.normalize("NFKC", sign) if not before else f"{sign} after a letter"


def test_persian_letters_keep_their_shape_and_their_neighbours_theirs() -> None:
    if not PASSAGES.exists():
        pytest.skip(f"{PASSAGES} is not here")
    with lzma.open(PASSAGES, "rt", encoding="utf-8") as file:
        articles = json.load(file)["data"]
    passages = [paragraph["context"] for article in articles for paragraph in article["paragraphs"]]
    changes = 0
    for number, passage in enumerate(passages):
        item = SpanItem(id=str(number), passage=passage, question="چه؟", language="fa")
        for found in made("homoglyph", item):
            assert isinstance(found.item, SpanItem)
            new = found.item.passage
            assert len(new) == len(passage)
            for edit in found.edits:
                changes += 1
                if edit.old not in RIGHT + DUAL:
                    continue
                near = passage[max(0, edit.start - 4) : edit.start + 5]
                start = max(0, edit.start - 12)
                old_text, new_text = passage[start : edit.end + 12], new[start : edit.end + 12]
                at = edit.start - start
                before, after = shape(old_text, at), shape(new_text, at)
                assert looks(edit.old, before) == looks(edit.new, after), (edit, near)
                assert before == after, (edit, near)
                for place in (at - 1, at + 1):
                    letter = 0 <= place < len(old_text) and old_text[place] in RIGHT + DUAL
                    assert not letter or shape(old_text, place) == shape(new_text, place), (edit, near)
    assert changes > 10 * len(passages)


@pytest.mark.parametrize(
    ("word", "at", "expected"),
    [
        ("اصفهان", 0, "ﺍ"),
        ("اصفهان", 3, ""),
        ("اصفهان", 4, ""),
        ("قهرمانی", 4, ""),
        ("قهرمانی", 6, "ى"),
        ("تیم", 1, "ي"),
        ("می‌شود", 1, "ى"),
        ("خانه", 3, "ە"),
        ("خانه‌ها", 3, "ە"),
        ("خانهٔ", 3, ""),
        ("الله", 3, ""),
        ("الله", 0, ""),
        ("کار", 0, "ك"),
        ("خاک", 2, ""),
        ("کار", 2, "ﺭ"),
        ("در", 1, "ﺭ"),
        ("بر", 1, ""),
        ("بَر", 2, ""),
        ("سال ۱۹", 4, "١"),
        ("UTC ۱۹", 4, ""),
    ],
)
def test_doubles_of_arabic_letters_hang_on_the_place(word: str, at: int, expected: str) -> None:
    assert alike(word, at) == expected


def test_persian_homoglyphs_are_undone() -> None:
    for seed in range(20):
        new = new_item("homoglyph", PERSIAN, seed=seed).passage
        assert new != PERSIAN.passage
        assert shown(new).text.clean == shown(PERSIAN.passage).text.clean


def test_persian_homoglyphs_run_the_same_way() -> None:
    item = replace(PERSIAN, passage="ساعت UTC ۱۷:۲۹ در تهران، سال ۱۹۸۹-۱۹۹۰. او پس از آن به کرج رفت.", golds=())
    seen = get_display(item.passage, base_dir="R")
    back = {ord(double): letter for letter, others in doubles().items() for double in others}
    for seed in range(30):
        new = new_item("homoglyph", item, seed=seed, budget="12").passage
        assert get_display(new, base_dir="R").translate(back) == seen.translate(back)
