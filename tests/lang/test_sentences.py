"""Sentences by their closing signs."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readproof.lang.api import get_language


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("zh", "他说：“好。”然后走了！\n第二段没有句号", ["他说：“好。”", "然后走了！", "第二段没有句号"]),
        ("zh", "真的吗？！是的……也许", ["真的吗？！", "是的……也许"]),
        ("fa", "او ۳.۵ سال داشت. بعد رفت؟ نه", ["او ۳.۵ سال داشت.", "بعد رفت؟", "نه"]),
        (
            "en",
            "It cost 3.5 dollars. J. R. Tolkien wrote it! He left",
            ["It cost 3.5 dollars.", "J. R. Tolkien wrote it!", "He left"],
        ),
    ],
)
def test_real_sentences(language: str, text: str, wanted: list[str]) -> None:
    assert [text[start:end] for start, end in get_language(language).sentences(text)] == wanted


@given(st.text("甲。！ \n.a?؟", max_size=30), st.sampled_from(["zh", "fa", "en", "de"]))
def test_nothing_but_white_space_is_lost(text: str, language: str) -> None:
    found = get_language(language).sentences(text)
    assert "".join("".join(text[start:end] for start, end in found).split()) == "".join(text.split())
    assert all(first[1] <= second[0] for first, second in pairwise(found))
