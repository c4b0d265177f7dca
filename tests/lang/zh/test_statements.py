"""A Chinese question and an answer as one statement."""

from __future__ import annotations

import pytest

from readproof.lang.zh.statements import statement_edits
from readproof.text import applied


def stated(question: str, answer: str, *others: str) -> str:
    edits = statement_edits(question, answer, others)
    assert edits is not None
    return applied(question, edits).clean


@pytest.mark.parametrize(
    ("question", "answer", "statement"),
    [
        ("《战国无双3》是由哪两个公司合作开发的？", "甲公司和乙公司", "《战国无双3》是由甲公司和乙公司合作开发的"),
        ("小林是在哪一年出生的？", "1987年", "小林是在1987年出生的"),
        ("新濠锋酒店什么时候停止营业？", "2011年", "新濠锋酒店于2011年停止营业"),
        ("哪一年自由软体铸造场成立？", "2006年", "2006年自由软体铸造场成立"),
        ("沈云山有多高？", "有227米高", "沈云山有227米高"),
        ("什么是何尊？", "一种酒器", "何尊是一种酒器"),
        ("普拉斯以什么笔名写作？", "吴青", "普拉斯以吴青的笔名写作"),
        ("广场的地理位置在哪里？", "北靠丘陵，南面是一片平原", "广场的地理位置是北靠丘陵，南面是一片平原"),
        ("session是什么意思", "一段会话", "session的意思是一段会话"),
        ("胡杨为什么多次任外职？", "身体状况恶化", "胡杨之所以多次任外职，是因为身体状况恶化"),
        ("为什么小岛能突出海面？", "火山喷发", "小岛能突出海面，是因为火山喷发"),
        ("华为手机突然显示未插卡是怎么回事", "零件老化", "华为手机突然显示未插卡是因为零件老化"),
        ("王某某是如何逃走的？", "翻过围墙", "王某某逃走的方式是翻过围墙"),
        ("葛某某怎么死的？", "溺水", "葛某某死于溺水"),
        ("玛黑区有什么变化？", "规模逐渐缩小", "玛黑区的变化是规模逐渐缩小"),
        ("程廷华有什么绰号？", "铁拳", "程廷华的绰号是铁拳"),
        ("熊某的伤情如何？", "一直不太稳定", "熊某的伤情一直不太稳定"),
        ("被告人是否受伤？", "没有", "被告人没有受伤"),
        ("豇豆生芽能吃吗", "", "豇豆生芽能吃"),
        ("《法老的雪茄》的作者是？", "埃尔热", "《法老的雪茄》的作者是埃尔热"),
        ("黎塘镇的地理位置？", "湖南省东部", "黎塘镇的地理位置是湖南省东部"),
        ("请列举海蟑螂的外形特征", "体形细长", "海蟑螂的外形特征是体形细长"),
        ("除了药用，马蓝还有什么作用？", "减少不必要的损失", "除了药用，马蓝的作用是减少不必要的损失"),
        ("杨廷艺是哪里人呢？", "湖南人", "杨廷艺是湖南人"),
    ],
)
def test_a_statement_reads_well(question: str, answer: str, statement: str) -> None:
    assert stated(question, answer) == statement


def test_every_phrase_gets_its_answer() -> None:
    assert stated("《星战》是在哪年由哪个公司发布的？", "2003年", "星海公司") == "《星战》是在2003年由星海公司发布的"


def test_no_question_no_statement() -> None:
    assert statement_edits("？", "甲") is None
