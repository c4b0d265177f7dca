"""English questions into statements. All questions are from SQuAD, as sampled by Jia & Liang."""

from __future__ import annotations

import pytest

from readproof.lang.api import column
from readproof.lang.en.questions import question_of
from readproof.lang.en.statements import statement
from readproof.lang.en.words import participle, past, third


@pytest.mark.parametrize(
    ("question", "answer", "text"),
    [
        ("Who designed the bronze doors?", "John Smith", "John Smith designed the bronze doors."),
        ("Who bought the factory in 2005?", "NBC", "NBC bought the factory in 2005."),
        ("When did the Jin dynasty end?", "1352", "The Jin dynasty ended in 1352."),
        ("On what date did Luther die?", "17 May 1519", "Luther died on 17 May 1519."),
        (
            "In what year did ABC resume its relationship with Disney?",
            "1991",
            "ABC resumed its relationship with Disney in 1991.",
        ),
        (
            "When was the colony of New South Wales founded?",
            "1801",
            "The colony of New South Wales was founded in 1801.",
        ),
        ("Where was the Muslim Brotherhood founded?", "Oslo", "The Muslim Brotherhood was founded in Oslo."),
        ("Where is the so-called Rhine Knee?", "Oslo", "The so-called Rhine Knee is in Oslo."),
        ("What is the largest city in Poland?", "Oslo", "The largest city in Poland is Oslo."),
        ("What is the active form of vitamin D known as?", "wool", "The active form of vitamin D is known as wool."),
        ("What do Beriods use as teeth?", "wool", "Beriods use wool as teeth."),
        ("Who did Wesley appoint as bishop in 1784?", "John Smith", "Wesley appointed John Smith as bishop in 1784."),
        (
            "What injury did Thomas Davis suffer during the playoff games?",
            "a cold",
            "Thomas Davis suffered a cold during the playoff games.",
        ),
        ("How many stations did Boston have in 1952?", "nine", "Boston had nine stations in 1952."),
        ("How many total judges are there in the EU?", "16", "There are 16 total judges in the EU."),
        (
            "How many Kenyans are living below the poverty level?",
            "Two",
            "Two Kenyans are living below the poverty level.",
        ),
        ("How old was Elway?", "47", "Elway was 47 years old."),
        ("How old was the baby?", "six months", "The baby was six months old."),
        ("How many tons does the Hereford Screen weigh?", "12", "The Hereford Screen weighs 12 tons."),
        ("Why is majority rule used?", "heavy rain", "Majority rule is used because of heavy rain."),
        (
            "What can an enthusiastic teacher be to a young student?",
            "wool",
            "An enthusiastic teacher can be wool to a young student.",
        ),
        (
            "Whose authority did Luther's theology oppose?",
            "John Smith",
            "Luther's theology opposed John Smith's authority.",
        ),
        ("After 1945, what challenged the French empire?", "wool", "After 1945, wool challenged the French empire."),
        ("John Mayow died in what year?", "1703", "John Mayow died in 1703."),
        (
            "What company has been hosted at the Theatre Royal for over 25 years?",
            "NBC",
            "NBC has been hosted at the Theatre Royal for over 25 years.",
        ),
        (
            "What does Rosenfield feel plays the most significant role?",
            "trade",
            "Rosenfield feels trade plays the most significant role.",
        ),
        (
            "When did the V&A acquired the Costiff collection?",
            "1993",
            "The V&A acquired the Costiff collection in 1993.",
        ),
        ("At what temperature will oxygen condense?", "170 K", "Oxygen will condense at 170 K."),
        ("In 2009 what was the total of Grants?", "$5", "In 2009 the total of Grants was $5."),
        ("What did DECnet originally do", "print a map", "DECnet originally printed a map."),
        ("How much of the population is Hindu?", "half", "Half of the population is Hindu."),
    ],
)
def test_statement(question: str, answer: str, text: str) -> None:
    found = question_of(question)
    assert found is not None
    assert statement(found, answer) == text


def test_a_slip_is_not_turned() -> None:
    found = question_of("What did did article 34 discriminate against?")
    assert found is not None
    assert statement(found, "wool") == ""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where was the practice place the Panthers used for the Super Bowl?", "Oslo"),
        ("How many yards was the field goal Gano made to make the score 16-10?", "29 yards"),
        ("What religion were the Normans?", "Islam"),
        ("What reasons cause failure of the disobedience with authorities?", "heavy rain"),
        ("To which year does the new sculpture galleries now encompass?", "1918"),
        ("In what year did the Norman's invade at Bannow Bay?", "1185"),
        ("What country's schools have codes of behavior that are very strict?", "Oslo"),
        ("What is the law named that defines a charge moving through a magnetic field?", "Ohm's law"),
    ],
)
def test_what_only_a_parser_could_turn_is_left(question: str, answer: str) -> None:
    found = question_of(question)
    assert found is not None
    assert statement(found, answer) == ""


def test_what_is_described_by_a_participle_is_one_thing() -> None:
    found = question_of("What is the smallest geographical region discussed?")
    assert found is not None
    assert statement(found, "Oslo") == "The smallest geographical region discussed is Oslo."


def test_no_question() -> None:
    assert question_of("Were the centers profitable") is None


@pytest.mark.parametrize(
    ("base", "form"),
    [
        ("go", "went"),
        ("stop", "stopped"),
        ("try", "tried"),
        ("refer", "referred"),
        ("open", "opened"),
        ("visit", "visited"),
        ("use", "used"),
    ],
)
def test_past(base: str, form: str) -> None:
    assert past(base) == form


def test_other_forms() -> None:
    assert (participle("write"), third("try"), third("have"), third("teach")) == ("written", "tries", "has", "teaches")


def test_irregular_verbs_are_many() -> None:
    assert len(column("en", "irregular")) >= 150
