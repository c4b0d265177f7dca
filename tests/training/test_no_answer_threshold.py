"""When to say that there is no answer: the fitted threshold is the best there is, and a given one is kept to."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readproof.items import Answer, Gold, SpanItem
from readproof.training.measure import each_of
from readproof.training.no_answer_threshold import at_threshold, fitted


def test_the_non_joiner_is_a_space_and_letters_may_differ() -> None:
    item = SpanItem(id="1", passage="کتاب‌های خوب", question="چه؟", golds=(Gold("کتاب‌های", 0),))
    answer = Answer(id="1", text="کتاب های")
    assert each_of([answer], [item], "squad2").tolist() == [[1.0, 1.0, 1.0, 1.0]]
    arabic = Answer(id="1", text="كتاب‌هاي")
    assert each_of([arabic], [item], "squad2").tolist() == [[0.0, 0.0, 1.0, 1.0]]


def test_sure_refusals_are_told_from_sure_answers() -> None:
    answers = [
        Answer(id=f"{number}", text="x", scores=(score,)) for number, score in enumerate((-1.0, -2.0, -9.0, -8.0))
    ]
    known = np.asarray([True, True, False, False])
    each = np.asarray([[1.0, 1.0], [0.0, 0.5], [0.0, 0.0], [0.0, 0.0]])
    found = fitted(answers, [-6.0, -5.0, -1.0, -2.0], known, each)
    assert (found.exact, found.f1, found.answered, found.refused) == (75.0, 87.5, 75.0, 100.0)
    assert -3.0 < found.threshold < 6.0
    never = at_threshold(answers, [-6.0, -5.0, -1.0, -2.0], known, each, 100.0)
    assert (never.f1, never.refused) == (37.5, 0.0)


@given(st.lists(st.tuples(st.floats(-9, 0), st.floats(-9, 0), st.booleans(), st.floats(0, 1)), min_size=1, max_size=20))
def test_no_other_threshold_is_better(rows: list[tuple[float, float, bool, float]]) -> None:
    answers = [Answer(id=f"{number}", text="x", scores=(row[0],)) for number, row in enumerate(rows)]
    nulls, known = [row[1] for row in rows], np.asarray([row[2] for row in rows])
    each = np.asarray([[float(row[3] == 1.0), row[3]] for row in rows])
    best = fitted(answers, nulls, known, each).f1
    leads = [row[1] - row[0] for row in rows]
    for threshold in [-100.0, *leads, *(lead - 1e-9 for lead in leads)]:
        assert at_threshold(answers, nulls, known, each, threshold).f1 <= best + 1e-6


def test_a_question_without_a_span_gets_no_answer() -> None:
    found = at_threshold([Answer(id="1")], [-3.0], np.asarray([False]), np.zeros((1, 2)), 0.0)
    assert found.refused == pytest.approx(100.0)
