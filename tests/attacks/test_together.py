"""Searches that run at once behave as if each were alone."""

from __future__ import annotations

from collections.abc import Generator

from readproof.attacks.search import groups, together


def _count(upto: int) -> Generator[list[int], list[int], int]:
    total = 0
    for number in range(upto):
        total += sum((yield list(range(number))))
    return total


def test_all_wishes_of_a_round_go_out_together() -> None:
    rounds = []

    def reply(wishes: list[int]) -> list[int]:
        rounds.append(list(wishes))
        return [10 * wish for wish in wishes]

    assert together([_count(3), _count(0), _count(2)], reply) == [10, 0, 0]
    assert rounds == [[], [0, 0], [0, 1]]


def test_groups() -> None:
    assert [list(group) for group in groups([1, 2, 3], 2)] == [[1, 2], [3]]
