"""Paraphrases by rules: the answer stays, words and ways to ask change."""

from __future__ import annotations

import pytest

from readproof.attacks.edits import golds_stand
from readproof.attacks.paraphrase import Paraphrase
from readproof.items import Gold, SpanItem


def span(question: str, passage: str = "甲。", language: str = "zh") -> SpanItem:
    return SpanItem(id="q", passage=passage, question=question, golds=(Gold(passage[:1], 0),), language=language)


@pytest.mark.parametrize(
    ("language", "old", "new"),
    [
        ("zh", "朝廷为什么要加封吴少诚？", "朝廷为何要加封吴少诚？"),
        ("zh", "这座城市一共有几个区？", "这座城市总共有几个区？"),
        ("fa", "یونسکو در چه سالی تأسیس شد؟", "یونسکو در کدام سال تأسیس شد؟"),
        ("fa", "ابن سعود بعد از جنگ چه کرد؟", "ابن سعود پس از جنگ چه کرد؟"),
    ],
)
def test_the_same_in_other_words(language: str, old: str, new: str) -> None:
    made = Paraphrase(where="question").make(span(old, "甲。" if language == "zh" else "الف.", language))
    assert made.variants[0].item.question == new  # type: ignore[union-attr]


def test_golds_and_quotes_are_left_alone() -> None:
    passage = "他曾经在北京居住，后来逝世。他的《曾经之书》非常受欢迎。"
    item = SpanItem(id="q", passage=passage, question="他住在哪里？", golds=(Gold("曾经在北京", 1),))
    for seed in range(10):
        new = Paraphrase(where="passage").make(item, seed=seed).variants[0].item
        assert isinstance(new, SpanItem)
        assert golds_stand(new)
        assert new.golds[0].text == "曾经在北京"
        assert "《曾经之书》" in new.passage


def test_what_has_no_other_words_is_skipped() -> None:
    assert Paraphrase(where="question").make(span("甲乙丙丁？")).skipped == "nothing to change"
    assert Paraphrase().make(span("why?", "a.", "en")).skipped == "not for en"
