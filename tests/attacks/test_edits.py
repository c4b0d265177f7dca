"""Golds follow every edit of the passage."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readproof.attacks.edits import PASSAGE, QUESTION, edited, golds_stand, inserted, variant
from readproof.items import Edit, Gold, SpanItem

ITEM = SpanItem(id="1", passage="北京是中国的首都。", question="首都是哪里？", golds=(Gold("北京", 0), Gold("中国", 3)))


def test_golds_are_cut_from_the_new_passage() -> None:
    new = edited(ITEM, [Edit(0, "", "众所周知，", "", PASSAGE), Edit(1, "", "\u200b", "", PASSAGE)], id="2")
    assert new.passage == "众所周知，北\u200b京是中国的首都。"
    assert new.golds == (Gold("北\u200b京", 5), Gold("中国", 9))
    assert golds_stand(new)


def test_question_edits_leave_the_passage_alone() -> None:
    new = edited(ITEM, [Edit(0, "首都", "省会", "", QUESTION)], id="2")
    assert (new.question, new.passage, new.golds) == ("省会是哪里？", ITEM.passage, ITEM.golds)


def test_a_gold_without_a_place_stays() -> None:
    item = SpanItem(id="1", passage="甲乙", question="？", golds=(Gold("丙", None), Gold("甲", -1)))
    assert edited(item, [Edit(0, "", "丁", "", PASSAGE)], id="2").golds == item.golds


def test_a_variant_knows_its_origin() -> None:
    made = variant(ITEM, [inserted(ITEM, 9, "好。", why="x")], id="1-x-0", attack="x")
    assert (made.origin, made.item.id, made.truth) == ("1", "1-x-0", "kept")
    assert made.item.passage.endswith("首都。好。")  # type: ignore[union-attr]


def test_no_place_outside_the_passage() -> None:
    with pytest.raises(IndexError):
        inserted(ITEM, 10, "好", why="x")


@given(st.text("甲乙丙 \u200e", max_size=20), st.lists(st.integers(0, 20), max_size=6, unique=True), st.data())
def test_insertions_anywhere_keep_every_gold(passage: str, places: list[int], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(passage)))
    end = data.draw(st.integers(start, len(passage)))
    item = SpanItem(id="1", passage=passage, question="？", golds=(Gold(passage[start:end], start),))
    edits = [Edit(at, "", "\u200b", "", PASSAGE) for at in places if at <= len(passage)]
    new = edited(item, edits, id="2")
    assert golds_stand(new)
    assert new.golds[0].text.replace("\u200b", "") == passage[start:end]
