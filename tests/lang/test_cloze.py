"""Fresh questions: what is asked for, what is right, and what no question is made of."""

from __future__ import annotations

import pytest

from readproof.lang.api import get_language
from readproof.lang.cloze import clozes

ASKED = [
    ("zh", "王力1986年在北京去世，享年86岁。", "王力哪一年在北京去世，享年86岁？", "1986年"),
    ("zh", "该片于2011年4月在上海国际电影节首映，获得好评。", "该片于什么时候在上海国际电影节首映？", "2011年4月"),
    ("zh", "新会县境内共有小学664所，全部由政府出资。", "新会县境内共有小学多少所，全部由政府出资？", "664"),
    ("fa", "حقوقدانان اتحادیه را در سال ۱۸۸۹ تأسیس کردند.", "حقوقدانان اتحادیه را در چه سالی تأسیس کردند؟", "سال ۱۸۸۹"),
    ("fa", "موزیک‌ویدئوی آن در ۲۲ مارس ۲۰۱۷ بیرون آمد.", "موزیک‌ویدئوی آن در چه تاریخی بیرون آمد؟", "۲۲ مارس ۲۰۱۷"),
    ("fa", "چاپ این ویرایش از دسامبر ۲۰۰۸ متوقف شد.", "چاپ این ویرایش از چه زمانی متوقف شد؟", "دسامبر ۲۰۰۸"),
    ("fa", "جمعیت این شهر حدود ۴۲۵٬۰۰۰ نفر است.", "جمعیت این شهر حدود چند نفر است؟", "۴۲۵٬۰۰۰"),
    ("fa", "حدود ۴۰٪ مردم این شهر کشاورز هستند.", "حدود چند درصد مردم این شهر کشاورز هستند؟", "۴۰٪"),
    (
        "en",
        "The market replaced an earlier one built in 1808 by the city.",
        "The market replaced an earlier one built in which year by the city?",
        "1808",
    ),
    (
        "en",
        "The test began on the morning of January 27, 1967 and failed.",
        "The test began on the morning of what date and failed?",
        "January 27, 1967",
    ),
    (
        "en",
        "The college accepted 5.3% of applicants that spring.",
        "The college accepted what percentage of applicants that spring?",
        "5.3%",
    ),
]


@pytest.mark.parametrize(("language", "text", "question", "answer"), ASKED)
def test_a_sentence_becomes_a_question(language: str, text: str, question: str, answer: str) -> None:
    found = {one.question: one for one in clozes(text, get_language(language))}
    assert question in found, list(found)
    one = found[question]
    assert text[one.start : one.end] == answer == one.answers[0]


def test_a_year_is_right_with_its_word_and_without() -> None:
    (one,) = clozes("این شرکت در سال ۲۰۱۴ میلادی در شهر تهران تأسیس شد.", get_language("fa"))
    assert one.answers == ("سال ۲۰۱۴ میلادی", "سال ۲۰۱۴", "۲۰۱۴")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("zh", "王力1986年去世。李四1986年出生，后来成为教师。"),  # the answer stands in it twice
        ("zh", "谁在1986年来到了北京的大学里教书呢？"),  # a question already
        ("fa", "در سال ۲۵۸ پیش از میلاد جنگ دوباره آغاز شد."),  # another era
        ("fa", "مساحت آن ۱۰٬۰۰۰٬۰۰۰ است."),  # nothing is counted
        ("en", "He lived there from 1955–1960 with his mother."),
        ("en", "Who came to the city in 1955 with his mother?"),
        ("en", "It cost about $5,100 names and nothing more than that."),
        ("de", "Er lebte seit 1955 mit seiner Mutter in dieser Stadt."),  # a language without rules
    ],
)
def test_no_question(language: str, text: str) -> None:
    assert clozes(text, get_language(language)) == ()


def test_of_a_long_sentence_the_clauses_about_the_answer_are_kept() -> None:
    tail = "، که مردم آن را دوست داشتند و هر سال برای دیدن آن از شهرهای دور می‌آمدند" * 3
    text = f"این موزه بزرگ و زیبا در سال ۱۸۸۹ به دستور شاه در مرکز شهر ساخته شد{tail}."
    (one,) = (found for found in clozes(text, get_language("fa")) if found.type == "time")
    assert one.question.startswith("این موزه بزرگ و زیبا در چه سالی") and len(one.question) < len(text) * 0.6
