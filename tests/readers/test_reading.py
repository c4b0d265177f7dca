"""Windows against each other: what counts is what a window makes of its own tokens, not how loud it is."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from readproof.items import SpanItem
from readproof.readers.reading import Reading, ReadingConfig
from readproof.readers.tokens import Ints, Passage
from readproof.text import Text


class Loud:
    """Sure of 乙 where it stands; where it does not, shouts that there is no answer."""

    frame = 3

    def encode(self, text: Text, start: int, end: int) -> Passage:
        places = np.arange(start, end, dtype=np.int32)
        return Passage(text, np.array([ord(one) for one in text.clean[start:end]], np.int32), places, places + 1)

    def encode_question(self, text: str) -> Ints:
        return np.zeros(len(text), np.int32)

    def scores(self, question: Ints, passage: Ints) -> tuple[np.ndarray, np.ndarray]:
        found = np.concatenate(([False], passage == ord("乙"))).astype(np.float32) * 5
        if not found.any():
            found = np.concatenate(([60], np.full(len(passage), 50))).astype(np.float32)
        return found, found


def test_a_loud_window_without_the_answer_does_not_win() -> None:
    reading = Reading(Loud(), ReadingConfig(max_tokens=40, overlap=8))
    passage = "甲" * 20 + "乙" + "丙" * 60
    answer = reading.best(SpanItem(id="1", passage=passage, question="哪？"))[0]
    assert (answer.raw, answer.start) == ("乙", 20)
    silent = Reading(Loud(), ReadingConfig(max_tokens=40, overlap=8, no_answer=True))
    assert silent.best(SpanItem(id="1", passage="丙" * 60, question="哪？"))[0].raw == ""
    assert silent.best(SpanItem(id="1", passage=passage, question="哪？"))[0].raw == "乙"


class Sure:
    """Sure of every 乙, a little surer of every 丙; counts the windows it reads."""

    frame = 3

    def __init__(self, chance: float | None = None) -> None:
        self.windows = 0
        self.encode, self.encode_question = Loud().encode, Loud().encode_question
        self.chance = chance

    def scores(self, question: Ints, passage: Ints) -> tuple[np.ndarray, np.ndarray]:
        self.windows += 1
        found = np.concatenate(([4], 9 * (passage == ord("乙")) + 10 * (passage == ord("丙")))).astype(np.float32)
        if self.chance is not None:
            # scores hang on the tokens alone, as a model's do
            found += np.random.default_rng(int(passage.sum())).normal(0, self.chance, len(found)).astype(np.float32)
        return found, found


def scattered(length: int, *facts: str, seed: int = 0) -> str:
    """Facts among sentences of chance characters, far from each other."""
    chance = random.Random(seed)
    part = length // (len(facts) + 1)
    return "".join(
        "".join("".join(chance.choices("东西南北山水火土金木", k=29)) + "。" for _ in range(part // 30)) + fact
        for fact in (*facts, "")
    )


WRONG, RIGHT = "河边的塔是丙建的。", "海边的灯塔是乙建的。"
ITEM = SpanItem(id="1", passage=scattered(60_000, WRONG, RIGHT, WRONG), question="海边的灯塔是谁建的？")


def test_a_span_in_a_more_relevant_piece_beats_one_that_is_a_little_surer() -> None:
    answer = Reading(Sure(), ReadingConfig()).best(ITEM)[0]
    assert answer.start == ITEM.passage.index(RIGHT) + RIGHT.index("乙")
    assert Reading(Sure(), ReadingConfig(retrieval=0.0)).best(ITEM)[0].raw == "丙"


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("chance", [1.0, 5.0])
def test_windows_that_are_left_out_could_not_have_held_the_answer(seed: int, chance: float) -> None:
    item = replace(ITEM, passage=scattered(60_000, WRONG, RIGHT, WRONG, seed=seed))
    some, every = Sure(chance), Sure(chance)
    answer = Reading(some, ReadingConfig()).best(item)[0]
    # where there may be no answer all windows are read; a threshold that nothing passes keeps the best span first
    other = Reading(every, ReadingConfig(no_answer=True, threshold=1e9)).best(item)[0]
    assert (answer.start, answer.end, answer.scores) == (other.start, other.end, other.scores)
    assert some.windows <= every.windows <= 5


def test_with_a_sure_answer_in_the_most_relevant_piece_no_other_is_read() -> None:
    some, every = Sure(), Sure()
    Reading(some, ReadingConfig()).best(ITEM)
    Reading(every, ReadingConfig(no_answer=True)).best(ITEM)
    assert some.windows < every.windows


@pytest.mark.parametrize("no_answer", [False, True])
def test_probabilities_over_what_is_read_are_never_above_one(no_answer: bool) -> None:
    # a threshold that everything passes: "no answer" comes first
    reading = Reading(Sure(2.0), ReadingConfig(no_answer=no_answer, threshold=-1e9))
    spans = reading.distribution(ITEM, 10**6)
    nothing, answers = 0.0, reading.best(ITEM, 6)
    if no_answer:
        assert not answers[0].raw
        nothing = answers.pop(0).confidence or 0.0
    assert sum(share for *_, share in spans) + nothing == pytest.approx(1)
    assert sum(answer.confidence or 0.0 for answer in answers) + nothing <= 1 + 1e-9
    assert (answers[0].start, answers[0].end, answers[0].confidence) == spans[0]


def test_a_long_passage_without_the_answer_is_said_to_hold_none() -> None:
    reading = Reading(Sure(), ReadingConfig(no_answer=True))
    assert reading.best(ITEM)[0].raw == "乙"
    assert reading.best(replace(ITEM, passage=scattered(60_000, "海边的灯塔是甲建的。")))[0].raw == ""


def test_what_is_read_is_told() -> None:
    reading = Reading(Sure(), ReadingConfig())
    places = reading.places(ITEM)
    assert any(RIGHT in ITEM.passage[start:end] for start, end in places)
    assert sum(end - start for start, end in places) < 2_000
    assert reading.places(replace(ITEM, passage="一二三")) == [(0, 3)]
    # an empty question is read like any other: whether it is a question is for others to judge
    assert reading.places(replace(ITEM, question=""))
    assert reading.best(replace(ITEM, question=""))[0].raw
