"""Windows against each other: what counts is what a window makes of its own tokens, not how loud it is."""

from __future__ import annotations

import numpy as np

from readproof.items import SpanItem
from readproof.readers.reading import Manner, Reading
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
    reading = Reading(Loud(), Manner(max_tokens=40, overlap=8))
    passage = "甲" * 20 + "乙" + "丙" * 60
    answer = reading.best(SpanItem(id="1", passage=passage, question="哪？"))[0]
    assert (answer.raw, answer.start) == ("乙", 20)
    silent = Reading(Loud(), Manner(max_tokens=40, overlap=8, no_answer=True))
    assert silent.best(SpanItem(id="1", passage="丙" * 60, question="哪？"))[0].raw == ""
    assert silent.best(SpanItem(id="1", passage=passage, question="哪？"))[0].raw == "乙"
