"""What holds for every answer: security headers, and bodies no larger than their address may have."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from readproof.board.reports import LARGEST as LARGEST_REPORT

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_SMALL = 64 << 10
_DIGITS = 15
_FRAME = 1 << 20
_UPLOAD = re.compile(r"/c/([a-z0-9-]+)/submit|/api/v1/competitions/([a-z0-9-]+)/submissions")
_LIVE = "/live"
# what organisers write: two languages of 50,000 characters, as browsers encode them
_WRITING, _LONG = re.compile(r"/c/[a-z0-9-]+/manage/(?:texts/\w+|news)"), 1 << 20
_REPORT = re.compile("/c/[a-z0-9-]+/reports")


class TooLarge(Exception):  # noqa: N818 - the visitor's doing, not an error of ours
    """A body went over its limit while it came in."""


class Shield:
    """Round the whole application; `largest` gives the upload limit of a competition, 0 for one that is not known."""

    def __init__(self, app: ASGIApp, largest: Callable[[str], int], secure: bool) -> None:
        self.app, self.largest = app, largest
        self.headers = [
            (b"content-security-policy", _POLICY.encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"same-origin"),
            (b"x-frame-options", b"DENY"),
            (b"cross-origin-opener-policy", b"same-origin"),
            (b"cross-origin-resource-policy", b"same-origin"),
            (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
        ]
        if secure:
            self.headers.append((b"strict-transport-security", b"max-age=31536000"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        most = self._most(scope["path"])
        # monitors ask for heads alone; a live page has no end that its head could be sent with
        head = scope["method"] == "HEAD" and not scope["path"].endswith(_LIVE)
        scope = {**scope, "method": "GET"} if head else scope
        started = False
        seen = 0

        async def sending(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                present = {name for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(one for one in self.headers if one[0] not in present),
                    *([] if b"cache-control" in present else [(b"cache-control", b"no-store")]),
                ]
            elif head:
                message = {**message, "body": b""}
            await send(message)

        async def receiving() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > most:
                raise TooLarge
            return message

        length = dict(scope["headers"]).get(b"content-length", b"0")
        try:
            if not length.isdigit() or len(length) > _DIGITS or int(length) > most:
                raise TooLarge
            await self.app(scope, receiving, sending)
        except asyncio.CancelledError:
            # the server ends and closes the lines of live pages, which never end by themselves
            if not scope["path"].endswith(_LIVE):
                raise
        except TooLarge:
            if not started:
                headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
                await sending({"type": "http.response.start", "status": 413, "headers": headers})
                told = f"too large: at most {most >> 10:,} KB here · 文件过大：最多 {most >> 10:,} KB\n"
                await sending({"type": "http.response.body", "body": told.encode()})

    def _most(self, path: str) -> int:
        if _REPORT.fullmatch(path):
            return LARGEST_REPORT + _FRAME
        if _WRITING.fullmatch(path):
            return _LONG
        found = _UPLOAD.fullmatch(path)
        largest = self.largest(found[1] or found[2]) if found else 0
        return largest + _FRAME if largest else _SMALL
