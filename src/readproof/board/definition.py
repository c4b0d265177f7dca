"""A competition as its organiser writes it down: a TOML file with task, tracks, dates, gold, quota, limits, prizes."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

from readproof.board.phases import (
    MAIN,
    CompetitionPhase,
    Counting,
    Opening,
    Quota,
    Scoring,
    current,
    moment_of,
    read_phases,
)
from readproof.board.settings import Fields
from readproof.errors import InputError, shown
from readproof.files import digest, read_text
from readproof.reports.labels import Label
from readproof.tasks.references import published

State = Literal["before", "registration", "between", "open", "closed"]

# the tasks that can be served, and what they can be scored by
METRICS = {"gcrc": ("official", "strict"), "celue": ("official",)}
_SLUG = re.compile("[a-z0-9][a-z0-9-]{0,39}")
_MEGABYTE = 1 << 20


NOTHING = Label("", "")


@dataclass(frozen=True, slots=True)
class Dates:
    """When people may register and submit, and from when on everybody sees the scores."""

    registration_opens: datetime
    registration_closes: datetime
    submission_opens: datetime
    submission_closes: datetime
    scores_shown: datetime | None = None


@dataclass(frozen=True, slots=True)
class Download:
    """A file for participants who have agreed; `opens` is when they get it, if not at once."""

    name: str
    file: Path
    title: Label
    opens: datetime | None = None
    phase: str = ""


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a team says of its submission in a track: ticked, or written where `written`."""

    name: str
    text: Label
    written: bool = False


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose the data are, under what terms, and how they are cited."""

    name: Label
    notice: Label
    contact: str = ""
    citation: str = ""


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
    """One shared task, seen at one of the phases in which one can submit: `stage` is its name.

    `gold`, `test`, `metric`, `curve`, `quota`, the dates of submission and the like are those of that phase; `at` and
    `now` give the competition at another one.
    """

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
    phases: tuple[CompetitionPhase, ...] = ()
    stage: str = MAIN
    public: float = 1.0
    split: str = ""
    late_until: datetime | None = None
    final_shown: datetime | None = None
    declarations: Mapping[str, tuple[Declaration, ...]] = field(default_factory=dict)
    owner: Owner | None = None
    # of what is shown: of percents, where scores are shares
    decimals: int = 2
    rules: Label = NOTHING
    faq: Label = NOTHING

    @property
    def stages(self) -> tuple[CompetitionPhase, ...]:
        """The phases with submission, the earliest first."""
        return tuple(one for one in self.phases if one.scoring is not None)

    def has(self, stage: str) -> bool:
        return any(one.name == stage for one in self.stages)

    def at(self, stage: str) -> Competition:
        """The same competition at another phase with submission."""
        one = next(one for one in self.stages if one.name == stage)
        if one.scoring is None or one.closes is None:
            return self
        by = one.scoring
        dates = replace(
            self.dates, submission_opens=one.opens, submission_closes=one.closes, scores_shown=by.scores_shown
        )
        return replace(
            self, stage=stage, dates=dates, gold=by.gold, test=by.test, metric=by.metric, curve=by.curve,
            quota=by.quota, public=by.public, split=by.split, late_until=by.late_until, final_shown=by.final_shown,
        )  # fmt: skip

    def now(self, moment: datetime) -> Competition:
        """At the phase that people think of now: the one that runs, else the last that has begun."""
        return self.at(current(self.phases, moment).name)

    def begun(self, moment: datetime) -> tuple[CompetitionPhase, ...]:
        """The phases with submission that have a ranking to look at."""
        return tuple(one for one in self.stages if one.opens <= moment) or self.stages[:1]

    @property
    def shared(self) -> bool:
        """Whether a part of the gold decides only at the end."""
        return self.public < 1.0

    def takes(self, opening: Opening, moment: datetime) -> bool:
        """Whether something is open; what no phase speaks of always is."""
        phases = [one for one in self.phases if opening in one.takes]
        return not phases or any(one.runs(moment) for one in phases)

    @property
    def ready(self) -> bool:
        """Whether gold and test files lie where the file says; else nothing is checked or scored, and nothing taken."""
        return self.gold.exists() and all(one.exists() for one in self.test_files)

    @property
    def files(self) -> list[Path]:
        """All that the file names, for whatever phase."""
        downloads = [one.file for one in self.downloads]
        seen = [self.at(one.name) for one in self.stages]
        found = [(one.gold, *([one.curve] if one.curve else []), *one.test_files) for one in seen]
        return list(dict.fromkeys((*(file for files in found for file in files), *downloads)))

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

    def rounded(self, value: Any) -> Any:
        """A figure, or all that are in a record of them, as exactly as anybody may know it."""
        if isinstance(value, float):
            return round(value, self.decimals + 2 if self.percent else self.decimals) + 0.0
        if isinstance(value, Mapping):
            return {name: self.rounded(one) for name, one in value.items()}
        return [self.rounded(one) for one in value] if isinstance(value, list | tuple) else value

    def state(self, moment: datetime) -> State:
        """Of the whole competition, whatever phase it is seen at."""
        if all(one.over(moment) for one in self.stages):
            return "closed"
        if any(one.runs(moment) for one in self.stages):
            return "open"
        if self.registers(moment):
            return "registration"
        return "before" if moment < self.dates.registration_opens else "between"

    def phase(self, moment: datetime) -> State:
        """Of the phase that it is seen at."""
        dates = self.dates
        if moment >= dates.submission_closes:
            return "closed"
        if moment >= dates.submission_opens:
            return "open"
        if moment < dates.registration_opens:
            return "before"
        return "registration" if moment < dates.registration_closes else "between"

    def registers(self, moment: datetime) -> bool:
        return any("registration" in one.takes and one.runs(moment) for one in self.phases)

    def prize(self, rank: int | None) -> Label | None:
        """The prize of a rank in the last phase; a shared rank shares its prize."""
        if self.stages and self.stage != self.stages[-1].name:
            return None
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
            for stage in other.stages:
                _refuse_served_gold(one, other.at(stage.name), folder / f"{one.slug}.toml")
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
        "title", "task", "timezone", "published", "about", "agreement", "dates", "phases", "tracks", "gold", "quota",
        "limits", "data", "prizes", "references", "owner", "rules", "faq",
    )  # fmt: skip
    where = top.zone("timezone")
    task = top.choice("task", tuple(METRICS))
    named = [
        (name, Fields(table, path, f"tracks.{name}").only("title", "declare")) for name, table in top.tables("tracks")
    ]
    tracks = {name: fields.label("title") for name, fields in named} or {"main": Label("Main", "主赛道")}
    phases = _phases(top, where, task)
    scored = [one for one in phases if one.scoring is not None]
    first, by = scored[0], scored[0].scoring
    if by is None or first.closes is None:
        top.refuse("phases", "nothing to submit to", "a phase with submission")
    registration = [one for one in phases if "registration" in one.takes and one.closes]
    limits = top.table("limits").only("upload_megabytes", "members", "decimals")
    found = Competition(
        slug=path.stem,
        title=top.label("title"),
        task=task,
        about=top.label("about", Label("", "")),
        agreement=top.label("agreement", Label("", "")),
        rules=top.label("rules", Label("", "")),
        faq=top.label("faq", Label("", "")),
        zone=where,
        dates=Dates(
            min(one.opens for one in registration),
            max(one.closes for one in registration if one.closes),
            first.opens,
            first.closes,
            by.scores_shown,
        ),
        phases=phases,
        stage=first.name,
        public=by.public,
        split=by.split,
        late_until=by.late_until,
        final_shown=by.final_shown,
        tracks=tracks,
        declarations={name: _declarations(fields, path) for name, fields in named},
        owner=_owner(top.table("owner")) if top.has("owner") else None,
        gold=by.gold,
        test=by.test,
        metric=by.metric,
        curve=by.curve,
        quota=by.quota,
        largest=limits.number("upload_megabytes", 100) * _MEGABYTE,
        members=limits.number("members", 10),
        decimals=_decimals(limits),
        downloads=tuple(
            _download(Fields(one, path, f"data[{at}]"), where, phases) for at, one in enumerate(top.list("data"))
        ),
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
    for stage in found.stages:
        _refuse_served_gold(found, found.at(stage.name), path)
    return found


def _phases(top: Fields, where: ZoneInfo, task: str) -> tuple[CompetitionPhase, ...]:
    """Those of the file, or the two that its [dates] make."""
    if top.has("phases"):
        if top.has("dates"):
            top.refuse("dates", "dates beside phases", "one of [dates] and [[phases]]")
        return read_phases(top, where, partial(_scoring, top, where, task))
    fields = top.table("dates").only(
        "registration_opens", "registration_closes", "submission_opens", "submission_closes", "scores_shown",
        "final_shown", "late_until",
    )  # fmt: skip
    names = ("registration_opens", "registration_closes", "submission_opens", "submission_closes")
    first, second, third, fourth = (moment_of(fields, name, where) for name in names)
    if not (first < second <= fourth and first <= third < fourth):
        fields.refuse("", "dates that do not follow one another", "registration before submission, opens before closes")
    nothing = Label("", "")
    return (
        CompetitionPhase(
            name="registration", title=Label("Registration", "报名"), about=nothing, opens=first, closes=second,
            takes=frozenset({"registration"}),
        ),
        CompetitionPhase(
            name=MAIN, title=Label("Submission", "提交"), about=nothing, opens=third, closes=fourth,
            takes=frozenset({"submission"}), scoring=_scoring(top, where, task, fields),
        ),
    )  # fmt: skip


def _scoring(top: Fields, where: ZoneInfo, task: str, fields: Fields) -> Scoring:
    """What a phase says of gold and quota; for the rest what stands in [gold] and [quota] of the whole file."""

    def merged(name: str, *keys: str) -> Fields:
        own = Fields(fields.mapping(name), top.file, f"{fields.place}.{name}").only(*keys)
        if not own.record:
            return top.table(name).only(*keys)
        return Fields({**top.table(name).only(*keys).record, **own.record}, top.file, own.place)

    gold = merged("gold", "file", "test", "metric", "curve", "public", "split")
    quota = merged("quota", "accepted_a_day", "refused_a_day", "counted")
    public = gold.real("public") if gold.has("public") else 1.0
    if not 0.0 < public <= 1.0:
        gold.refuse("public", f"{public}", "a share above 0, at most 1")
    if public < 1.0 and task != "gcrc":
        gold.refuse("public", f"{public} for {task}", "no split: only gold answers of gcrc can be split")
    split = gold.text("split", "")
    if public < 1.0 and len(split) < 8:
        gold.refuse("split", repr(split), "a text of at least 8 characters that nobody else knows")
    dates = {
        name: moment_of(fields, name, where) if fields.has(name) else None
        for name in ("late_until", "scores_shown", "final_shown")
    }
    counted: Counting = "track" if quota.choice("counted", ("team", "track"), "team") == "track" else "team"
    return Scoring(
        gold=gold.path("file"),
        test=tuple(_test(one, top.file) for one in gold.texts("test")),
        metric=gold.choice("metric", METRICS[task], "official"),
        curve=gold.path("curve") if gold.has("curve") else None,
        quota=Quota(quota.number("accepted_a_day", 5), quota.number("refused_a_day", 20), counted),
        public=public,
        split=split,
        **dates,
    )


def _test(text: str, path: Path) -> str:
    """TASK:FILE or FILE, with the file beside the competition's."""
    task, colon, name = text.partition(":")
    return f"{task}:{path.parent / name}" if colon else str(path.parent / text)


