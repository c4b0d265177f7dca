"""Reviewing: blind cards, truth worked out from what judges say, kappa, confirmed variants."""

from __future__ import annotations

from pathlib import Path

import pytest

from readproof.attacks.edits import option
from readproof.attacks.review import (
    Judgement,
    agrees,
    card_of,
    drawn,
    kappa,
    keep,
    new_places,
    original_text,
    read_judgements,
    reviewed,
    truth_of,
)
from readproof.errors import InputError
from readproof.items import ChoiceItem, Edit, Gold, SpanItem, Variant

PASSAGE = "北京是中国的首都。" * 60
SPAN = Variant(
    item=SpanItem(
        id="s-x-0", passage=PASSAGE + "南京是越国的首都。", question="中国的首都？", golds=(Gold("北京", 0),)
    ),
    origin="s",
    attack="x",
    edits=(Edit(len(PASSAGE), "", "南京是越国的首都。", "", "passage"),),
)


def choice(truth: str, now: bool) -> Variant:
    item = ChoiceItem(
        id=f"c-{truth}",
        passage="他提供了所有物资。",
        question="下列正确的是？",
        options=("甲", "他提供了部分物资"),
        truths=(True, now),
    )
    edits = (Edit(4, "所有", "部分", "", option(1)),)
    return Variant(item=item, origin="c", attack="y", truth=truth, edits=edits)  # type: ignore[arg-type]


def said(variant: Variant, holds: str, fluent: bool = True, by: str = "a") -> Judgement:
    return Judgement(variant=variant.item.id, by=by, fluent=fluent, holds=holds)  # type: ignore[arg-type]


def test_a_card_shows_the_edit_and_the_answer_but_not_what_lies_between() -> None:
    card = card_of(SPAN)
    assert [card.text[start:end] for start, end in card.changes] == ["南京是越国的首都。"]
    assert card.text.startswith("北京")
    assert "[…]" in card.text
    assert len(card.text) < len(PASSAGE)


def test_a_card_of_an_option_does_not_tell_the_label() -> None:
    kept, flipped = card_of(choice("kept", False)), card_of(choice("flipped", True))
    assert kept.before == flipped.before == "他提供了所有物资 [false]"
    assert kept.after == flipped.after == "他提供了部分物资"


def test_texts_before_and_places_after_edits() -> None:
    edits = [Edit(0, "甲", "乙乙", ""), Edit(3, "", "丙", "")]
    assert original_text("乙乙XX丙Y", edits) == "甲XXY"
    assert new_places(edits) == [(0, 2), (4, 5)]


def test_the_truth_comes_from_what_the_judge_says() -> None:
    flipped = choice("flipped", False)
    assert truth_of(said(flipped, "no"), flipped) == "flipped"
    assert truth_of(said(flipped, "yes"), flipped) == "kept"
    assert truth_of(said(SPAN, "yes"), SPAN) == "kept"
    assert truth_of(said(SPAN, "unsure"), SPAN) == "unsure"
    assert agrees(said(flipped, "no"), flipped)
    assert not agrees(said(flipped, "no", fluent=False), flipped)


def test_kappa() -> None:
    assert kappa([1, 1, 0, 0], [1, 1, 0, 0]) == 1.0
    assert kappa([1, 1, 0, 0], [1, 0, 1, 0]) == 0.0
    assert kappa([1, 1], [1, 1]) is None
    assert kappa([], []) is None
    # the textbook example: 20 both yes, 5 and 10 apart, 15 both no
    one = [1] * 25 + [0] * 25
    other = [1] * 20 + [0] * 5 + [1] * 10 + [0] * 15
    assert kappa(one, other) == pytest.approx(0.4)


def test_confirmed_is_what_everybody_confirms() -> None:
    flipped = choice("flipped", False)
    found = reviewed(
        [SPAN, flipped],
        [said(SPAN, "yes"), said(SPAN, "no", by="b"), said(flipped, "no"), said(flipped, "no", by="b")],
    )
    assert found.confirmed == (flipped,)
    assert found.judges["a"] == {"variants": 2, "fluent": 1.0, "true": 1.0, "both": 1.0}
    assert found.judges["b"]["true"] == 0.5
    assert found.agreement[0].holds == 0.5


def test_judgements_are_read_again(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    keep(path, said(SPAN, "yes"))
    assert list(read_judgements(path)) == [said(SPAN, "yes")]
    path.write_text('{"variant": "x", "by": "a", "fluent": "perhaps", "holds": "yes"}\n', encoding="utf-8")
    with pytest.raises(InputError, match="judgement"):
        list(read_judgements(path))


def test_the_same_sample_each_time() -> None:
    many = [choice("kept", bool(number % 2)) for number in range(30)]
    assert drawn(many, 10, 1) == drawn(many, 10, 1)
    assert len(drawn(many, 0, 1)) == 30
