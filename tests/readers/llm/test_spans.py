"""What a model says of a span question, found again in the passage."""

from __future__ import annotations

import pytest

from readproof.items import SpanItem
from readproof.readers.llm.quotes import aligned, quote_of

PASSAGE = "王小明生于１９９０年，后来在“北京\u200b大学”读书。He  lived in New York."


@pytest.mark.parametrize(
    ("reply", "raw"),
    [
        ("王小明", "王小明"),
        ("答案：王小明。", "王小明"),
        ("“王小明”", "王小明"),
        ("**王小明**", "王小明"),
        ("王小明\n因为第一句说了。", "王小明"),
        ("北京大学", "北京\u200b大学"),
        ("1990年", "１９９０年"),
        ("He lived", "He  lived"),
        ("New York.", "New York."),
    ],
)
def test_found(reply: str, raw: str) -> None:
    answer = quote_of(SpanItem(id="1", passage=PASSAGE, question="？"), reply).answer
    assert answer.raw == raw
    assert answer.start is not None
    assert PASSAGE[answer.start : answer.end] == raw
    assert "\u200b" not in answer.text


@pytest.mark.parametrize("reply", ["李四", "王小明生于上海", "无答案"])
def test_not_found_has_no_place(reply: str) -> None:
    answer = quote_of(SpanItem(id="1", passage=PASSAGE, question="？"), reply).answer
    assert (answer.text, answer.start, answer.raw) == (reply, None, "")


def test_no_answer_only_where_it_may_be() -> None:
    item = SpanItem(id="1", passage=PASSAGE, question="？")
    for reply in ("无答案", "无答案。", "No answer", "答案：无答案"):
        assert quote_of(item, reply, no_answer=True).answer.text == ""
    assert quote_of(item, "", no_answer=False).answer.text == ""


@pytest.mark.parametrize(
    ("reply", "raw"),
    [
        ("王小明生于1990年后来", "王小明生于１９９０年，后来"),
        ("后来，在“北京大学”读书", "后来在“北京\u200b大学”读书"),
        ("在北京大学读书", "在“北京\u200b大学”读书"),
        ("He lives in New York", "He  lived in New York"),
    ],
)
def test_a_loose_quote_is_aligned_and_said_to_be(reply: str, raw: str) -> None:
    quote = quote_of(SpanItem(id="1", passage=PASSAGE, question="？"), reply)
    assert quote.answer.raw == raw
    assert quote.aligned


@pytest.mark.parametrize(
    "reply",
    [
        "王小明生于1991年，后来",  # another number
        "王小明不生于1990年，后来",  # a denial
        "王小明",  # as it stands
        "张小明的年代后来，在上海的学校念书",  # too far
        "北京",
    ],
)
def test_what_may_turn_the_meaning_is_not_aligned(reply: str) -> None:
    assert not quote_of(SpanItem(id="1", passage=PASSAGE, question="？"), reply).aligned


def test_the_nearest_piece_has_the_fewest_edits() -> None:
    assert aligned("abcde", "xxabXdexx") == (2, 7, 1)
    assert aligned("abc", "abc") == (0, 3, 0)
    assert aligned("abc", "")[2] == 3
