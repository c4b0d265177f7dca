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

from readproof.board.settings import Fields
from readproof.errors import InputError
from readproof.files import digest, read_text
from readproof.reports.labels import Label
from readproof.tasks.references import published

Phase = Literal["before", "registration", "between", "open", "closed"]
Counting = Literal["team", "track"]

# the tasks that can be served, and what they can be scored by
METRICS = {"gcrc": ("official", "strict"), "celue": ("official",)}
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
        """Whether gold and test files lie where the file says; else nothing is checked or scored, and nothing taken."""
        return self.gold.exists() and all(one.exists() for one in self.test_files)

    @property
    def files(self) -> list[Path]:
        """All that the file names."""
        downloads = [one.file for one in self.downloads]
        return [self.gold, *downloads, *([self.curve] if self.curve else []), *self.test_files]

    @property
    def test_files(self) -> list[Path]:
        """The public files that uploads are held against."""
        return [Path(one.rpartition(":")[2]) for one in self.test]

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
    found = {path.stem: load_competition(path) for path in sorted(folder.glob("*.toml"))}
    for one in found.values():
        for other in found.values():
            _refuse_served_gold(one, other.gold, folder / f"{one.slug}.toml")
    return found


def load_competition(path: Path) -> Competition:
    """A competition from its file; everything that is wrong with it is told before it is served."""
    try:
        record = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise InputError(file=path, found=f"no TOML ({error})", expected="the file of a competition") from None
    if not _SLUG.fullmatch(path.stem):
        expected = "small letters, digits and hyphens: it stands in addresses"
        raise InputError(file=path, found=f"the name {path.stem!r}", expected=expected)
    top = Fields(record, path).only(
        "title", "task", "timezone", "published", "about", "agreement", "dates", "tracks", "gold", "quota", "limits",
        "data", "prizes", "references",
    )  # fmt: skip
    where = top.zone("timezone")
    task = top.choice("task", tuple(METRICS))
    tracks = {
        name: Fields(table, path, f"tracks.{name}").only("title").label("title") for name, table in top.tables("tracks")
    } or {"main": Label("Main", "主赛道")}
    gold = top.table("gold").only("file", "test", "metric", "curve")
    quota = top.table("quota").only("accepted_a_day", "refused_a_day", "counted")
    limits = top.table("limits").only("upload_megabytes", "members")
    found = Competition(
        slug=path.stem,
        title=top.label("title"),
        task=task,
        about=top.label("about", Label("", "")),
        agreement=top.label("agreement", Label("", "")),
        zone=where,
        dates=_dates(top.table("dates"), where),
        tracks=tracks,
        gold=gold.path("file"),
        test=tuple(_test(one, path) for one in gold.texts("test")),
        metric=gold.choice("metric", METRICS[task], "official"),
        curve=gold.path("curve") if gold.has("curve") else None,
        quota=Quota(quota.number("accepted_a_day", 5), quota.number("refused_a_day", 20), _counted(quota)),
        largest=limits.number("upload_megabytes", 100) * _MEGABYTE,
        members=limits.number("members", 10),
        downloads=tuple(_download(Fields(one, path, f"data[{at}]")) for at, one in enumerate(top.list("data"))),
        prizes=tuple(_prize(Fields(one, path, f"prizes[{at}]")) for at, one in enumerate(top.list("prizes"))),
        references=(
            *_published(top.text("published", "")),
            *(
                _reference(Fields(one, path, f"references[{at}]"), tracks)
                for at, one in enumerate(top.list("references"))
            ),
        ),
    )
    _refuse_two_names(found, path)
    _refuse_served_gold(found, found.gold, path)
    return found


def _dates(fields: Fields, where: ZoneInfo) -> Dates:
    def moment(name: str) -> datetime:
        value = fields.moment(name)
        return (value if value.tzinfo else value.replace(tzinfo=where)).astimezone(UTC)

    fields.only("registration_opens", "registration_closes", "submission_opens", "submission_closes", "scores_shown")
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
    fields.only("file", "title")
    file = fields.path("file")
    return Download(file.name, file, fields.label("title"))


def _prize(fields: Fields) -> Prize:
    fields.only("title", "count")
    return Prize(fields.label("title"), fields.number("count", 1))


def _reference(fields: Fields, tracks: Mapping[str, Label]) -> Reference:
    fields.only("track", "name", "score", "scores")
    scores = {name: float(value) for name, value in fields.mapping("scores").items()}
    track = fields.choice("track", tuple(tracks), next(iter(tracks)))
    return Reference(track, fields.text("name"), fields.real("score"), scores)


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


def _refuse_served_gold(found: Competition, gold: Path, path: Path) -> None:
    """A slip in the file must not publish the answers, be it by their path or by a copy of them."""
    gold = gold.resolve()
    for one in found.downloads:
        file = one.file.resolve()
        if file == gold or gold in file.parents or _copied(file, gold):
            place = f"data {one.name}"
            raise InputError(file=path, place=place, found="the gold answers", expected="a file without answers")


def _copied(file: Path, gold: Path) -> bool:
    originals = gold.rglob("*") if gold.is_dir() else [gold]
    return file.is_file() and any(
        one.is_file() and one.stat().st_size == file.stat().st_size and digest(one) == digest(file) for one in originals
    )


def _refuse_two_names(found: Competition, path: Path) -> None:
    names = [one.name for one in found.downloads]
    if len(set(names)) < len(names):
        raise InputError(file=path, place="data", found="two files of one name", expected="each name once")


def unready(competitions: Mapping[str, Competition]) -> list[tuple[str, Path]]:
    """Files that competitions name and that are not there."""
    return [(one.slug, file) for one in competitions.values() for file in dict.fromkeys(one.files) if not file.exists()]
