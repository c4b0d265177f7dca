"""The pages before any competition: the list, registering, logging in and out, tokens, the language."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse

from readproof.board import accounts, leaving, links, managing
from readproof.board.definition import Competition
from readproof.board.web.pages import back, page
from readproof.board.web.visit import (
    Fields,
    Number,
    Visitor,
    Who,
    device_of,
    end_session,
    keep_device,
    keep_form,
    keep_language,
    keep_session,
)
from readproof.board.words import Refusal, word
from readproof.reports.labels import Label

_DATES = 3
router = APIRouter(include_in_schema=False)


@router.get("/")
def home(request: Request, who: Who) -> Response:
    moment = who.board.clock()
    known = [one.now(moment) for one in who.board.competitions.values()]
    found = sorted(known, key=lambda one: (one.state(moment) == "closed", one.slug))
    return page(
        request, who, "home.html", competitions=found, counts=managing.team_counts(who.board),
        upcoming={one.slug: _upcoming(one, moment) for one in found},
    )  # fmt: skip


def _upcoming(competition: Competition, moment: datetime) -> list[tuple[Label, datetime]]:
    """The next dates: what ends, and what begins."""
    found = []
    for one in competition.phases:
        if one.opens > moment:
            found.append((word("home.begins", title=one.title), one.opens))
        elif one.closes is not None and one.closes > moment:
            found.append((word("home.ends", title=one.title), one.closes))
    return sorted(found, key=lambda one: one[1])[:_DATES]


@router.get("/language/{language}")
def choose_language(language: str, who: Who, to: str = "/") -> Response:
    if language not in ("en", "zh"):
        raise Refusal("refused.no-page", 404)
    response = RedirectResponse(_local(to), 303)
    keep_language(response, who.board, language)
    return response


@router.get("/register")
def register_form(request: Request, who: Who, to: str = "/") -> Response:
    return _form(request, who, "register.html", to=_local(to))


@router.post("/register")
def register(request: Request, who: Who, fields: Fields) -> Response:
    mail, name = fields.get("mail", ""), fields.get("name", "")
    to = _local(fields.get("to", "/"))
    try:
        if fields.get("password") != fields.get("again"):
            raise Refusal("refused.again")
        accounts.register(who.board, mail, name, fields.get("password", ""), address=who.address)
    except Refusal as refusal:
        return _form(request, who, "register.html", refusal, mail=mail, name=name, to=to)
    return _enter(request, who, mail, fields["password"], to)


@router.get("/login")
def login_form(request: Request, who: Who, to: str = "/") -> Response:
    return _form(request, who, "login.html", to=_local(to))


@router.post("/login")
def login(request: Request, who: Who, fields: Fields) -> Response:
    mail, to = fields.get("mail", ""), _local(fields.get("to", "/"))
    try:
        return _enter(request, who, mail, fields.get("password", ""), to)
    except Refusal as refusal:
        return _form(request, who, "login.html", refusal, mail=mail, to=to)


@router.post("/logout")
def logout(who: Who, fields: Fields) -> Response:  # noqa: ARG001 - the form is checked by being read
    accounts.log_out(who.board, who.secret)
    response = back("/", "out")
    end_session(response, who.board)
    return response


@router.get("/forgot")
def forgot_form(request: Request, who: Who) -> Response:
    return _form(request, who, "forgot.html", to="/", sent=False)


@router.post("/forgot")
def forgot(request: Request, who: Who, fields: Fields) -> Response:
    """What is said is the same whether there is such an account or not."""
    links.ask_reset(who.board, fields.get("mail", ""), address=who.address)
    return _form(request, who, "forgot.html", to="/", sent=True)


@router.get("/reset/{secret}")
def reset_form(request: Request, secret: str, who: Who) -> Response:
    owner = links.owner_of(who.board, "reset", secret)
    return _form(request, who, "reset.html", to="/", mail=owner.mail, secret=secret)


@router.post("/reset/{secret}")
def reset(request: Request, secret: str, who: Who, fields: Fields) -> Response:
    new = fields.get("password", "")
    try:
        if new != fields.get("again"):
            raise Refusal("refused.again")
        accounts.check_password(new)
    except Refusal as refusal:
        return _form(request, who, "reset.html", refusal, to="/", secret=secret)
    owner = links.use(who.board, "reset", secret, address=who.address)
    accounts.change_password(who.board, owner.mail, new)
    return _enter(request, who, owner.mail, new, "/account?said=password")


@router.get("/verify/{secret}")
def verify_form(request: Request, secret: str, who: Who) -> Response:
    """Programs that look into letters open links: only the button confirms."""
    owner = links.owner_of(who.board, "verify", secret)
    return _form(request, who, "verify.html", to="/", mail=owner.mail, secret=secret)


@router.post("/verify/{secret}")
def verify(secret: str, who: Who, fields: Fields) -> Response:  # noqa: ARG001 - the form is checked by being read
    links.use(who.board, "verify", secret, address=who.address)
    return back("/account" if who.account else "/login", "verified")


@router.post("/account/verify")
def verify_again(who: Who, fields: Fields) -> Response:  # noqa: ARG001 - the form is checked by being read
    links.ask_verify(who.board, who.known())
    return back("/account", "sent")


@router.get("/account/export.json")
def export(who: Who) -> Response:
    """All that the board knows of a person."""
    name = {"content-disposition": 'attachment; filename="account.json"'}
    return JSONResponse(leaving.export(who.board, who.known()), headers=name)


@router.post("/account/delete")
def delete(request: Request, who: Who, fields: Fields) -> Response:
    password = fields.get("password", "")
    leaving.delete_account(who.board, who.known(), password, address=who.address, device=device_of(request))
    response = back("/", "deleted")
    end_session(response, who.board)
    return response


@router.get("/account")
def account(request: Request, who: Who) -> Response:
    return page(request, who, "account.html", tokens=accounts.tokens(who.board, who.known()), made="")


@router.post("/account/tokens")
def make_token(request: Request, who: Who, fields: Fields) -> Response:
    made = accounts.make_token(who.board, who.known(), fields.get("name", ""))
    return page(request, who, "account.html", tokens=accounts.tokens(who.board, who.known()), made=made)


@router.post("/account/password")
def renew_password(request: Request, who: Who, fields: Fields) -> Response:
    if fields.get("password") != fields.get("again"):
        raise Refusal("refused.again")
    old, new = fields.get("old", ""), fields.get("password", "")
    device = device_of(request)
    secret = accounts.renew_password(who.board, who.known(), old, new, address=who.address, device=device)
    response = back("/account", "password")
    keep_session(response, who.board, secret)
    keep_device(response, who.board, accounts.know_device(who.board, who.known()))
    return response


@router.post("/account/tokens/{number}/drop")
def drop_token(number: Number, who: Who, fields: Fields) -> Response:  # noqa: ARG001 - the form is checked by being read
    accounts.drop_token(who.board, who.known(), number)
    return back("/account", "dropped")


def _enter(request: Request, who: Visitor, mail: str, password: str, to: str) -> Response:
    device = device_of(request)
    account, secret = accounts.log_in(who.board, mail, password, address=who.address, device=device)
    if who.account:
        accounts.log_out(who.board, who.secret)
    response = RedirectResponse(to, 303)
    keep_session(response, who.board, secret)
    keep_device(response, who.board, accounts.know_device(who.board, account, device))
    return response


def _form(
    request: Request, who: Visitor, template: str, refusal: Refusal | None = None, *, to: str, mail: str = "",
    name: str = "", **more: Any,
) -> Response:  # fmt: skip
    told = word(refusal.key, **refusal.values).of(who.language) if refusal else ""
    status = refusal.status if refusal else 200
    response = page(request, who, template, status, wrong=told, mail=mail, name=name, to=to, **more)
    keep_form(response, who)
    return response


def _local(path: str) -> str:
    """A path of ours and no other site's."""
    safe = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if safe else "/"
