"""AddSent in Persian: variants of real questions, and what must hold for every one of them."""

from __future__ import annotations

import json
import lzma
import re
import time
from pathlib import Path

import pytest

from readproof.attacks.addsent import AddOneSent, AddSent
from readproof.attacks.edits import golds_stand
from readproof.items import Gold, SpanItem
from readproof.lang.fa.entities import classes
from readproof.lang.fa.questions import pools

SETS = ("pquad/Test.json.xz", "parsquad/ParSQuAD-automatic-dev.json.xz")
SHARED = Path(__file__).parents[4] / "shared" / "data"
EXAMPLE = SpanItem(
    id="pquad",
    passage="لیونل مسی در ۲۶ سپتامبر ۲۰۰۵ شهروند اسپانیا شد.",
    question="مسی در چه سالی شهروند اسپانیا شد؟",
    golds=(Gold("۲۰۰۵", 24),),
    language="fa",
)


def items_of(path: Path, most: int) -> list[SpanItem]:
    if not path.exists():
        pytest.skip(f"{path} is not here")
    found = []
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for article in json.load(file)["data"]:
            for paragraph in article["paragraphs"]:
                for one in paragraph["qas"]:
                    golds = tuple(Gold(gold["text"], gold["answer_start"]) for gold in one["answers"])
                    if golds and "-" not in str(one["id"]):
                        found.append(
                            SpanItem(
                                id=str(one["id"]),
                                passage=paragraph["context"],
                                question=one["question"],
                                golds=golds,
                                language="fa",
                            )
                        )
    return found[:: max(1, len(found) // most)]


def test_example() -> None:
    (variant,) = AddOneSent().make(EXAMPLE, seed=1).variants
    assert isinstance(variant.item, SpanItem)
    assert variant.item.passage.startswith(EXAMPLE.passage)
    assert variant.item.golds == EXAMPLE.golds
    assert EXAMPLE.golds[0].text not in variant.edits[0].new


def test_several_differ() -> None:
    made = AddSent().make(EXAMPLE, seed=1, count=4).variants
    assert len({one.edits[0].new for one in made}) == len(made) == 4


def test_same_seed_same_bytes() -> None:
    assert AddOneSent().make(EXAMPLE, seed=5) == AddOneSent().make(EXAMPLE, seed=5)


def test_no_question_is_skipped() -> None:
    item = SpanItem(id="1", passage=EXAMPLE.passage, question="مسی شهروند اسپانیا شد.", language="fa")
    assert AddOneSent().make(item).skipped == "no question phrase"


@pytest.mark.parametrize("name", SETS)
def test_real_data(name: str) -> None:
    items = items_of(SHARED / name, 400)
    started = time.process_time()
    made = [AddOneSent(place="random").make(item) for item in items]
    spent = time.process_time() - started
    variants = [one.variants[0] for one in made if one.variants]
    sound = {item.id for item in items if golds_stand(item)}
    assert len(variants) >= 0.8 * len(items)
    assert len(variants) / spent >= 100
    for variant in variants:
        assert isinstance(variant.item, SpanItem)
        assert golds_stand(variant.item) or variant.origin not in sound
        assert "؟" not in variant.edits[0].new


def sentences_of(question: str, gold: str = "") -> list[str]:
    passage = "این متن دربارهٔ چیزی نیست."
    golds = (Gold(gold, len(passage) + 1),) if gold else ()
    item = SpanItem(id="q", passage=f"{passage} {gold}".strip(), question=question, golds=golds, language="fa")
    return [one.edits[0].new.strip() for one in AddSent().make(item, seed=3, count=6).variants]


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("به چه دلیلی جنگ میان دولت عثمانی و اتحادیه ایبری (اسپانیا-پرتغال) سرانجام قطعی‌ای نداشت؟", "(اسپانیا-پرتغال)"),
        (
            "کدام جنگ به عنوان بزرگترین یورش نظامی تاریخ در روز یکشنبه ۲۲ ماه ژوئن سال ۱۹۴۱ آغاز شد؟",
            "یکشنبه ۲۲ ماه ژوئن",
        ),
        ("مهمترین ردیف در دوره قاجاریه مربوط به چه کسی بود؟", "مهمترین"),
        ("سیاست نزد فلاسفه سیاسی مسلمان به چه معناست؟", "فلاسفه سیاسی"),
        ("در چه سالی بیشتر آفریکانیست‌ها، با حمایت مالی از غنا و پشتیبانی سیاسی از این کنگره جدا شدند؟", "غنا"),
    ],
)
def test_what_is_by_the_way_stays(question: str, kept: str) -> None:
    made = sentences_of(question)
    assert made
    assert all(kept in one for one in made)


