"""Answers that a Chinese question could have had."""

from __future__ import annotations

import re
from itertools import islice
from random import Random

import pytest

from readproof.lang.zh.fakes import fakes
from readproof.lang.zh.fakethings import known_answers
from readproof.lang.zh.questions import phrases


def made(question: str, gold: str, seed: int = 1) -> list[str]:
    return list(islice(fakes(phrases(question)[0], gold, question, Random(seed)), 8))


@pytest.mark.parametrize(
    ("question", "gold", "form"),
    [
        ("金泛于哪一年走红？", "2009年", r"\d{4}年"),
        ("卡尔·申克是什么时候出生的？", "1823年12月1日", r"\d{4}年\d+月\d+日"),
        ("兰渝铁路支线长多少公里？", "89公里", r"\d+公里"),
        ("雁门乡的耕地面积有多大？", "耕地面积5287亩", r"有\d+亩"),
        ("《摩斯拉对哥斯拉》是第几部？", "第4部", r"第\d+部"),
        ("联合制碱法是谁发明的？", "侯德榜", r"[\u4e00-\u9fff]{2,3}"),
        ("这个想法是谁提出的？", "鲁道夫·沃夫", r"[\u4e00-\u9fff]+·[\u4e00-\u9fff]+"),
        ("她在哪个大学获得博士学位？", "斯坦福大学", r".+大学"),
        ("黄独的外皮是什么颜色的？", "外皮黄褐色", r".+色"),
        ("梅芳姑是金庸哪部作品里面的人物？", "《侠客行》", r"《.+》"),
        ("清代属于哪个朝代？", "清代", r".+代"),
        ("怀邵衡铁路连接了哪两个城市？", "怀化市与衡阳市", r".+市和.+市"),
    ],
)
def test_a_fake_answer_has_the_form_of_the_gold_one(question: str, gold: str, form: str) -> None:
    answers = made(question, gold)
    assert answers
    assert all(re.fullmatch(form, answer) for answer in answers), answers


def test_reasons_and_ways_are_clauses() -> None:
    assert all(len(answer) >= 2 for answer in made("麟魁为什么被革职？", "黄河决口"))
    assert made("长圆银鲈适合如何食用？", "油炸")[0] in ("清蒸", "红烧", "腌制后晒干", "切成薄片油炸", "加姜片煮汤")


def test_yes_and_no() -> None:
    assert made("被告人是否受伤？", "YES", seed=2)[0] == "没有"
    assert made("他是否能吃？", "NO", seed=2)[0] == ""


def test_the_noun_asked_for_gives_the_answers() -> None:
    assert "苗族" in known_answers("少数民族")
    assert known_answers("特色") == ()


def test_a_question_without_a_gold_answer_has_fakes_too() -> None:
    assert made("谁统治了元朝的北方地区？", "")
    assert made("在1589年，伦敦有多少人口死亡？", "")
