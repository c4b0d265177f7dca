"""What XQuAD's questions showed: words taken for the wrong part of a sentence. The answer is XXX throughout."""

from __future__ import annotations

import pytest

from readproof.lang.en.questions import question_of
from readproof.lang.en.statements import agrees, is_many, statement
from readproof.lang.en.words import parted, past


def stated(question: str, answer: str = "XXX") -> str:
    found = question_of(question)
    assert found is not None
    return statement(found, answer)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "When did the movement that would become The United Methodist Church begin?",
            "The movement that would become The United Methodist Church began in XXX.",
        ),
        ("When did the first direct elections take place?", "The first direct elections took place in XXX."),
        ("What did a 1996 study by Perotti examine?", "A 1996 study by Perotti examined XXX."),
        ("Who does a gender pay gap tend to favor?", "A gender pay gap tends to favor XXX."),
        ("What does the Urban Education Institute help run?", "The Urban Education Institute helps run XXX."),
        ("How many teams did Los Angeles used to have?", "Los Angeles used to have XXX teams."),
        (
            "What kind of data did ABC begin using in the 1970s to better target ads?",
            "ABC began using XXX in the 1970s to better target ads.",
        ),
    ],
)
def test_no_noun_or_clause_gives_the_verb(question: str, text: str) -> None:
    assert stated(question) == text


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "When was Europe fully forested and recovered from the last Ice Age?",
            "Europe was fully forested and recovered from the last Ice Age in XXX.",
        ),
        ("Where is corporal punishment no longer practiced?", "Corporal punishment is no longer practiced in XXX."),
        ("Why are ctenophores extremely rare as fossils?", "Ctenophores are extremely rare as fossils because of XXX."),
        ("Where is the ABC four-note jingle still in use?", "The ABC four-note jingle is still in use in XXX."),
        (
            "What type of punishment is sometimes offered to civil disobedients?",
            "XXX is sometimes offered to civil disobedients.",
        ),
        ("What theory best explains gravity?", "XXX best explains gravity."),
    ],
)
def test_adverbs_stay_with_the_verb(question: str, text: str) -> None:
    assert stated(question) == text


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("When was Temüjin elected khan of the Mongols?", "Temüjin was elected khan of the Mongols in XXX."),
        (
            "In what English colony were Huguenot settlers promised land?",
            "Huguenot settlers were promised land in XXX.",
        ),
        (
            "What was the percentage of a female householder with no husband present?",
            "The percentage of a female householder with no husband present was XXX.",
        ),
        ("What was the concept of force an integral part of?", "The concept of force was an integral part of XXX."),
        ("Who was Iqbal a critic of?", "Iqbal was a critic of XXX."),
        ("What continent are the Canarian Islands off the coast of?", "The Canarian Islands are off the coast of XXX."),
        (
            "What was the last Doctor Who episode that Dudley Simpson wrote music for?",
            "The last Doctor Who episode that Dudley Simpson wrote music for was XXX.",
        ),
        (
            "What was the name of the stadium that the teams played in?",
            "The name of the stadium that the teams played in was XXX.",
        ),
        (
            "What were the astronauts wearing during the dual mission AS-278?",
            "The astronauts were wearing XXX during the dual mission AS-278.",
        ),
        (
            "What type of professional is a Pharmacy Technician considered to be?",
            "A Pharmacy Technician is considered to be XXX.",
        ),
        (
            "Which actor was a replacement for Doctor Who due to the illness of the main actor?",
            "XXX was a replacement for Doctor Who due to the illness of the main actor.",
        ),
        (
            "Historically, which movement has the Methodist Church supported?",
            "Historically, the Methodist Church has supported XXX.",
        ),
        ("During the playoff games, who did not throw at all?", "During the playoff games, XXX did not throw at all."),
    ],
)
def test_the_subject_ends_where_what_is_said_of_it_begins(question: str, text: str) -> None:
    assert stated(question) == text


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the hymn known as in English?", "The hymn is known as XXX in English."),
        (
            "Where was the V&A transferred to from its original location?",
            "The V&A was transferred to XXX from its original location.",
        ),
        (
            "How many teams has Manning played for that reached the Super Bowl?",
            "Manning has played for XXX teams that reached the Super Bowl.",
        ),
        (
            "What organization did al-Nimeiry invite members of to serve in his government?",
            "Al-Nimeiry invited members of XXX to serve in his government.",
        ),
        (
            "What religion did the French spread along with their imperialism?",
            "The French spread XXX along with their imperialism.",
        ),
        (
            "Which diseases do many scientists believe contributed to plague pandemic?",
            "Many scientists believe XXX contributed to plague pandemic.",
        ),
        ("What did Luther tell monks and nuns about their vows?", "Luther told monks and nuns XXX about their vows."),
    ],
)
def test_the_answer_goes_where_its_place_was_left_empty(question: str, text: str) -> None:
    assert stated(question) == text


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How many square kilometers is the Amazon Basin?", "The Amazon Basin is XXX square kilometers."),
        (
            "In what year was there an attempt to withdraw the UMC membership?",
            "There was an attempt to withdraw the UMC membership in XXX.",
        ),
        (
            "Where did the discharge from glaciers go in the last Ice Age?",
            "The discharge from glaciers went in the last Ice Age to XXX.",
        ),
        (
            "For how long did Huguenots continue to use French names?",
            "Huguenots continued to use French names for XXX.",
        ),
        ("How far is Jacksonville from Miami?", "Jacksonville is XXX from Miami."),
        (
            "Anarchists do not want to accept punishment for what reason?",
            "Anarchists do not want to accept punishment because of XXX.",
        ),
    ],
)
def test_the_answer_takes_the_form_of_its_place(question: str, text: str) -> None:
    assert stated(question) == text


