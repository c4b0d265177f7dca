"""What stems ask for: examples, and every stem of the data."""

from __future__ import annotations

from collections import Counter

import pytest

from readproof.lang.zh.stems import asks_truth, flip_stem, polarity
from readproof.tasks import gaokao, gcrc, vgaokao
from tests.shared_data import SHARED, needs_shared

_VGAOKAO = SHARED / "data" / "vgaokao" / "clean.json.xz"
_GAOKAO = SHARED / "data" / "gaokao_extra" / "clean.json.xz"
_GCRC = SHARED / "data" / "gcrc_advrobust" / "dev_a.json"


@pytest.mark.parametrize(
    ("stem", "asked", "flipped"),
    [
        ("下列关于原文内容的表述，不正确的一项是", False, "下列关于原文内容的表述，正确的一项是"),
        ("下列理解和分析，符合原文意思的一项是", True, "下列理解和分析，不符合原文意思的一项是"),
        ("下列对材料有关内容的分析和概括，最恰当的是", True, "下列对材料有关内容的分析和概括，不恰当的是"),
        ("根据原文，下列理解有误的一项是", False, "根据原文，下列理解正确的一项是"),
        ("下列说法与原文意思不相符的一项是", False, "下列说法与原文意思相符的一项是"),
        ("下列解说与原文意思不符的一项是", False, "下列解说与原文意思相符的一项是"),
        ("下列关于“可燃冰”的解说错误的一项是", False, "下列关于“可燃冰”的解说正确的一项是"),
        ("下列理解和分析，不合文意的一项是", False, "下列理解和分析，符合文意的一项是"),
        ("下面不属于臭氧形成原因的一项是", False, "下面属于臭氧形成原因的一项是"),
        ("下列不能说明神话“具有很高的价值”的一项是", False, "下列能说明神话“具有很高的价值”的一项是"),
        ("下列各项表述中，不是“父权在场”的一项是", False, "下列各项表述中，是“父权在场”的一项是"),
        # what is quoted says nothing of what is asked
        ("下列对“不正确的看法”的理解，正确的一项是", True, "下列对“不正确的看法”的理解，不正确的一项是"),
        ("下面不符合判断中医是否符合“科学”的基本准则的一项是", False, None),
        ("最适合作这篇文章标题的一项是", None, None),
        ("男的周末打算做什么？", None, None),
    ],
)
def test_examples(stem: str, asked: bool | None, flipped: str | None) -> None:
    assert polarity(stem) is asked
    if flipped is not None or asked is None:
        assert flip_stem(stem) == flipped


def test_reasons_are_not_truths() -> None:
    assert asks_truth("下列关于原文内容的表述，不正确的一项是")
    assert not asks_truth("下列不属于“一流的大国工匠”应具备的条件的一项是")
    assert not asks_truth("下列不能说明神话“具有很高的价值”的一项是")


@needs_shared
def test_every_vgaokao_stem_agrees_with_its_truths() -> None:
    """One true option among false ones is asked for by 正确, one false among true ones by 不正确."""
    for item in vgaokao.load(_VGAOKAO):
        assert polarity(item.question) is (sum(item.truths) == 1), item.question
        assert item.answer == item.truths.index(sum(item.truths) == 1)


@needs_shared
def test_nearly_every_gaokao_stem_has_a_polarity_and_a_contrary() -> None:
    stems = {item.question for path, task in ((_VGAOKAO, vgaokao), (_GAOKAO, gaokao)) for item in task.load(path)}
    asked = {stem for stem in stems if polarity(stem) is not None}
    assert len(stems) - len(asked) <= 8
    for stem in sorted(asked):
        contrary = flip_stem(stem)
        assert contrary is not None, stem
        assert polarity(contrary) is (not polarity(stem))
        back = flip_stem(contrary)
        assert back is not None
        assert polarity(back) is polarity(stem)


@needs_shared
def test_gcrc_negative_stems_ask_for_the_contrary() -> None:
    pairs = Counter()
    same = 0
    for triple in gcrc.load(_GCRC):
        first, second = polarity(triple.original.question), polarity(triple.negative.question)
        pairs["contrary" if first is not None and second is (not first) else "other"] += 1
        same += flip_stem(triple.original.question) == triple.negative.question
    assert pairs["contrary"] >= 160
    assert same >= 140
