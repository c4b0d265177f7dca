"""Words without sense are found, text is not taken for them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from readproof.lang import nonsense
from readproof.lang.api import get_language

PROSE = (
    "湿地是人类的衣食父母，为人类提供了部分物资。",
    "人们到了19世纪中叶才开始研究湿地，此前湿地一直被当作荒地开垦。",
    "这座桥于1957年建成通车，全长1670米，是长江上的第一座大桥。",
    "他出生在一个普通的农民家庭，十六岁时离开家乡去上海谋生。",
    "该物种主要分布在中国云南和越南北部的山地森林中。",
    "球队在第二场比赛中以三比一战胜了对手，重新回到榜首。",
    "公司去年的营业收入比前年增长了百分之十二，但利润有所下降。",
    "专辑发行后的第一个星期就卖出了五万张。",
    "有朋自远方来，不亦乐乎？",
    "学而时习之，不亦说乎？",
    "操作系统（Linux）的内核由C语言写成。",
    "他说：“明天我们一起去看电影吧。”",
)
THROWN = (
    "猜测都猜测猜测摩伽罗摩伽罗决定摩伽罗一切摩伽罗。",
    "意思为什么为什么是宇宙学确定宇宙学粒子宇宙学跳舞。",
    "进来紧张中国认为来自消息哦接受人类完成。",
    "随便见面晚安曾经已经长进入有关话全都。",
    "发现郑心某某某某租用啊死亡了攻击。",
)


@pytest.mark.parametrize("sentence", PROSE)
def test_prose_is_read(sentence: str) -> None:
    assert nonsense.nonsense("".join(PROSE) + sentence) == []


@pytest.mark.parametrize("sentence", THROWN)
def test_words_thrown_together_are_found_wherever_they_stand(sentence: str) -> None:
    for before in (0, 3, len(PROSE)):
        text = "".join(PROSE[:before]) + sentence + "".join(PROSE[before:])
        start = len("".join(PROSE[:before]))
        assert nonsense.nonsense(text) == [(start, start + len(sentence))]


@pytest.mark.parametrize("sentence", THROWN)
def test_a_text_that_ends_without_a_closing_sign(sentence: str) -> None:
    text = "".join(PROSE[:8]) + "这个协议还定义了两种错误答复："
    assert nonsense.nonsense(text) == []
    ((start, end),) = nonsense.nonsense(text + sentence)
    assert end == len(text + sentence)
    assert abs(start - len(text)) <= 8  # a word or two more or less


def test_most_of_common_words_drawn_by_chance_is_found() -> None:
    random = np.random.default_rng(5)
    words = get_language("zh").common_words()
    drawn = [
        get_language("zh").sentence_of(tuple(words[at] for at in random.integers(0, len(words), 10)))
        for _ in range(300)
    ]
    assert sum(map(nonsense.senseless, drawn)) >= 285


def test_a_text_of_a_kind_that_was_never_learnt_is_read_whole() -> None:
    assert nonsense.nonsense("".join(THROWN)) == []
    assert nonsense.nonsense("") == []


def test_figures_are_those_of_the_layers_by_hand(tmp_path: Path) -> None:
    weights = np.zeros((6, 1), np.float32)
    weights[2:4] = [[1.0], [0.5]]  # of the three places the middle one counts
    tables = {
        "characters": np.array([[1.0, 0.0], [0.0, 1.0]], np.float32),
        "words": np.array([[0.0, 2.0]], np.float32),
        "tags": np.array([[0.5, 0.0]], np.float32),
        "again": np.array([[4.0, 0.0]], np.float32),
    }
    known = {"characters": {"甲": 0, "乙": 1}, "words": {"甲乙": 0}, "tags": {"n": 0}, "again": {"far": 0}}
    last = np.array([2.0, -1.0], np.float32)
    made = nonsense.Network(known, tables, ((weights, np.zeros(1, np.float32)),), last, (2, 4), (3.0, 1.0))
    # 甲: (1, 0); 甲乙 with its tag: (0.5, 0.5) + (0, 2) + (0.5, 0); 丙 is nothing; half of 甲丙 is known; 甲 again
    figures = [1.0, 2 * (1.0 + 1.25) - 1, -1.0, 0.0, 9.0]
    words = [("甲", "x"), ("甲乙", "n"), ("丙", "x"), ("甲丙", "x"), ("甲", "x")]
    assert made.figures(words).tolist() == figures
    nonsense.write(made, tmp_path / "made.npz")
    again = nonsense.read(tmp_path / "made.npz")
    assert (again.known, again.lengths, again.edges) == (known, (2, 4), (3.0, 1.0))
    np.testing.assert_allclose(again.figures(words), figures, atol=0.05)


def test_words_that_come_again() -> None:
    words = [(one, "x") for one in ("水", "，", "水", "水", "，", "山", "火", "水")]
    assert nonsense.coming_again(words) == ["", "", "near", "next", "", "", "", "far"]


@pytest.mark.parametrize(("words", "edge"), [(1, np.inf), (2, 3.0), (3, 3.0), (4, 1.0), (40, 1.0)])
def test_the_edge_hangs_on_the_length(words: int, edge: float) -> None:
    network = nonsense.Network({}, {}, (), np.zeros(1, np.float32), (2, 4), (3.0, 1.0))
    assert network.edge(words) == edge
