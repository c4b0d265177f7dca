"""Variants of whole questions: truths and answers follow the options, and chance is the item's own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from readproof.attacks import make_attack
from readproof.attacks.base import Attack
from readproof.attacks.options.making import answer_of, truths_of
from readproof.items import ChoiceItem, SpanItem
from readproof.lang.zh.stems import polarity
from readproof.text import applied
from tests.attacks.options.data import ITEM, real_items
from tests.shared_data import needs_shared

NAMES = ("options/keyword", "options/logic", "options/spacetime", "options/cause")


def _attack(name: str, **options: str) -> Attack:
    attack = make_attack(name, options)
    assert isinstance(attack, Attack)
    return attack


@pytest.mark.parametrize("name", NAMES)
def test_items_that_cannot_be_attacked_are_skipped(name: str) -> None:
    attack = _attack(name)
    assert attack.make(SpanItem(id="s", passage="p", question="q")).skipped == "not a question with options"
    assert attack.make(replace(ITEM, language="fa")).skipped == "not Chinese"
    assert attack.make(replace(ITEM, options=("对", "错", "是", "否"))).skipped == "options too short"
    assert attack.make(replace(ITEM, options=("甲乙丙丁戊己庚辛",) * 4, passage="")).skipped.startswith(
        "nothing to turn"
    )
    wording = replace(ITEM, question="下列句中加点词语的解释，不正确的一项是")
    assert attack.make(wording).skipped == "the stem asks about wording or technique"


def test_truth_of_options_follows_from_answer_and_stem() -> None:
    bare = replace(ITEM, truths=())
    assert truths_of(bare) == (True, True, True, False)
    assert truths_of(replace(bare, question="下列理解符合文意的一项是")) == (False, False, False, True)
    assert truths_of(replace(bare, question="下列不属于战乱原因的一项是")) == ()
    assert truths_of(replace(bare, answer=None)) == ()


def test_answer_is_the_one_option_that_fits() -> None:
    assert answer_of("不正确的一项是", (True, False, True, True)) == 1
    assert answer_of("正确的一项是", (True, False, True, True)) is None
    assert answer_of("为什么", (True, False, False, False)) is None


def test_truth_option_chooses() -> None:
    for wanted in ("kept", "flipped"):
        made = _attack("options/keyword", truth=wanted).make(ITEM, count=10)
        assert made.variants
        assert {variant.truth for variant in made.variants} == {wanted}


@needs_shared
@pytest.mark.parametrize("name", NAMES)
def test_bookkeeping_over_real_questions(name: str) -> None:
    attack = _attack(name)
    seen = 0
    for item in real_items()[:60]:
        made = attack.make(item, seed=3, count=6)
        assert made == attack.make(item, seed=3, count=6)
        assert bool(made.variants) is not bool(made.skipped)
        ids = {variant.item.id for variant in made.variants}
        assert len(ids) == len(made.variants)
        for variant in made.variants:
            new = variant.item
            assert isinstance(new, ChoiceItem)
            assert variant.origin == item.id
            changed = [at for at, (old, now) in enumerate(zip(item.options, new.options, strict=True)) if old != now]
            assert len(changed) == 1
            at = changed[0]
            assert {edit.where for edit in variant.edits} == {f"option {at}"}
            assert applied(item.options[at], variant.edits).clean == new.options[at]
            turned = new.truths[at] is not item.truths[at]
            assert turned is (variant.truth == "flipped")
            assert all(new.truths[other] is item.truths[other] for other in range(len(item.options)) if other != at)
            fitting = [n for n, truth in enumerate(new.truths) if truth is polarity(new.question)]
            assert new.answer == (fitting[0] if len(fitting) == 1 else None)
            seen += 1
        texts = {new.item.options for new in made.variants if isinstance(new.item, ChoiceItem)}
        assert len(texts) == len(made.variants)
    assert seen > 40
