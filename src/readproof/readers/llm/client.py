"""Requests to an OpenAI-compatible endpoint: asked again when the way or the server fails, and counted.

The key comes from the environment variable READPROOF_API_KEY and goes into the request's header, nowhere else.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from readproof.errors import InputError, MissingExtraError
from readproof.readers.llm.replies import SECONDS, checked, tokens_of

if TYPE_CHECKING:
    import httpx


KEY = "READPROOF_API_KEY"
_FIRST_WAIT = 0.25
_LONGEST_WAIT = 30.0
_LONGEST_BODY = 1 << 26
_UNREACHED = 5
_BUSY = (429, 500, 502, 503, 504)
# seconds for a list of models
_LISTING = 10.0
_REFUSED = (400, 413, 422)
_OF_A_START = ("created", "permission")


class RefusedError(InputError):
    """The server will never take this request: too long, or of a form it does not know."""


class _Reply(NamedTuple):
    status: int
    retry_after: str
    body: bytes


class _AgainError(Exception):
    """What went wrong this time, and how long the server asks to wait."""

    def __init__(self, said: str, wait: float | None = None, *, busy: bool = False, unreached: bool = False) -> None:
        super().__init__(said)
        self.wait = wait
        self.busy = busy
        self.unreached = unreached


@dataclass(slots=True)
class Counts:
    """What was asked of the server: requests answered, tries that failed, requests refused, tokens in and out."""

    answered: int = 0
    failed_tries: int = 0
    refused: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)


class Client:
    """One endpoint; its `ask` may be called by many threads, of which `concurrency` talk to the server at a time.

    A request is given up after `tries` failures or `patience` seconds, whichever comes first; being told to wait
    (status 429) is no failure. A server that was never reached is given up after a few seconds.
    """

    def __init__(
        self, address: str, *, concurrency: int = 4, timeout: float = 120.0, patience: float = 600.0, tries: int = 10
    ) -> None:
        self.address = address
        self.counts = Counts()
        self._timeout = timeout
        self._patience = patience
        self._tries = tries
        self._gate = threading.BoundedSemaphore(concurrency)
        self._stopped = threading.Event()
        self._http = _open_http(concurrency, timeout)
        self._served: dict[str, str] = {}
        self._serving = threading.Lock()

    def served(self, model: str) -> str:
        """What the server says it serves under a model's name, "" where it does not say; asked once.

        Two servers may give one name to different weights (`model`, `default`): their own record tells them apart.
        """
        with self._serving:
            if model not in self._served:
                self._served[model] = self._asked_for(model)
            return self._served[model]

    def _asked_for(self, model: str) -> str:
        import httpx

        wait = _FIRST_WAIT
        for failures in range(1, _UNREACHED + 1):
            try:
                reply = self._http.get(f"{self.address}/models", headers=_headers(), timeout=_LISTING)
                if reply.status_code not in _BUSY:
                    return served_model(reply.json(), model) if reply.status_code == 200 else ""
            except (httpx.TransportError, httpx.DecodingError) as error:
                unreached = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
                if failures == _UNREACHED or self._stopped.is_set():
                    raise self._given_up(_AgainError(_said(error), unreached=unreached)) from None
            except ValueError:
                return ""
            if self._stopped.wait(wait):
                break
            wait = min(2 * wait, _LONGEST_WAIT)
        return ""

    def ask(self, path: str, request: Mapping[str, Any]) -> dict[str, Any]:
        """The reply to a request."""
        until = time.monotonic() + self._patience
        wait, failures = _FIRST_WAIT, 0
        while True:
            try:
                with self._gate:
                    begun = time.monotonic()
                    reply = self._once(path, request, until)
                    return self._counted({**reply, SECONDS: round(time.monotonic() - begun, 4)})
            except _AgainError as error:
                self._note_failure()
                failures += not error.busy
                pause = wait if error.wait is None else error.wait
                most = _UNREACHED if error.unreached and not self.counts.answered else self._tries
                if failures >= most or time.monotonic() + pause > until:
                    raise self._given_up(error) from None
                wait = min(2 * wait, _LONGEST_WAIT)
                if self._stopped.wait(pause):
                    raise self._given_up(error) from None

    @contextmanager
    def ending(self) -> Iterator[None]:
        """While what is under way ends: nothing that fails now is asked again."""
        self._stopped.set()
        try:
            yield
        finally:
            self._stopped.clear()

    def close(self) -> None:
        """Ask nothing more, not even again."""
        self._stopped.set()
        self._http.close()

    def _once(self, path: str, request: Mapping[str, Any], until: float) -> dict[str, Any]:
        import httpx

        try:
            reply = self._post(path, request, until)
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise _AgainError(_said(error), unreached=True) from None
        except (httpx.TransportError, httpx.DecodingError) as error:
            raise _AgainError(_said(error)) from None
        except RuntimeError:
            # closed by another thread
            raise _AgainError("a client that was closed") from None
        status = reply.status
        if status == 429:
            raise _AgainError("status 429 (too many requests)", retry_after(reply.retry_after), busy=True)
        if status >= 500 or status in (408, 409, 425):
            raise _AgainError(f"status {status}{_message(reply)}", retry_after(reply.retry_after))
        if status in _REFUSED:
            with self.counts.lock:
                self.counts.refused += 1
            raise RefusedError(place=self.address, found=f"status {status}{_message(reply)}", expected="an answer")
        if status != 200:
            do = f"Is the key in {KEY} right?" if status in (401, 403) else "Are the address and the model right?"
            found = f"status {status}{_message(reply)}"
            raise InputError(place=self.address, found=found, expected="an answer", do=do)
        try:
            body = checked(json.loads(reply.body))
        except ValueError:
            body = None
        if body is None:
            raise _AgainError("a reply that is no completion")
        return body

    def _post(self, path: str, request: Mapping[str, Any], until: float) -> _Reply:
        """The whole reply, within the time for one request: a server that trickles is late as well."""
        left = max(0.05, min(self._timeout, until - time.monotonic()))
        late = time.monotonic() + left
        body = bytearray()
        url = f"{self.address}{path}"
        with self._http.stream("POST", url, json=request, headers=_headers(), timeout=left) as reply:
            for chunk in reply.iter_bytes():
                body += chunk
                if time.monotonic() > late or len(body) > _LONGEST_BODY:
                    raise _AgainError("a reply without an end")
        return _Reply(reply.status_code, reply.headers.get("Retry-After", "").strip(), bytes(body))

    def _counted(self, reply: dict[str, Any]) -> dict[str, Any]:
        given, made = tokens_of(reply)
        with self.counts.lock:
            self.counts.answered += 1
            self.counts.tokens_in += given
            self.counts.tokens_out += made
        return reply

    def _note_failure(self) -> None:
        with self.counts.lock:
            self.counts.failed_tries += 1

    def _given_up(self, error: _AgainError) -> InputError:
        do = "Is the endpoint up? What was answered is kept: the same command goes on from there."
        return InputError(place=self.address, found=str(error), expected="an answer", do=do)


def served_model(listing: Any, model: str) -> str:
    """The record of a model in a server's list, as text; without what changes at each start."""
    known = listing.get("data") if isinstance(listing, dict) else None
    records = [one for one in known if isinstance(one, dict)] if isinstance(known, list) else []
    own = [one for one in records if one.get("id") == model] or records
    kept = [{name: value for name, value in one.items() if name not in _OF_A_START} for one in own]
    return json.dumps(kept, sort_keys=True, ensure_ascii=True) if kept else ""


