"""A competition as its organiser writes it down: a TOML file with task, tracks, dates, gold, quota, limits, prizes."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo

from readproof.board.fields import Fields
from readproof.errors import InputError
from readproof.files import read_text
from readproof.report.labels import Label
from readproof.tasks.references import published

Phase = Literal["before", "registration", "between", "open", "closed"]
Counting = Literal["team", "track"]

KINDS = ("gcrc", "celue")
_SLUG = re.compile("[a-z0-9][a-z0-9-]{0,39}")
_MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Dates:
    """When people may register and submit, and from when on everybody sees the scores."""

    registration_opens: datetime
    registration_closes: datetime
    submission_opens: datetime
    submission_closes: datetime
    scores_shown: datetime | None = None


@dataclass(frozen=True, slots=True)
class Quota:
    """How many submissions a calendar day takes; refused ones have a cap of their own."""

    accepted: int
    refused: int
    counted: Counting


@dataclass(frozen=True, slots=True)
class Download:
    """A file for participants who have agreed."""

    name: str
    file: Path
    title: Label


@dataclass(frozen=True, slots=True)
class Prize:
    """A prize and how many ranks it covers; the first begins at rank 1, each goes on where the one before ended."""

    title: Label
    count: int


@dataclass(frozen=True, slots=True)
class Reference:
    """What others reached: stands in the ranking without a rank."""

    track: str
    name: str
    score: float
    scores: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Competition:
    """One shared task."""

    slug: str
    title: Label
    task: str
    about: Label
    agreement: Label
    zone: ZoneInfo
    dates: Dates
    tracks: Mapping[str, Label]
    gold: Path
    test: tuple[str, ...]
    metric: str
    curve: Path | None
    quota: Quota
    largest: int
    members: int
    downloads: tuple[Download, ...]
    prizes: tuple[Prize, ...]
    references: tuple[Reference, ...]

    @property
    def ready(self) -> bool:
        """Whether the gold answers lie where the file says; else nothing can be scored, and nothing is taken."""
        return self.gold.exists()

    @property
    def headline(self) -> str:
        """The figure that ranks."""
        return "Score" if self.task == "gcrc" else "ELUE"

    @property
    def columns(self) -> tuple[str, ...]:
        """The figures beside it."""
        return ("Acc0", "Acc1", "Acc2") if self.task == "gcrc" else ("GFLOPs", "Mparams")

    @property
    def percent(self) -> bool:
        """Whether scores are shares that people read as percent."""
        return self.task == "gcrc"

    def phase(self, moment: datetime) -> Phase:
        dates = self.dates
        if moment >= dates.submission_closes:
            return "closed"
        if moment >= dates.submission_opens:
            return "open"
        if moment < dates.registration_opens:
            return "before"
        return "registration" if moment < dates.registration_closes else "between"

    def registers(self, moment: datetime) -> bool:
        return self.dates.registration_opens <= moment < self.dates.registration_closes

    def prize(self, rank: int | None) -> Label | None:
        """The prize of a rank; a shared rank shares its prize."""
        last = 0
        for one in self.prizes:
            last += one.count
            if rank is not None and rank <= last:
                return one.title
        return None


def load_competitions(folder: Path) -> dict[str, Competition]:
    """Every competition of a folder, by its name in addresses, which is that of its file."""
    return {path.stem: load_competition(path) for path in sorted(folder.glob("*.toml"))}


def load_competition(path: Path) -> Competition:
    """A competition from its file; everything that is wrong with it is told before it is served."""
    try:
        record = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise InputError(file=path, found=f"no TOML ({error})", expected="the file of a competition") from None
    if not _SLUG.fullmatch(path.stem):
        expected = "small letters, digits and hyphens: it stands in addresses"
        raise InputError(file=path, found=f"the name {path.stem!r}", expected=expected)
    top = Fields(record, path)
    where = top.zone("timezone")
    task = top.choice("task", KINDS)
    tracks = {name: Fields(table, path, f"tracks.{name}").label("title") for name, table in top.tables("tracks")}
    gold = top.table("gold")
    quota, limits = top.table("quota"), top.table("limits")
    found = Competition(
        slug=path.stem,
        title=top.label("title"),
        task=task,
        about=top.label("about", Label("", "")),
        agreement=top.label("agreement", Label("", "")),
        zone=where,
        dates=_dates(top.table("dates"), where),
        tracks=tracks or {"main": Label("Main", "主赛道")},
        gold=gold.path("file"),
        test=tuple(_test(one, path) for one in gold.texts("test")),
        metric=gold.text("metric", "official"),
        curve=gold.path("curve") if gold.has("curve") else None,
        quota=Quota(quota.number("accepted_a_day", 5), quota.number("refused_a_day", 20), _counted(quota)),
        largest=limits.number("upload_megabytes", 100) * _MEGABYTE,
        members=limits.number("members", 10),
        downloads=tuple(_download(Fields(one, path, f"data[{at}]")) for at, one in enumerate(top.list("data"))),
        prizes=tuple(_prize(Fields(one, path, f"prizes[{at}]")) for at, one in enumerate(top.list("prizes"))),
        references=(
            *_published(top.text("published", "")),
            *(_reference(Fields(one, path, f"references[{at}]")) for at, one in enumerate(top.list("references"))),
        ),
    )
    _refuse_served_gold(found, path)
    return found


def _dates(fields: Fields, where: ZoneInfo) -> Dates:
    def moment(name: str) -> datetime:
        value = fields.moment(name)
        return (value if value.tzinfo else value.replace(tzinfo=where)).astimezone(UTC)

    names = ("registration_opens", "registration_closes", "submission_opens", "submission_closes")
    first, second, third, fourth = (moment(name) for name in names)
    if not (first < second <= fourth and first <= third < fourth):
        fields.refuse("", "dates that do not follow one another", "registration before submission, opens before closes")
    return Dates(first, second, third, fourth, moment("scores_shown") if fields.has("scores_shown") else None)


def _counted(fields: Fields) -> Counting:
    return "track" if fields.choice("counted", ("team", "track"), "team") == "track" else "team"


def _test(text: str, path: Path) -> str:
    """TASK:FILE or FILE, with the file beside the competition's."""
    task, colon, name = text.partition(":")
    return f"{task}:{path.parent / name}" if colon else str(path.parent / text)


