"""An endpoint that is asked nothing twice: the client behind the cache."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from readproof.readers.llm.cache import Cache, request_key
from readproof.readers.llm.client import Client
from readproof.readers.llm.replies import tokens_of


class Endpoint:
    """Replies from the cache, else from the server; the same request from two threads at a time is asked once."""

    def __init__(self, client: Client, cache: Cache) -> None:
        self.client = client
        self.cache = cache
        self.hits = 0
        self.saved_in = 0
        self.saved_out = 0
        self._lock = threading.Lock()
        self._asking: dict[str, tuple[threading.Lock, int]] = {}

    def ask(self, path: str, request: Mapping[str, Any]) -> dict[str, Any]:
        """The reply to a request."""
        key = request_key(path, request)
        with self._alone(key):
            reply = self.cache.get(key)
            if reply is None:
                reply = self.client.ask(path, request)
                self.cache.put(key, reply)
                return reply
        given, made = tokens_of(reply)
        with self._lock:
            self.hits += 1
            self.saved_in += given
            self.saved_out += made
        return reply

    def close(self) -> None:
        """Ask nothing more."""
        self.client.close()

    @contextmanager
    def _alone(self, key: str) -> Iterator[None]:
        with self._lock:
            lock, users = self._asking.get(key, (threading.Lock(), 0))
            self._asking[key] = (lock, users + 1)
        try:
            with lock:
                yield
        finally:
            with self._lock:
                lock, users = self._asking.pop(key)
                if users > 1:
                    self._asking[key] = (lock, users - 1)
