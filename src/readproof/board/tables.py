"""What the board remembers: people, teams, submissions and their results, and a log of everything that was done."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, DateTime, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship
from sqlalchemy.types import TypeDecorator

from readproof.board.phases import MAIN


class Moment(TypeDecorator[datetime]):
    """A time that is in UTC in every database; SQLite keeps no zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    type_annotation_map = {datetime: Moment, dict[str, Any]: JSON, list[Any]: JSON}  # noqa: RUF012


class Account(Base):
    """A person."""

    __tablename__ = "account"

    id: Mapped[int] = mapped_column(primary_key=True)
    mail: Mapped[str] = mapped_column(String(254), unique=True)
    name: Mapped[str] = mapped_column(String(80))
    password: Mapped[str] = mapped_column(String(200))
    organiser: Mapped[bool] = mapped_column(default=False)
    verified_at: Mapped[datetime | None]
    deleted_at: Mapped[datetime | None]
    created_at: Mapped[datetime]


class CompetitionOrganiser(Base):
    """Somebody who organises one competition; whoever organises the whole board needs no such row."""

    __tablename__ = "competition_organiser"

    contest: Mapped[str] = mapped_column(ForeignKey("contest.slug"), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True, index=True)
    since: Mapped[datetime]

    account: Mapped[Account] = relationship()


class MailLink(Base):
    """What a link in a letter opens, once and for a while; only its hash is kept."""

    __tablename__ = "mail_link"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    kind: Mapped[str] = mapped_column(String(10))
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    mail: Mapped[str] = mapped_column(String(254))
    expires_at: Mapped[datetime]


class Letter(Base):
    """A letter that waits to be sent, or was sent; its text is forgotten then."""

    __tablename__ = "letter"

    id: Mapped[int] = mapped_column(primary_key=True)
    recipient: Mapped[str] = mapped_column(String(254))
    subject: Mapped[str] = mapped_column(String(200))
    body: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime]
    sent_at: Mapped[datetime | None] = mapped_column(index=True)
    again_at: Mapped[datetime | None]
    attempts: Mapped[int] = mapped_column(default=0)
    fault: Mapped[str] = mapped_column(String(500), default="")


class Login(Base):
    """A session of a browser; only the hash of its secret is kept."""

    __tablename__ = "login"
    __table_args__ = (Index("login_expires", "expires_at"),)

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]

    account: Mapped[Account] = relationship()


class Token(Base):
    """A secret for programs; only its hash is kept."""

    __tablename__ = "token"

    id: Mapped[int] = mapped_column(primary_key=True)
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    name: Mapped[str] = mapped_column(String(80))
    created_at: Mapped[datetime]

    account: Mapped[Account] = relationship()


class CompetitionState(Base):
    """The changing side of a competition; what its file says is not repeated here.

    `version` grows with everything that can change the ranking. `frozen_without` are the teams that were disqualified
    when it was frozen; None where a release froze it that did not note them. `frozen_invalid` are the submissions that
    were invalid then.
    """

    __tablename__ = "contest"

    slug: Mapped[str] = mapped_column(String(40), primary_key=True)
    version: Mapped[int] = mapped_column(default=1)
    frozen_at: Mapped[datetime | None]
    frozen_without: Mapped[list[Any] | None]
    frozen_invalid: Mapped[list[Any] | None]
    hidden_until: Mapped[datetime | None]


