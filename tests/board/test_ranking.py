"""Who is first: ties, nulls, references, prizes; and that the database chooses as the pure function does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from math import nan

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from readproof.board.board import Board
from readproof.board.definition import Reference
from readproof.board.ranking import RankingEntry, beside, ranked, standings, view
from readproof.board.scorers import ScoredUpload
from readproof.board.worker import ScoringWorker
from tests.board.made_board import START as CLOCK
from tests.board.made_board import captain, letters, submit

START = datetime(2027, 1, 1, tzinfo=UTC)


def entry(team: int, score: float | None, minutes: int = 0, number: str = "") -> RankingEntry:
    return RankingEntry(team, f"team {team}", "", score, START + timedelta(minutes=minutes), number)


def places(*entries: RankingEntry) -> list[tuple[int | None, int]]:
    return [(row.rank, row.entry.team) for row in ranked(entries) if row.entry]


def test_the_best_of_each_team_counts() -> None:
    assert places(entry(1, 0.2), entry(2, 0.3), entry(1, 0.5), entry(1, 0.4)) == [(1, 1), (2, 2)]


def test_equal_scores_share_a_rank_and_the_earlier_stands_first() -> None:
    found = places(entry(1, 0.5, 9), entry(2, 0.5, 3), entry(3, 0.7), entry(4, 0.1))
    assert found == [(1, 3), (2, 2), (2, 1), (4, 4)]


def test_sums_that_differ_in_the_last_bit_are_equal() -> None:
    assert places(entry(1, 0.1 + 0.2, 5), entry(2, 0.3)) == [(1, 2), (1, 1)]


def test_no_score_no_rank() -> None:
    assert places(entry(1, None), entry(2, nan), entry(3, 0.0)) == [(1, 3)]
    assert places() == []


def test_references_stand_by_their_score_and_take_no_rank() -> None:
    rows = beside(ranked([entry(1, 0.5), entry(2, 0.2)]), [Reference("a", "one", 0.5), Reference("a", "two", 0.3)])
    assert [(row.rank, row.name) for row in rows] == [(1, "team 1"), (None, "one"), (None, "two"), (2, "team 2")]


def test_prizes_go_by_rank_and_equals_share_them(board: Board) -> None:
    reading = board.competitions["reading"]
    titles = [reading.prize(rank) for rank in (None, 1, 2, 3, 4)]
    assert [one.en if one else None for one in titles] == [None, "First prize", "Second prize", "Second prize", None]


scores = st.none() | st.floats(-1, 1) | st.sampled_from([0.0, 0.25, 0.5, 1.0])
entries = st.lists(
    st.builds(entry, st.integers(1, 8), scores, st.integers(0, 50), st.text("abc", max_size=2)), max_size=40
)


# how fast a machine makes examples is not tested here
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(entries, st.randoms())
def test_the_order_of_arrival_does_not_matter_and_ranks_count(found: list[RankingEntry], chance: object) -> None:
    rows = ranked(found)
    shuffled = list(found)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert [(row.rank, row.score) for row in ranked(shuffled)] == [(row.rank, row.score) for row in rows]
    assert len({row.entry.team for row in rows if row.entry}) == len(rows)
    for place, row in enumerate(rows, 1):
        better = sum(round(other.score, 9) > round(row.score, 9) for other in rows)
        assert row.rank == better + 1 <= place


def test_among_equals_the_earlier_counts_and_what_is_no_number_never_does(board: Board) -> None:
    made, worker = captain(board, "an"), ScoringWorker(board)
    for score in (0.3, 0.1 + 0.2, nan):
        submit(board, made, letters(0.5))
        held = worker._claim()
        assert held is not None
        worker._keep(held, ScoredUpload(score, {}, ""))
        board.clock.forward(minutes=1)  # type: ignore[attr-defined]
    reading = board.competitions["reading"]
    (row,) = [row for row in standings(board, reading, "closed", view(board, reading)).rows if row.entry]
    assert row.entry is not None and row.score == 0.3 and row.entry.at == CLOCK


def test_the_database_chooses_as_the_function_does(board: Board) -> None:
    made = {name: captain(board, name) for name in ("an", "bo", "cy")}
    worker = ScoringWorker(board)
    for number, (name, right) in enumerate([("an", 0.3), ("bo", 0.9), ("an", 0.8), ("cy", 0.9), ("bo", 0.2)]):
        seed = 7 if right == 0.9 else number
        submit(board, made[name], letters(right, seed))
        worker.once()
        board.clock.forward(minutes=1)  # type: ignore[attr-defined]
    reading = board.competitions["reading"]
    rows = [row for row in standings(board, reading, "closed", view(board, reading)).rows if row.entry]
    assert [(row.rank, row.name, row.entry.count) for row in rows if row.entry] == [
        (1, "Team bo", 2),
        (1, "Team cy", 1),
        (3, "Team an", 2),
    ]
