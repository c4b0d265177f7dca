"""Answers that fit their slot, and those that do not."""

from __future__ import annotations

from random import Random

import pytest

from readproof.lang.zh.fakes import fakes, fits
from readproof.lang.zh.questions import PhraseInContext, phrases


def asked(question: str, gold: str) -> PhraseInContext:
    return PhraseInContext(phrases(question)[0], question, gold)


@pytest.mark.parametrize(
    ("question", "gold", "answer"),
    [
        ("这两本书分别是什么？", "《甲》和《乙》", "两者的形状略有差异"),
        ("三名乐师分别为谁？", "苏桐、陈秋霖、陈水柳", "林秉义"),
        ("波数的单位是什么？", "厘米", "水利局"),
        ("这座庙有多大？", "60米", "30"),
        ("书目有哪些？", "《甲》", "《水利考略》"),
    ],
)
def test_what_does_not_fit_is_refused(question: str, gold: str, answer: str) -> None:
    assert not fits(asked(question, gold), answer)


@pytest.mark.parametrize(
    ("question", "gold", "answer"),
    [
        ("三名乐师分别为谁？", "苏桐、陈秋霖、陈水柳", "林秉义和吴少勤"),
        ("主办单位是什么？", "文化局", "水利局"),
        ("这座庙有多高？", "60米", "30米"),
    ],
)
def test_what_fits_stays(question: str, gold: str, answer: str) -> None:
    assert fits(asked(question, gold), answer)


def test_several_are_given_where_several_are_asked() -> None:
    question = "被留用的3名乐师分别为谁？"
    made = list(fakes(phrases(question)[0], "苏桐、陈秋霖、陈水柳", question, Random(1)))
    assert made and all("和" in one for one in made)


def test_a_number_keeps_its_unit() -> None:
    question = "长白忍冬的叶柄大约是多长？"
    made = list(fakes(phrases(question)[0], "叶柄长3～8毫米", question, Random(1)))
    assert made and all(one.endswith("毫米") for one in made)
