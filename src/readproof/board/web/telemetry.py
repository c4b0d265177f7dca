"""What operators look at: /health, /metrics for Prometheus, and a log of requests."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from datetime import UTC, datetime
from hmac import compare_digest
from ipaddress import ip_address

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from sqlalchemy.exc import SQLAlchemyError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from readproof.board.health import health, metrics
from readproof.board.web.visit import board_of
from readproof.board.words import Refusal

router = APIRouter(include_in_schema=False)
# paths that are secrets themselves: whoever reads the log must not be able to open them
_SECRET = re.compile(r"^(/(?:reset|verify|invite)/).+")


@router.get("/health")
def state(request: Request) -> Response:
    """200 while the database answers: what else is wrong stands in it."""
    try:
        return JSONResponse(health(board_of(request)).record())
    except SQLAlchemyError:
        return JSONResponse({"status": "no database", "database": False}, 503)


@router.get("/metrics")
def prometheus(request: Request) -> Response:
    """For this machine itself, or for whoever has the token of the settings."""
    if not _may_measure(request):
        raise Refusal("refused.no-page", 404)
    telemetry: Telemetry = request.app.state.telemetry
    registry = CollectorRegistry()
    registry.register(metrics(board_of(request), request.app.state.watcher.count))
    return Response(generate_latest(telemetry.registry) + generate_latest(registry), media_type=CONTENT_TYPE_LATEST)


def _may_measure(request: Request) -> bool:
    wanted = board_of(request).settings.metrics_token
    if wanted:
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        return compare_digest(given.encode(), wanted.encode())
    try:
        return request.client is not None and ip_address(request.client.host).is_loopback
    except ValueError:
        return False


class Telemetry:
    """Counts of requests by what they were answered with, and how long that took."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "readproof_board_requests", "Requests answered", ("method", "status"), registry=self.registry
        )
        self.seconds = Histogram(
            "readproof_board_request_seconds", "From question to answer, live pages left out", registry=self.registry
        )


class Measured:
    """Round the whole application: counts, and tells `log` one line a request."""

    def __init__(self, app: ASGIApp, telemetry: Telemetry, log: Callable[[str], None] | None = None) -> None:
        self.app, self.telemetry, self.log = app, telemetry, log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun, status, size = time.perf_counter(), 500, 0

        async def sending(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
            else:
                size += len(message.get("body", b""))
            await send(message)

        try:
            await self.app(scope, receive, sending)
        finally:
            took = time.perf_counter() - begun
            method = scope["method"] if scope["method"] in ("GET", "HEAD", "POST") else "other"
            self.telemetry.requests.labels(method, str(status)).inc()
            if not scope["path"].endswith("/live"):
                self.telemetry.seconds.observe(took)
            if self.log is not None:
                self.log(line(scope, status, size, took))


def line(scope: Scope, status: int, size: int, took: float) -> str:
    """One line of JSON: no queries, and no path that opens something."""
    client = scope.get("client")
    agent = next((value for name, value in scope["headers"] if name == b"user-agent"), b"")
    record = {
        "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "address": client[0] if client else "",
        "method": scope["method"],
        "path": _SECRET.sub(r"\1…", scope["path"]),
        "status": status,
        "bytes": size,
        "ms": round(1000 * took, 1),
        "agent": agent.decode("latin-1")[:120],
    }
    return json.dumps(record, ensure_ascii=True)
