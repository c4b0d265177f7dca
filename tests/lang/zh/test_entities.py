"""Names in Chinese text, and others of their kind."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from readproof.lang.zh.entities import Entity, entities
from readproof.lang.zh.names import others, with_other_names
from readproof.lang.zh.subjects import kindred_words, siblings, subjects


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("《初恋的回忆》改编自小说", "《初恋的回忆》", "work"),
        ("威廉·柯蒂斯出生于汉普郡", "威廉·柯蒂斯", "person"),
        ("被告人李1某购买杉木", "李1某", "person"),
        ("北京信息科技大学的前身", "北京信息科技大学", "organisation"),
        ("兰渝铁路全长", "兰渝铁路", "place"),
        ("英国的首都", "英国", "place"),
        ("他在1987年5月回国", "1987年5月", "time"),
        ("全长135公里", "135", "number"),
        ("用阿拉伯语写成", "阿拉伯语", "people"),
        ("由Edgar Brandt设计", "Edgar Brandt", "latin"),
        ("所谓「黄虎旗」的由来", "黄虎旗", "name"),
        ("恩斯特·哈佩尔球场位在", "恩斯特·哈佩尔球场", "place"),
    ],
)
def test_names_in_text(text: str, name: str, kind: str) -> None:
    found = {entity.text: entity.kind for entity in entities(text)}
    assert found.get(name) == kind
    assert all(text[entity.start : entity.end] == entity.text for entity in entities(text))


def test_common_words_are_no_names() -> None:
    assert entities("这种动物喜欢在城市里的公园和学校附近活动") == ()


def test_names_do_not_overlap() -> None:
    text = "1998年，北京大学的张建国教授与美国哈佛大学的约翰·史密斯合著《海岛植物志》。"
    found = entities(text)
    assert len(found) >= 5
    assert all(one.end <= other.start for one, other in pairwise(found))


@pytest.mark.parametrize(
    "entity",
    [
        Entity(0, 3, "张建国", "person", "chinese"),
        Entity(0, 6, "威廉·柯蒂斯", "person", "foreign"),
        Entity(0, 3, "李1某", "person", "masked"),
        Entity(0, 2, "法国", "place", "country"),
        Entity(0, 3, "湖南省", "place", "province"),
        Entity(0, 4, "兰渝铁路", "place", "铁路"),
        Entity(0, 8, "北京信息科技大学", "organisation", "大学"),
        Entity(0, 5, "《侠客行》", "work", "marked"),
        Entity(0, 5, "1987年", "time", "year"),
        Entity(0, 3, "叁光鱼", "name", "鱼"),
    ],
)
def test_another_name_is_of_the_same_kind(entity: Entity) -> None:
    new = [name for name in others(entity, Random(3)) if name != entity.text]
    assert new
    if entity.detail in ("铁路", "大学", "鱼"):
        assert all(name.endswith(entity.detail) for name in new)
    if entity.kind == "work":
        assert all(name.startswith("《") and name.endswith("》") for name in new)
    if entity.detail == "masked":
        assert all(name.endswith("1某") for name in new)


def test_the_passage_shows_where_a_name_ends() -> None:
    passage = "美眉校探是一部台湾的电视剧，由陈某主演。美眉校探在2006年首播。"
    assert subjects("美眉校探的主演是谁？", passage)[0].text == "美眉校探"


def test_words_of_one_kind() -> None:
    question = "赵珽的父亲是谁？"
    assert [question[start:end] for start, end in kindred_words(question)] == ["父亲"]
    assert "母亲" in siblings("父亲")


def test_a_clause_with_other_names() -> None:
    clause = "1987年在英国出版"
    new = with_other_names(clause, Random(1))
    assert new != clause and new.endswith("出版") and "英国" not in new and "1987年" not in new
