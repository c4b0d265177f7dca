"""The page on which people judge: served on this machine only, one variant after another, two keys a variant."""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import Any

from readproof.attacks.review import HOLDS, Judgement, card_of, keep
from readproof.items import Variant

_LARGEST = 10_000


def serve(variants: Sequence[Variant], by: str, path: Path, port: int, say: Callable[[str], None]) -> None:
    """Serves until interrupted."""
    server, address = start(variants, by, path, port)
    say(f"Judge at {address} (Ctrl-C to stop); judgements: {path}")
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()


def start(variants: Sequence[Variant], by: str, path: Path, port: int) -> tuple[ThreadingHTTPServer, str]:
    """A server that is ready, and the address with the secret without which it answers nobody."""
    key = secrets.token_urlsafe(16)
    cards = [asdict(card_of(variant)) for variant in variants]
    known = {card["id"] for card in cards}
    lock = threading.Lock()
    page = files("readproof.cli").joinpath("review.html").read_text(encoding="utf-8")
    done: set[str] = set()

    def filled() -> str:
        """The page with what is left to judge; no sign of the data may end the script."""
        left = [card for card in cards if card["id"] not in done]
        data = json.dumps({"cards": left, "by": by, "key": key}, ensure_ascii=False).replace("<", "\\u003c")
        return page.replace("/*DATA*/null", data)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path != f"/?key={key}":
                self._reply(403, "text/plain", "open the address that readproof printed")
                return
            self._reply(200, "text/html", filled())

        def do_POST(self) -> None:
            length = self.headers.get("Content-Length", "")
            fits = length.isdecimal() and int(length) <= _LARGEST
            mine = self.headers.get("X-Key") == key
            said = _parsed(self.rfile.read(int(length))) if mine and fits else None
            if said is None or said.variant not in known:
                self._reply(400, "text/plain", "not a judgement")
                return
            with lock:
                keep(path, Judgement(variant=said.variant, by=by, fluent=said.fluent, holds=said.holds))
                done.add(said.variant)
            self._reply(200, "application/json", "{}")

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


def _parsed(body: bytes) -> Judgement | None:
    try:
        record = json.loads(body)
        fluent, holds, variant = record["fluent"], record["holds"], record["variant"]
    except (ValueError, KeyError, TypeError):
        return None
    if not isinstance(fluent, bool) or holds not in HOLDS or not isinstance(variant, str):
        return None
    return Judgement(variant=variant, by="", fluent=fluent, holds=holds)
