"""A page for one person, served on this machine only: nobody without the address that was printed gets an answer."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_LARGEST = 100_000

# the page, given the secret that its requests carry
Show = Callable[[str], str]
# status and body of the reply to a request's path and body
Take = Callable[[str, bytes], tuple[int, str]]


def start(show: Show, take: Take, port: int) -> tuple[ThreadingHTTPServer, str]:
    """A server that is ready, and the address with the secret without which it answers nobody."""
    key = secrets.token_urlsafe(16)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path != f"/?key={key}":
                self._reply(403, "text/plain", "open the address that readproof printed")
                return
            self._reply(200, "text/html", show(key))

        def do_POST(self) -> None:
            length = self.headers.get("Content-Length", "")
            fits = length.isdecimal() and int(length) <= _LARGEST
            if not fits or self.headers.get("X-Key") != key:
                self._reply(400, "text/plain", "not a request of this page")
                return
            status, body = take(self.path, self.rfile.read(int(length)))
            self._reply(status, "application/json" if status == 200 else "text/plain", body)

        def _reply(self, status: int, kind: str, body: str) -> None:
            encoded = body.encode("utf-8", "replace")
            self.send_response(status)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(encoded)))
            self.send_header("Content-Security-Policy", "default-src 'self' 'unsafe-inline'")
            self.end_headers()
            self.wfile.write(encoded)

        def log_message(self, *arguments: Any) -> None:
            """The terminal is for people."""

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    return server, f"http://127.0.0.1:{server.server_port}/?key={key}"


def until_stopped(server: ThreadingHTTPServer) -> None:
    """Serves until interrupted."""
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()