def _open_http(concurrency: int, timeout: float) -> httpx.Client:
    try:
        import httpx
    except ImportError:
        raise MissingExtraError("httpx", "llm") from None
    _headers()
    limits = httpx.Limits(max_connections=concurrency, max_keepalive_connections=concurrency)
    return httpx.Client(timeout=timeout, limits=limits)


def _headers() -> dict[str, str]:
    key = _key()
    if not key:
        return {}
    if not key.isascii() or not key.isprintable():
        found = "characters that no header can hold"
        raise InputError(place=f"the environment variable {KEY}", found=found, expected="a key as it was given to you")
    return {"Authorization": f"Bearer {key}"}


def _key() -> str:
    return os.environ.get(KEY, "").strip()


def _said(error: Exception) -> str:
    return f"{type(error).__name__} ({error})" if str(error) else type(error).__name__


def _message(reply: _Reply) -> str:
    """What the server says of its refusal, in short; a key that it repeats is not passed on."""
    try:
        body = json.loads(reply.body)
        error = body.get("error", body) if isinstance(body, dict) else body
        said = error.get("message", "") if isinstance(error, dict) else str(error)
    except ValueError:
        said = ""
    key = _key()
    said = " ".join(str(said).split())
    said = said.replace(key, "…") if key else said
    return f" ({said[:200]})" if said else ""


def retry_after(text: str) -> float | None:
    """How long the server asks to wait: seconds, or a date."""
    if not text:
        return None
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        when = parsedate_to_datetime(text)
    except ValueError:
        return None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())


# Answers of an endpoint on disk, by the SHA-256 of the exact request: a killed run asks nothing twice.
#
# The key has the address, the model's name and what the server says it serves under that name: what one server
# answered is never taken for another's. Requests are not kept, nor is any key of the user's.


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


def reply_cache() -> ReplyCache | None:
    """The user's cache; None where READPROOF_CACHE is `off`."""
    return None if os.environ.get("READPROOF_CACHE", "").strip().lower() == OFF else ReplyCache(cache_folder())


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


# An endpoint that is asked nothing twice: the client behind the cache.


class Endpoint:
    """Replies from the cache, else from the server; the same request from two threads at a time is asked once."""

    def __init__(self, client: Client, cache: ReplyCache | None) -> None:
        self.client = client
        self.cache = cache
        self.hits = 0
        self.saved_in = 0
        self.saved_out = 0
        self._lock = threading.Lock()
        self._asking: dict[str, tuple[threading.Lock, int]] = {}

    def ask(self, path: str, request: Mapping[str, Any]) -> dict[str, Any]:
        """The reply to a request."""
        if self.cache is None:
            return self.client.ask(path, request)
        served = self.client.served(str(request.get("model", "")))
        key = request_key(self.client.address, served, path, request)
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
