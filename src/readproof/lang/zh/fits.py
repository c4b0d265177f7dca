"""Whether a made-up answer fits the slot of a Chinese question: a noun where one is wanted, as many as are asked."""

from __future__ import annotations

import re

from readproof.lang.zh.asked import Asked
from readproof.lang.zh.clauses import is_known_clause
from readproof.lang.zh.entities import ending_of
from readproof.lang.zh.names import fronts
from readproof.lang.zh.statements import is_clause

# after these only a name or a noun can stand
_NAMING = re.compile(
    "(?:分别(?:是|为|叫做?|称为?)|叫做?|名叫|名为|[称改更译命]名?[为作]|称[为作]|[更改命]名[为叫]|位于|来自|属于|隶属于|毕业于|称[^，,]{1,6}为)$"
)
_SEVERAL = re.compile("[、和与及，]|两|三|各")
_ALL = re.compile("(?<!主要)(?<![的何所])分别(?:[是为叫有在位由]|[命更改]名|称为?|来自|属于)*(?:于)?$")
_WORKS = re.compile("工作|隶属|主管|主办|所属|任职|就职|供职|管理|承办|协办|发起|组织|参加|建设|施工|设计")
_SHORT_FORM = re.compile("(?:全称|简称|缩写|全名)(?:是|为|叫做?)?$")
_UNITS = re.compile("多[大长高远重宽深厚快粗久]")
_GOING_ON = re.compile("正在|一直|逐步|仍|逐渐")
_HAN = re.compile("[\u4e00-\u9fff]")
_DIGIT = re.compile("[0-9０-９一二两三四五六七八九十百千万亿半数几]")


def fits(asked: Asked, answer: str) -> bool:
    """Whether an answer can stand where the question asks."""
    phrase = asked.phrase
    clause = is_clause(answer) or is_known_clause(answer)
    listed = bool(re.search("、.+和", answer)) or "和" in answer
    if phrase.form == "place" and clause and not listed and _NAMING.search(asked.before):
        return False
    if clause and not listed and re.search("[名号称]$", asked.head) and not asked.head.endswith("信号"):
        return False
    # a clause cannot describe what follows it
    if clause and not listed and asked.after and phrase.form == "place" and re.search("[样怎]", phrase.text):
        return False
    if phrase.type == "number" and _UNITS.match(phrase.head) and not _has_unit(answer, asked.after):
        return False
    if (
        _GOING_ON.match(answer)
        and not re.search("[状态势况]", asked.head)
        and phrase.form in ("end", "definition", "place")
    ):
        return False
    if phrase.count == 0 and re.fullmatch("《[^》]+》", answer):
        return False
    if phrase.type == "yesno" or phrase.form in ("because", "choice", "polarity"):
        return True
    wants_several = phrase.count > 1 or is_told_apart(asked) or "几" in phrase.text[:2]
    if wants_several and phrase.type not in ("number", "time", "reason", "manner") and not _SEVERAL.search(answer):
        return False
    if wants_several and clause and not listed:
        return False
    # 两个常见的法定洞和两个传统的法定洞 tells nothing
    plain = [front for front in fronts("plain") if front in answer] if phrase.count != 1 else []
    if plain and phrase.head and answer.count(phrase.head) > 1:
        return False
    return _of_the_kind(asked, answer)


def is_told_apart(asked: Asked) -> bool:
    """分别是谁: one answer for each of several."""
    return bool(_ALL.search(asked.before))


def wants_name(asked: Asked) -> bool:
    """又称为什么: what something is called."""
    called = re.search("[称叫名改]", asked.before[-6:]) and _NAMING.search(asked.before)
    return asked.phrase.type == "thing" and asked.at_end and bool(called) and not asked.in_phrase


def _has_unit(answer: str, after: str) -> bool:
    return not re.search("[0-9.,万亿千百十一二三四五六七八九]$", answer) or bool(re.match("[岁年米]", after))


def _of_the_kind(asked: Asked, answer: str) -> bool:
    """Nouns that are asked for in two senses: 单位 is a body or a measure, 简称 is short for a body or a thing."""
    if not asked.gold:
        return True
    if "：" in answer:
        return False
    if asked.head.endswith("单位") and "的单位" in asked.before and not _WORKS.search(asked.question):
        return False
    if _SHORT_FORM.search(asked.before) and _HAN.search(answer) and not _HAN.search(asked.gold):
        return False
    if _SHORT_FORM.search(asked.before) and ending_of(answer) and not ending_of(asked.gold):
        return False
    return asked.phrase.type != "number" or bool(_DIGIT.search(asked.gold)) or asked.phrase.head != "多大"