@pytest.mark.parametrize(
    "question",
    [
        "شهر مریوان برای جانداران چه شرایط زیستگاهی مناسبی دارد؟",
        "مهمترین ردیف در دوره قاجاریه مربوط به کدام نوازنده موسیقی بود؟",
        "یکی از پیچیده‌ترین دستگاه تنفسی در میان جانوران متعلق به کیست؟",
        "سکاها در کدام سده پیش از میلاد مسیح آداب و رسوم بابلی را پذیرفته بود؟",
    ],
)
def test_what_would_read_broken_is_skipped(question: str) -> None:
    assert sentences_of(question) == []


def test_a_verb_written_with_its_noun_is_set_apart() -> None:
    assert all(one.endswith(" است.") for one in sentences_of("رادیولوژی دربرگیرنده کدام رشته‌هاست؟"))


def test_a_calling_is_no_part_of_a_name() -> None:
    made = sentences_of("سیسرون سخن‌سرای سرشناس رومی در زمان آنتونیوس چند خطابه ایراد کرد؟")
    assert made
    assert all("سخن‌سرای سرشناس" in one for one in made)


def test_a_treaty_is_no_verb() -> None:
    assert all("چیز" not in one for one in sentences_of("طبق کدام قرارداد مکه، جامعه مسلمانان را به رسمیت می‌شناخت؟"))


def test_one_thing_is_named_and_several_are_listed() -> None:
    one = sentences_of("بزرگترین شهر جامائیکا را نام ببرید؟")
    assert one
    assert all(text.endswith(" است.") and "عبارت" not in text and " و " not in text for text in one)
    several = sentences_of("دشت‌های ایران را نام ببرید؟")
    assert several
    assert all("عبارت‌اند از" in text and " و " in text for text in several)


def test_an_ending_written_apart_goes_with_its_noun() -> None:
    made = sentences_of("نیتروگلیسیرین از چه نوع ماده ای است؟")
    assert made
    assert not any(" ای " in text for text in made)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("روستای زردوئی از تعلقات کجا بوده است؟", "از تعلقات در"),
        ("به لحاظ تاریخی اصلی ترین ساکنان فیروزآباد اهالی کجا بوده‌اند؟", "اهالی در"),
        ("باشقیرها مردمان کجا بودند؟", "مردمان در"),
        ("شهر بزرگ ایالت تگزاس که تحت نظارت کجا بود؟", "نظارت در"),
    ],
)
def test_a_noun_takes_its_place_without_a_preposition(question: str, wanted: str) -> None:
    made = sentences_of(question, "گرگان")
    assert made
    assert not any(wanted in text for text in made)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("شهرهای تورنتو و اتاوا در کدام استان قرار دارند؟", ("تورنتو", "اتاوا")),
        ("رؤسای جمهور روسیه و فنلاند هر چند سال انتخاب می‌شوند؟", ("روسیه", "فنلاند")),
        ("هیتلر و لودندورف در چه سالی کودتا کردند؟", ("هیتلر", "لودندورف")),
        ("مریم و مسعود رجوی در چه سالی ازدواج کردند؟", ("مریم", "مسعود رجوی")),
        ("شهرهای لالی و اندیکا در استان گیلان چند نفر جمعیت دارند؟", ("لالی", "اندیکا", "گیلان")),
        ("زبان رسمی والنسیا و جزایر بالئاری در اسپانیا چیست؟", ("والنسیا", "بالئاری", "اسپانیا")),
    ],
)
def test_joined_names_change_together_or_not_at_all(question: str, names: tuple[str, ...]) -> None:
    made = sentences_of(question)
    assert made
    for text in made:
        assert len({name in text for name in names}) == 1, text


