"""Another one of a subject: only of what may have a namesake or a fellow townsman."""

from __future__ import annotations

from random import Random

from readproof.lang.zh.another import other_subject
from readproof.lang.zh.namesakes import namesake, told_elsewhere
from readproof.lang.zh.questions import phrases

PHYSICS = "静电感应是物体内的电荷因受外界电荷的影响而重新分布。他用静电感应做了实验，他还写了书，他很有名。"
NOVEL = "《九命奇冤》是吴趼人的小说。他写过很多书，他生于北京，他的朋友很多。"


def test_a_phenomenon_has_no_townsman_and_no_namesake() -> None:
    question = "静电感应是由谁发现的？"
    assert not any("同乡" in new for _at, _old, new in other_subject(question, PHYSICS, "静电感应"))
    assert not list(namesake(question, PHYSICS, "静电感应"))


def test_a_title_is_not_split() -> None:
    question = "九命奇冤的作者是谁？"
    assert all(old != "九命" for _at, old, _new in other_subject(question, NOVEL, ""))


def test_a_person_may_have_a_namesake() -> None:
    passage = "元羽，字叔翻，北魏将领。他去世时三十二岁。"
    assert [new for _at, _old, new in namesake("元羽去世的时候多大？", passage)] == ["另一位同名的"]


def test_a_common_noun_takes_its_own_measure_word() -> None:
    assert [new for _at, _old, new in namesake("公司成立于什么时候？", "公司成立于1982年。")] == ["另一家"]


def test_a_story_is_drawn_by_chance_and_the_same_for_one_seed() -> None:
    first, again = (list(told_elsewhere("显存的全称是什么？", Random(3))) for _ in range(2))
    assert first == again and len(first) > 1


def test_naming_verbs_before_what_ask_for_no_reason() -> None:
    assert phrases("皇太极追尊都督福满为什么？")[0].type != "reason"
    assert phrases("南美貘的数量为什么减少了？")[0].type == "reason"