@pytest.mark.parametrize(
    "question",
    [
        "What actor did sign language for the National Anthem at Superbowl 50?",
        "What actress did the ASL translation for the game?",
        "When did the DFDS ferry service to Sweden case operation?",
        "What administration did Ludwig Mies van der Rohe designa buiding?",
        "Where does Kenya rang on the CPI scale?",
        "Why would a person chose civil disobedience against specific laws?",
        "When did rapid warming begin and help vegetation?",
        "Who did the Broncos beat tp become the AFC champions?",
        "What ranking in terms of busiest airports is the Los Angeles International Airport?",
        "When were attacks on teachers the highest?",
        "When was Geegen the emperor?",
        "When did British begin to build a fort?",
        "What was first battle in 1754?",
        "When large groups of people all boycott a system it can be considered?",
        "What river was there originally a bridge across in Roman times?",
        "What percentage of the vote for a Scottish Assembly in favor of it?",
        "What are pharmacists forbidden to do?",
        "What famous Indian's actions were considered civil disobedience?",
        "How many square miles large was the region impacted by the 2010 drought?",
        "How many plays was Denver kept out of the end zone after getting the ball?",
        "Where did Aristotle believe the natural place for earth and water elements?",
    ],
)
def test_what_cannot_be_told_is_refused(question: str) -> None:
    assert stated(question) == ""


@pytest.mark.parametrize(
    ("answer", "many"),
    [
        ("the drums", True),
        ("the Dolphins", True),
        ("new jobs", True),
        ("The Long Road and Open Window", True),
        ("the cost of repairs", False),
        ("a set of new rules", False),
        ("economics", False),
        ("the United Nations", False),
        ("Distant Bells", False),
    ],
)
def test_an_answer_is_of_one_or_of_several(answer: str, many: bool) -> None:
    assert is_many(answer) is many
    assert agrees(answer, "was") is not many
    assert agrees(answer, "happens") is not many
    assert agrees(answer, "were") and agrees(answer, "led")


def test_a_verb_of_one_takes_no_answer_of_several() -> None:
    assert stated("Which team was suspended from the league?", "the Dolphins") == ""
    assert stated("Which team won the league?", "the Dolphins") == "The Dolphins won the league."


def test_a_subject_and_its_adverbs_are_parted() -> None:
    assert parted("Asia fully") == ("Asia", "fully")
    assert parted("corporal punishment no longer") == ("corporal punishment", "no longer")
    assert parted("the royal family") == ("the royal family", "")


def test_rarer_verbs() -> None:
    assert (past("exhume"), past("deter"), past("kidnap")) == ("exhumed", "deterred", "kidnapped")
