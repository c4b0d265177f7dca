"""A small proxy before the real server: it counts what passes, puts faults in the way, can answer in other words."""

from __future__ import annotations

import hashlib
import json
import socket
import threading
from collections import Counter
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx

FAULTS = ("dropped", "429", "500", "503", "cut", "nonsense", "empty", "error")


class Proxy:
    """Listens on loopback; `plan(body, tries so far)` names a fault or "", `says(request)` other words."""

    def __init__(self, upstream: str, port: int = 0) -> None:
        self.upstream = upstream
        self.plan: Callable[[bytes, int], str] = lambda body, tries: ""
        self.says: Callable[[dict[str, Any]], str] | None = None
        self.seen: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.tries: Counter[bytes] = Counter()
        self.forwarded: Counter[bytes] = Counter()
        self.replies: dict[bytes, dict[str, Any]] = {}
        self.faults: Counter[str] = Counter()
        self.serves: dict[str, Any] | None = None
        self.strip_logprobs = False
        self.only = ""
        self.hold_after: int | None = None
        self.at_once = 0
        self.most_at_once = 0
        self.lock = threading.Lock()
        self.closing = threading.Event()
        self._client = httpx.Client(timeout=60, limits=httpx.Limits(max_connections=64))
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                if not self.path.startswith("/v1/"):
                    proxy.beside(self)
                    return
                with proxy.lock:
                    proxy.at_once += 1
                    proxy.most_at_once = max(proxy.most_at_once, proxy.at_once)
                try:
                    proxy.handle(self)
                finally:
                    with proxy.lock:
                        proxy.at_once -= 1

            def do_GET(self) -> None:
                data = proxy.listing(self.path.removeprefix("/v1"))
                self.send_response(200 if data else 404)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *arguments: object) -> None:
                """Quiet."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, request: Any, client_address: Any) -> None:
                """A client that was killed is no error of ours."""

        self._server = Server(("127.0.0.1", port), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._client.close()

    def listing(self, path: str) -> bytes:
        """What the server says it serves, or what the test says it serves."""
        if path == "/models" and self.serves is not None:
            return json.dumps({"data": [self.serves]}).encode()
        reply = self._client.get(f"{self.upstream}{path}")
        return reply.content if reply.status_code == 200 else b""

    def beside(self, handler: BaseHTTPRequestHandler) -> None:
        """What is no part of the API, as the tokenizer: passed on, and not counted."""
        body = handler.rfile.read(int(handler.headers["Content-Length"]))
        root = self.upstream.removesuffix("/v1")
        reply = self._client.post(f"{root}{handler.path}", content=body, headers={"Content-Type": "application/json"})
        handler.send_response(reply.status_code)
        handler.send_header("Content-Length", str(len(reply.content)))
        handler.end_headers()
        handler.wfile.write(reply.content)

    def handle(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers["Content-Length"]))
        with self.lock:
            before = self.tries[body]
            self.tries[body] += 1
            self.seen.append(json.loads(body))
            self.headers.append(dict(handler.headers.items()))
            held = self.hold_after is not None and sum(self.forwarded.values()) >= self.hold_after
            fault = self.plan(body, before)
            if fault:
                self.faults[fault] += 1
            elif not held:
                self.forwarded[body] += 1
        if held:
            self.closing.wait(30)
            handler.close_connection = True
            return
        if fault in ("", "cut"):
            self._pass_on(handler, body, cut=fault == "cut")
        else:
            _fail(handler, fault)

    def _pass_on(self, handler: BaseHTTPRequestHandler, body: bytes, *, cut: bool) -> None:
        path = handler.path.removeprefix("/v1")
        headers = {"Content-Type": "application/json"}
        reply = self._client.post(f"{self.upstream}{path}", content=body, headers=headers)
        data = reply.content
        if self.says is not None and reply.status_code == 200 and self.only in body.decode():
            record = reply.json()
            choice = record["choices"][0]
            text = self.says(json.loads(body))
            choice.update({"text": text} if "text" in choice else {"message": {"role": "assistant", "content": text}})
            if self.strip_logprobs:
                choice.pop("logprobs", None)
            data = json.dumps(record).encode()
        handler.send_response(reply.status_code)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        if cut:
            handler.wfile.write(data[: len(data) // 2])
            handler.wfile.flush()
            handler.connection.shutdown(socket.SHUT_RDWR)
            handler.close_connection = True
            return
        if reply.status_code == 200:
            with self.lock:
                self.replies[body] = json.loads(data)
        handler.wfile.write(data)


def _fail(handler: BaseHTTPRequestHandler, fault: str) -> None:
    if fault == "dropped":
        handler.connection.shutdown(socket.SHUT_RDWR)
        handler.close_connection = True
        return
    status = int(fault) if fault.isdigit() else 200
    data = {"nonsense": b"<html>busy</html>", "empty": b'{"choices": []}'}.get(fault, b'{"error": {"message": "bad"}}')
    handler.send_response(status)
    if status == 429:
        handler.send_header("Retry-After", "0.05")
    handler.send_header("Content-Length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data)


def some_faults(body: bytes, tries: int) -> str:
    """A third of the first three tries of any request fail, each request in its own way."""
    if tries >= 3:
        return ""
    value = hashlib.sha256(body + bytes([tries])).digest()
    return FAULTS[value[1] % len(FAULTS)] if value[0] < 85 else ""