def test_what_belongs_to_a_name_is_no_second_name() -> None:
    assert any("اسکندر" not in text for text in sentences_of("اسکندر و سپاهش در چه سالی به هند رسیدند؟"))


@pytest.mark.parametrize("question", ["باشگاه شاهین در چه سالی تأسیس شد؟", "سرمربی شاهین در سال ۱۳۵۰ چند ساله بود؟"])
def test_a_club_called_after_an_animal_is_a_club(question: str) -> None:
    made = sentences_of(question)
    assert made
    assert not any(animal in text for text in made for animal in classes()["animal"] if animal != "شاهین")


@pytest.mark.parametrize(
    "question",
    [
        "یکی از دوستان آدولف هیتلر چه کسی بود؟",
        "سومین پادشاه از سلسله پیشدادیان که بود؟",
        "نورالدین کیانوری نوه‌ی پسری چه کسی بود؟",
    ],
)
def test_who_is_answered_by_a_name(question: str) -> None:
    made = sentences_of(question)
    assert made
    assert not any(role in text for text in made for role in pools()["personrole"])


def test_what_a_named_person_was_is_answered_by_a_calling() -> None:
    made = sentences_of("بنجامین فرانکلین کیست؟", "یک نویسنده و چاپخانه‌دار")
    assert made
    assert all(any(role in text for role in pools()["personrole"]) for text in made)


def test_a_pronoun_is_no_part_of_a_marked_word() -> None:
    assert all("غَزنَوی" in text for text in sentences_of("دودمان غَزنَوی چگونه سلسله‌ای بود؟"))


def test_what_follows_a_counted_work_is_no_work() -> None:
    made = sentences_of("سومین آلبوم ریدیوهِد چه نام داشت؟")
    assert made
    assert all("ریدیوهِد" in text for text in made)


def test_a_place_of_its_own_keeps_its_preposition() -> None:
    made = sentences_of("بزرگترین آب‌انبار تاریخی ساخته شده در ایران کجاست؟", "شوشتر")
    assert made
    assert all(re.search("در ایران در \\S+ است", text) for text in made)


@pytest.mark.parametrize(
    ("question", "gold", "said"),
    [
        # the example in the study of Persian readers
        ("سیاوش قمیشی چندتا ابجی و داداش دارد؟", "سه", "تا ابجی و داداش دارد."),
        ("علی کریمی چند تا برادر داره؟", "سه", "تا برادر داره."),
        ("علی کریمی اهل کجاس؟", "اهواز", "است."),
        ("علی کریمی واسه چی از تیم ملی رفت؟", "اختلاف با مربی", "از تیم ملی رفت."),
        ("دانشگاه تهران تو کدوم شهر است؟", "تهران", "است."),
        ("شغل علی کریمی چیه؟", "مربی", "است."),
    ],
)
def test_questions_as_people_speak(question: str, gold: str, said: str) -> None:
    passage = f"این متن دربارهٔ یک نفر است. {gold}. پایان متن."
    spoken = SpanItem(
        id="one", passage=passage, question=question, golds=(Gold(gold, passage.index(gold)),), language="fa"
    )
    made = AddSent().make(spoken)
    assert made.variants, made.skipped
    new = made.variants[0].edits[0].new
    assert new.endswith(said) and "؟" not in new and (gold not in new or gold in question)
    assert " ".join(question.split()[:2]) not in new or question.startswith("شغل")
