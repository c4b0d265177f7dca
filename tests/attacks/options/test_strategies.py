"""What the four strategies make of an option: examples of each way, and what holds for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

import pytest

from readproof.attacks.options import cause, keyword, logic, spacetime
from readproof.attacks.options.change import Change
from readproof.attacks.options.rewriting import rewrites
from readproof.attacks.options.view import OptionView, view_of
from readproof.text import applied
from tests.attacks.options.data import PASSAGE, real_options
from tests.shared_data import needs_shared

Ways = Callable[[OptionView, str], Iterator[Change]]
WAYS: dict[str, Ways] = {
    "keyword": keyword.changes,
    "logic": logic.changes,
    "spacetime": spacetime.changes,
    "cause": cause.changes,
}


def _made(name: str, option: str, truth: bool, passage: str = "") -> dict[str, str]:
    """The new options of one strategy's changes, each with what becomes of the option's truth."""
    after = {"same": "kept", "denied": "flipped", ("contrary" if truth else "restored"): "flipped"}
    return {
        applied(option, change.edits).clean: after[change.meaning]
        for change in WAYS[name](view_of(option), passage)
        if change.meaning in after
    }


def _rewritten(option: str, passage: str, truth: bool | None, seeds: int = 3, **settings: bool) -> set[tuple[str, str]]:
    """What the rewriting as a whole makes of an option: new texts, each with its truth."""
    return {
        (one.of(option), one.truth)
        for seed in range(seeds)
        for wanted in ("kept", "flipped")
        for one in rewrites(option, passage, truth, wanted, Random(seed), **settings)  # type: ignore[arg-type]
    }


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
    option = "19世纪中叶，学者开始研究礼学。"
    made = [new for new, truth in _made("spacetime", option, True, PASSAGE).items() if truth == "flipped"]
    assert made
    assert all("19世纪中叶" not in new for new in made)


def test_a_contrary_does_not_make_a_false_option_true() -> None:
    """The false part of an option may be elsewhere, so turning a word proves nothing."""
    assert _made("keyword", "他们提供了所有物资。", False).get("他们提供了部分物资。") is None
    assert ("他们提供了部分物资。", "flipped") not in _rewritten("他们提供了所有物资。", PASSAGE, False)


def test_what_the_passage_says_sets_a_false_option_right() -> None:
    option = "只要把礼置于整个传统之中，就能理解它。"
    assert _made("logic", option, False, PASSAGE)["只有把礼置于整个传统之中，才能理解它。"] == "flipped"
    turned = "唐代的抄本少数保存在南方。"
    assert _made("keyword", turned, False, PASSAGE)["唐代的抄本多数保存在南方。"] == "flipped"
    assert ("唐代的抄本多数保存在南方。", "flipped") in _rewritten(turned, PASSAGE, False, 20)


def test_two_true_halves_with_a_false_link_are_said_side_by_side() -> None:
    passage = "战乱频繁，大量典籍散失在各地。许多学者后来开始研究礼学。"
    option = "由于大量典籍散失在各地，许多学者后来开始研究礼学。"
    assert ("大量典籍散失在各地，许多学者后来开始研究礼学", "flipped") in {
        (new.rstrip("。"), truth) for new, truth in _rewritten(option, passage, False, 30)
    }


def test_a_false_option_is_denied_as_a_whole_only_where_it_is_wanted() -> None:
    option = "所有的艺术作品都来源于生活。"
    assert (f"并非{option}", "flipped") in _rewritten(option, "", False, 20, denial=True)
    assert not [new for new, _ in _rewritten(option, "", False, 20) if "并非" in new or "这种看法" in new]


def test_quoted_terms_stay() -> None:
    option = "“所有制”与《许多人》都是“可能”的说法。"
    for ways in WAYS.values():
        for change in ways(view_of(option), ""):
            new = applied(option, change.edits).clean
            assert all(term in new for term in ("“所有制”", "《许多人》", "“可能”"))


def test_conditions_are_not_denied() -> None:
    assert not any("不能够" in new or "无法" in new for new in _made("keyword", "如果能够坚持，就有收获。", True))


def test_another_work_that_the_passage_speaks_of() -> None:
    passage = "他年轻时写成《山居笔记》，记述了乡间的生活。后来他去了南方。那里的冬天很短。晚年他又写成《远行》。"
    new = _made("keyword", "《山居笔记》记述了乡间的生活。", True, passage)
    assert new["《远行》记述了乡间的生活。"] == "flipped"


def test_what_is_larger_is_smaller() -> None:
    option = "较大物体反射的声波比较小物体反射的声波强。"
    assert _made("keyword", option, True)["较大物体反射的声波比较小物体反射的声波弱。"] == "flipped"


@pytest.mark.parametrize(
    ("option", "new"),
    [
        ("法治成功的标志是法律得到普遍的尊重。", "法律得到普遍的尊重，是法治成功的标志。"),
        ("只有坚持改革开放，社会才能不断进步。", "社会要不断进步，必须坚持改革开放。"),
        ("李四光提出了地质力学理论。", "地质力学理论是由李四光提出的。"),
        ("对于青年作家来说，阅读是一种积累。", "就青年作家而言，阅读是一种积累。"),
        ("这项研究与环境保护有关。", "这项研究与环境保护不无关系。"),
    ],
)
def test_the_same_in_another_form(option: str, new: str) -> None:
    assert _made("logic", option, True).get(new) == "kept" or (new, "kept") in _rewritten(option, "", True, 60)


@needs_shared
@pytest.mark.parametrize("name", sorted(WAYS))
def test_edits_of_real_options_make_the_new_option(name: str) -> None:
    made = 0
    for option, passage, _ in real_options():
        for change in WAYS[name](view_of(option), passage):
            at = 0
            for edit in change.edits:
                assert edit.start >= at
                assert option[edit.start : edit.end] == edit.old
                at = edit.end
            assert applied(option, change.edits).clean != option
            made += 1
    assert made > 50


@needs_shared
def test_rewrites_of_real_options_are_new_and_made_by_their_edits() -> None:
    count = 0
    for option, passage, truth in list(real_options())[:120]:
        for wanted in ("kept", "flipped"):
            found = list(islice(rewrites(option, passage, truth, wanted, Random(0)), 5))  # type: ignore[arg-type]
            texts = [one.of(option) for one in found]
            assert len(set(texts)) == len(texts)
            assert option not in texts
            assert all(one.truth == wanted for one in found)
            count += len(found)
    assert count > 500


@needs_shared
def test_of_options_of_unknown_truth_only_what_says_the_same_is_made() -> None:
    for option, passage, _ in list(real_options())[:40]:
        assert all(truth == "kept" for _, truth in _rewritten(option, passage, None, 1))
