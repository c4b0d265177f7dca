"""Whatever is cleaned, a span of the clean text leads back to the raw text it came from."""

from __future__ import annotations

import random
import re
import sys
import time
import unicodedata
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from readproof import text as text_module
from readproof.items import Edit, SpanItem
from readproof.script import full_width, half_width
from readproof.tasks import load
from readproof.text import Text, applied, compatible, normalised, plain, sanitised, sanitising_edits, single_spaced
from tests.shared_data import SHARED, needs_shared
from tests.strategies import check_map, spans, texts

Step = Callable[[str], Text]

STEPS: tuple[Step, ...] = (sanitised, compatible, normalised, single_spaced, half_width, full_width)
each_step = pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
EVERYTHING = [chr(code) for code in range(sys.maxunicode + 1)]

# The characters of categories Cf and Cc that a reader sees: prefixed number signs, the end-of-verse sign, the Syriac
# abbreviation mark, the Kaithi number signs; and the two controls that are part of a plain text.
VISIBLE_SIGNS = set("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
PLAIN_CONTROLS = set("\t\n")


@each_step
@settings(deadline=None, max_examples=400)
@given(data=st.data(), raw=texts())
def test_cutting_then_cleaning_is_cleaning_then_cutting(step: Step, raw: str, data: st.DataObject) -> None:
    text = step(raw)
    start, end = data.draw(spans(len(text.clean)))
    first, last = text.to_raw(start, end)
    wide_start, wide_end = text.widened(start, end)
    assert wide_start <= start <= end <= wide_end
    assert step(raw[first:last]).clean == text.clean[wide_start:wide_end]


@settings(deadline=None, max_examples=400)
@given(data=st.data(), raw=texts())
def test_a_raw_span_cleans_to_its_clean_span(raw: str, data: st.DataObject) -> None:
    text = sanitised(raw)
    start, end = data.draw(spans(len(raw)))
    first, last = text.to_clean(start, end)
    assert sanitised(raw[start:end]).clean == text.clean[first:last]


@settings(deadline=None, max_examples=400)
@given(data=st.data(), raw=texts())
def test_a_visible_raw_span_comes_back(raw: str, data: st.DataObject) -> None:
    text = sanitised(raw)
    start, end = data.draw(spans(len(raw)))
    visible = start < end and not {raw[start], raw[end - 1]} & _suspicious(raw)
    if visible:
        assert text.to_raw(*text.to_clean(start, end)) == (start, end)


@pytest.mark.parametrize("step", [sanitised, compatible, normalised, single_spaced], ids=lambda step: step.__name__)
@settings(deadline=None, max_examples=400)
@given(raw=texts())
# NFKC changes the order of the marks, and with it the neighbour of the non-joiner
@example(raw="ا\u0301\u0651\u200cب")
# a letter that falls apart into a space and a mark
@example(raw="ا\u200c\ufc5e")
@example(raw="a\u200e\ufc5e")
def test_cleaning_twice_is_cleaning_once(step: Step, raw: str) -> None:
    clean = step(raw).clean
    again = step(clean)
    assert again.clean == clean
    assert again.edits == ()


@each_step
@settings(deadline=None, max_examples=300)
@given(raw=texts())
def test_maps_are_in_order_and_in_range(step: Step, raw: str) -> None:
    check_map(step(raw))


@each_step
@settings(deadline=None, max_examples=300)
@given(raw=texts())
def test_the_edits_are_the_change(step: Step, raw: str) -> None:
    text = step(raw)
    assert all(edit.old == raw[edit.start : edit.end] != edit.new and edit.why for edit in text.edits)
    assert all(before.end <= after.start for before, after in pairwise(text.edits))
    assert applied(raw, text.edits).clean == text.clean


@settings(deadline=None, max_examples=400)
@given(data=st.data(), raw=texts(), steps=st.lists(st.sampled_from(STEPS), min_size=2, max_size=3))
def test_a_composed_map_agrees_with_its_steps(raw: str, steps: list[Step], data: st.DataObject) -> None:
    whole = plain(raw)
    parts: list[Text] = []
    for step in steps:
        whole = whole.then(step)
        parts.append(step(parts[-1].clean if parts else raw))
    assert whole.clean == parts[-1].clean
    check_map(whole)
    assert applied(raw, whole.edits).clean == whole.clean
    start, end = span = data.draw(spans(len(whole.clean)))
    for part in reversed(parts):
        span = part.to_raw(*span)
    if start < end:
        first, last = whole.to_raw(start, end)
        assert first <= span[0] <= span[1] <= last
        # a leaning edge takes its neighbour along: as it is now in the whole, as it was before in a step
        assert (first, last) == span or {start, end - 1} & whole.leaning


@settings(deadline=None, max_examples=300)
@given(raw=texts(30))
def test_compatible_is_nfkc(raw: str) -> None:
    assert compatible(raw).clean == unicodedata.normalize("NFKC", raw)


@settings(deadline=None, max_examples=50)
@given(marks=st.text("\u0300\u0301\u0323\u0327\u0345\u0651\u1161", min_size=40, max_size=80))
def test_a_long_cluster_is_nfkc_too(marks: str) -> None:
    assert compatible(f"a{marks}b").clean == unicodedata.normalize("NFKC", f"a{marks}b")


@settings(deadline=None, max_examples=300)
@given(data=st.data(), raw=texts(), new=st.lists(st.text("ab中", max_size=3), max_size=4))
def test_any_edits_make_a_map(raw: str, new: list[str], data: st.DataObject) -> None:
    """Insertions and removals as attacks make them, one step after another."""
    places = sorted(data.draw(st.lists(st.integers(0, len(raw)), min_size=2 * len(new), max_size=2 * len(new))))
    cuts = [(places[2 * at], places[2 * at + 1]) for at in range(len(new))]
    edits = [Edit(start, raw[start:end], put, "attack") for (start, end), put in zip(cuts, new, strict=True)]
    text = applied(raw, edits)
    check_map(text)
    check_map(text.then(normalised))
    assert text.clean == "".join(_spliced(raw, edits))


def test_nothing_invisible_is_forgotten() -> None:
    """Every format and control character of this Python's Unicode is removed, or is one of the visible signs."""
    controls = {character for character in EVERYTHING if unicodedata.category(character) in ("Cf", "Cc")}
    kept = {character for character in controls if sanitised(character).clean == character}
    assert kept == (VISIBLE_SIGNS & controls) | PLAIN_CONTROLS


def test_every_unusual_space_and_line_end_is_made_plain() -> None:
    spaces = {character for character in EVERYTHING if unicodedata.category(character) == "Zs"}
    assert {sanitised(space).clean for space in spaces} == {" "}
    assert {sanitised(end).clean for end in ("\r\n", "\r", "\x0b", "\x0c", "\x85", "\u2028", "\u2029")} == {"\n"}


def test_every_character_that_combines_backwards_continues_a_cluster() -> None:
    """Computed from this Python's Unicode, so that a newer one with new letters fails here and not in the field."""
    canonical = [unicodedata.decomposition(character).split() for character in EVERYTHING]
    seconds = {chr(int(parts[-1], 16)) for parts in canonical if len(parts) == 2 and not parts[0].startswith("<")}
    seconds |= {character for character in EVERYTHING if unicodedata.combining(character)}
    seconds |= {chr(code) for code in (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))}
    starts_so = {character for character in EVERYTHING if unicodedata.normalize("NFKD", character)[0] in seconds}
    assert not [character for character in seconds | starts_so if not text_module._continues(character)]


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("کتاب\u200cها", "کتاب\u200cها"),
        ("کتاب\u200c\u200c\u200fها", "کتاب\u200cها"),
        ("همه\u0654\u200cشان", "همه\u0654\u200cشان"),
        ("کتاب\u200c ها", "کتاب ها"),
        ("re\u200cad", "read"),
        ("中\u200c国", "中国"),
        ("中\u200e国\u200b的", "中国的"),
        ("two\u200ewords", "two words"),
        ("سال\u200f۱۴۰۰", "سال ۱۴۰۰"),
        ("two \u200ewords", "two words"),
        ("soft\u00adhyphen", "softhyphen"),
        ("e\u200b\u0301", "e\u0301"),
        ("❤\ufe0f 👩\u200d👧", "❤ 👩👧"),
        ("一\r\n二\u2028三\x85四", "一\n二\n三\n四"),
        ("一\u3000二\u00a0三", "一 二 三"),
        ("\ufeff中", "中"),
    ],
)
def test_the_rules_of_the_sanitiser(raw: str, clean: str) -> None:
    assert sanitised(raw).clean == clean


