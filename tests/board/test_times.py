"""The calendar day of a zone: it ends when the next one begins, also where clocks change at midnight."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import example, given
from hypothesis import strategies as st

from readproof.board.times import day_of, next_day, zone

# clocks of these change at midnight, so that it is there twice or not at all
ZONES = ("Asia/Shanghai", "Europe/Berlin", "America/Sao_Paulo", "America/Havana", "Africa/Cairo", "Asia/Beirut", "UTC")


@given(st.datetimes(datetime(2015, 1, 1), datetime(2030, 1, 1)), st.sampled_from(ZONES))
@example(datetime(2018, 11, 3, 20), "America/Sao_Paulo")
@example(datetime(2023, 10, 26, 20, 30), "Africa/Cairo")
@example(datetime(2024, 11, 3, 4, 30), "America/Havana")
def test_a_quota_is_new_when_the_day_is(moment: datetime, name: str) -> None:
    where, at = zone(name), moment.replace(tzinfo=UTC)
    resets = next_day(at, where)
    assert at < resets <= at + timedelta(hours=26)
    assert day_of(resets, where) > day_of(at, where) == day_of(resets - timedelta(seconds=1), where)
