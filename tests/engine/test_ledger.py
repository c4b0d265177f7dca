"""Whoever is lost and whenever: every shard is done, in order, and only a few are in hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readproof.engine.pool import LIVES, Ledger
from readproof.errors import ReadproofError


def numbers(count: int, ahead: int) -> Ledger[int, int]:
    return Ledger(range(count), lambda shard: [f"number {shard}"], ahead)


@given(count=st.integers(0, 30), ahead=st.integers(1, 6), moves=st.lists(st.integers(0, 8), max_size=200))
def test_any_order_of_work_and_loss_gives_the_same_results(count: int, ahead: int, moves: list[int]) -> None:
    ledger, found, held = numbers(count, ahead), list[int](), dict[int, list[int]]()
    for move in [*moves, *([0, 3] * count)]:
        worker = move % 3
        if move < 3 and ledger.waiting:
            held.setdefault(worker, []).append(ledger.take(worker))
        elif move < 6 and any(held.values()):
            worker = next(one for one in held if held[one])
            ledger.done(worker, held[worker].pop(0) ** 2)
        elif move >= 6:
            held.pop(worker, None)
            ledger.lost(worker, blamed=False)
        found += ledger.results()
        assert sum(map(len, held.values())) + ledger.waiting <= ahead
    assert found == [number**2 for number in range(count)]
    assert ledger.over


def test_the_oldest_shard_of_a_lost_worker_is_blamed() -> None:
    ledger = numbers(4, 4)
    for life in range(LIVES):
        assert ledger.waiting == 4
        assert [ledger.take("worker"), ledger.take("worker")] == [0, 1]
        if life + 1 < LIVES:
            ledger.lost("worker")
    with pytest.raises(ReadproofError, match=r"3 workers ended at the same items: number 0 \(why\)"):
        ledger.lost("worker", "why")
