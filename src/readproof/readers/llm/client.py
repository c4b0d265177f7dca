"""Requests to an OpenAI-compatible endpoint: asked again when the way or the server fails, counted, within a budget.

The key comes from an environment variable, READPROOF_API_KEY or one that is named, and goes into the request's header,
nowhere else. A proxy is taken from the environment too (HTTPS_PROXY, HTTP_PROXY, NO_PROXY).
"""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from readproof.errors import InputError, MissingExtraError
from readproof.readers.llm.replies import SECONDS, checked, reused_in, tokens_of
from readproof.readers.llm.spec import BEARER, KEY

if TYPE_CHECKING:
    import httpx


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


class BudgetError(InputError):
    """As much was asked as the user allowed."""


class _Reply(NamedTuple):
    status: int
    headers: Mapping[str, str]
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
    """What was asked of the server: requests answered, tries that failed, requests refused, tokens in and out.

    `reused_in` are tokens in that the server had in its prefix cache; `spent` are the seconds of all requests that were
    answered, `seconds` those of each.
    """

    answered: int = 0
    failed_tries: int = 0
    refused: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    reused_in: int = 0
    spent: float = 0.0
    seconds: list[float] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)


@dataclass(frozen=True, slots=True)
class RequestBudget:
    """What may be asked in one run: so many requests (0: any number), so much money (None: any amount).

    The money may be exceeded by what the requests under way cost more than the mean of those before them.
    """

    requests: int = 0
    cost: float | None = None
    cost_of: Callable[[Counts], float] = lambda _counts: 0.0

    def check(self, counts: Sequence[Counts], under_way: int, place: str) -> None:
        """A BudgetError where one more request is too much, beside all that was asked in the run."""
        found = ""
        answered = sum(one.answered for one in counts)
        if self.requests and answered + under_way >= self.requests:
            found = f"{self.requests:,} requests, as many as --max-requests allows"
        elif self.cost is not None:
            spent = sum(map(self.cost_of, counts))
            each = spent / answered if answered else 0.0
            if spent + (under_way + 1) * each > self.cost:
                found = f"a cost of {spent:.4f}, and --max-cost {self.cost:g}"
        if found:
            do = "What was answered is kept: the same command with a higher limit resumes there."
            raise BudgetError(place=place, found=found, expected="a run within its limits", do=do)


