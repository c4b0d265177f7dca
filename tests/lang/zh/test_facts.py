"""Facts of other things, found by the question they answer."""

from __future__ import annotations

import pytest

from readproof.lang.api import lines
from readproof.lang.zh.facts import frame_of, like_facts
from readproof.lang.zh.questions import phrases


def test_a_frame_has_neither_subject_nor_question_phrase() -> None:
    question = "齿䲠体长可达多少公分？"
    assert frame_of(question, phrases(question)[0], (0, 2)) == "□体长可达◇"
    assert frame_of(question, phrases(question)[0], None) == "齿䲠体长可达◇"


@pytest.mark.parametrize(
    ("frame", "type", "about"),
    [("□体长可达◇", "number", "体长"), ("□的作者是◇", "person", "作者"), ("□的总部在◇", "place", "总部")],
)
def test_the_likest_come_first(frame: str, type: str, about: str) -> None:
    found = list(like_facts(frame, type, 5))
    assert len(found) == 5 and all(fact.type == type for _, fact in found)
    assert about in found[0][1].statement and found[0][0] > 0.4
    alike = [score for score, _ in found]
    assert alike == sorted(alike, reverse=True) and list(like_facts(frame, type, 5)) == found


def test_nothing_is_like_a_question_without_a_shared_letter() -> None:
    assert list(like_facts("xyz", "person", 5)) == []


def test_every_fact_is_whole() -> None:
    facts = lines("zh", "facts")
    assert len(facts) > 3000
    for type, _head, kind, subject, frame, answer, statement in facts:
        assert type and kind and subject and answer
        assert subject in statement and frame.count("◇") == 1 and frame.count("□") == 1
        assert statement.endswith("。") and "？" not in statement
