"""Each question of a triple is answered by itself: shuffled, in runs apart or in one batch, it has the same letter."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from readproof.items import ChoiceItem, Triple
from readproof.readers.callable import FunctionReader
from readproof.tasks import load
from tests.readers.independence import assert_independent
from tests.readers.overlap import OverlapReader, shared
from tests.shared_data import SHARED, needs_shared

OPTIONS = ("湿地提供所有物资", "湿地提供部分物资", "湿地不提供物资", "湿地只提供饮水")


def made(count: int) -> list[Triple]:
    """Triples on passages of different words, with the options turned."""
    found = []
    for number in range(count):
        turned = OPTIONS[number % 4 :] + OPTIONS[: number % 4]
        forms = [
            ChoiceItem(
                id=f"t{number}#{name}", passage=f"第{number}处。{OPTIONS[number % 3]}。", question=stem, options=options
            )
            for name, stem, options in (
                ("original", "下列说法正确的一项是", turned),
                ("positive", "下列说法正确的一项是", turned[::-1]),
                ("negative", "下列说法不正确的一项是", turned),
            )
        ]
        found.append(Triple(id=f"t{number}", original=forms[0], positive=forms[1], negative=forms[2]))
    return found


def most_shared(passage: str, question: str, options: list[str]) -> int:
    return max(range(len(options)), key=lambda at: shared(options[at], passage))


def test_a_function_answers_each_question_by_itself() -> None:
    letters = assert_independent(FunctionReader("most_shared", most_shared), made(12))
    assert len({one for three in letters.values() for one in three}) > 1


def test_so_does_a_reader_that_judges() -> None:
    assert_independent(OverlapReader(), made(12))


@needs_shared
def test_on_real_triples() -> None:
    triples = [one for one in load(SHARED / "data/gcrc_advrobust/dev_a.json") if isinstance(one, Triple)]
    assert_independent(FunctionReader("most_shared", most_shared), triples[:40])


def never_the_same_twice() -> Callable[..., int]:
    """Knows that the three gold letters of a triple differ, and uses it."""
    before: dict[str, list[int]] = {}

    def answer(passage: str, question: str, options: list[str]) -> int:
        taken = before.setdefault(passage, [])
        best = max(
            (at for at in range(len(options)) if at not in taken[-2:]), key=lambda at: shared(options[at], passage)
        )
        taken.append(best)
        return best

    return answer


def counting() -> Callable[..., int]:
    """Answers A, B, C, D in turn."""
    count = iter(range(10**9))
    return lambda passage, question, options: next(count) % len(options)


@pytest.mark.parametrize("cheat", [never_the_same_twice, counting])
def test_who_looks_elsewhere_is_found_out(cheat: Callable[[], Callable[..., int]]) -> None:
    with pytest.raises(AssertionError, match="have other letters when"):
        assert_independent(FunctionReader("cheat", cheat()), made(12))
