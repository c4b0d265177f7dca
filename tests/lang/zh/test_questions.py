"""Chinese questions: the phrase that asks, and the type of answer it asks for. All questions are from real data."""

from __future__ import annotations

import pytest

from readproof.lang.zh.questions import phrases


@pytest.mark.parametrize(
    ("question", "text", "type"),
    [
        ("佛罗伦斯圣母领报大殿是由谁创立的？", "谁", "person"),
        ("库佩在爱上一个村人的妻子后把何人杀死了？", "何人", "person"),
        ("翘翠峰在哪里？", "哪里", "place"),
        ("目前味丹企业股份有限公司的总部在哪？", "哪", "place"),
        ("圣母无原罪主教座堂位于何地？", "何地", "place"),
        ("两小无猜是哪个国家的电影？", "哪个国家", "place"),
        ("远藤实是哪国人？", "哪国", "place"),
        ("芭芭拉·利斯科夫1968年在哪个大学获得博士学位？", "哪个大学", "organisation"),
        ("《战国无双3》是由哪两个公司合作开发的？", "哪两个公司", "organisation"),
        ("怀邵衡铁路原拟于何时动工？", "何时", "time"),
        ("金泛于哪一年走红？", "哪一年", "time"),
        ("新濠锋酒店什么时候停止营业？", "什么时候", "time"),
        ("兰渝铁路南充经广安至高兴段支线长多少公里？", "多少公里", "number"),
        ("《摩斯拉对哥斯拉》是哥斯拉系列电影的第几部？", "第几部", "number"),
        ("沈云山有多高？", "有多高", "number"),
        ("黄独的外皮是什么颜色的？", "什么颜色", "thing"),
        ("棱鮻属于哪一科？", "哪一科", "thing"),
        ("格罗斯因因何被解除了主席的职位？", "因何", "reason"),
        ("为什么梵汉对音就成了研究古代汉语语音的重要材料？", "为什么", "reason"),
        ("汇宇公司如何逃税？", "如何", "manner"),
        ("被告人是否构成生产、销售假药罪?", "是否", "yesno"),
        ("豇豆生芽能吃吗", "吗", "yesno"),
        ("琵琶湖是台湾一个淡水还是咸水湖泊？", "是台湾一个淡水还是咸水湖泊", "choice"),
        ("什么是何尊？", "什么是", "description"),
        ("session是什么意思", "是什么意思", "description"),
        ("熊某的伤情如何？", "如何", "description"),
    ],
)
def test_what_is_asked(question: str, text: str, type: str) -> None:
    first = phrases(question)[0]
    assert (first.text, first.type) == (text, type)
    assert question[first.start : first.end] == text


@pytest.mark.parametrize(
    ("question", "type"),
    [
        ("《法老的雪茄》的作者是？", "person"),
        ("熨平机的发明时间是？", "time"),
        ("武昌爆发骚动的原因是？", "reason"),
        ("音乐会的举办地点在？", "place"),
        ("同性婚姻的定义是?", "thing"),
        ("木兰围场地址", "place"),
        ("请列举海蟑螂的外形特征", "description"),
    ],
)
def test_questions_without_a_question_word(question: str, type: str) -> None:
    first = phrases(question)[0]
    assert (first.form, first.type) == ("end", type)


@pytest.mark.parametrize(
    "question",
    [
        "红头长尾山雀又名为什么？",
        "林久远通称为什么？",
        "自立为帝的高升泰封国号为什么？",
        "黄鳍多棘鳞鲀成鱼时转变为什么颜色？",
    ],
)
def test_to_be_called_something_is_no_reason(question: str) -> None:
    assert phrases(question)[0].type == "thing"


def test_names_that_hold_question_words() -> None:
    assert [phrase.text for phrase in phrases("何曼参加过哪场起义？")] == ["哪场起义"]
    assert [phrase.text for phrase in phrases("科罗拉多大学建于哪一年？")] == ["哪一年"]


def test_how_many_are_wanted() -> None:
    assert phrases("怀邵衡铁路连接了哪两个城市？")[0].count == 2
    assert phrases("有哪些民族居住在雁门乡？")[0].count == 0
    assert phrases("是哪个民族？")[0].count == 1


def test_two_phrases_in_one_question() -> None:
    assert [phrase.text for phrase in phrases("《星战》是在哪年由哪个公司发布的？")] == ["哪年", "哪个公司"]


def test_nothing_asked() -> None:
    assert phrases("") == ()
    assert phrases("？") == ()