def test_a_gold_answer_that_begins_with_a_mark_does_not_grow_a_word() -> None:
    text = sanitised("سال\u200fنو")
    assert text.clean == "سال نو"
    start, end = text.to_clean(3, 6)
    assert text.clean[start:end] == "نو"
    assert text.to_raw(start, end) == (4, 6)


def test_the_report_names_what_was_found() -> None:
    edits = sanitising_edits("中\u200e国\u3000a\u200eb\r\n")
    assert [(edit.start, edit.old, edit.new, edit.why) for edit in edits] == [
        (1, "\u200e", "", "U+200E LEFT-TO-RIGHT MARK"),
        (3, "\u3000", " ", "unusual space U+3000 IDEOGRAPHIC SPACE"),
        (5, "\u200e", " ", "U+200E LEFT-TO-RIGHT MARK in place of a space"),
        (7, "\r\n", "\n", "line end U+000D U+000A"),
    ]


def test_two_steps_over_one_place_are_one_edit() -> None:
    text = normalised("a\u3000\u3000b")
    assert [(edit.start, edit.old, edit.new) for edit in text.edits] == [(1, "\u3000\u3000", " ")]
    assert text.edits[0].why == "unusual space U+3000 IDEOGRAPHIC SPACE; run of spaces"


def test_spans_outside_the_text_are_refused() -> None:
    with pytest.raises(IndexError):
        plain("中国").to_raw(1, 3)
    with pytest.raises(IndexError):
        sanitised("中\u200e国").to_clean(2, 1)


