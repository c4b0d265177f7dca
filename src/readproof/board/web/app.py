"""The application: routes, what surrounds them, and what is said when something is refused or breaks."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from importlib.resources import files

from anyio import CapacityLimiter
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException

from readproof import __version__
from readproof.board.board import Board
from readproof.board.mail import MailSender
from readproof.board.ranking import StandingsCache
from readproof.board.receiving import sweep
from readproof.board.web import (
    api,
    entrance,
    manage,
    newsroom,
    pages,
    ranking_pages,
    reporting,
    taking_part,
    telemetry,
    trying,
)
from readproof.board.web.shield import Shield, TooLarge
from readproof.board.web.telemetry import Measured, Telemetry
from readproof.board.web.watching import ViewContext, Watcher
from readproof.board.words import Refusal, word

_API = "/api/"
_CHECKING = 4
_LOG = logging.getLogger("readproof.board")
ROOMS = (api, telemetry, entrance, trying, ranking_pages, manage, newsroom, reporting, taking_part)
# the colours and tables of reports, then what only the board has
_STATIC = {
    "page.css": ("readproof.reports", "template/page.css", "text/css"),
    "board.css": ("readproof.board.web", "static/board.css", "text/css"),
    "favicon.svg": ("readproof.board.web", "static/favicon.svg", "image/svg+xml"),
    "board.js": ("readproof.board.web", "static/board.js", "text/javascript"),
}


class Refused(BaseModel):
    """What was not granted: a key that does not change, and words."""

    refused: str
    en: str
    zh: str


def make_app(board: Board, log: Callable[[str], None] | None = None) -> FastAPI:
    """The web application of a board; `log` is told a line of each request."""

    @asynccontextmanager
    async def living(app: FastAPI) -> AsyncIterator[None]:
        app.state.watcher = Watcher(board)
        # checking an upload takes a core: the threads that serve pages are not used up by it
        app.state.checking = CapacityLimiter(_CHECKING)
        task = asyncio.create_task(app.state.watcher.run())
        sweep(board)
        stop = threading.Event()
        post = threading.Thread(target=MailSender(board, _LOG.warning).run, args=(stop,), daemon=True)
        post.start()
        yield
        stop.set()
        post.join()
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    app = FastAPI(
        title="readproof board",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
        lifespan=living,
    )
    app.state.board, app.state.cache = board, StandingsCache()
    app.state.glances = ViewContext(board, partial(ranking_pages.prepare, board, app.state.cache))
    for room in ROOMS:
        app.include_router(room.router)
    _add_static(app)
    _add_answers(app)
    _add_schema(app)

    def largest(slug: str) -> int:
        found = board.competition(slug)
        return found.largest if found else 0

    app.state.telemetry = Telemetry()
    app.add_middleware(Measured, telemetry=app.state.telemetry, log=log)
    app.add_middleware(Shield, largest=largest, secure=board.settings.secure)
    return app


def _add_static(app: FastAPI) -> None:
    @app.get("/static/{name}", include_in_schema=False)
    def static(name: str) -> Response:
        if name not in _STATIC:
            raise Refusal("refused.no-page", 404)
        package, path, kind = _STATIC[name]
        content = files(package).joinpath(path).read_bytes()
        return Response(content, media_type=kind, headers={"cache-control": "public, max-age=3600"})

    @app.get("/favicon.ico", include_in_schema=False)
    def icon() -> Response:
        return Response(status_code=204)


def _add_answers(app: FastAPI) -> None:
    def answer(request: Request, refusal: Refusal) -> Response:
        return api.refused(refusal) if request.url.path.startswith(_API) else pages.refused(request, refusal)

    @app.exception_handler(Refusal)
    def on_refusal(request: Request, error: Exception) -> Response:
        return answer(request, error if isinstance(error, Refusal) else Refusal("refused.fault", 500))

    @app.exception_handler(HTTPException)
    def on_status(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        key = {404: "refused.no-page", 405: "refused.method"}.get(status, "refused.request")
        response = answer(request, Refusal(key, status))
        if isinstance(error, HTTPException) and error.headers:
            response.headers.update(error.headers)
        return response

    @app.exception_handler(RequestValidationError)
    def on_wrong_request(request: Request, _: Exception) -> Response:
        return answer(request, Refusal("refused.request", 400))

    @app.exception_handler(TooLarge)
    def on_too_large(request: Request, _: Exception) -> Response:
        return answer(request, Refusal("refused.large-body", 413))

    @app.exception_handler(SQLAlchemyError)
    def on_database(request: Request, error: Exception) -> Response:
        if not _away(error):
            raise error
        refusal = Refusal("refused.database", 503)
        response = api.refused(refusal) if request.url.path.startswith(_API) else _broken(refusal.key, 503)
        response.headers["retry-after"] = "5"
        return response

    @app.exception_handler(Exception)
    def on_fault(request: Request, _: Exception) -> Response:
        # the server writes the traceback into its log
        return api.refused(Refusal("refused.fault", 500)) if request.url.path.startswith(_API) else _broken()


def _away(error: Exception) -> bool:
    """Whether the database did not answer, rather than refuse."""
    if isinstance(error, PoolTimeout):
        return True
    return isinstance(error, OperationalError | InterfaceError) or (
        isinstance(error, DBAPIError) and error.connection_invalidated
    )


def _broken(key: str = "refused.fault", status: int = 500) -> Response:
    told = word(key)
    return PlainTextResponse(f"{told.en}\n{told.zh}\n", status)


def _add_schema(app: FastAPI) -> None:
    """The description of the interface says how refusals look, and nothing of what FastAPI would answer itself."""
    plain = app.openapi

    def described() -> dict[str, object]:
        if app.openapi_schema:
            return app.openapi_schema
        found = plain()
        parts = found.setdefault("components", {}).setdefault("schemas", {})
        parts["Refused"] = Refused.model_json_schema()
        for path in found["paths"].values():
            for operation in path.values():
                answer = operation["responses"].get("422")
                if answer and "application/json" in answer.get("content", {}):
                    answer["content"]["application/json"]["schema"] = {}
        app.openapi_schema = found
        return found

    app.openapi = described  # type: ignore[method-assign]