class Team(Base):
    __tablename__ = "team"
    __table_args__ = (UniqueConstraint("contest", "folded", name="one_name_a_contest"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    contest: Mapped[str] = mapped_column(ForeignKey("contest.slug"), index=True)
    name: Mapped[str] = mapped_column(String(60))
    folded: Mapped[str] = mapped_column(String(120))
    organisation: Mapped[str] = mapped_column(String(120), default="")
    contact: Mapped[str] = mapped_column(String(200), default="")
    kind: Mapped[str] = mapped_column(String(20), default="")
    captain_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    invite: Mapped[str] = mapped_column(String(40), unique=True)
    created_at: Mapped[datetime]
    disqualified_at: Mapped[datetime | None]
    reason: Mapped[str] = mapped_column(String(1000), default="")

    members: Mapped[list[Member]] = relationship(
        primaryjoin="and_(Member.team_id == Team.id, Member.left_at.is_(None))", order_by="Member.joined_at",
        viewonly=True,
    )  # fmt: skip


class Member(Base):
    """One person is in one team of a competition: the key says so.

    Whoever leaves a team that has submitted leaves his row behind: he cannot join another one.
    """

    __tablename__ = "member"

    contest: Mapped[str] = mapped_column(ForeignKey("contest.slug"), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), primary_key=True)
    team_id: Mapped[int] = mapped_column(ForeignKey("team.id"), index=True)
    joined_at: Mapped[datetime]
    agreed_at: Mapped[datetime | None]
    left_at: Mapped[datetime | None]

    team: Mapped[Team] = relationship()
    account: Mapped[Account] = relationship()


class Submission(Base):
    """An upload: refused at once, or waiting for the worker, then scored or failed.

    A worker that takes it leaves its name and a time until which nobody else may; `attempts` counts how often it was
    taken. `day` is the calendar day in the competition's zone that it counts for. `rescore_at` is when somebody asked
    for a scored one to be scored again: it keeps its result until there is another. An invalid one is not ranked, and
    neither is one that came late.
    """

    __tablename__ = "submission"
    __table_args__ = (
        UniqueConstraint("team_id", "key", name="one_key_a_team"),
        Index("submission_quota", "team_id", "day"),
        Index("submission_waiting", "status", "lease_until"),
        Index("submission_of_contest", "contest", "status"),
        Index(
            # all that a ranking asks of submissions: it reads no rows for it
            "submission_ranked",
            "contest",
            "phase",
            "track",
            "status",
            "team_id",
            "id",
            "created_at",
            "late",
            "invalid_at",
        ),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    contest: Mapped[str] = mapped_column(ForeignKey("contest.slug"))
    phase: Mapped[str] = mapped_column(String(40), default=MAIN)
    track: Mapped[str] = mapped_column(String(40))
    team_id: Mapped[int] = mapped_column(ForeignKey("team.id"))
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    created_at: Mapped[datetime]
    day: Mapped[date]
    file: Mapped[str] = mapped_column(String(120))
    size: Mapped[int] = mapped_column(BigInteger)
    digest: Mapped[str] = mapped_column(String(64))
    key: Mapped[str | None] = mapped_column(String(80))
    status: Mapped[str] = mapped_column(String(10))
    problems: Mapped[list[Any]]
    worker: Mapped[str | None] = mapped_column(String(40))
    lease_until: Mapped[datetime | None]
    attempts: Mapped[int] = mapped_column(default=0)
    fault: Mapped[str] = mapped_column(String(2000), default="")
    rescore_at: Mapped[datetime | None] = mapped_column(index=True)
    late: Mapped[bool] = mapped_column(default=False)
    declared: Mapped[dict[str, Any] | None]
    invalid_at: Mapped[datetime | None]
    invalid_reason: Mapped[str] = mapped_column(String(1000), default="")

    team: Mapped[Team] = relationship()
    account: Mapped[Account] = relationship()
    result: Mapped[Result | None] = relationship(back_populates="submission")


class Result(Base):
    """The score of a submission: its key lets it be written once only. Without a score it is never ranked.

    Where the gold has a part that decides at the end, `score` and `scores` are those of the public part, and
    `final_score` and `final_scores` those of the other one. `gold` and `scorer` are the digest of the gold answers and
    the version of the scorer that it rests on; empty where an earlier release did not note them.
    """

    __tablename__ = "result"
    __table_args__ = (
        Index("result_same", "same"),
        Index("result_ranked", "submission_id", "score", "scored_at"),
    )

    submission_id: Mapped[str] = mapped_column(ForeignKey("submission.id"), primary_key=True)
    score: Mapped[float | None]
    scores: Mapped[dict[str, Any]]
    final_score: Mapped[float | None]
    final_scores: Mapped[dict[str, Any] | None]
    same: Mapped[str] = mapped_column(String(64))
    scored_at: Mapped[datetime]
    gold: Mapped[str] = mapped_column(String(64), default="")
    scorer: Mapped[str] = mapped_column(String(40), default="")

    submission: Mapped[Submission] = relationship(back_populates="result")


class FinalChoice(Base):
    """The submission that a team wants to be judged by when a phase is over; without one it is the best."""

    __tablename__ = "final_choice"

    team_id: Mapped[int] = mapped_column(ForeignKey("team.id"), primary_key=True)
    phase: Mapped[str] = mapped_column(String(40), primary_key=True)
    track: Mapped[str] = mapped_column(String(40), primary_key=True)
    submission_id: Mapped[str] = mapped_column(ForeignKey("submission.id"), index=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    chosen_at: Mapped[datetime]


class Extension(Base):
    """More time for one team in one phase, and why."""

    __tablename__ = "extension"

    team_id: Mapped[int] = mapped_column(ForeignKey("team.id"), primary_key=True)
    phase: Mapped[str] = mapped_column(String(40), primary_key=True)
    contest: Mapped[str] = mapped_column(ForeignKey("contest.slug"), index=True)
    until: Mapped[datetime]
    reason: Mapped[str] = mapped_column(String(1000), default="")
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    given_at: Mapped[datetime]

    team: Mapped[Team] = relationship()


class PastResult(Base):
    """A result that a later one replaced: frozen rankings still show it, and nobody has to guess what changed."""

    __tablename__ = "past_result"

    id: Mapped[int] = mapped_column(primary_key=True)
    submission_id: Mapped[str] = mapped_column(ForeignKey("submission.id"), index=True)
    score: Mapped[float | None]
    scores: Mapped[dict[str, Any]]
    final_score: Mapped[float | None]
    final_scores: Mapped[dict[str, Any] | None]
    scored_at: Mapped[datetime]
    replaced_at: Mapped[datetime]
    gold: Mapped[str] = mapped_column(String(64))
    scorer: Mapped[str] = mapped_column(String(40))


class PageText(Base):
    """A text of a competition as organisers wrote it on the web; the newest of a name counts, all are kept."""

    __tablename__ = "page_text"

    id: Mapped[int] = mapped_column(primary_key=True)
    contest: Mapped[str] = mapped_column(ForeignKey("contest.slug"), index=True)
    name: Mapped[str] = mapped_column(String(20))
    en: Mapped[str] = mapped_column(Text)
    zh: Mapped[str] = mapped_column(Text)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    written_at: Mapped[datetime]

    account: Mapped[Account] = relationship()


class DateChange(Base):
    """A date of a phase as organisers set it on the web; the newest counts, all are kept."""

    __tablename__ = "date_change"

    id: Mapped[int] = mapped_column(primary_key=True)
    contest: Mapped[str] = mapped_column(ForeignKey("contest.slug"), index=True)
    phase: Mapped[str] = mapped_column(String(40))
    field: Mapped[str] = mapped_column(String(20))
    value: Mapped[datetime | None]
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    changed_at: Mapped[datetime]

    account: Mapped[Account] = relationship()


class Announcement(Base):
    """News of a competition, for everybody."""

    __tablename__ = "announcement"

    id: Mapped[int] = mapped_column(primary_key=True)
    contest: Mapped[str] = mapped_column(ForeignKey("contest.slug"), index=True)
    title: Mapped[str] = mapped_column(String(200))
    body: Mapped[str] = mapped_column(Text)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    published_at: Mapped[datetime]

    account: Mapped[Account] = relationship()


class CrossCheck(Base):
    """A team that runs the submission of another again, as drawn; what came of it when it has filed that."""

    __tablename__ = "cross_check"
    __table_args__ = (UniqueConstraint("contest", "phase", "track", "checker_id", name="one_check_a_team"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    contest: Mapped[str] = mapped_column(ForeignKey("contest.slug"), index=True)
    phase: Mapped[str] = mapped_column(String(40))
    track: Mapped[str] = mapped_column(String(40))
    seed: Mapped[str] = mapped_column(String(16))
    checker_id: Mapped[int] = mapped_column(ForeignKey("team.id"))
    checked_id: Mapped[int] = mapped_column(ForeignKey("team.id"))
    submission_id: Mapped[str] = mapped_column(ForeignKey("submission.id"))
    drawn_at: Mapped[datetime]
    filed_at: Mapped[datetime | None]
    filed_by: Mapped[int | None] = mapped_column(ForeignKey("account.id"))
    reproduced: Mapped[bool | None]
    score: Mapped[float | None]
    words: Mapped[str] = mapped_column(String(4000), default="")

    checker: Mapped[Team] = relationship(foreign_keys=[checker_id])
    checked: Mapped[Team] = relationship(foreign_keys=[checked_id])
    submission: Mapped[Submission] = relationship()


class AwardWithdrawal(Base):
    """A team that keeps its rank and gets no prize in a track; the next ones move up."""

    __tablename__ = "award_withdrawal"

    team_id: Mapped[int] = mapped_column(ForeignKey("team.id"), primary_key=True)
    track: Mapped[str] = mapped_column(String(40), primary_key=True)
    contest: Mapped[str] = mapped_column(ForeignKey("contest.slug"), index=True)
    reason: Mapped[str] = mapped_column(String(1000))
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    withdrawn_at: Mapped[datetime]

    team: Mapped[Team] = relationship()


class TechnicalReport(Base):
    """A technical report of a team, or the code of its system: seen by the team and the organisers."""

    __tablename__ = "report"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    contest: Mapped[str] = mapped_column(ForeignKey("contest.slug"), index=True)
    team_id: Mapped[int] = mapped_column(ForeignKey("team.id"), index=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    created_at: Mapped[datetime]
    file: Mapped[str] = mapped_column(String(120))
    size: Mapped[int] = mapped_column(BigInteger)
    digest: Mapped[str] = mapped_column(String(64))
    kind: Mapped[str] = mapped_column(String(10), default="report")

    team: Mapped[Team] = relationship()
    comments: Mapped[list[Comment]] = relationship(order_by="Comment.id")


class Comment(Base):
    """What an organiser or the team says about a report."""

    __tablename__ = "comment"

    id: Mapped[int] = mapped_column(primary_key=True)
    report_id: Mapped[str] = mapped_column(ForeignKey("report.id"), index=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    created_at: Mapped[datetime]
    words: Mapped[str] = mapped_column(String(4000))

    account: Mapped[Account] = relationship()


class Event(Base):
    """A line of the audit log: only ever added."""

    __tablename__ = "event"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    account_id: Mapped[int | None] = mapped_column(ForeignKey("account.id"))
    contest: Mapped[str | None] = mapped_column(String(40), index=True)
    action: Mapped[str] = mapped_column(String(40))
    subject: Mapped[str] = mapped_column(String(120), default="")
    details: Mapped[dict[str, Any]]
    address: Mapped[str] = mapped_column(String(60), default="")


class Device(Base):
    """A browser that somebody has logged in with before: a stranger's wrong guesses do not count against it."""

    __tablename__ = "device"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    seen_at: Mapped[datetime]


class WorkerSign(Base):
    """The last sign of life of a worker."""

    __tablename__ = "worker"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    host: Mapped[str] = mapped_column(String(80))
    started_at: Mapped[datetime]
    seen_at: Mapped[datetime]


class Attempt(Base):
    """Something that may be done so often in a while: a failed login, an upload."""

    __tablename__ = "attempt"
    __table_args__ = (Index("attempt_of", "kind", "who", "at"), Index("attempt_at", "at"))

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(20))
    who: Mapped[str] = mapped_column(String(64))
    at: Mapped[datetime]


# in the order in which rows can be put back
TABLES: tuple[type[Base], ...] = (
    Account, Login, Token, CompetitionState, CompetitionOrganiser, MailLink, Letter, Team, Member, Submission, Result,
    PastResult, FinalChoice, Extension, PageText, DateChange, Announcement, CrossCheck, AwardWithdrawal,
    TechnicalReport, Comment, Event, Device, WorkerSign, Attempt,
)  # fmt: skip
