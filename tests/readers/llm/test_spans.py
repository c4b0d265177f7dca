"""What a model says of a span question, found again in the passage."""

from __future__ import annotations

import pytest

from readproof.items import SpanItem
from readproof.readers.llm.quotes import quote_of

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
