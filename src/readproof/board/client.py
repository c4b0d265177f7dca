"""Submitting from a program: one package to one board, and waiting for its score."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from readproof.errors import InputError, MissingExtraError

TOKEN = "READPROOF_TOKEN"
_PIECE = 1 << 20
_AGAIN = (1.0, 2.0, 4.0, 8.0)
_LOOK = 1.0
_AWAY = 503
Json = dict[str, Any]


def submit(
    to: str,
    file: Path,
    track: str,
    token: str,
    *,
    phase: str = "",
    declared: Sequence[str] = (),
    wait: float = 0.0,
    say: Callable[[str], None] = lambda _: None,
) -> tuple[int, Json]:
    """Send a package to a competition's address; gives the status and the board's record.

    The upload carries a key, so that one that is sent again after a broken connection counts once.
    """
    try:
        import httpx
    except ImportError:
        raise MissingExtraError("httpx", "board") from None
    if not file.is_file():
        found = "a folder" if file.is_dir() else "no such file"
        raise InputError(file=file, found=found, expected="a package (.zip) or predictions (.json)")
    base = _api(to)
    headers = {"Authorization": _bearer(token), "Idempotency-Key": uuid.uuid4().hex}
    values: dict[str, Any] = {"declared": list(declared)} if declared else {}
    values |= {"track": track, "file": file.name} | ({"phase": phase} if phase else {})
    with httpx.Client(timeout=httpx.Timeout(600, connect=10)) as client:
        for pause in (*_AGAIN, None):
            try:
                answer = client.post(base, params=values, headers=headers, content=_pieces(file))
                if answer.status_code != _AWAY or pause is None:
                    break
                why = "the board is busy or has lost its database"
            except httpx.TransportError as error:
                if pause is None:
                    raise InputError(file=to, found=f"no answer ({error})", expected="a board that runs") from None
                why = "no answer"
            say(f"{why}; again in {pause:g} s")
            time.sleep(pause)
        record = _record(answer)
        until = time.monotonic() + wait
        while answer.status_code == 201 and record.get("status") == "waiting" and time.monotonic() < until:
            time.sleep(_LOOK)
            # it was taken: a board that does not answer for a while changes nothing of that
            with suppress(httpx.TransportError):
                later = client.get(f"{base}/{record['id']}", headers=headers)
                record = _record(later) if later.status_code == 200 else record
        return answer.status_code, record


def _bearer(token: str) -> str:
    """The header's value; a token is a secret and is not shown."""
    token = token.strip()
    if not token.isascii() or not token.isprintable():
        found, expected = "characters that no header can hold", "a token as the page of your account gave it"
        raise InputError(place=f"the environment variable {TOKEN}", found=found, expected=expected)
    return f"Bearer {token}"


def _record(answer: Any) -> Json:
    try:
        found = answer.json()
    except ValueError:
        found = None
    if not isinstance(found, dict):
        what = f"{answer.status_code} without a record"
        raise InputError(file=str(answer.url), found=what, expected="the answer of a board")
    return found


def _pieces(file: Path) -> Iterator[bytes]:
    with file.open("rb") as content:
        while piece := content.read(_PIECE):
            yield piece


def _api(to: str) -> str:
    """The address of the interface from that of the competition's page."""
    parts = urlsplit(to)
    before, found, slug = parts.path.rstrip("/").partition("/c/")
    if parts.scheme not in ("http", "https") or not found or "/" in slug:
        raise InputError(place="--to", found=repr(to), expected="the address of a competition: https://HOST/c/NAME")
    return f"{parts.scheme}://{parts.netloc}{before}/api/v1/competitions/{slug}/submissions"
