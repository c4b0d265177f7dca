"""The phases of a competition: when each begins and ends, what is open in it, what its submissions are scored by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo

from readproof.board.settings import Fields
from readproof.reports.labels import Label

Opening = Literal["registration", "submission", "reports"]
Counting = Literal["team", "track"]
OPENINGS: tuple[Opening, ...] = ("registration", "submission", "reports")
# the name of the phase of a competition that has but one
MAIN = "main"
_KEYS = (
    "name", "title", "about", "opens", "closes", "open", "gold", "quota", "late_until", "scores_shown", "final_shown",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Quota:
    """How many submissions a calendar day takes; refused ones have a cap of their own."""

    accepted: int
    refused: int
    counted: Counting


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """What submissions of a phase are held against, scored by and limited to.

    `public` is the share of the gold by which the ranking goes while the phase lasts; the rest decides when it is
    over. `split` is a text known to nobody else, from which it follows which items are in which part.
    """

    gold: Path
    test: tuple[str, ...]
    metric: str
    curve: Path | None
    quota: Quota
    public: float = 1.0
    split: str = ""
    late_until: datetime | None = None
    scores_shown: datetime | None = None
    final_shown: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompetitionPhase:
    """A stretch of time with something open in it, or a single date; `scoring` where one can submit."""

    name: str
    title: Label
    about: Label
    opens: datetime
    closes: datetime | None
    takes: frozenset[Opening]
    scoring: Scoring | None = None

    def runs(self, moment: datetime) -> bool:
        return self.opens <= moment and (self.closes is None or moment < self.closes)

    def over(self, moment: datetime) -> bool:
        return moment >= (self.closes or self.opens)


def moment_of(fields: Fields, name: str, zone: ZoneInfo) -> datetime:
    """A date of a file, in the competition's zone where it says none."""
    value = fields.moment(name)
    return (value if value.tzinfo else value.replace(tzinfo=zone)).astimezone(UTC)


def read_phases(top: Fields, zone: ZoneInfo, scoring: Callable[[Fields], Scoring]) -> tuple[CompetitionPhase, ...]:
    """The phases of a file in the order of their beginnings. `scoring` reads what a phase is scored by."""
    rows = top.list("phases")
    found = [_phase(Fields(one, top.file, f"phases[{at}]"), zone, scoring) for at, one in enumerate(rows)]
    names = [one.name for one in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        top.refuse("phases", f"two phases of the name {twice!r}", "each name once")
    for wanted in ("registration", "submission"):
        if not any(wanted in one.takes for one in found):
            top.refuse("phases", f"no phase with {wanted}", f'at least one with open = ["{wanted}"]')
    return tuple(sorted(found, key=lambda one: one.opens))


def _phase(fields: Fields, zone: ZoneInfo, scoring: Callable[[Fields], Scoring]) -> CompetitionPhase:
    fields.only(*_KEYS)
    name = fields.text("name")
    if not name or not all(one.isascii() and (one.isalnum() or one == "-") for one in name) or len(name) > 40:
        fields.refuse("name", repr(name), "letters, digits and hyphens: it stands in addresses")
    opens = moment_of(fields, "opens", zone)
    closes = moment_of(fields, "closes", zone) if fields.has("closes") else None
    takes: set[Opening] = set()
    for one in fields.texts("open"):
        known = next((opening for opening in OPENINGS if opening == one), None)
        if known is None:
            fields.refuse("open", repr(one), f"some of {', '.join(OPENINGS)}")
        takes.add(known)
    if takes and closes is None:
        fields.refuse("closes", "nothing", "when it ends: something is open in it")
    if closes is not None and closes <= opens:
        fields.refuse("closes", "an end before the beginning", "a later date")
    if "submission" not in takes:
        for key in ("gold", "quota", "late_until", "scores_shown", "final_shown"):
            if fields.has(key):
                fields.refuse(key, "a key for phases with submission", 'open = ["submission"], or leave it out')
    return CompetitionPhase(
        name=name,
        title=fields.label("title"),
        about=fields.label("about", Label("", "")),
        opens=opens,
        closes=closes,
        takes=frozenset(takes),
        scoring=scoring(fields) if "submission" in takes else None,
    )


def current(phases: Sequence[CompetitionPhase], moment: datetime) -> CompetitionPhase:
    """The phase whose submissions one looks at now: the newest that runs, else the last that has begun."""
    scored = [one for one in phases if one.scoring is not None]
    running = [one for one in scored if one.runs(moment)]
    begun = [one for one in scored if one.opens <= moment]
    return (running or begun or scored[:1])[-1]
