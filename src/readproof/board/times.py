"""Times of a competition: kept in UTC, counted by calendar days of the competition's own zone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from readproof.errors import InputError

Clock = Callable[[], datetime]


def now() -> datetime:
    """This moment in UTC."""
    return datetime.now(UTC)


def zone(name: str) -> ZoneInfo:
    """A time zone by its name."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        expected = "a name such as Asia/Shanghai or UTC"
        raise InputError(place="timezone", found=f"{name!r}", expected=expected) from None


def day_of(moment: datetime, where: ZoneInfo) -> date:
    """The calendar day of a moment."""
    return moment.astimezone(where).date()


def next_day(moment: datetime, where: ZoneInfo) -> datetime:
    """When the next calendar day begins: the time at which a quota is new again."""
    tomorrow = day_of(moment, where) + timedelta(days=1)
    return datetime.combine(tomorrow, time(), where).astimezone(UTC)


def spanned(first: datetime, last: datetime, where: ZoneInfo) -> str:
    """From one moment to another, for a person; the zone is named once."""
    return f"{first.astimezone(where):%Y-%m-%d %H:%M} – {written(last, where)}"


def written(moment: datetime, where: ZoneInfo) -> str:
    """A moment for a person, with its zone."""
    return f"{moment.astimezone(where):%Y-%m-%d %H:%M} ({where.key})"