def _download(fields: Fields) -> Download:
    file = fields.path("file")
    return Download(file.name, file, fields.label("title"))


def _prize(fields: Fields) -> Prize:
    return Prize(fields.label("title"), fields.number("count", 1))


def _reference(fields: Fields) -> Reference:
    scores = {name: float(value) for name, value in fields.mapping("scores").items()}
    return Reference(fields.text("track", "main"), fields.text("name"), fields.real("score"), scores)


def _published(task: str) -> tuple[Reference, ...]:
    if not task:
        return ()
    rows = published(task, "official")
    return tuple(
        Reference(
            one.track, one.who, one.scores["Score"], {key: one.scores[key] for key in one.scores if key != "Score"}
        )
        for one in rows
    )


def _refuse_served_gold(found: Competition, path: Path) -> None:
    """A slip in the file must not publish the answers."""
    gold = found.gold.resolve()
    for one in found.downloads:
        file = one.file.resolve()
        if file == gold or gold in file.parents:
            place = f"data {one.name}"
            raise InputError(file=path, place=place, found="the gold answers", expected="a file without answers")
    names = [one.name for one in found.downloads]
    if len(set(names)) < len(names):
        raise InputError(file=path, place="data", found="two files of one name", expected="each name once")


def unready(competitions: Mapping[str, Competition]) -> list[tuple[str, Path]]:
    """Files that competitions name and that are not there."""
    missing: list[tuple[str, Path]] = []
    for one in competitions.values():
        wanted = [one.gold, *(item.file for item in one.downloads), *([one.curve] if one.curve else [])]
        missing += [(one.slug, file) for file in wanted if not file.exists()]
    return missing
