"""Persian words, names and numbers."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readproof.lang.fa.entities import entities
from readproof.lang.fa.numbers import mutated, other_number
from readproof.lang.fa.words import key, linked, words


def test_the_non_joiner_stays_inside_a_word() -> None:
    assert [one.text for one in words("بازی‌های المپیک می‌شود؟")] == ["بازی‌های", "المپیک", "می‌شود"]


def test_key_joins_spellings() -> None:
    assert key("اَوِستا") == "اوستا"
    assert key("كي") == key("کی")


@pytest.mark.parametrize(("noun", "new"), [("سلسله", "سلسلهٔ"), ("گروه", "گروه"), ("دریا", "دریای"), ("شهر", "شهر")])
def test_ezafe_is_written_after_vowels_only(noun: str, new: str) -> None:
    assert linked(noun) == new


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("بنجامین فرانکلین در سال ۱۷۵۰ برگزیده شد", "بنجامین فرانکلین", "person"),
        ("ویلهلم فریدریش هگل اهل آلمان است", "آلمان", "country"),
        ("پس از جنگ جهانی دوم", "جنگ جهانی دوم", "war"),
        ("در المپیک ۲۰۰۸", "۲۰۰۸", "number"),
        ("مادر هیتلر", "مادر", "kin_woman"),
    ],
)
def test_entities(text: str, name: str, kind: str) -> None:
    assert (name, kind) in [(one.text, one.kind) for one in entities(text)]


def test_ambiguous_words_are_no_names_alone() -> None:
    assert not [one for one in entities("پل روی رود") if one.kind == "person"]


def test_numbers_keep_their_digits() -> None:
    assert all("۰" <= one <= "۹" for one in other_number("۱۹۴۵", Random(1)))
    assert mutated("۱۶ مه ۲۰۰۷", Random(1)) != "۱۶ مه ۲۰۰۷"


@given(st.integers(0, 10**9), st.integers())
def test_another_number_is_another(value: int, seed: int) -> None:
    assert other_number(str(value), Random(seed)) != str(value)
