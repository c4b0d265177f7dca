"""The shipped Persian reader: chosen by the language of the text, reads past spelling, knows when to say nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from readproof.items import SpanItem
from readproof.readers import READERS, load_reader
from readproof.readers.card import has_weights
from readproof.readers.factory import reader_for
from readproof.readers.shipped import FA, ZH
from readproof.tasks import load
from readproof.tasks.persianqa import fair
from tests.shared_data import SHARED, needs_shared

PASSAGE = "دانشگاه تهران در سال ۱۳۱۳ خورشیدی در شهر تهران بنیان گذاشته شد. نخستین رئیس آن علی‌اصغر حکمت بود."
QUESTION = "دانشگاه تهران در چه سالی بنیان گذاشته شد؟"
needs_weights = pytest.mark.skipif(not has_weights(FA.folder), reason="the Persian weights are not in this checkout")


def test_a_reader_without_weights_is_not_offered() -> None:
    assert ("fa" in READERS) is has_weights(FA.folder)
    assert reader_for("这是一段中文。") == reader_for("plain English") == ZH.name
    assert reader_for(PASSAGE) == ("fa" if "fa" in READERS else "zh")


@needs_weights
def test_it_is_small() -> None:
    card = FA.card()
    assert card.size <= 25_000_000
    assert card.languages == ("fa",)


@needs_weights
def test_it_reads_past_spelling() -> None:
    reader = load_reader("fa", threads=1)
    (answer,) = reader.answer([SpanItem(id="1", passage=PASSAGE, question=QUESTION)])
    assert "۱۳۱۳" in answer.text
    assert PASSAGE[answer.start : answer.end] == answer.raw
    for one, other in (("ی", "ي"), ("ک", "ك"), ("۱", "١"), ("\u200c", " "), ("ه", "هـ")):
        spelt = PASSAGE.replace(one, other)
        (again,) = reader.answer([SpanItem(id="1", passage=spelt, question=QUESTION.replace(one, other))])
        assert fair(again.text, [answer.text]) == (1.0, 1.0), (one, other)


@needs_weights
@needs_shared
def test_some_real_questions() -> None:
    path: Path = SHARED / "data" / "pquad" / "Test.json.xz"
    items = [item for item in load(path) if isinstance(item, SpanItem)][:300:6]
    for no_answer in (False, True):
        answers = load_reader("fa", threads=1, no_answer=no_answer).answer(items)
        assert all(
            item.passage[one.start : one.end] == one.raw for item, one in zip(items, answers, strict=True) if one.raw
        )
        if not no_answer:
            asked = [(one, item) for one, item in zip(answers, items, strict=True) if not item.impossible]
            found = [fair(one.text, [gold.text for gold in item.golds])[1] for one, item in asked]
            assert sum(found) / len(found) > 0.5
