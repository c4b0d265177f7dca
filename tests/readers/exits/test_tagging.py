"""Marks as tags of characters and back; whatever a head says, its words cover the text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from readproof.items import Mark, TagItem
from readproof.readers.exits.asking import is_words, marks_of, tag_set, tags_of

LENGTHS = st.lists(st.integers(1, 4), max_size=8)
TYPES = st.sampled_from(["n", "v", "ns", ""])


def segmented(lengths: list[int], kinds: list[str]) -> TagItem:
    marks, at = [], 0
    for length, kind in zip(lengths, kinds, strict=True):
        marks.append(Mark(at, at + length, kind))
        at += length
    return TagItem(id="0", text="字" * at, marks=tuple(marks))


@given(LENGTHS, st.data())
def test_words_come_back(lengths: list[int], data: st.DataObject) -> None:
    item = segmented(lengths, [data.draw(TYPES) for _ in lengths])
    assert marks_of(tags_of(item, words=True), words=True) == item.marks


@given(LENGTHS, st.data())
def test_entities_come_back(lengths: list[int], data: st.DataObject) -> None:
    item = segmented(lengths, [data.draw(st.sampled_from(["dis", "sym"])) for _ in lengths])
    kept = tuple(mark for number, mark in enumerate(item.marks or ()) if number % 2)
    item = TagItem(id="0", text=item.text, marks=kept)
    assert marks_of(tags_of(item, words=False), words=False) == kept


@given(st.lists(st.sampled_from(["B-n", "M-n", "E-n", "S-n", "B-v", "M-v", "E-v", "S-v"]), max_size=12))
def test_any_tags_cut_the_whole_text_into_words(tags: list[str]) -> None:
    marks = marks_of(tags, words=True)
    assert [0, *(mark.end for mark in marks)] == [*(mark.start for mark in marks), len(tags)]
    assert all(mark.start < mark.end for mark in marks)


@given(st.lists(st.sampled_from(["O", "B-a", "I-a", "B-b", "I-b"]), max_size=12))
def test_any_tags_mark_entities_that_do_not_overlap(tags: list[str]) -> None:
    marks = marks_of(tags, words=False)
    covered = [place for mark in marks for place in range(mark.start, mark.end)]
    assert covered == [place for place, tag in enumerate(tags) if tag != "O"]


def test_the_set_of_tags_tells_words_from_entities() -> None:
    item = segmented([2, 1], ["n", "v"])
    assert tag_set([item], words=True) == ("B-n", "M-n", "E-n", "S-n", "B-v", "M-v", "E-v", "S-v")
    assert tag_set([item], words=False) == ("O", "B-n", "I-n", "B-v", "I-v")
    assert is_words(tag_set([item], words=True))
    assert not is_words(tag_set([item], words=False))


def test_of_overlapping_marks_the_first_is_learnt() -> None:
    item = TagItem(id="0", text="慢性胃炎", marks=(Mark(0, 4, "dis"), Mark(2, 3, "bod")))
    assert tags_of(item, words=False) == ["B-dis", "I-dis", "I-dis", "I-dis"]