def _declarations(track: Fields, path: Path) -> tuple[Declaration, ...]:
    found = []
    for name, table in Fields(track.mapping("declare"), path, f"{track.place}.declare").record.items():
        if not isinstance(table, dict) or not name.isascii() or not name.replace("-", "").isalnum():
            track.refuse(f"declare.{name}", shown(table), "a table of small letters with a text")
        fields = Fields(table, path, f"{track.place}.declare.{name}").only("text", "written")
        found.append(Declaration(name, fields.label("text"), fields.flag("written", False)))
    return tuple(found)


def _decimals(fields: Fields) -> int:
    found = fields.record.get("decimals", 2)
    if not isinstance(found, int) or isinstance(found, bool) or not 0 <= found <= 6:
        fields.refuse("decimals", shown(found), "a whole number from 0 to 6")
    return found


def _owner(fields: Fields) -> Owner:
    fields.only("name", "notice", "contact", "citation")
    return Owner(fields.label("name"), fields.label("notice"), fields.text("contact", ""), fields.text("citation", ""))


def _download(fields: Fields, where: ZoneInfo, phases: tuple[CompetitionPhase, ...]) -> Download:
    fields.only("file", "title", "phase", "opens")
    file = fields.path("file")
    opens, name = moment_of(fields, "opens", where) if fields.has("opens") else None, ""
    if fields.has("phase"):
        if opens is not None:
            fields.refuse("opens", "a date beside a phase", "one of them")
        name = fields.choice("phase", tuple(one.name for one in phases))
        opens = next(one.opens for one in phases if one.name == name)
    return Download(file.name, file, fields.label("title"), opens, name)


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


def released(one: Download, scored: Competition) -> bool:
    """Whether a file is handed out only when nothing is scored by those gold answers any more."""
    gold = scored.gold.resolve()
    same = [by for by in (scored.at(stage.name) for stage in scored.stages) if by.gold.resolve() == gold]
    ends = [end for by in same for end in (by.dates.submission_closes, by.late_until) if end]
    return one.opens is not None and one.opens >= max(ends)


def _refuse_served_gold(found: Competition, scored: Competition, path: Path) -> None:
    """A slip in the file must not publish the answers, be it by their path or by a copy of them."""
    gold = scored.gold.resolve()
    for one in found.downloads:
        if released(one, scored):
            continue
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
