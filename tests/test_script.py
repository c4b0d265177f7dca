"""Width and script conversions keep every character in its place."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readproof import script as script_module
from readproof.items import SpanItem
from readproof.script import Script, full_width, half_width, in_script
from readproof.tasks import load
from readproof.text import applied, sanitised
from tests.shared_data import SHARED, needs_shared
from tests.strategies import check_map, texts

each_script = pytest.mark.parametrize("script", ["simplified", "traditional"])


@each_script
@settings(deadline=None, max_examples=300)
@given(raw=texts(30))
def test_a_conversion_covers_the_whole_text(script: Script, raw: str) -> None:
    text = in_script(raw, script)
    check_map(text)
    assert applied(raw, text.edits).clean == text.clean
    assert text.to_raw(0, len(text.clean)) == (0, len(raw))
    for at in range(len(raw)):
        start, end = text.to_clean(at, at + 1)
        assert start < end


@settings(deadline=None, max_examples=500)
@given(raw=st.text("abc", min_size=1, max_size=12), converted=st.text("abcd", min_size=1, max_size=12))
def test_a_phrase_of_another_length_is_still_aligned(raw: str, converted: str) -> None:
    """The dictionaries of today change no length; the map must hold for those of tomorrow."""
    text = applied(raw, script_module._aligned(raw, converted, "simplified"))
    check_map(text)
    assert text.clean == converted
    assert text.to_raw(0, len(converted)) == (0, len(raw))
    if text.starts is not None and text.ends is not None:
        assert all(start < end for start, end in zip(text.starts, text.ends, strict=True))
    assert {at for at in range(len(raw)) if text.to_clean(at, at + 1)[0] < text.to_clean(at, at + 1)[1]} == set(
        range(len(raw))
    )


def test_a_conversion_that_changes_length_keeps_its_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    class Converter:
        def convert(self, raw: str) -> str:
            return raw.replace("計程車", "出租汽车").replace("資訊", "信息")

    monkeypatch.setattr(script_module, "_converter", lambda configuration: Converter())
    text = in_script("搭計程車看資訊", "simplified")
    assert text.clean == "搭出租汽车看信息"
    start, end = text.to_clean(1, 4)
    assert text.clean[start:end] == "出租汽车"
    assert text.to_raw(6, 8) == (5, 7)


@pytest.mark.parametrize(
    ("raw", "script", "clean"),
    [
        ("後來他擦乾了頭髮", "simplified", "后来他擦干了头发"),
        ("后来他擦干了头发", "traditional", "後來他擦乾了頭髮"),
        ("皇后和王后", "traditional", "皇后和王后"),
        ("國\ud800學\x00會", "simplified", "国\ud800学\x00会"),
        ("plain", "simplified", "plain"),
    ],
)
def test_characters_are_converted_in_their_phrase(raw: str, script: Script, clean: str) -> None:
    assert in_script(raw, script).clean == clean


def test_widths() -> None:
    assert half_width("ＡＢＣ１２３！　￥").clean == "ABC123! ¥"
    assert full_width("ABC123! ¥").clean == "ＡＢＣ１２３！　￥"
    assert half_width("中文，。").clean == "中文,。"


@given(raw=texts(30))
def test_there_and_back_is_the_half_width_form(raw: str) -> None:
    half = half_width(raw).clean
    assert half_width(half).edits == ()
    assert half_width(full_width(half).clean).clean == half


@needs_shared
def test_traditional_gold_answers_stay_aligned() -> None:
    """Cutting the converted passage gives the converted answer, but for the few whose phrase goes beyond the answer."""
    seen = 0
    apart: list[tuple[str, str, str]] = []
    passages: dict[str, script_module.Text] = {}
    for item in load(SHARED / "data/drcd/DRCD_dev.json.xz"):
        assert isinstance(item, SpanItem)
        if item.passage not in passages:
            passages[item.passage] = in_script(item.passage, "simplified")
        text = passages[item.passage]
        for gold in item.golds:
            if gold.start is None or gold.end is None:
                continue
            seen += 1
            start, end = text.to_clean(gold.start, gold.end)
            assert text.to_raw(start, end) == (gold.start, gold.end)
            cut, alone = text.clean[start:end], in_script(gold.text, "simplified").clean
            if cut != alone:
                apart.append((item.id, cut, alone))
    assert seen >= 3500
    assert len(apart) <= seen // 1000, apart


@needs_shared
def test_steps_compose_on_real_text() -> None:
    for item in list(load(SHARED / "data/drcd/DRCD_dev.json.xz"))[:50]:
        assert isinstance(item, SpanItem)
        text = sanitised(item.passage).then(half_width).then(lambda raw: in_script(raw, "simplified"))
        for gold in item.golds:
            if gold.start is not None and gold.end is not None:
                assert text.to_raw(*text.to_clean(gold.start, gold.end)) == (gold.start, gold.end)
