"""Where a statement is spoken of."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from readproof.readers.evidence import chosen, pairs, relevance, segments, sentences

PASSAGE = (
    "范廷颂是越南罗马天主教枢机。他1919年生于宁平省。1949年他晋铎，1963年被任命为北宁教区主教。"
    "此后他长期在乡间牧养教徒；1990年他改任河内总教区署理。2009年他在河内逝世，享年八十九岁。"
)


def test_sentences_end_with_their_signs() -> None:
    found = [PASSAGE[one.start : one.end] for one in sentences(PASSAGE)]
    assert found[0] == "范廷颂是越南罗马天主教枢机。"
    assert found[3] == "此后他长期在乡间牧养教徒；"
    assert "".join(found) == PASSAGE


def test_pairs_leave_signs_out() -> None:
    assert pairs("河内，总") == {"河内", "内总"}
    assert pairs("。") == frozenset()
    assert pairs("A") == {"a"}


def test_the_sentence_that_says_it_weighs_most() -> None:
    known = sentences(PASSAGE)
    weights = relevance("1963年他被任命为主教", known)
    assert PASSAGE[known[int(weights.argmax())].start :].startswith("1949年他晋铎")


def test_evidence_from_two_places_is_chosen_in_order() -> None:
    known = sentences(PASSAGE)
    numbers = chosen("范廷颂1919年生于宁平省，2009年在河内逝世", known, 40)
    texts = [PASSAGE[known[at].start : known[at].end] for at in numbers]
    assert "他1919年生于宁平省。" in texts
    assert "2009年他在河内逝世，享年八十九岁。" in texts
    assert numbers == sorted(numbers)


def test_another_judge_may_like_a_sentence() -> None:
    known = sentences(PASSAGE)
    plain = chosen("完全无关的话", known, 20)
    liking = relevance("乡间牧养教徒", known)
    assert plain != chosen("完全无关的话", known, 20, liking)


@given(st.text(alphabet="春夏秋冬，。；\n a", max_size=900), st.integers(40, 200), st.integers(0, 60))
def test_segments_hold_every_sentence_and_overlap(text: str, size: int, overlap: int) -> None:
    known = sentences(text)
    runs = segments(known, size, overlap)
    assert sorted({at for first, last in runs for at in range(first, last)}) == list(range(len(known)))
    for (first, last), (after, _) in pairwise(runs):
        assert first < after <= last
    for first, last in runs:
        assert last - first == 1 or known[last - 1].end - known[first].start <= size


@given(st.text(max_size=300))
def test_sentences_are_apart_and_in_order(text: str) -> None:
    at = 0
    for one in sentences(text):
        assert at <= one.start < one.end <= len(text)
        assert one.size <= 160
        at = one.end