def test_cleaning_takes_linear_time() -> None:
    """Ten times the text may not take a hundred times as long."""
    for piece in ("ｶﾞＡ\u200e\u3000 é", "\u0301\u0323", "\u200e", "\u200c\u200fا"):
        short, long = (_seconds(normalised, piece * count) for count in (500, 5_000))
        assert long < 40 * short + 0.02, piece


@needs_shared
@pytest.mark.parametrize("name", ["cmrc2018/dev.json.xz", "persianqa/pqa_test.json"])
def test_gold_answers_survive_invisible_characters(name: str) -> None:
    chance = random.Random(name)
    seen = 0
    for item in load(SHARED / "data" / name):
        assert isinstance(item, SpanItem)
        for attack in (_marks_before_spaces, _scattered):
            raw, places = attack(item.passage, chance)
            text = sanitised(raw)
            for gold in item.golds:
                if gold.start is None or not gold.text.strip():
                    continue
                start, end = places[gold.start], places[gold.start + len(gold.text) - 1] + 1
                seen += 1
                first, last = text.to_clean(start, end)
                assert text.clean[first:last] == sanitised(raw[start:end]).clean, item.id
                back = raw[slice(*text.to_raw(first, last))]
                assert sanitised(back).clean == text.clean[first:last], item.id
                assert _bare(back) == _bare(gold.text), item.id
    assert seen > 1500


def _suspicious(raw: str) -> set[str]:
    return {character for found in text_module._SUSPECT.finditer(raw) for character in found[0]}


def _spliced(raw: str, edits: list[Edit]) -> Iterator[str]:
    at = 0
    for edit in edits:
        yield raw[at : edit.start] + edit.new
        at = edit.end
    yield raw[at:]


def _seconds(step: Step, raw: str) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        step(raw)
        best = min(best, time.process_time() - start)
    return best


def _marks_before_spaces(passage: str, chance: random.Random) -> tuple[str, list[int]]:
    return _inserted(passage, ["\u200e" if character == " " else "" for character in passage])


def _scattered(passage: str, chance: random.Random) -> tuple[str, list[int]]:
    marks = "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
    return _inserted(passage, [chance.choice(marks) if chance.random() < 0.1 else "" for _ in passage])


def _inserted(passage: str, before: list[str]) -> tuple[str, list[int]]:
    """The attacked passage, and where each of its characters went."""
    places: list[int] = []
    pieces: list[str] = []
    at = 0
    for character, put in zip(passage, before, strict=True):
        places.append(at + len(put))
        pieces += (put, character)
        at += len(put) + 1
    return "".join(pieces), places


def _bare(piece: str) -> str:
    """Only what a reader sees, without spaces."""
    return re.sub(r"[\s\u200c]", "", sanitised(piece).clean)
