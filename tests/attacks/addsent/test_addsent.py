"""AddSent in Chinese: a sentence that answers another question than the one asked."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readproof.attacks import ATTACKS, make_attack
from readproof.attacks.addsent import AddOneSent, AddSent
from readproof.attacks.addsent.making import sentences
from readproof.attacks.addsent.rules import Slots
from readproof.attacks.addsent.zh import ChineseRules
from readproof.attacks.edits import golds_stand
from readproof.errors import InputError
from readproof.items import ChoiceItem, Gold, SpanItem
from readproof.lang.api import lines
from readproof.tasks import load
from tests.shared_data import SHARED, needs_shared

PASSAGE = (
    "《战国无双3》是由光荣和ω-force开发的战国无双系列的正统第三续作。本作以三大故事为主轴，于2009年12月在日本发售。"
    "游戏的制作人是鲤沼久史。"
)


def item(question: str, gold: str, passage: str = PASSAGE, **more: str) -> SpanItem:
    at = passage.find(gold)
    golds = (Gold(gold, at),) if at >= 0 else ()
    return SpanItem(id="one", passage=passage, question=question, golds=golds, **more)  # type: ignore[arg-type]


ONE = item("《战国无双3》是由哪两个公司合作开发的？", "光荣和ω-force")


def sentence(made_from: SpanItem, seed: int = 0, **options: str) -> str:
    made = AddOneSent(**options).make(made_from, seed=seed)  # type: ignore[arg-type]
    assert made.variants, made.skipped
    return made.variants[0].edits[0].new


def test_one_word_changes_and_the_answer_is_false() -> None:
    found = [one for one in AddSent().make(ONE, count=5).variants if one.strategy == "work"]
    assert found
    for variant in found:
        new = variant.edits[0].new
        assert new.endswith("合作开发的。") and "战国无双3" not in new and "光荣" not in new and "和" in new
        assert isinstance(variant.item, SpanItem)
        assert variant.item.passage == PASSAGE + new and variant.truth == "kept"
        assert variant.origin == "one" and variant.item.id.startswith("one-addsent-")


def test_what_surely_makes_sense_comes_first() -> None:
    """For a name that nothing is known of, a fact that people wrote of something else; for a person another person."""
    made = AddSent().make(item("齿䲠主要以什么为食？", "小鱼", "齿䲠主要以小鱼为食。"), count=3)
    assert made.variants[0].strategy == "fact" and "为食" in made.variants[0].edits[0].new
    born = AddSent().make(
        item("张建国是哪一年出生的？", "1956年", "张建国，1956年出生。他的父亲是教师。他在长沙毕业，后来他去了北京。")
    )
    assert born.variants[0].strategy == "person" and "出生" in born.variants[0].edits[0].new


def test_facts_speak_of_something_else_than_the_passage() -> None:
    for fact in lines("zh", "facts")[::97]:
        _type, _head, _kind, subject, frame, answer, statement = fact
        passage = f"{subject}是这里要说的。{statement}"
        question = frame.replace("□", subject).replace("◇", "什么") + "？"
        for variant in AddSent().make(item(question, answer, passage), count=5).variants:
            added = variant.edits[0].new
            assert statement not in added and (variant.strategy != "fact" or subject not in added)


def test_models_of_ones_own_make_all_sentences_of_the_items_question() -> None:
    made = AddSent(statement=lambda question, answer: f"{question[:-1]}{answer}。").make(ONE, count=5)
    assert made.variants and all(one.strategy != "fact" for one in made.variants)


def test_variants_differ_in_word_and_answer() -> None:
    variants = AddSent().make(ONE, count=5).variants
    assert len({variant.edits[0].new for variant in variants}) == 5
    assert len({variant.item.id for variant in variants}) == 5


def test_same_seed_same_bytes() -> None:
    first, again = (AddSent().make(ONE, seed=3, count=4) for _ in range(2))
    assert first == again
    assert AddSent().make(ONE, seed=4, count=4) != first


@pytest.mark.parametrize("place", ["end", "start", "random"])
def test_places(place: str) -> None:
    for seed in range(12):
        variant = AddSent(place=place).make(ONE, seed=seed).variants[0]
        assert isinstance(variant.item, SpanItem)
        assert golds_stand(variant.item)
        at = variant.edits[0].start
        assert at == {"end": len(PASSAGE), "start": 0}.get(place, at)
        assert at == 0 or PASSAGE[at - 1] == "。"


def test_a_passage_without_its_last_sign_gets_one() -> None:
    assert sentence(item("游戏的制作人是谁？", "鲤沼久史", PASSAGE[:-1])).startswith("。")


def test_traditional_characters_stay_traditional() -> None:
    passage = "臺灣民主國於1895年成立，首任總統是唐景崧。該國的國旗樣式為黃虎旗，國號為永清。"
    new = sentence(item("臺灣民主國的首任總統是誰?", "唐景崧", passage))
    assert new.endswith("。") and "總統是" in new and "首任總統是唐景崧" not in new


def test_an_unanswerable_question_can_be_attacked() -> None:
    made = AddSent().make(SpanItem(id="no", passage=PASSAGE, question="鲤沼久史是哪一年出生的？", impossible=True))
    assert made.variants


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (ChoiceItem(id="c", passage="一", question="二", options=("三", "四")), "not a span item"),
        (SpanItem(id="s", passage="", question="谁？"), "empty text"),
        (SpanItem(id="s", passage="一二三。", question="？？"), "no question phrase"),
        (SpanItem(id="s", passage="Un texte.", question="Qui ?", language="fr"), "no rules for fr"),
    ],
)
def test_odd_items_are_skipped(bad: SpanItem | ChoiceItem, reason: str) -> None:
    assert AddSent().make(bad).skipped == reason


@given(st.text(max_size=60), st.text(max_size=30))
def test_nothing_makes_it_fail(passage: str, question: str) -> None:
    made = AddSent().make(
        SpanItem(id="any", passage=passage, question=question, golds=(Gold(passage[:3], 0),)), count=2
    )
    assert made.variants or made.skipped


def test_options() -> None:
    assert make_attack("addsent", {"place": "start", "worst_of": "3"}) == AddSent(place="start", worst_of=3)
    assert ATTACKS.get("addonesent") is AddOneSent
    with pytest.raises(InputError):
        AddSent(place="middle")
    with pytest.raises(InputError):
        AddSent(worst_of=0)
    with pytest.raises(InputError):
        make_attack("addsent", {"refill": "bert"})


def test_a_users_check_can_refuse() -> None:
    made = AddSent(checks=(lambda _item, _text: "too dull",)).make(ONE)
    assert made.skipped == "rejected: too dull" and made.rejected["too dull"] > 1


# the share of questions that get a variant: as it comes, and with sentences of made-up stories
SETS = {
    "cmrc2018/train.json.xz": (0.96, 0.96),
    "drcd/DRCD_dev.json.xz": (0.95, 0.95),
    "cjrc/dev_ground_truth.json.xz": (0.85, 0.85),
    "chinese_squad/dev-v2.0-zh.json.xz": (0.85, 0.85),
    "dureader_checklist/train-r.json.xz": (0.72, 0.72),
}


@needs_shared
@pytest.mark.parametrize(("name", "shares"), SETS.items())
def test_real_questions(name: str, shares: tuple[float, float]) -> None:
    found = [one for one in islice(load(SHARED / "data" / name), 400) if isinstance(one, SpanItem)]
    made = [AddSent().make(one, seed=1, count=2) for one in found]
    framed = [AddSent(frames=True).make(one, seed=1, count=2) for one in found]
    for some, share in zip((made, framed), shares, strict=True):
        assert sum(bool(one.variants) for one in some) >= share * len(found)
    assert not any("虚构" in variant.edits[0].new for one in made for variant in one.variants)
    for one, result in zip(found, made, strict=True):
        golds = [gold.text for gold in one.golds if len(gold.text) > 1]
        for variant in result.variants:
            assert isinstance(variant.item, SpanItem)
            assert golds_stand(variant.item) or not golds_stand(one)
            new = variant.edits[0].new
            assert new.endswith("。") and new not in one.passage
            assert not any(gold in new for gold in golds if gold not in one.question)


def test_a_named_subject_is_never_kept_with_a_false_answer() -> None:
    """田乞死后由谁继位 must not become 在丹东，田乞死后由董胜国继位: that would answer the question itself."""
    passage = "田乞是齐国田氏家族的首领。田乞死后，儿子田恒继位。"
    made = AddSent().make(item("田乞死后由谁继位？", "田恒", passage), count=5)
    assert made.variants
    for variant in made.variants:
        # the name may only stand there to say that another one is meant
        assert "田乞" not in variant.edits[0].new or re.search("另一|田乞的一[位名]", variant.edits[0].new)


@pytest.mark.parametrize(
    ("question", "begins"),
    [("这三个星系由谁发现？", "另外三个星系"), ("这一年由谁命名？", "另一年"), ("该三角形由谁发现？", "另一种三角形")],
)
def test_another_of_a_counted_thing(question: str, begins: str) -> None:
    asked = item(question, "田恒", "星系由田恒发现。")
    made = sentences(asked, ChineseRules(), Slots(), (), Random(0), Counter())
    assert next(made).text.startswith(begins)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("桥建于1623年。", "桥长九米。"),
        ("桥建于1623年", "。桥长九米。"),
        ("桥建于1623年（见图）", "。桥长九米。"),
        ("他说：“桥建于1623年。”", "桥长九米。"),
        ("built in 1623.", "桥长九米。"),
        ("沉睡著...", "桥长九米。"),
        ("桥建于何时﹖", "桥长九米。"),
        ("", "桥长九米。"),
    ],
)
def test_chinese_sentences_are_parted_once(before: str, after: str) -> None:
    assert ChineseRules().joined(before, "桥长九米。") == after


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("他曾的想法是回家。", "broken sentence"),
        ("波特兰是之所以去世的，是因为伤寒。", "broken sentence"),
        ("桥的شرکت原因是资金不足。", "broken sentence"),
        ("他在1623年逝世的？以及逝世的原因是伤寒。", "signs left"),
        ("《京岘山是林勤的作品。", "signs left"),
        ("《英雄“归来”？》是林勤的作品。", ""),
    ],
)
def test_broken_chinese_sentences_are_refused(statement: str, why: str) -> None:
    item = SpanItem(id="q", passage="桥建于1623年。", question="桥是谁建的？", golds=(Gold("陈三"),), language="zh")
    assert ChineseRules().refuses(item, statement) == why
