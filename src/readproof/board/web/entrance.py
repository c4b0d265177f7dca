"""The pages before any competition: the list, registering, logging in and out, tokens, the language."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from readproof.board import accounts
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

router = APIRouter(include_in_schema=False)


@router.get("/")
def home(request: Request, who: Who) -> Response:
    moment = who.board.clock()
    known = [one.now(moment) for one in who.board.competitions.values()]
    found = sorted(known, key=lambda one: (one.state(moment) == "closed", one.slug))
    return page(request, who, "home.html", competitions=found)


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
    name: str = "",
) -> Response:  # fmt: skip
    told = word(refusal.key, **refusal.values).of(who.language) if refusal else ""
    status = refusal.status if refusal else 200
    response = page(request, who, template, status, wrong=told, mail=mail, name=name, to=to)
    keep_form(response, who)
    return response


def _local(path: str) -> str:
    """A path of ours and no other site's."""
    safe = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if safe else "/"
