"""What one answer scores, the means of many, and how sure a reader is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readproof.items import Answer, ChoiceItem, Gold, SpanItem
from readproof.proof.measure import (
    Confident,
    Value,
    belief,
    calibrated,
    difference,
    figures,
    measure_for,
    probabilities,
    share_of_score,
)
from readproof.proof.results import Figure


def test_an_answer_without_the_invisible_characters_of_the_gold_is_right() -> None:
    item = SpanItem(id="1", passage="北\u200b京", question="？", golds=(Gold("北\u200b京", 0),))
    for task in ("cmrc2018", "items", "squad"):
        assert measure_for(task)(item, Answer(id="1", text="北京")) == {"f1": 1.0, "em": 1.0}


def test_answers_to_persianqa_are_right_or_wrong() -> None:
    """Its own F1 is over a bag of characters: by it a reader that answers with the question is half right."""
    item = SpanItem(
        id="1", passage="پایتخت اسپانیا مادرید است.", question="کجاست؟", golds=(Gold("مادرید"),), language="fa"
    )
    none = replace(item, golds=(), impossible=True)
    assert measure_for("persianqa")(item, Answer(id="1", text="ریاست دما"))["f1"] == 0
    assert measure_for("persianqa", "official")(item, Answer(id="1", text="ریاست دما"))["f1"] > 0.5
    assert measure_for("persianqa")(item, Answer(id="1", text="مادرید"))["f1"] == 1
    assert measure_for("persianqa")(none, Answer(id="1", text=""))["f1"] == 1


def test_belief_in_the_gold_option() -> None:
    item = ChoiceItem(id="1", passage="", question="", options=("a", "b"), answer=1)
    assert belief(item, Answer(id="1", choice=0, scores=(0.7, 0.3))) == 0.3
    assert belief(item, Answer(id="1", choice=0, scores=(1.0, 1.0))) == 0.5
    assert belief(item, Answer(id="1", choice=1, confidence=0.9)) == 0.9
    assert belief(item, Answer(id="1", choice=0, confidence=0.9)) == 0.0
    assert belief(item, Answer(id="1", choice=0)) is None


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=6))
def test_shares_sum_to_one(scores: list[float]) -> None:
    assert sum(probabilities(scores)) == pytest.approx(1, abs=2e-3)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("1952年", True),
        ("于1952年考入清华大学", True),  # a wordy answer
        ("王永志毕业后于1952年考入清华大学学习飞机设计专业，后来去了苏联", False),  # the whole sentence
        ("1953年", True),  # F1 is 0.5: one of two words
        ("王永志", False),
        ("", False),
    ],
)
def test_a_wordy_answer_is_right_and_a_whole_sentence_is_not(text: str, right: bool) -> None:
    passage = "他是辽宁人。王永志毕业后于1952年考入清华大学学习飞机设计专业，后来去了苏联。"
    item = SpanItem(id="1", passage=passage, question="哪一年？", golds=(Gold("1952年", passage.index("1952年")),))
    assert measure_for("cmrc2018").is_right(item, text) is right


def test_intervals_are_over_passages() -> None:
    apart = figures([Value(number, {"f1": float(number % 2)}) for number in range(20)])["f1"]
    assert apart.value == 50
    assert apart.low is not None
    assert apart.low < 50
    together = figures([Value("one passage", {"f1": float(number % 2)}) for number in range(20)])["f1"]
    assert (together.value, together.low) == (50, None)


def test_a_reader_as_sure_as_right_has_no_calibration_error() -> None:
    honest = [Confident(0.75, float(number % 4 != 0), float(number % 4 != 0)) for number in range(100)]
    found = calibrated(honest)
    assert found is not None
    assert found.error == pytest.approx(0)
    boasting = calibrated([Confident(0.99, one.right, one.score) for one in honest])
    assert boasting is not None
    assert boasting.error == pytest.approx(0.24)
    assert calibrated(honest[:5]) is None


def test_answering_less_helps_a_reader_that_knows_when_it_is_wrong() -> None:
    answers = [Confident(number / 100, float(number >= 50), float(number >= 50)) for number in range(100)]
    found = calibrated(answers)
    assert found is not None
    assert found.curve[0].score == 100
    assert found.curve[-1] == type(found.curve[-1])(share=1.0, score=50.0)
    assert len(found.curve) <= 41


@given(st.permutations([(number % 5, float(number % 3 == 0), float(number % 2)) for number in range(30)]))
def test_intervals_do_not_depend_on_the_order_of_the_questions(order: list[tuple[int, float, float]]) -> None:
    first = [Value(group, {"f1": one}) for group, one, _ in order]
    second = [Value(group, {"f1": other}) for group, _, other in order]
    usual = sorted(order)
    assert figures(first) == figures([Value(group, {"f1": one}) for group, one, _ in usual])
    assert difference(first, second, "f1") == difference(
        [Value(group, {"f1": one}) for group, one, _ in usual],
        [Value(group, {"f1": other}) for group, _, other in usual],
        "f1",
    )


@pytest.mark.parametrize(
    ("clean", "other", "chance", "share"),
    [
        (Figure(value=80, low=75, high=85), 40, 0, 0.5),
        (Figure(value=40, low=30, high=50), 25, 25, 0.0),
        (Figure(value=40, low=30, high=50), 10, 25, 0.0),  # below chance nothing more is lost
        (Figure(value=40, low=30, high=50), 60, 25, 1.0),
        (Figure(value=40, low=20, high=60), 60, 25, None),  # not clearly above chance
        (Figure(value=20, low=10, high=24), 60, 25, None),
        (Figure(value=80), 40, 0, None),
        (None, 40, 0, None),
    ],
)
def test_a_share_of_next_to_nothing_is_none(
    clean: Figure | None, other: float, chance: float, share: float | None
) -> None:
    found = share_of_score(clean, other, chance)
    assert found == (None if share is None else pytest.approx(share))
