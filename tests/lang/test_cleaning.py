"""Marks in place of spaces give the space back, marks inside words vanish, and offsets lead to the raw text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readproof.attacks import make_attack
from readproof.items import Gold, SpanItem
from readproof.lang.cleaning import clean_golds, cleaned
from readproof.tasks import load
from readproof.text import ZWNJ, applied, sanitised
from tests.shared_data import SHARED, needs_shared
from tests.strategies import check_map, spans, texts

LRM, ZWSP, RLO, LRI, PDF, PDI = "\u200e", "\u200b", "\u202e", "\u2066", "\u202c", "\u2069"


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        (f"he{LRM}llo", "hello"),
        (f"two{LRM}words", "two words"),
        (f"The{LRM}city{LRM}of{LRM}London{LRM}is{LRM}old,{LRM}and{LRM}big", "The city of London is old, and big"),
        (f"The ci{LRM}ty of Lon{ZWSP}don is ol{LRM}d", "The city of London is old"),
        (f"سلام{LRM} دنیا", "سلام دنیا"),
        (f"در{LRM}سال{LRM}گذشته،{LRM}شهر{LRM}تهران", "در سال گذشته، شهر تهران"),
        (f"در سال گذ{LRM}شته شهر", "در سال گذشته شهر"),
        (f"کتاب{ZWNJ}ها", f"کتاب{ZWNJ}ها"),
        ("گروه\u200fهایی برای برپایی", f"گروه{ZWNJ}هایی برای برپایی"),
        (f"他在19{LRM}98年出{ZWSP}生于Lon{LRM}don，后{LRM}来", "他在1998年出生于London，后来"),
        (f"演员Tom{LRM}Hanks出生于美国加利福尼亚州", "演员Tom Hanks出生于美国加利福尼亚州"),
        (f"中{LRI}{RLO}文{PDF}{PDI}国", "中文国"),
    ],
)  # fmt: skip
def test_a_mark_is_a_space_where_words_want_one(raw: str, clean: str) -> None:
    assert cleaned(raw).clean == clean


@settings(deadline=None, max_examples=300)
@given(raw=texts(20), data=st.data())
def test_maps_hold(raw: str, data: st.DataObject) -> None:
    text = cleaned(raw)
    check_map(text)
    assert applied(raw, text.edits).clean == text.clean
    assert cleaned(text.clean).clean == text.clean
    start, end = data.draw(spans(len(text.clean)))
    wide_start, wide_end = text.widened(start, end)
    assert wide_start <= start <= end <= wide_end


@settings(deadline=None, max_examples=200)
@given(raw=texts(20))
def test_only_spaces_and_non_joiners_are_judged(raw: str) -> None:
    """Beside the order of the screen the judge changes nothing that is seen."""
    bare = sorted(cleaned(raw).clean.replace(" ", "").replace(ZWNJ, ""))
    assert bare == sorted(sanitised(raw).clean.replace(" ", "").replace(ZWNJ, ""))


def test_a_gold_is_cut_from_the_clean_passage() -> None:
    passage = f"他在19{LRM}98年出{ZWSP}生于Lon{LRM}don。"
    start = passage.index("Lon")
    item = SpanItem(id="1", passage=passage, question="", golds=(Gold(f"Lon{LRM}don", start), Gold("不在")))
    assert [gold.text for gold in clean_golds(item)] == ["London", "不在"]


@needs_shared
@pytest.mark.parametrize(
    ("name", "mode", "most"),
    [
        ("cmrc2018/train.json.xz", "anywhere", 0),
        ("cmrc2018/train.json.xz", "before", 0),
        ("drcd/DRCD_dev.json.xz", "anywhere", 0),
        ("pquad/Validation.json.xz", "before", 0),
        ("pquad/Validation.json.xz", "anywhere", 0),
        # a mark of the passage's own beside a sign, a sign of a third script
        ("pquad/Validation.json.xz", "replace", 1),
        ("adversarial_squad_en/sample1k-HCVerifySample.json.xz", "anywhere", 0),
        ("adversarial_squad_en/sample1k-HCVerifySample.json.xz", "replace", 3),
    ],
)
def test_an_attack_of_invisible_characters_is_undone(name: str, mode: str, most: int) -> None:
    attack = make_attack("invisible", {"mode": mode})
    changed = []
    items = list(load(SHARED / "data" / name))[:1780:29]
    for item in items:
        assert isinstance(item, SpanItem)
        for variant in attack.make(item, seed=0, count=1).variants:  # type: ignore[call-arg]
            assert isinstance(variant.item, SpanItem)
            # a space at the very edge or beside another is no loss
            if cleaned(variant.item.passage).clean.split() != cleaned(item.passage).clean.split():
                changed.append(item.id)
    assert len(items) > 55
    assert len(changed) <= most, changed


_JOINED = "او مازندرانی و قائم\u200cشهری است ولی در تهران زندگی می\u200cکند و به زبان\u200cهای دیگر سخن می\u200cگوید"


@pytest.mark.parametrize("every", [3, 4, 5, 7])
def test_non_joiners_stay_as_they_were_among_scattered_marks(every: int) -> None:
    marked = "".join(sign + "\u2060" * (at % every == 0) for at, sign in enumerate(_JOINED))
    assert cleaned(marked).clean == _JOINED


def test_where_joiners_are_scattered_too_letters_must_speak_for_them() -> None:
    marks = ("\u2060", "\u200d", "\u200c")
    marked = "".join(sign + marks[at % 3] * (at % 4 == 0) for at, sign in enumerate(_JOINED))
    assert cleaned(marked).clean == _JOINED.replace("قائم\u200cشهری", "قائمشهری")


def test_beside_a_sign_a_scattered_mark_is_no_space() -> None:
    text = "首次成功于1934年。J.W.Beams和一些助手在维吉尼亚大学以旋转的方法分离了氯的同位素"
    marked = "".join(sign + "\u200b" * (at % 3 == 0 or text[at - 3 : at + 1] == "J.W.") for at, sign in enumerate(text))
    assert "W.\u200bB" in marked
    assert cleaned(marked).clean == text
