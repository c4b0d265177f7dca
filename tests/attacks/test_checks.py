"""The checks that attacks share."""

from __future__ import annotations

import pytest

from readproof.attacks.checks import answer_stands, around, bleu, edit_rate, fluent, gold_untouched, worst_score
from readproof.items import Edit, Gold, SpanItem
from readproof.lang.ngrams import usual

SENTENCES = {
    "zh": ("他于一九八二年毕业于北京大学。", "于他毕业八二大北一京年学九。"),
    "fa": ("او در سال ۱۳۴۵ در تهران به دنیا آمد.", "ردا و سالن ۱۳ رهتان هب اییند مدآ."),
    "en": ("He was born in the city of London.", "Eh asw obnr ni hte ytic fo Nodnol."),
}


@pytest.mark.parametrize("language", SENTENCES)
def test_nonsense_is_less_usual_than_prose(language: str) -> None:
    prose, nonsense = SENTENCES[language]
    assert usual(prose, language) > usual(nonsense, language) + 1
    assert fluent(prose, prose, language) == ""
    assert fluent(nonsense, prose, language) == "not fluent"


def test_one_bad_joint_shows_in_the_worst_run() -> None:
    text = "这座城市位于中国的东部，人口众多，经济发达，交通便利。"
    assert worst_score(text, "zh") > worst_score(text.replace("经济发达", "济达发经"), "zh")


def test_short_and_empty_texts_have_a_score() -> None:
    assert usual("", "zh") == 0.0
    assert usual("中", "zh") > usual("\U0002a6a5", "zh")
    assert worst_score("", "zh") == 0.0


def test_bleu_by_characters_and_by_words() -> None:
    assert bleu("他去了北京", "他去了北京", "zh") == pytest.approx(1.0)
    assert bleu("a b c d", "a b c d", "en") == pytest.approx(1.0)
    assert 0 < bleu("他去了上海", "他去了北京", "zh") < 1
    assert bleu("甲", "乙", "zh") == 0.0


def test_edit_rate_counts_what_was_put_in_or_taken_out() -> None:
    assert edit_rate([Edit(0, "甲", "乙"), Edit(3, "", "丙丁")], 10) == pytest.approx(0.3)
    assert edit_rate([], 0) == 0.0


def test_an_edit_is_seen_with_its_surroundings() -> None:
    assert around("他出生在北京市。", Edit(4, "北京", "上海")) == ("他出生在北京市。", "他出生在上海市。")


def test_a_gold_out_of_place_is_refused() -> None:
    item = SpanItem(id="1", passage="甲乙", question="？", golds=(Gold("乙", 0),))
    assert answer_stands(item) == "answer not in place"
    assert gold_untouched("他是甲", ["甲"]) == "holds the answer"
    assert gold_untouched("他是乙", ["甲", ""]) == ""
