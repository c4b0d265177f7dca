"""`readproof board`: a shared task on the web, from a laptop to a server with PostgreSQL."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from readproof.cli._output import Json, print_json, say
from readproof.errors import InputError, MissingExtraError, shown

if TYPE_CHECKING:
    from readproof.board.board import Board
    from readproof.board.definition import Competition
    from readproof.board.rescoring import Which
    from readproof.board.words import Refusal

group = typer.Typer(help="A shared task on the web.", no_args_is_help=True, rich_markup_mode=None)

_PROBLEMS = 2
_PASSWORD = "READPROOF_PASSWORD"
_GIVEN = f"that of {_PASSWORD}"
Folder = Annotated[Path, typer.Argument(help="The folder of the board.")]
Database = Annotated[
    str,
    typer.Option(
        help="The database from now on, instead of the one that the board had; sqlite: in the folder.",
        show_default=False,
    ),
]


@group.callback()
def _group() -> None:
    """A shared task on the web."""


@group.command("init")
def init(
    folder: Folder,
    organiser: Annotated[str, typer.Option(help="The organiser's e-mail address.", show_default=False)] = "",
    title: Annotated[str, typer.Option(help="The name of the board.")] = "readproof",
    address: Annotated[str, typer.Option(help="What people type.")] = "http://127.0.0.1:8000",
    database: Annotated[
        str, typer.Option(help="postgresql://USER:PASSWORD@HOST/NAME [SQLite in the folder]", show_default=False)
    ] = "",
    example: Annotated[
        list[str] | None,
        typer.Option(
            help="A competition to begin with: gcrc, celue, ccl23, ccl22-celue. [gcrc celue]", show_default=False
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """A new board with two competitions as examples, gcrc and celue: edit their files, put the gold answers in place.

    With --example ccl23 or ccl22-celue: the whole calendar of those evaluations, phase by phase. The organiser's
    password is taken from READPROOF_PASSWORD, or made and printed once.

    Example:

      readproof board init my-board --organiser me@example.org
    """
    _need()
    from readproof.board.board import EXAMPLES, SCHEDULES, make_board, open_board
    from readproof.board.definition import unready

    if organiser:
        # told before anything is written
        _check_organiser(organiser)
    names = tuple(dict.fromkeys(example or EXAMPLES))
    shipped = (*EXAMPLES, *SCHEDULES)
    for name in names:
        if name not in shipped:
            raise InputError(place="--example", found=shown(name), expected=f"one of {', '.join(shipped)}")
    make_board(folder, title=title, address=address, database=database, examples=names)
    board = open_board(folder, migrate=True)
    try:
        password = _with_password(folder, organiser, new=True) if organiser else ""
        missing = [f"{slug}: {file}" for slug, file in unready(board.competitions)]
    finally:
        board.close()
    if as_json:
        print_json({"board": str(folder), "organiser": organiser, "password": password, "missing": missing})
        return
    typer.echo(f"The board is in {folder}.")
    if organiser:
        typer.echo(f"Organiser: {organiser}, password: {password or _GIVEN}")
    for one in missing:
        say(f"still missing: {one}")
    say(f"Edit {folder}/competitions/*.toml, then: readproof board serve {folder}")


@group.command("serve")
def serve(
    folder: Folder,
    host: Annotated[str, typer.Option(help="Where to listen; leave the rest to a reverse proxy.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port.", min=1, max=65535)] = 8000,
    workers: Annotated[int, typer.Option(help="Scoring processes to start beside it; 0 for none.")] = 1,
    proxies: Annotated[str, typer.Option(help="Reverse proxies whose X-Forwarded-For is believed.")] = "127.0.0.1",
    access_log: Annotated[
        Path | None,
        typer.Option(help="A line of JSON for each request; - to print.", show_default=False),
    ] = None,
) -> None:
    """Serve the board until interrupted. Tables are brought to this release first.

    Example:

      readproof board serve my-board --port 8000
    """
    _need()
    from readproof.board.serving import serve as run

    run(folder, host, port, workers=workers, proxies=proxies, access_log=access_log, say=say)


@group.command("worker")
def worker(
    folder: Folder,
    once: Annotated[bool, typer.Option("--once", help="Score what waits and stop.")] = False,
    lease: Annotated[
        float, typer.Option(help="Seconds after which the work of a worker that fell is taken over.", min=1)
    ] = 60,
    parent: Annotated[int, typer.Option(help="Stop when this process is gone.", hidden=True)] = 0,
) -> None:
    """Score what waits, until interrupted; several can run at once, on several machines with the same folder.

    Example:

      readproof board worker my-board
    """
    _need()
    from readproof.board.board import open_board
    from readproof.board.serving import work

    board = open_board(folder)
    try:
        work(board, say, parent=parent, once=once, lease=lease)
    finally:
        board.close()


@group.command("rescore")
def rescore(
    folder: Folder,
    number: Annotated[str, typer.Argument(metavar="[ID]", help="One submission.", show_default=False)] = "",
    failed: Annotated[bool, typer.Option("--failed", help="What could not be scored.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="Everything that was scored.")] = False,
    competition: Annotated[str, typer.Option("--competition", help="One competition only.", show_default=False)] = "",
    as_json: Json = False,
) -> None:
    """Score again after the gold has changed.

    What rests on earlier gold answers, or what --failed, --all or an ID name, is put into the queue of the workers.

    Example:

      readproof board rescore my-board --failed
    """
    _need()
    from readproof.board.board import open_board
    from readproof.board.rescoring import queue, queue_one
    from readproof.board.words import Refusal, counted

    if sum((bool(number), failed, everything)) > 1:
        raise InputError(found="more than one of ID, --failed and --all", expected="one of them, or none")
    board = open_board(folder)
    try:
        chosen = _chosen(board, competition)
        if number:
            chosen = [one for one in chosen if _has(board, one, number)]
            if not chosen:
                raise InputError(place="ID", found=shown(number), expected="the id of a submission on this board")
            queue_one(board, chosen[0], number)
            counts = {chosen[0].slug: 1}
        else:
            which: Which = "failed" if failed else "all" if everything else "outdated"
            counts = {one.slug: sum(queue(board, one.at(stage.name), which) for stage in one.stages) for one in chosen}
    except Refusal as refusal:
        raise _input_error(refusal, number) from None
    finally:
        board.close()
    if as_json:
        print_json({"queued": counts})
        return
    for slug, count in counts.items():
        say(f"{slug}: {counted(count, 'submission waits', 'submissions wait')} to be scored again")


def _chosen(board: Board, slug: str) -> list[Competition]:
    """All competitions of a board, or the one that is named."""
    if not slug:
        return list(board.competitions.values())
    found = board.competition(slug)
    if found is None:
        expected = f"one of {', '.join(board.competitions)}"
        raise InputError(place="--competition", found=shown(slug), expected=expected)
    return [found]


def _has(board: Board, competition: Competition, number: str) -> bool:
    from readproof.board.tables import Submission

    with board.database.reading() as session:
        found = session.get(Submission, number)
    return found is not None and found.contest == competition.slug


@group.command("submit")
def submit(
    file: Annotated[Path, typer.Argument(help="The package or the predictions.")],
    to: Annotated[str, typer.Option(help="The competition's address: https://HOST/c/NAME")],
    track: Annotated[str, typer.Option(help="The track.")],
    phase: Annotated[str, typer.Option(help="The phase, where several run.", show_default=False)] = "",
    declare: Annotated[
        list[str] | None,
        typer.Option(help="What the track asks to declare: NAME, or NAME:TEXT; repeat it.", show_default=False),
    ] = None,
    wait: Annotated[float, typer.Option(help="Seconds to wait for the score.")] = 60,
    as_json: Json = False,
) -> None:
    """Submit with the token in READPROOF_TOKEN. The exit status is 2 where the package or the wish is refused.

    Example:

      readproof board submit GCRC_advRobust.json --to https://board.example.org/c/gcrc --track closed
    """
    from readproof.board.client import TOKEN
    from readproof.board.client import submit as send

    token = os.environ.get(TOKEN, "").strip()
    if not token:
        raise InputError(found=f"no {TOKEN}", expected="a token from the page of your account")
    status, record = send(to, file, track, token, phase=phase, declared=declare or (), wait=wait, say=say)
    if as_json:
        print_json(record)
    elif status == 201:
        typer.echo(f"{record['status']}: {record['id']}")
        for name, value in {"score": record["score"], **(record["scores"] or {})}.items():
            if isinstance(value, float):
                typer.echo(f"  {name}: {100 * value:.2f} %" if record.get("percent") else f"  {name}: {value:.4f}")
        _print_problems(record)
    elif "problems" in record:
        _print_problems(record)
    else:
        typer.echo(f"{record.get('en', status)}\n{record.get('zh', '')}")
    if status != 201 or record["status"] == "failed":
        raise typer.Exit(_PROBLEMS)


def _print_problems(record: dict[str, Any]) -> None:
    for one in record["problems"]:
        if "more" in one:
            typer.echo(f"… and {one['more']:,} more · 另有 {one['more']:,} 处")
            continue
        where = f"{one['file']} {one['place']['en']}".strip()
        typer.echo(f"{one['code']} {one['level']}: {where}: {one['found']['en']}; expected: {one['expected']['en']}")
        typer.echo(f"  {one['found']['zh']}；应为：{one['expected']['zh']}")


@group.command("backup")
def backup(
    folder: Folder,
    out: Annotated[Path, typer.Option("--out", "-o", help="The file to write.")] = Path("board-backup.zip"),
    as_json: Json = False,
) -> None:
    """Everything in one zip: rows, uploads, settings, gold answers. Keep it where only organisers can read.

    Example:

      readproof board backup my-board -o board-2027-05-20.zip
    """
    _need()
    from readproof.board.backup import backup as write
    from readproof.board.backup import outside
    from readproof.board.board import open_board
    from readproof.board.lookover import faults
    from readproof.board.words import counted
    from readproof.files import check_place

    check_place(out)
    board = open_board(folder)
    try:
        rows, without = write(board, out), [str(one) for one in outside(board)]
        # afterwards: whatever is wrong with the files, the rows are safe by now
        wrong = faults(board.competitions)
    finally:
        board.close()
    for one in without:
        say(f"not in it, because it lies outside the board's folder: {one}")
    for one in wrong:
        say(one)
    if as_json:
        print_json({"backup": str(out), "rows": rows, "without": without, "faults": wrong})
    else:
        say(f"wrote {out}: {counted(rows, 'row', 'rows')}")


@group.command("restore")
def restore(
    source: Annotated[Path, typer.Argument(help="What `readproof board backup` wrote.")],
    folder: Folder,
    database: Database = "",
    as_json: Json = False,
) -> None:
    """A board out of its backup, in a new folder, on SQLite or PostgreSQL.

    Example:

      readproof board restore board-2027-05-20.zip new-board
    """
    _need()
    from readproof.board.backup import restore as read
    from readproof.board.lookover import competitions_in, faults, lacking
    from readproof.board.words import counted

    rows = read(source, folder, database=database)
    competitions = competitions_in(folder)
    wrong, missing = faults(competitions), lacking(competitions)
    for one in (*wrong, *missing):
        say(one)
    if as_json:
        print_json({"board": str(folder), "rows": rows, "faults": wrong, "missing": missing})
    else:
        say(f"{folder}: {counted(rows, 'row', 'rows')}")


@group.command("mail")
def mail(folder: Folder, to: Annotated[str, typer.Argument(help="Who gets it.")]) -> None:
    """Send one letter, to try the settings.

    Example:

      readproof board mail my-board me@example.org
    """
    _need()
    from readproof.board.board import open_board
    from readproof.board.mail import check_mail

    board = open_board(folder)
    try:
        check_mail(board, to)
    finally:
        board.close()
    say(f"sent to {to} ({board.settings.mail.backend})")


@group.command("make-test")
def make_test(
    gold: Annotated[Path, typer.Argument(help="The gold answers of gcrc.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The test file to write.")] = Path("test.json"),
    as_json: Json = False,
) -> None:
    """Make the test file out of the gold.

    The same rows in the same order, without the letters.

    Example:

      readproof board make-test gold.json -o test.json
    """
    from readproof.board.words import counted
    from readproof.files import check_place

    _need()
    from readproof.board.testfile import make_test as make

    check_place(out)
    count = make(gold, out)
    if as_json:
        print_json({"test": str(out), "items": count})
    else:
        say(f"wrote {out}: {counted(count, 'triple', 'triples')}")


organisers = typer.Typer(help="Create, promote, demote, reset.", no_args_is_help=True, rich_markup_mode=None)
group.add_typer(organisers, name="organiser")
Mail = Annotated[str, typer.Argument(help="The e-mail address.")]


@organisers.command("create")
def create_organiser(folder: Folder, mail: Mail, as_json: Json = False) -> None:
    """A new account that organises.

    The password is taken from READPROOF_PASSWORD, or made and printed once.
    """
    _need()
    _print_password(mail, _with_password(folder, mail, new=True), as_json)


@organisers.command("promote")
def promote(folder: Folder, mail: Mail) -> None:
    """Make a person an organiser."""
    _set_organiser(folder, mail, True)
    say(f"{mail} organises.")


@organisers.command("demote")
def demote(folder: Folder, mail: Mail) -> None:
    """Make an organiser a person like others."""
    _set_organiser(folder, mail, False)
    say(f"{mail} no longer organises.")


@organisers.command("reset")
def reset(folder: Folder, mail: Mail, as_json: Json = False) -> None:
    """A new password for anybody.

    All sessions and tokens of the account end. The password is taken from READPROOF_PASSWORD, or made and printed once.
    A person who is no organiser stays none.
    """
    _need()
    _print_password(mail, _with_password(folder, mail, new=False), as_json)


def _print_password(mail: str, password: str, as_json: bool) -> None:
    print_json({"mail": mail, "password": password}) if as_json else typer.echo(f"{mail}: {password or _GIVEN}")


def _set_organiser(folder: Path, mail: str, organises: bool) -> None:
    _need()
    from readproof.board import accounts
    from readproof.board.board import open_board
    from readproof.board.words import Refusal

    board = open_board(folder)
    try:
        accounts.set_organiser(board, mail, organises)
    except Refusal as refusal:
        raise _input_error(refusal, mail) from None
    finally:
        board.close()


def _with_password(folder: Path, mail: str, *, new: bool) -> str:
    """Gives the password that was made; nothing where the person has set it: what is known is not printed."""
    import secrets

    from readproof.board import accounts
    from readproof.board.board import open_board
    from readproof.board.words import Refusal

    given = os.environ.get(_PASSWORD, "")
    password = given or secrets.token_urlsafe(15)
    board = open_board(folder)
    try:
        if new:
            accounts.register(board, mail, mail.partition("@")[0], password, organiser=True)
        else:
            accounts.change_password(board, mail, password)
    except Refusal as refusal:
        raise _input_error(refusal, mail) from None
    finally:
        board.close()
    return "" if given else password


def _check_organiser(mail: str) -> None:
    from readproof.board import accounts
    from readproof.board.words import Refusal

    try:
        accounts.checked_mail(mail)
        if given := os.environ.get(_PASSWORD, ""):
            accounts.check_password(given)
    except Refusal as refusal:
        raise _input_error(refusal, mail) from None


def _input_error(refusal: Refusal, mail: str) -> InputError:
    """What the board refuses of an organiser; the password itself is not shown."""
    from readproof.board.accounts import LONGEST, SHORTEST
    from readproof.board.words import counted, word

    if refusal.key == "refused.mail":
        return InputError(place="the organiser", found=shown(mail), expected="an e-mail address: me@example.org")
    if refusal.key == "refused.password":
        length = len(os.environ.get(_PASSWORD, ""))
        place, expected = f"the environment variable {_PASSWORD}", f"{SHORTEST} to {LONGEST} characters"
        return InputError(
            place=place, found=f"a password of {counted(length, 'character', 'characters')}", expected=expected
        )
    if refusal.key == "refused.mail-taken":
        do = "readproof board organiser promote makes a person an organiser, reset gives a new password."
        return InputError(place="the organiser", found=f"an account of {mail}", expected="a new address", do=do)
    if refusal.key == "refused.no-account":
        return InputError(place="the person", found=shown(mail), expected="the address of an account on this board")
    said = word(refusal.key, **refusal.values).en
    return InputError(place="the organiser", found=shown(mail), expected="an account that can be made", do=said)


def _need() -> None:
    try:
        import alembic  # noqa: F401
        import argon2  # noqa: F401
        import fastapi  # noqa: F401
        import python_multipart  # noqa: F401
        import sqlalchemy  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(error.name or "fastapi", "board") from None
