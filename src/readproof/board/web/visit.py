"""Who asks, in which language, and whether a form was really sent from our own page."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hmac import compare_digest
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Path, Request, Response
from starlette.datastructures import FormData

from readproof.board.accounts import KNOWN, STAY, account_of, organised_by
from readproof.board.board import Board
from readproof.board.definition import Competition
from readproof.board.tables import Account
from readproof.board.words import Refusal
from readproof.reports.labels import Language

LANGUAGE = "language"
_FORM = "readproof_form"
_SESSION = "readproof_session"
_DEVICE = "readproof_device"


@dataclass(slots=True)
class Visitor:
    """`form` is the secret that a visitor without an account has for as long as a form is open."""

    board: Board
    account: Account | None
    language: Language
    secret: str
    form: str
    address: str
    path: str
    organises: frozenset[str] = frozenset()
    slug: str = ""

    @property
    def csrf(self) -> str:
        """What a form of ours carries; it follows from a cookie that no other site can read."""
        return hashlib.sha256(f"csrf|{self.secret if self.account else self.form}".encode()).hexdigest()

    @property
    def organiser(self) -> bool:
        """Of the competition whose page it is, or of the whole board."""
        return self.account is not None and (self.account.organiser or self.slug in self.organises)

    def known(self) -> Account:
        if self.account is None:
            raise Refusal("refused.not-logged-in", 401)
        return self.account


def board_of(request: Request) -> Board:
    board: Board = request.app.state.board
    return board


def has_session(request: Request) -> bool:
    """Whether somebody may be logged in."""
    return _name(_SESSION, board_of(request)) in request.cookies


def visitor(request: Request) -> Visitor:
    board = board_of(request)
    secret = request.cookies.get(_name(_SESSION, board), "")
    account = account_of(board, secret)
    return Visitor(
        board,
        account,
        language_of(request),
        secret,
        request.cookies.get(_name(_FORM, board), "") or secrets.token_urlsafe(24),
        request.client.host if request.client else "",
        _here(request),
        organised_by(board, account) if account else frozenset(),
        str(request.path_params.get("slug", "")),
    )


def nobody(request: Request) -> Visitor:
    """A visitor without an account, whoever it is: asks nothing of the database."""
    address, form = request.client.host if request.client else "", secrets.token_urlsafe(24)
    return Visitor(board_of(request), None, language_of(request), "", form, address, _here(request))


async def own_form(request: Request, who: Annotated[Visitor, Depends(visitor)]) -> Mapping[str, str]:
    """The fields of a form, when it came from one of our pages."""
    same_site(request)
    async with opened_form(request, max_files=0, max_fields=40) as form:
        fields = {name: plain(value) for name, value in form.items() if isinstance(value, str)}
    check_csrf(who, fields.get("csrf", ""))
    return fields


@asynccontextmanager
async def opened_form(request: Request, *, max_files: int, max_fields: int) -> AsyncIterator[FormData]:
    """The fields and files of a form."""
    try:
        form = await request.form(max_files=max_files, max_fields=max_fields)
    except UnicodeError:
        # a form may name an encoding of its own, and be wrong
        raise Refusal("refused.request") from None
    try:
        yield form
    finally:
        await form.close()


def plain(text: str) -> str:
    """A text that can be kept and shown: PostgreSQL takes no zero byte, and no page takes half a character."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


async def drained(request: Request) -> None:
    """Whoever is still sending would not hear the answer: the rest is taken and thrown away."""
    async for _ in request.stream():
        pass


async def hashed_body(request: Request) -> str:
    """The SHA-256 of a body that is not kept."""
    made = hashlib.sha256()
    async for piece in request.stream():
        made.update(piece)
    return made.hexdigest()


def check_csrf(who: Visitor, token: str) -> None:
    if not compare_digest(plain(token).encode(), who.csrf.encode()):
        raise Refusal("refused.form", 403)


def same_site(request: Request) -> None:
    """Browsers say where a request comes from; what they say must be here."""
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise Refusal("refused.form", 403)
    origin = request.headers.get("origin")
    if origin and urlsplit(origin).netloc != request.headers.get("host"):
        raise Refusal("refused.form", 403)


async def the_competition(slug: str, request: Request) -> Competition:
    """The competition of an address, at the phase that is asked for, or at the one that people think of now."""
    board = board_of(request)
    found = board.competition(slug)
    if found is None:
        raise Refusal("refused.no-competition", 404)
    stage = request.query_params.get("phase", "")
    if not stage:
        return found.now(board.clock())
    if not found.has(stage):
        raise Refusal("refused.phase", 404, phases=", ".join(one.name for one in found.stages))
    return found.at(stage)


def organiser(who: Annotated[Visitor, Depends(visitor)]) -> Visitor:
    """Pages of organisers do not exist for others."""
    if not who.organiser:
        raise Refusal("refused.no-page", 404)
    return who


# what fits into a database's number
Number = Annotated[int, Path(ge=0, le=2**31 - 1)]
Who = Annotated[Visitor, Depends(visitor)]
Organiser = Annotated[Visitor, Depends(organiser)]
Fields = Annotated[Mapping[str, str], Depends(own_form)]
Task = Annotated[Competition, Depends(the_competition)]


def keep_session(response: Response, board: Board, secret: str) -> None:
    _cookie(response, board, _SESSION, secret, int(STAY.total_seconds()))
    response.delete_cookie(_name(_FORM, board), path="/", secure=board.settings.secure, httponly=True)


def device_of(request: Request) -> str:
    """The secret of a browser that somebody has logged in with before."""
    return request.cookies.get(_name(_DEVICE, board_of(request)), "")


def keep_device(response: Response, board: Board, secret: str) -> None:
    _cookie(response, board, _DEVICE, secret, int(KNOWN.total_seconds()))


def end_session(response: Response, board: Board) -> None:
    response.delete_cookie(_name(_SESSION, board), path="/", secure=board.settings.secure, httponly=True)


def keep_form(response: Response, who: Visitor) -> None:
    """For the forms of visitors without an account: logging in and registering."""
    _cookie(response, who.board, _FORM, who.form, 3600)


def keep_language(response: Response, board: Board, language: str) -> None:
    _cookie(response, board, LANGUAGE, language, 365 * 86400, plain=True)


def _cookie(response: Response, board: Board, name: str, value: str, age: int, plain: bool = False) -> None:
    secure = board.settings.secure
    key = name if plain else _name(name, board)
    response.set_cookie(key, value, max_age=age, path="/", secure=secure, httponly=True, samesite="lax")


def _name(name: str, board: Board) -> str:
    # a browser takes a cookie of this name only over TLS and from this host itself
    return f"__Host-{name}" if board.settings.secure else name


def _here(request: Request) -> str:
    """The address to come back to; a message that was told once is not told again."""
    query = request.url.query
    return f"{request.url.path}?{query}" if query and "said=" not in query else request.url.path


def language_of(request: Request) -> Language:
    """What was chosen, or what the browser asks for."""
    chosen = request.cookies.get(LANGUAGE) or request.headers.get("accept-language", "")
    return "zh" if chosen.lower().startswith("zh") else "en"
