"""AddSent in English: variants of real questions, and what must hold for every one of them."""

from __future__ import annotations

import json
import lzma
import time
from pathlib import Path

import pytest

from readproof.attacks.addsent import AddOneSent, AddSent
from readproof.attacks.edits import golds_stand
from readproof.items import Gold, SpanItem
from readproof.lang.en.entities import entities

SETS = ("adversarial_squad_en/sample1k-HCVerifyAll.json.xz",)
SHARED = Path(__file__).parents[4] / "shared" / "data"
EXAMPLE = SpanItem(
    id="squad",
    passage="The Normans conquered the south of Italy in 1071.",
    question="When did the Normans conquer the south of Italy?",
    golds=(Gold("1071", 44),),
    language="en",
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
                                language="en",
                            )
                        )
    return found[:: max(1, len(found) // most)]


def test_example() -> None:
    (variant,) = AddOneSent().make(EXAMPLE, seed=1).variants
    assert isinstance(variant.item, SpanItem)
    assert variant.item.passage.startswith(EXAMPLE.passage)
    assert variant.item.golds == EXAMPLE.golds
    assert EXAMPLE.golds[0].text not in variant.edits[0].new


def asked(question: str, gold: str) -> SpanItem:
    passage = f"It is said to be {gold}."
    return SpanItem(id="one", passage=passage, question=question, golds=(Gold(gold, 17),), language="en")


def news_of(item: SpanItem) -> list[tuple[str, str]]:
    made = [one for seed in range(8) for one in AddSent().make(item, seed=seed, count=4).variants]
    return [(edit.why, edit.new) for one in made for edit in one.edits]


def test_what_is_asked_is_altered_not_its_opening_alone() -> None:
    item = asked("After the Dornbirner Ach was diverted, where does the Rhine flow now?", "Lake Constance")
    found = news_of(item)
    assert found
    assert not any("the Rhine flows" in new for _, new in found)


def test_half_a_name_is_not_altered() -> None:
    item = asked("When was the colony of New South Wales founded?", "1788")
    assert all("New South" not in new or "New South Wales" in new for _, new in news_of(item))


def test_an_acronym_keeps_its_article_only_if_it_has_one() -> None:
    found = news_of(asked("When did the DFDS buy the old ferry?", "1971"))
    assert found
    assert not any(f"The {name} " in new for _, new in found for name in ("CERN", "UNICEF", "OPEC", "FIFA"))


def test_several_differ() -> None:
    made = AddSent().make(EXAMPLE, seed=1, count=4).variants
    assert len({one.edits[0].new for one in made}) == len(made) == 4


def test_same_seed_same_bytes() -> None:
    assert AddOneSent().make(EXAMPLE, seed=5) == AddOneSent().make(EXAMPLE, seed=5)


def test_no_question_is_skipped() -> None:
    item = SpanItem(id="1", passage=EXAMPLE.passage, question="Were the centers profitable", language="en")
    assert AddOneSent().make(item).skipped == "no question phrase"


@pytest.mark.parametrize("name", SETS)
def test_real_data(name: str) -> None:
    items = items_of(SHARED / name, 400)
    started = time.process_time()
    made = [AddOneSent(place="random").make(item) for item in items]
    spent = time.process_time() - started
    variants = [one.variants[0] for one in made if one.variants]
    sound = {item.id for item in items if golds_stand(item)}
    assert len(variants) >= 0.5 * len(items)
    assert len(variants) / spent >= 100
    for variant in variants:
        assert isinstance(variant.item, SpanItem)
        assert golds_stand(variant.item) or variant.origin not in sound


def test_a_roman_number_is_no_organisation() -> None:
    kinds = {one.text: one.kind for one in entities("Who won Super Bowl XLIX for the NHL?")}
    assert kinds["NHL"] == "acronym"
    assert kinds.get("XLIX") != "acronym"


def test_a_team_is_never_the_subject_of_was() -> None:
    item = asked("Which team was suspended from the MLS in 2014?", "Chivas USA")
    assert not any(" was " in new and new.split(" was ")[0].endswith("s") for _, new in news_of(item))


def test_a_country_of_two_words_or_with_an_article_is_altered_whole() -> None:
    south = news_of(
        asked("In what century did missionaries establish church schools in South Africa?", "the 19th century")
    )
    delta = news_of(asked("Where does the Delta in the Netherlands begin?", "Millingen"))
    assert south and delta
    assert not any("South South" in new or "South Europe" in new for _, new in south)
    assert not any(" in the Saxons" in new or " in the Britons" in new for _, new in delta)


def test_a_last_name_is_one_name() -> None:
    found = news_of(asked("What is the last name of the player who lost the ball in the fourth quarter?", "Ward"))
    assert found
    assert all(len(new.rstrip(".").rpartition(" is ")[2].split()) == 1 for _, new in found)


def test_a_noun_as_the_question_writes_it() -> None:
    found = news_of(asked("What Microsoft CEO is also an alumni of the University of Chicago?", "Satya Nadella"))
    assert found
    assert not any(" ceo " in new for _, new in found)
