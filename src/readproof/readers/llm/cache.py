"""Replies of an endpoint on disk, by the SHA-256 of the exact request: a killed run asks nothing twice.

The key has the address, the model's name and what the server says it serves under that name: what one server
answered is never taken for another's. Requests are not kept, nor is any key of the user's.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from readproof.errors import InputError
from readproof.readers.llm.client import Client, Counts, RequestBudget
from readproof.readers.llm.replies import SECONDS, tokens_of
from readproof.readers.llm.spec import LLMSettings
from readproof.readers.usage import MOST_LATENCIES, Usage

# READPROOF_CACHE=off: everything is asked
OFF = "off"
_FILE = "answers.sqlite"
_WAIT = 60.0


def cache_folder() -> Path:
    """READPROOF_CACHE, else a folder of ours among the user's caches."""
    named = os.environ.get("READPROOF_CACHE", "")
    if named:
        return Path(named).expanduser()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "readproof" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "readproof"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "readproof"


def request_key(address: str, served: str, path: str, request: Mapping[str, Any]) -> str:
    """The SHA-256 of what is asked, and of whom; the same whatever the order of the fields."""
    asked = {"address": address, "served": served, "path": path, "request": request}
    text = json.dumps(asked, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def reply_cache(wanted: bool = True) -> ReplyCache | None:
    """The user's cache; None where it is not wanted or READPROOF_CACHE is `off`."""
    off = os.environ.get("READPROOF_CACHE", "").strip().lower() == OFF
    return None if off or not wanted else ReplyCache(cache_folder())


def open_endpoint(settings: LLMSettings) -> Endpoint:
    """The endpoint of a spec behind the user's cache; nothing is asked yet."""
    client = Client(
        settings.address,
        concurrency=settings.concurrency,
        timeout=settings.timeout,
        patience=settings.patience,
        tries=settings.tries,
        key=settings.key,
        key_header=settings.key_header,
        budget=RequestBudget(settings.max_requests, settings.max_cost, lambda counts: _usage(settings, counts).cost),
    )
    return Endpoint(client, reply_cache(settings.cache == "on"))


def _usage(settings: LLMSettings, counts: Counts) -> Usage:
    """What was asked of a server, at the prices of its spec; without the time of each request."""
    return Usage(
        model=settings.model,
        requests=counts.answered,
        failed_tries=counts.failed_tries,
        tokens_in=counts.tokens_in,
        tokens_out=counts.tokens_out,
        reused_tokens_in=counts.reused_in,
        seconds=counts.spent,
        price_in=settings.price_in,
        price_out=settings.price_out,
        price_reused=settings.price_reused,
    )


class ReplyCache:
    """A file of replies that several threads and several processes may use at a time."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / _FILE
        self._lock = threading.Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._file = sqlite3.connect(self.path, timeout=_WAIT, check_same_thread=False, isolation_level=None)
            # each reply is in the file when `put` returns: it outlives the process, whatever ends it
            self._file.execute("PRAGMA journal_mode=WAL")
            self._file.execute("PRAGMA synchronous=NORMAL")
            self._file.execute("CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, reply TEXT NOT NULL)")
        except (OSError, sqlite3.Error) as error:
            raise self._broken(error) from None

    def get(self, key: str) -> dict[str, Any] | None:
        """The reply to a request that was asked before."""
        with self._lock:
            try:
                row = self._file.execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
            except sqlite3.Error as error:
                raise self._broken(error) from None
        if row is None:
            return None
        reply: dict[str, Any] = json.loads(row[0])
        return reply

    def put(self, key: str, reply: Mapping[str, Any]) -> None:
        """Keep a reply."""
        with self._lock:
            try:
                self._file.execute("INSERT OR REPLACE INTO replies VALUES (?, ?)", (key, json.dumps(reply)))
            except sqlite3.Error as error:
                raise self._broken(error) from None

    def close(self) -> None:
        """No more is asked of it."""
        with self._lock:
            self._file.close()

    def _broken(self, error: Exception) -> InputError:
        found = f"a cache that cannot be used ({error})"
        do = "Remove the file, or name another folder in READPROOF_CACHE."
        return InputError(file=self.path, found=found, expected="a folder that can be written", do=do)


class Endpoint:
    """Replies from the cache, else from the server; the same request from two threads at a time is asked once."""

    def __init__(self, client: Client, cache: ReplyCache | None) -> None:
        self.client = client
        self.cache = cache
        self.hits = 0
        self.saved_in = 0
        self.saved_out = 0
        self.saved_seconds = 0.0
        self._ahead: set[str] = set()
        self._lock = threading.Lock()
        self._asking: dict[str, tuple[threading.Lock, int]] = {}

    def ask(self, path: str, request: Mapping[str, Any]) -> dict[str, Any]:
        """The reply to a request."""
        if self.cache is None:
            return self.client.ask(path, request)
        key = self._key(path, request)
        with self._alone(key):
            reply = self.cache.get(key)
            if reply is None:
                reply = self.client.ask(path, request)
                self.cache.put(key, reply)
                return reply
        given, made = tokens_of(reply)
        with self._lock:
            if key in self._ahead:
                self._ahead.discard(key)
                return reply
            self.hits += 1
            self.saved_in += given
            self.saved_out += made
            self.saved_seconds += float(reply.get(SECONDS, 0.0))
        return reply

    def ask_ahead(self, path: str, request: Mapping[str, Any]) -> None:
        """Asks now what will be asked soon; that it is in the cache then is no hit."""
        if self.known(path, request) is None:
            self.ask(path, request)
            with self._lock:
                self._ahead.add(self._key(path, request))

    def known(self, path: str, request: Mapping[str, Any]) -> dict[str, Any] | None:
        """The reply to a request that was asked before, without counting it."""
        return None if self.cache is None else self.cache.get(self._key(path, request))

    def usage(self, settings: LLMSettings) -> Usage:
        """What was asked so far, and what came from the cache."""
        return replace(
            _usage(settings, self.client.counts),
            latencies=tuple(self.client.counts.seconds[:MOST_LATENCIES]),
            cache_hits=self.hits,
            cached_tokens_in=self.saved_in,
            cached_tokens_out=self.saved_out,
            cached_seconds=self.saved_seconds,
        )

    def close(self) -> None:
        """Ask nothing more."""
        self.client.close()

    def _key(self, path: str, request: Mapping[str, Any]) -> str:
        served = self.client.served(str(request.get("model", "")))
        return request_key(self.client.address, served, path, request)

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
