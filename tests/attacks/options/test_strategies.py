"""What the four strategies make of an option: examples of each way, and what holds for all of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readproof.attacks.options import cause, keyword, logic, spacetime
from readproof.attacks.options.change import Rewrite, truth_after
from tests.attacks.options.data import PASSAGE, real_options
from tests.shared_data import needs_shared

Ways = Callable[[str, str, bool | None], list[Rewrite]]
WAYS: dict[str, Ways] = {
    "keyword": keyword.rewrites,
    "logic": logic.rewrites,
    "spacetime": spacetime.rewrites,
    "cause": cause.rewrites,
}


def _made(name: str, option: str, truth: bool | None, passage: str = "") -> dict[str, str]:
    """The new options, each with what became of its truth."""
    return {rewrite.of(option): rewrite.truth for rewrite in WAYS[name](option, passage, truth)}


@pytest.mark.parametrize(
    ("name", "option", "new", "truth"),
    [
        ("keyword", "他们提供了所有物资。", "他们提供了全部物资。", "kept"),
        ("keyword", "他们提供了所有物资。", "他们提供了部分物资。", "flipped"),
        ("keyword", "这种做法可能会导致失败。", "这种做法一定会导致失败。", "flipped"),
        ("keyword", "我们必须保护文物。", "我们不必保护文物。", "flipped"),
        ("keyword", "蜂鸟是世界上最小的鸟类。", "蜂鸟并不是世界上最小的鸟类。", "flipped"),
        ("keyword", "这项制度促进了经济的发展。", "这项制度并没有促进经济的发展。", "flipped"),
        ("keyword", "坊巷制有利于商业的发展。", "坊巷制不利于商业的发展。", "flipped"),
        ("keyword", "这种材料十分重要。", "这种材料并不重要。", "flipped"),
        ("keyword", "两者的观点截然不同。", "两者的观点完全相同。", "flipped"),
        ("logic", "只有坚持改革，社会才能进步。", "只要坚持改革，社会就能进步。", "flipped"),
        ("logic", "只有坚持改革，社会才能进步。", "唯有坚持改革，社会才能进步。", "kept"),
        ("logic", "艺术不是模仿，而是创造。", "艺术不是创造，而是模仿。", "flipped"),
        ("logic", "艺术不是模仿，而是创造。", "艺术是创造，而不是模仿。", "kept"),
        ("logic", "汉字不仅有实用功能，而且有审美功能。", "汉字既有实用功能，也有审美功能。", "kept"),
        ("logic", "汉字不仅有实用功能，而且有审美功能。", "汉字没有实用功能，只有审美功能。", "flipped"),
        ("logic", "战争是文化衰落的原因之一。", "战争是文化衰落的唯一原因。", "flipped"),
        ("logic", "许多学者反对这一观点。", "所有学者反对这一观点。", "flipped"),
        ("logic", "诗人在佛教的影响下创作了山水诗。", "诗人在不受佛教影响的情况下创作了山水诗。", "flipped"),
        ("logic", "前者注重形式，后者注重内容。", "后者注重形式，前者注重内容。", "flipped"),
        ("logic", "在作者看来，文化需要创新。", "作者认为，文化需要创新。", "kept"),
        ("spacetime", "19世纪中叶，他们处于弱势。", "十九世纪中叶，他们处于弱势。", "kept"),
        ("spacetime", "清代出现了许多藏书家。", "清朝出现了许多藏书家。", "kept"),
        ("spacetime", "这座桥建于战争之前。", "这座桥建于战争之后。", "flipped"),
        ("spacetime", "这种植物分布在西部。", "这种植物分布在东部。", "flipped"),
        ("cause", "因为气候干旱，所以粮食减产。", "之所以粮食减产，是因为气候干旱。", "kept"),
        ("cause", "因为气候干旱，所以粮食减产。", "因为粮食减产，所以气候干旱。", "flipped"),
        ("cause", "因为气候干旱，所以粮食减产。", "气候干旱，但这并不是粮食减产的原因。", "flipped"),
        ("cause", "他这样做是为了保护文物。", "他这样做并不是为了保护文物。", "flipped"),
        ("cause", "过度开发导致环境恶化。", "过度开发并没有导致环境恶化。", "flipped"),
        ("cause", "虽然他出身贫寒，但他成绩优异。", "尽管他出身贫寒，但他成绩优异。", None),
    ],
)
def test_ways_of_true_options(name: str, option: str, new: str, truth: str | None) -> None:
    assert _made(name, option, True).get(new) == truth


def test_a_time_that_the_passage_gives_is_moved() -> None:
    made = [
        rewrite.of("19世纪中叶，学者开始研究礼学。")
        for rewrite in spacetime.rewrites("19世纪中叶，学者开始研究礼学。", PASSAGE, True)
        if rewrite.truth == "flipped"
    ]
    assert made
    assert all("19世纪中叶" not in new for new in made)


def test_a_contrary_does_not_make_a_false_option_true() -> None:
    """The false part of an option may be elsewhere, so turning a word proves nothing."""
    assert _made("keyword", "他们提供了所有物资。", False).get("他们提供了部分物资。") is None
    assert _made("keyword", "他们提供了所有物资。", None).get("他们提供了部分物资。") is None
    assert truth_after("contrary", False) is None
    assert truth_after("mended", True) is None
    assert truth_after("denied", False) == truth_after("denied", True) == "flipped"


def test_the_passage_mends_a_false_option() -> None:
    option = "只要把礼置于整个传统之中，就能理解它。"
    assert _made("logic", option, False, PASSAGE)["只有把礼置于整个传统之中，才能理解它。"] == "flipped"
    turned = "唐代的抄本少数保存在南方。"
    assert _made("keyword", turned, False, PASSAGE)["唐代的抄本多数保存在南方。"] == "flipped"


def test_a_false_option_is_denied_as_a_whole() -> None:
    option = "所有的艺术作品都来源于生活。"
    assert _made("keyword", option, False)[f"并非{option}"] == "flipped"
    assert not any("denial" in rewrite.strategy for rewrite in keyword.rewrites(option, "", False, denial=False))


def test_quoted_terms_stay() -> None:
    option = "“所有制”与《许多人》都是“可能”的说法。"
    for ways in WAYS.values():
        for rewrite in ways(option, "", True):
            new = rewrite.of(option)
            assert all(term in new for term in ("“所有制”", "《许多人》", "“可能”"))


def test_conditions_are_not_denied() -> None:
    assert not any("不能够" in new or "无法" in new for new in _made("keyword", "如果能够坚持，就有收获。", True))


@needs_shared
@pytest.mark.parametrize("name", sorted(WAYS))
def test_edits_of_real_options_make_the_new_option(name: str) -> None:
    made = 0
    for option, passage, truth in real_options():
        rewrites = WAYS[name](option, passage, truth)
        texts = [rewrite.of(option) for rewrite in rewrites]
        assert len(set(texts)) == len(texts)
        assert option not in texts
        for rewrite in rewrites:
            assert rewrite.strategy.startswith(f"{name}/")
            at = 0
            for edit in rewrite.edits:
                assert edit.start >= at
                assert option[edit.start : edit.end] == edit.old
                at = edit.end
            if truth is False and rewrite.truth == "flipped":
                assert rewrite.why.startswith(("denied", "mended"))
        made += len(rewrites)
    assert made > 50


@needs_shared
def test_unknown_truth_gives_only_kept() -> None:
    for option, passage, _ in list(real_options())[:80]:
        for ways in WAYS.values():
            assert all(rewrite.truth == "kept" for rewrite in ways(option, passage, None))


@given(st.text(alphabet="因为所以只有才能是不都了的“”《》，。、一1年前后使得", max_size=40))
def test_odd_texts_break_nothing(option: str) -> None:
    for ways in WAYS.values():
        for truth in (True, False, None):
            for rewrite in ways(option, option, truth):
                assert rewrite.of(option) != option
