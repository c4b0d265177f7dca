"""What organisers write on the web: texts and dates in the place of those of the file, with their history; news."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from xml.etree import ElementTree

from sqlalchemy import func, select
from sqlalchemy.orm import Session, selectinload

from readproof.board.audit import note
from readproof.board.board import Board, changed, lock
from readproof.board.definition import Competition
from readproof.board.lookover import check_files
from readproof.board.mail import write_plain
from readproof.board.phases import CompetitionPhase
from readproof.board.tables import Account, Announcement, DateChange, Member, PageText, Team
from readproof.board.words import Refusal, word
from readproof.errors import InputError
from readproof.reports.labels import Label

TEXTS = ("about", "rules", "faq", "agreement")
FIELDS = ("opens", "closes", "late_until", "scores_shown", "final_shown")
_LONGEST = 50_000
_LONGEST_TITLE = 200
_SHOWN = 100


def apply(board: Board) -> None:
    """The competitions of the files with what was changed on the web since."""
    with board.database.reading() as session:
        newest = select(func.max(PageText.id)).group_by(PageText.contest, PageText.name)
        texts = {(one.contest, one.name): Label(one.en, one.zh)
                 for one in session.scalars(select(PageText).where(PageText.id.in_(newest)))}  # fmt: skip
        last = select(func.max(DateChange.id)).group_by(DateChange.contest, DateChange.phase, DateChange.field)
        dates = {(one.contest, one.phase, one.field): one.value
                 for one in session.scalars(select(DateChange).where(DateChange.id.in_(last)))}  # fmt: skip
    for slug, original in board.originals.items():
        mine = {name: label for (contest, name), label in texts.items() if contest == slug}
        moved = {(phase, field): value for (contest, phase, field), value in dates.items() if contest == slug}
        found = dated(original, moved)
        board.competitions[slug] = replace(
            found,
            about=mine.get("about", found.about),
            rules=mine.get("rules", found.rules),
            faq=mine.get("faq", found.faq),
            agreement=mine.get("agreement", found.agreement),
        )


def dated(competition: Competition, changes: Mapping[tuple[str, str], datetime | None]) -> Competition:
    """A competition with other dates in some of its phases."""
    if not changes:
        return competition
    phases = tuple(sorted((_moved(one, changes) for one in competition.phases), key=lambda one: one.opens))
    opens = {one.name: one.opens for one in phases}
    downloads = tuple(
        replace(one, opens=opens[one.phase]) if one.phase in opens else one for one in competition.downloads
    )
    registration = [one for one in phases if "registration" in one.takes]
    dates = replace(
        competition.dates,
        registration_opens=min(one.opens for one in registration),
        registration_closes=max(one.closes for one in registration if one.closes),
    )
    found = replace(competition, phases=phases, downloads=downloads, dates=dates)
    return found.at(found.stages[0].name)


def _moved(phase: CompetitionPhase, changes: Mapping[tuple[str, str], datetime | None]) -> CompetitionPhase:
    mine = {field: value for (name, field), value in changes.items() if name == phase.name}
    opens = mine.get("opens") or phase.opens
    closes = mine.get("closes", phase.closes)
    scoring = phase.scoring
    if scoring is not None:
        scoring = replace(
            scoring,
            late_until=mine.get("late_until", scoring.late_until),
            scores_shown=mine.get("scores_shown", scoring.scores_shown),
            final_shown=mine.get("final_shown", scoring.final_shown),
        )
    return replace(phase, opens=opens, closes=closes, scoring=scoring)


def set_dates(
    board: Board, competition: Competition, account: Account, phase: str, given: Mapping[str, datetime | None]
) -> None:
    """Other dates of a phase, when the whole still makes sense and hands nothing out too early."""
    at = board.clock()
    one = next((one for one in competition.phases if one.name == phase), None)
    if one is None:
        raise Refusal("refused.phase", 404, phases=", ".join(one.name for one in competition.phases))
    wanted = {name: value for name, value in given.items() if name in FIELDS}
    before = {name: _value(one, name) for name in wanted}
    changes = {name: value for name, value in wanted.items() if value != before[name]}
    if not changes:
        return
    tried = dated(competition, {(phase, name): value for name, value in changes.items()})
    _check(tried, phase)
    with board.database.writing() as session:
        lock(session, competition.slug)
        for name, value in changes.items():
            session.add(
                DateChange(
                    contest=competition.slug, phase=phase, field=name, value=value, account_id=account.id,
                    changed_at=at,
                )
            )  # fmt: skip
            told = {"before": _told(before[name]), "after": _told(value)}
            note(
                session, at, "date.changed", account=account.id, contest=competition.slug, subject=f"{phase}.{name}",
                **told,
            )  # fmt: skip
        changed(session, competition.slug)
    apply(board)


def _value(phase: CompetitionPhase, name: str) -> datetime | None:
    found: datetime | None = getattr(phase if name in ("opens", "closes") else phase.scoring, name, None)
    return found


def _told(moment: datetime | None) -> str:
    return moment.isoformat() if moment else ""


def _check(competition: Competition, phase: str) -> None:
    one = next(one for one in competition.phases if one.name == phase)
    if (one.takes and one.closes is None) or (one.closes is not None and one.closes <= one.opens):
        raise Refusal("refused.dates")
    try:
        check_files({competition.slug: competition})
    except InputError as error:
        # for instance: the answers of a phase would be handed out while it still runs
        raise Refusal("refused.dates-gold", 409, found=error.found) from None


def set_text(board: Board, competition: Competition, account: Account, name: str, en: str, zh: str) -> None:
    """Another text of a page."""
    if name not in TEXTS or max(len(en), len(zh)) > _LONGEST:
        raise Refusal("refused.long")
    at = board.clock()
    with board.database.writing() as session:
        lock(session, competition.slug)
        session.add(
            PageText(
                contest=competition.slug, name=name, en=en.strip(), zh=zh.strip(), account_id=account.id, written_at=at
            )
        )
        note(session, at, "text.changed", account=account.id, contest=competition.slug, subject=name)
        changed(session, competition.slug)
    apply(board)


def history(board: Board, competition: Competition) -> tuple[list[PageText], list[DateChange]]:
    """Every text and every date that was changed, the newest first."""
    texts = select(PageText).where(PageText.contest == competition.slug).order_by(PageText.id.desc()).limit(_SHOWN)
    dates = (
        select(DateChange).where(DateChange.contest == competition.slug).order_by(DateChange.id.desc()).limit(_SHOWN)
    )
    with board.database.reading() as session:
        return (
            list(session.scalars(texts.options(selectinload(PageText.account)))),
            list(session.scalars(dates.options(selectinload(DateChange.account)))),
        )


def publish(
    board: Board, competition: Competition, account: Account, title: str, body: str, *, mailed: bool = False
) -> int:
    """News for everybody, by mail to all members of teams if wanted."""
    title, body = " ".join(title.split()), body.strip()
    if not 1 <= len(title) <= _LONGEST_TITLE or not 1 <= len(body) <= _LONGEST:
        raise Refusal("refused.news", most=_LONGEST_TITLE)
    at = board.clock()
    with board.database.writing() as session:
        made = Announcement(contest=competition.slug, title=title, body=body, account_id=account.id, published_at=at)
        session.add(made)
        session.flush()
        people = _addresses(session, competition) if mailed else []
        link = f"{board.settings.address}/c/{competition.slug}/news"
        for one in people:
            write_plain(session, at, one, f"{competition.title.zh} · {title}", f"{body}\n\n{link}\n")
        note(
            session, at, "news.published", account=account.id, contest=competition.slug, subject=title,
            letters=len(people),
        )  # fmt: skip
        changed(session, competition.slug)
        return made.id


def _addresses(session: Session, competition: Competition) -> list[str]:
    wanted = (
        select(Account.mail)
        .join(Member, Member.account_id == Account.id)
        .join(Team, Team.id == Member.team_id)
        .where(Member.contest == competition.slug, Member.left_at.is_(None), Account.verified_at.is_not(None))
    )
    return list(session.scalars(wanted.order_by(Account.id)))


def withdraw(board: Board, competition: Competition, account: Account, number: int) -> None:
    """News that is no longer shown."""
    with board.database.writing() as session:
        found = session.get(Announcement, number)
        if found is None or found.contest != competition.slug:
            raise Refusal("refused.no-page", 404)
        session.delete(found)
        note(
            session, board.clock(), "news.withdrawn", account=account.id, contest=competition.slug, subject=found.title
        )


def news(board: Board, competition: Competition) -> list[Announcement]:
    """The newest first."""
    wanted = select(Announcement).where(Announcement.contest == competition.slug).order_by(Announcement.id.desc())
    with board.database.reading() as session:
        return list(session.scalars(wanted.limit(_SHOWN).options(selectinload(Announcement.account))))


def feed(board: Board, competition: Competition) -> str:
    """The same as Atom."""
    from readproof.board.markdown import rendered

    page = f"{board.settings.address}/c/{competition.slug}/news"
    found = news(board, competition)
    root = ElementTree.Element("feed", {"xmlns": "http://www.w3.org/2005/Atom"})
    title = competition.title
    _leaf(root, "title", title.zh if title.zh == title.en else f"{title.zh} · {title.en}")
    _leaf(root, "id", page)
    ElementTree.SubElement(root, "link", {"href": page})
    ElementTree.SubElement(root, "link", {"rel": "self", "href": f"{page}.atom"})
    at = found[0].published_at if found else competition.phases[0].opens
    _leaf(root, "updated", at.isoformat())
    _leaf(ElementTree.SubElement(root, "author"), "name", word("foot").en)
    for one in found:
        entry = ElementTree.SubElement(root, "entry")
        _leaf(entry, "title", one.title)
        _leaf(entry, "id", f"{page}#news-{one.id}")
        ElementTree.SubElement(entry, "link", {"href": f"{page}#news-{one.id}"})
        _leaf(entry, "updated", one.published_at.isoformat())
        _leaf(entry, "content", str(rendered(one.body)), type="html")
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode")


def _leaf(parent: ElementTree.Element, name: str, text: str, **attributes: str) -> None:
    # what XML cannot hold is left out
    plain = "".join(one for one in text if one in "\n\t" or ord(one) >= 32)
    ElementTree.SubElement(parent, name, attributes).text = plain
