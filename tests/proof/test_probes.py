"""Probes: each changes what it says and nothing else, the same for the same item whatever stands around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from readproof.items import ChoiceItem, Gold, SpanItem
from readproof.lang.api import get_language
from readproof.lang.zh.stems import polarity
from readproof.proof.probes import FACT_ASKED, FALSE_ASKED, PROBES, ItemPool, probe, shape
from readproof.proof.records import Question, Single, Skipped, single
from tests.proof.made_readers import sample


def asked(name: str, items: Sequence[Single], seed: int = 0) -> dict[str, list[Question]]:
    """The questions of a probe by the id of their item; an item it cannot be made of has none."""
    pool = ItemPool(items, seed)
    found = {}
    for at, item in enumerate(items):
        if name in PROBES["options" if isinstance(item, ChoiceItem) else "spans"]:
            made = probe(name, at, item, pool)
            found[item.id] = [] if isinstance(made, Skipped) else made
    return found


SPANS = [item for item in map(single, sample()) if isinstance(item, SpanItem)]
CHOICES = [item for item in map(single, sample()) if isinstance(item, ChoiceItem)]
CASES = [(name, SPANS) for name in PROBES["spans"]] + [(name, CHOICES) for name in PROBES["options"]]
# these need several questions on one passage, which the sample has not
ALONE = ("rival-option",)


@pytest.mark.parametrize(("name", "items"), [case for case in CASES if case[0] not in ALONE])
def test_a_probe_is_made_of_most_items_and_does_not_depend_on_their_order(name: str, items: list[Single]) -> None:
    found = asked(name, items)
    assert sum(map(bool, found.values())) >= len(items) / 2
    turned = asked(name, items[::-1])
    for key, questions in found.items():
        assert [one.item for one in questions] == [one.item for one in turned[key]]
        assert all(one.probe == name and one.origin == key for one in questions)
    assert len({one.item.id for questions in found.values() for one in questions}) == sum(map(len, found.values()))


def test_what_is_taken_away_is_gone() -> None:
    for name, items in CASES:
        for item in items:
            for one in asked(name, items)[item.id] if name in ("no-passage", "options-only", "question-only") else ():
                assert one.item.passage == ("" if name != "question-only" else item.question)
                assert one.item.question == ("" if name == "options-only" else item.question)
    for item, (one,) in zip(SPANS, asked("another-passage", SPANS).values(), strict=True):
        assert one.item.passage != item.passage
        assert all(gold.text not in one.item.passage for gold in item.golds)
    for item, (one,) in zip(SPANS, asked("half-passage", SPANS).values(), strict=True):
        assert one.item.passage in item.passage and 0 < len(one.item.passage) < len(item.passage)
        assert all(gold.text not in one.item.passage for gold in item.golds)


def test_an_answer_is_replaced_wherever_it_stands() -> None:
    for item in SPANS:
        for one in asked("substituted", SPANS)[item.id]:
            new = one.item
            assert isinstance(new, SpanItem)
            assert new.question == item.question
            assert new.golds and all(gold.start is not None for gold in new.golds)
            old = one.strategy
            assert old in item.passage and old not in new.passage
            for gold in new.golds:
                assert new.passage.startswith(gold.text, gold.start or 0)
                assert gold.text not in item.passage


def test_a_number_is_not_replaced_inside_a_longer_one() -> None:
    passage = "他在1912年写了12首诗。后来又写了3首。"
    item = SpanItem(id="1", passage=passage, question="他写了几首诗？", golds=(Gold("12", passage.index("12首")),))
    (one,) = asked("substituted", [item])["1"]
    assert "1912年" in one.item.passage and "12首" not in one.item.passage


def test_fresh_questions_are_of_both_halves_and_their_answers_stand_in_the_passage_once() -> None:
    halves = []
    for item in SPANS:
        for one in asked("fresh-question", SPANS)[item.id]:
            new = one.item
            assert isinstance(new, SpanItem)
            assert new.passage == item.passage and new.question not in item.passage
            start = new.golds[0].start
            assert start is not None and item.passage.count(new.golds[0].text) == 1
            assert (start >= len(item.passage) / 2) is (one.strategy == "second half")
            assert not any(gold.text in new.question for gold in new.golds)
            halves.append(one.strategy)
    assert min(halves.count("first half"), halves.count("second half")) > 10


def test_sentences_change_places_and_nothing_else() -> None:
    for name in ("rotated", "shuffled"):
        for item in SPANS:
            for one in asked(name, SPANS)[item.id]:
                old, new = (
                    [text[slice(*span)] for span in get_language("zh").sentences(text)] for text in _both(item, one)
                )
                assert sorted("".join(old)) == sorted("".join(new))
                assert old != new
                assert name == "shuffled" or "".join(new) == "".join([*old[1:], old[0]])


def _both(item: SpanItem, question: Question) -> tuple[str, str]:
    return item.passage, question.item.passage


def test_another_question_has_another_answer() -> None:
    first, second = SPANS[:2]
    both = [replace(second, id="same", passage=first.passage, passage_id=first.passage_id), first, *SPANS[2:]]
    one = asked("another-question", both)[first.id][0]
    assert (one.strategy, one.item.question) == ("same passage", second.question)
    far = asked("another-question", SPANS)[first.id][0]
    assert far.strategy == "other passage" and far.item.passage == first.passage
    assert far.item.question != first.question


def test_contrast_questions_are_answered_by_the_added_sentence() -> None:
    found = [one for questions in asked("contrast-question", SPANS).values() for one in questions]
    for one in found:
        item = one.item
        assert isinstance(item, SpanItem)
        (edit,) = one.edits
        assert item.golds[0].text in edit.new
        original = next(item for item in SPANS if item.id == one.origin)
        assert item.question != original.question
        assert item.passage.replace(edit.new, "", 1) == original.passage


def test_a_turned_stem_and_reordered_options() -> None:
    for item in CHOICES:
        for one in asked("stem-turned", CHOICES)[item.id]:
            assert polarity(one.item.question) is not polarity(item.question)
        (moved,) = asked("options-reordered", CHOICES)[item.id]
        new = moved.item
        assert isinstance(new, ChoiceItem) and sorted(new.options) == sorted(item.options)
        assert all(one != other for one, other in zip(new.options, item.options, strict=True))
        assert new.options[new.answer or 0] == item.options[item.answer or 0]


def test_fresh_options_ask_for_a_fact_or_for_a_changed_sentence() -> None:
    strategies = []
    for item in CHOICES:
        for one in asked("fresh-options", CHOICES)[item.id]:
            new = one.item
            assert isinstance(new, ChoiceItem) and new.answer is not None
            right = new.options[new.answer]
            assert len(set(new.options)) == 4
            if one.strategy == FACT_ASKED:
                assert item.passage.count(right) == 1
                assert len({shape(option) for option in new.options}) == 1
            else:
                held = [option in item.passage for option in new.options]
                assert held == list(new.truths) and held.count(False) == 1 and not held[new.answer]
            strategies.append(one.strategy)
    assert set(strategies) == {FACT_ASKED, FALSE_ASKED}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("1952年", "1961年", True),
        ("1952年", "三月", False),
        ("3月5日", "12月30日", True),
        ("三百人", "五人", True),
        ("王明", "李华", True),
        ("17", "2.5", False),
    ],
)
def test_the_shape_of_a_number_or_a_date(one: str, other: str, same: bool) -> None:
    assert (shape(one) == shape(other)) is same


def test_a_rival_option_is_the_answer_to_another_question_on_the_passage() -> None:
    passage = "小明家里养了一只猫，名字叫豆豆。他每天早上六点起床，走路去学校。"
    one = ChoiceItem(
        id="1", passage=passage, question="猫叫什么名字？", options=("豆豆", "花花", "毛毛", "球球"), answer=0
    )
    two = ChoiceItem(
        id="2", passage=passage, question="小明几点起床？", options=("五点", "七点", "六点", "八点"), answer=2
    )
    (made,) = asked("rival-option", [one, two])["1"]
    new = made.item
    assert isinstance(new, ChoiceItem)
    assert new.options[0] == "豆豆" and "六点" in new.options and len(new.options) == 4
    assert new.options[int(made.strategy.rpartition(" ")[2])] == "六点"
    turned = replace(two, question="下列说法正确的一项是")
    assert not asked("rival-option", [one, turned])["1"], "there both may be right"


def test_evidence_is_removed_only_where_something_is_left() -> None:
    for item in CHOICES:
        for one in asked("evidence-removed", CHOICES)[item.id]:
            assert len(item.passage) / 3 < len(one.item.passage) < len(item.passage)
    tiny = replace(CHOICES[0], passage="一句话。两句话。")
    assert not asked("evidence-removed", [tiny])[tiny.id]


def test_an_unanswerable_question_has_no_answer_that_could_change() -> None:
    none = replace(SPANS[0], impossible=True, golds=())
    assert isinstance(probe("no-passage", 0, none, ItemPool([none], 0)), Skipped)


@pytest.mark.parametrize("language", ["fa", "en", "xx"])
def test_other_languages_have_the_probes_that_they_have_rules_for(language: str) -> None:
    texts = {
        "fa": ("تهران پایتخت ایران است. این شهر در سال ۱۷۹۵ پایتخت شد.", "پایتخت ایران کجاست؟", "تهران"),
        "en": ("Paris is in France. The tower was built in 1889 and is tall.", "Where is Paris?", "France"),
        "xx": ("Aa bb cc. Dd ee ff.", "Gg?", "bb"),
    }
    passage, question, gold = texts[language]
    golds = (Gold(gold, passage.index(gold)),)
    item = SpanItem(id="1", passage=passage, question=question, golds=golds, language=language)
    fresh = asked("fresh-question", [item])["1"]
    assert bool(fresh) is (language != "xx")
    assert asked("no-passage", [item])["1"] and asked("rotated", [item])["1"]
    assert bool(asked("substituted", [item])["1"]) is (language != "xx")