class Client:
    """One endpoint; its `ask` may be called by many threads, of which `concurrency` talk to the server at a time.

    A request is given up after `tries` failures or `patience` seconds, whichever comes first; being told to wait
    (status 429) is no failure. A server that was never reached is given up after a few seconds.
    """

    def __init__(
        self,
        address: str,
        *,
        concurrency: int = 4,
        timeout: float = 120.0,
        patience: float = 600.0,
        tries: int = 10,
        key: str = KEY,
        key_header: str = BEARER,
        budget: RequestBudget | None = None,
    ) -> None:
        self.address = address
        self.counts = Counts()
        self._key = (key, key_header)
        self._budget = budget or RequestBudget()
        self._under_way = 0
        self._together: Sequence[Client] = (self,)
        self._held_until = 0.0
        self._timeout = timeout
        self._patience = patience
        self._tries = tries
        self._gate = threading.BoundedSemaphore(concurrency)
        self._stopped = threading.Event()
        self._http = _open_http(concurrency, timeout)
        _headers(*self._key)
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
                reply = self._http.get(self.url("/models"), headers=_headers(*self._key), timeout=_LISTING)
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

    def url(self, path: str) -> str:
        """The address of an endpoint of the server; what stands behind ? in its address (Azure) stays behind."""
        base, mark, query = self.address.partition("?")
        return f"{base}{path}{mark}{query}"

    def beside(self, path: str, body: Mapping[str, Any]) -> Any:
        """What the server says under a path that is not part of the API (llama.cpp, vLLM); None where it has none.

        Nothing is generated, so nothing is counted.
        """
        import httpx

        parts = urlsplit(self.address)
        try:
            url = f"{parts.scheme}://{parts.netloc}{path}"
            reply = self._http.post(url, json=body, headers=_headers(*self._key), timeout=_LISTING)
            return reply.json() if reply.status_code == 200 else None
        except (httpx.HTTPError, ValueError):
            return None

    def share_budget(self, clients: Sequence[Client]) -> None:
        """The limits are of these clients together, this one among them."""
        self._together = clients

    @contextmanager
    def _budgeted(self) -> Iterator[None]:
        with self.counts.lock:
            under_way = sum(one._under_way for one in self._together)
            self._budget.check([one.counts for one in self._together], under_way, self.address)
            self._under_way += 1
        try:
            yield
        finally:
            with self.counts.lock:
                self._under_way -= 1

    def ask(self, path: str, request: Mapping[str, Any]) -> dict[str, Any]:
        """The reply to a request."""
        with self._budgeted():
            return self._asked(path, request)

    def _asked(self, path: str, request: Mapping[str, Any]) -> dict[str, Any]:
        until = time.monotonic() + self._patience
        wait, failures = _FIRST_WAIT, 0
        while True:
            try:
                with self._gate:
                    self._stopped.wait(max(0.0, min(self._held_until, until) - time.monotonic()))
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
            raise _AgainError("status 429 (too many requests)", wait_of(reply.headers, busy=True), busy=True)
        if status >= 500 or status in (408, 409, 425):
            raise _AgainError(f"status {status}{self._message(reply)}", wait_of(reply.headers))
        if status in _REFUSED:
            with self.counts.lock:
                self.counts.refused += 1
            raise RefusedError(place=self.address, found=f"status {status}{self._message(reply)}", expected="an answer")
        if status != 200:
            do = (
                f"Is the key in {self._key[0]} right?"
                if status in (401, 403)
                else "Are the address and the model right?"
            )
            found = f"status {status}{self._message(reply)}"
            raise InputError(place=self.address, found=found, expected="an answer", do=do)
        try:
            body = checked(json.loads(reply.body))
        except ValueError:
            body = None
        if body is None:
            raise _AgainError("a reply that is no completion")
        self._held_until = time.monotonic() + used_up(reply.headers)
        return body

    def _post(self, path: str, request: Mapping[str, Any], until: float) -> _Reply:
        """The whole reply, within the time for one request: a server that trickles is late as well."""
        left = max(0.05, min(self._timeout, until - time.monotonic()))
        late = time.monotonic() + left
        body = bytearray()
        headers = _headers(*self._key)
        with self._http.stream("POST", self.url(path), json=request, headers=headers, timeout=left) as reply:
            for chunk in reply.iter_bytes():
                body += chunk
                if time.monotonic() > late or len(body) > _LONGEST_BODY:
                    raise _AgainError("a reply without an end")
        return _Reply(reply.status_code, reply.headers, bytes(body))

    def _counted(self, reply: dict[str, Any]) -> dict[str, Any]:
        given, made = tokens_of(reply)
        with self.counts.lock:
            self.counts.answered += 1
            self.counts.tokens_in += given
            self.counts.tokens_out += made
            self.counts.reused_in += reused_in(reply)
            self.counts.spent += reply[SECONDS]
            self.counts.seconds.append(reply[SECONDS])
        return reply

    def _message(self, reply: _Reply) -> str:
        """What the server says of its refusal, in short; a key that it repeats is not passed on."""
        try:
            body = json.loads(reply.body)
            error = body.get("error", body) if isinstance(body, dict) else body
            said = error.get("message", "") if isinstance(error, dict) else str(error)
        except ValueError:
            said = ""
        key = os.environ.get(self._key[0], "").strip()
        said = " ".join(str(said).split())
        said = said.replace(key, "…") if key else said
        return f" ({said[:200]})" if said else ""

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
    limits = httpx.Limits(max_connections=concurrency, max_keepalive_connections=concurrency)
    return httpx.Client(timeout=timeout, limits=limits)


def _headers(variable: str, header: str) -> dict[str, str]:
    key = os.environ.get(variable, "").strip()
    if not key:
        return {}
    if not key.isascii() or not key.isprintable():
        place, found = f"the environment variable {variable}", "characters that no header can hold"
        raise InputError(place=place, found=found, expected="a key as it was given to you")
    return {header: f"Bearer {key}" if header == BEARER else key}


def _said(error: Exception) -> str:
    return f"{type(error).__name__} ({error})" if str(error) else type(error).__name__


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


_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
_LIMITS = ("requests", "tokens")


def wait_of(headers: Mapping[str, str], *, busy: bool = False) -> float | None:
    """How long the server asks to wait: by Retry-After, in milliseconds too; too busy, by its limits' resets."""
    exact = _number(headers.get("retry-after-ms", ""))
    if exact is not None:
        return exact / 1000
    told = retry_after(headers.get("retry-after", "").strip())
    return used_up(headers) or None if told is None and busy else told


def used_up(headers: Mapping[str, str]) -> float:
    """Seconds until a limit of the server's is reset, where its headers say that nothing is left of it."""
    waits = [
        duration(headers.get(f"x-ratelimit-reset-{one}", ""))
        for one in _LIMITS
        if _number(headers.get(f"x-ratelimit-remaining-{one}", "")) == 0
    ]
    return max((one for one in waits if one is not None), default=0.0)


def duration(text: str) -> float | None:
    """A time as rate-limit headers say it: 6m0s, 20ms, or seconds."""
    found = _DURATION.findall(text)
    if found and "".join(number + unit for number, unit in found) == text.strip():
        return sum(float(number) * _UNITS[unit] for number, unit in found)
    return _number(text)


def _number(text: str) -> float | None:
    try:
        return max(0.0, float(text))
    except ValueError:
        return None
