"""How the texts of attacks read beside the originals."""

from __future__ import annotations

from dataclasses import replace

import pytest

from readproof.attacks import make_attack
from readproof.attacks.quality import measured, quality_of
from readproof.items import ChoiceItem, Edit, Gold, SpanItem, Variant

PASSAGE = "渡口在青榆镇的西边。最后一班渡船由罗启先驾驶，他今年五十七岁。渡口停运以后，学生要绕行十一公里。"
ITEM = SpanItem(
    id="a",
    passage=PASSAGE,
    question="最后一班渡船由谁驾驶？",
    golds=(Gold("罗启先", PASSAGE.index("罗启先")),),
    language="zh",
    passage_id="p",
)


def changed(old: str, new: str) -> SpanItem:
    return replace(ITEM, passage=PASSAGE.replace(old, new))


def test_nothing_changed_is_not_measured() -> None:
    assert measured(ITEM, ITEM, ()) is None
    assert quality_of([]) is None


def test_a_sensible_sentence_reads_better_than_letters_in_disorder() -> None:
    plain = replace(ITEM, passage="春天来了，花园里的花都开了。孩子们在草地上玩，他们的父母坐在长椅上说话。", golds=())
    sensible = measured(plain, replace(plain, passage=plain.passage + "老人在树下看报纸。"), ())
    salad = measured(plain, replace(plain, passage=plain.passage + "纸报树人看下老在。"), ())
    assert sensible is not None
    assert salad is not None
    better, worse = quality_of([sensible]), quality_of([salad])
    assert better is not None
    assert worse is not None
    assert better.perplexity is not None
    assert worse.perplexity is not None
    assert better.perplexity < worse.perplexity
    assert (better.grammar, worse.grammar) == (1.0, 0.0)


def test_an_edit_rate_counts_the_characters_that_were_changed() -> None:
    start = PASSAGE.index("罗启先")
    text = measured(ITEM, changed("罗启先", "马德昌"), [Edit(start, "罗启先", "马德昌", "", "passage")])
    assert text is not None
    assert text.edit_rate == pytest.approx(3 / len(PASSAGE))
    assert 0.5 < text.bleu < 1
    whole = measured(ITEM, changed(PASSAGE, "别的话。"), ())
    assert whole is not None
    assert whole.edit_rate > 0.9


def test_every_field_that_changed_is_measured() -> None:
    before = ChoiceItem(
        id="c",
        passage=PASSAGE,
        question="下列说法正确的一项是",
        options=("渡口在镇西。", "渡口在镇东。"),
        answer=0,
        language="zh",
    )
    after = replace(before, options=("渡口在镇西边。", "渡口在镇东边。"))
    text = measured(before, after, ())
    assert text is not None
    assert 0 < text.edit_rate < 0.5


def test_a_language_without_a_model_has_no_perplexity() -> None:
    text = measured(replace(ITEM, language="xx"), replace(ITEM, language="xx", passage=PASSAGE + "Another."), ())
    assert text is not None
    assert text.score is None
    assert quality_of([text]).perplexity is None  # type: ignore[union-attr]


def test_an_attack_that_adds_a_sentence_is_measured_by_that_sentence() -> None:
    asked = replace(
        ITEM, question="渡口停运以后，学生要绕行多少公里？", golds=(Gold("十一公里", PASSAGE.index("十一公里")),)
    )
    made = make_attack("addsent").make(asked, seed=0, count=1)
    variants = getattr(made, "variants", ())
    assert variants
    assert all(isinstance(one, Variant) for one in variants)
    text = measured(asked, variants[0].item, variants[0].edits)
    assert text is not None
    assert text.grammar is not None
