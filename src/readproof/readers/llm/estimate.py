"""What a job with a language model will take, before it is begun: requests, tokens in and out, money, time.

The reader goes through its questions as it will, and every request is counted instead of asked; one that the cache
answers costs nothing. Tokens are counted by the server's own tokenizer where it lets us (llama.cpp, vLLM), else at the
rate of earlier replies, else by a rule of thumb; which of them it was is said.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from ipaddress import ip_address
from itertools import islice
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from readproof.readers.llm.cache import Endpoint, request_key
from readproof.readers.llm.client import RefusedError
from readproof.readers.llm.replies import SECONDS, tokens_of
from readproof.readers.llm.spec import LLMSettings
from readproof.readers.usage import money, seconds, short

if TYPE_CHECKING:
    from readproof.items import Item
    from readproof.readers.llm.reader import LanguageModelReader

# tokens of one character: of Chinese, of other letters, of a digit or a mark; and of a message round its text
_HAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_LATIN = re.compile("[A-Za-z]")
_MARK = re.compile(r"[^\w\s]|\d")
_LETTER = re.compile(r"[^\W\d_]")
_PER_HAN, _PER_LATIN, _PER_MARK, _PER_LETTER, _PER_MESSAGE = 0.65, 0.25, 0.9, 0.45, 5.0
RULE = "a rule of thumb: a token is 1.5 Chinese characters or 4 Latin letters"
# how long replies are where nothing is known of them yet: a letter in a few words, a copied answer, reasons
_LETTER_REPLY, _SPAN_REPLY, _REASONED_REPLY = 4.0, 14.0, 400.0
_MILLION = 1_000_000
# requests that the tokenizer is asked about, those known from the cache, and those that are asked to see how fast it is
_COUNTED = 24
_KNOWN = 5
_TRIED = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What a job will take; what is not known is None. `cached` requests are answered by the cache.

    `counted` and `timed` say what tokens and time rest on. Of the requests `searched` are the most that attacks that
    search may ask: they end as soon as they have what they look for.
    """

    requests: int
    cached: int
    tokens_in: int
    tokens_out: int
    counted: str
    cost: float | None = None
    seconds: float | None = None
    timed: str = ""
    searched: int = 0

    def in_words(self) -> list[str]:
        """As lines for a person."""
        if not self.requests:
            return [f"nothing to ask, all of about {self.cached:,} requests are in the cache"]
        cost = "" if self.cost is None else f", cost {money(self.cost)}"
        lines = [
            f"about {self.requests:,} requests to ask ({self.cached:,} more are in the cache), "
            f"{short(self.tokens_in)} tokens in, {short(self.tokens_out)} out{cost}"
        ]
        if self.seconds is not None:
            lines[0] += f", {seconds(self.seconds)}"
        most = f"at most {self.searched:,} of the requests inside searches" if self.searched else ""
        notes = [most, f"tokens by {self.counted}", f"time by {self.timed}" if self.seconds is not None else ""]
        lines.append("; ".join(note for note in notes if note))
        return lines


@dataclass(slots=True)
class Recorder:
    """Stands in for an endpoint: every request is written down, none is asked, a known reply is given again.

    `units` are the tokens of `new` requests by the rule, `known` has those of requests that the cache answers. Those
    that will be asked word for word, as no reply that stands for another comes before them, are `first` too.
    """

    endpoint: Endpoint
    settings: LLMSettings
    requests: int = 0
    cached: int = 0
    units: float = 0.0
    replies: float = 0.0
    new: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    first: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    known: list[tuple[float, Mapping[str, Any]]] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)
    _stands: bool = False

    def begin(self) -> None:
        """Another conversation."""
        self._stands = False

    def ask(self, path: str, request: Mapping[str, Any]) -> dict[str, Any]:
        """The reply that is known, or one that stands for it."""
        key = request_key("", "", path, request)
        again = key in self._seen and self.endpoint.cache is not None
        self._seen.add(key)
        reply = self.endpoint.known(path, request)
        if reply is not None:
            self.cached += not again
            self.known += [] if again else [(units_of(request), reply)]
            return reply
        if not again:
            self.requests += 1
            self.units += units_of(request)
            self.replies += reply_tokens(request)
            self.new.append((path, request))
            self.first += [] if self._stands else [(path, request)]
        self._stands = True
        return {"choices": [{"message": {"content": "A"}, "text": "A"}]}


def units_of(request: Mapping[str, Any]) -> float:
    """The tokens of a request by the rule."""
    messages = request.get("messages")
    if isinstance(messages, list):
        return sum(_PER_MESSAGE + _tokens(str(one.get("content", ""))) for one in messages) + _PER_MESSAGE
    return _tokens(str(request.get("prompt", "")))


def _tokens(text: str) -> float:
    han, latin, marks = len(_HAN.findall(text)), len(_LATIN.findall(text)), len(_MARK.findall(text))
    letters = len(_LETTER.findall(text)) - han - latin
    return _PER_HAN * han + _PER_LATIN * latin + _PER_MARK * marks + _PER_LETTER * letters


def reply_tokens(request: Mapping[str, Any]) -> float:
    """How long a reply is likely to be, by what it may be."""
    most = float(request.get("max_tokens") or _REASONED_REPLY)
    if most <= 1:
        return most
    if most > 1000:
        return min(most, _REASONED_REPLY)
    content = str(request.get("messages", request.get("prompt", "")))
    return min(most, _LETTER_REPLY if "A. " in content or "A: " in content else _SPAN_REPLY)


def tried_out(endpoint: Endpoint, new: Sequence[tuple[str, Mapping[str, Any]]], concurrency: int) -> float | None:
    """Seconds a unit, by asking a few of the job's own questions; their replies are in the cache then.

    None where nothing may be asked that is not kept, or nothing is left to ask.
    """
    if endpoint.cache is None or not new:
        return None
    step = max(1, len(new) // max(_TRIED, concurrency))
    chosen = list(islice(new[::step], max(_TRIED, concurrency)))

    def ask(one: tuple[str, Mapping[str, Any]]) -> None:
        with suppress(RefusedError):
            endpoint.ask_ahead(*one)

    begun = time.monotonic()
    with ThreadPoolExecutor(concurrency) as pool:
        list(pool.map(ask, chosen))
    return (time.monotonic() - begun) / sum(units_of(request) for _, request in chosen)


def is_here(address: str) -> bool:
    """Whether an address is of this machine or its own network: what is asked there costs nobody money."""
    host = urlsplit(address).hostname or ""
    try:
        place = ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".local")
    return place.is_loopback or place.is_private


def server_count(endpoint: Endpoint, request: Mapping[str, Any]) -> int | None:
    """The tokens of a request by the server's own tokenizer; None where it has none for us."""
    client = endpoint.client
    messages = request.get("messages")
    if messages:
        text = client.beside("/apply-template", {"messages": messages})
        if isinstance(text, dict) and isinstance(text.get("prompt"), str):
            return _listed(client.beside("/tokenize", {"content": text["prompt"], "parse_special": True}))
        return _listed(client.beside("/tokenize", {"model": request.get("model"), "messages": messages}))
    body = {"content": request.get("prompt"), "add_special": True, "model": request.get("model")}
    return _listed(client.beside("/tokenize", {**body, "prompt": request.get("prompt")}))


def _listed(reply: Any) -> int | None:
    if not isinstance(reply, dict):
        return None
    count, tokens = reply.get("count"), reply.get("tokens")
    if isinstance(count, int) and count > 0:
        return count
    return len(tokens) if isinstance(tokens, list) and tokens else None


@dataclass(frozen=True, slots=True)
class Rates:
    """How far the rule is from this server: tokens in a unit, tokens out a reply, seconds a unit; and by what."""

    tokens: float
    counted: str
    out: float | None
    each: float | None
    timed: str


def rates_of(recorder: Recorder, *, tries: bool) -> Rates:
    """What the server and the cache say of a sample of requests; with `tries` a few of them are asked."""
    endpoint, settings, requests = recorder.endpoint, recorder.settings, recorder.new
    each = tried_out(endpoint, recorder.first, settings.concurrency) if tries else None
    known = list(recorder.known)
    if each is not None:
        for path, request in requests:
            reply = endpoint.known(path, request)
            known += [] if reply is None else [(units_of(request), reply)]
    tokens, counted = _tokens_a_unit(endpoint, requests, known)
    out = None
    if len(known) >= min(_KNOWN, _TRIED):
        out = sum(tokens_of(reply)[1] for _, reply in known) / len(known)
    timed = f"{_TRIED} of its questions, asked" if each is not None else ""
    if each is None:
        spent = [(units, float(reply[SECONDS])) for units, reply in known if reply.get(SECONDS)]
        if len(spent) >= _KNOWN:
            each = sum(took for _, took in spent) / sum(units for units, _ in spent) / settings.concurrency
            timed = f"{len(spent)} earlier replies"
    return Rates(tokens, counted, out, each, timed)


def _tokens_a_unit(
    endpoint: Endpoint,
    requests: Sequence[tuple[str, Mapping[str, Any]]],
    known: Iterable[tuple[float, Mapping[str, Any]]],
) -> tuple[float, str]:
    step = max(1, len(requests) // _COUNTED)
    units, found = 0.0, 0
    for _, request in islice(requests[::step], _COUNTED):
        count = server_count(endpoint, request)
        if count is None:
            break
        units += units_of(request)
        found += count
    if found:
        return found / units, "the server's tokenizer"
    pairs = [(one, tokens_of(reply)[0]) for one, reply in known if tokens_of(reply)[0]]
    if len(pairs) >= min(_KNOWN, _TRIED):
        return sum(count for _, count in pairs) / sum(one for one, _ in pairs), f"{len(pairs)} replies of this server"
    return 1.0, RULE


def estimate_of(recorder: Recorder, rates: Rates, *, searched: int = 0) -> Estimate:
    """What was written down, at the rates of the server."""
    tokens_in = round(rates.tokens * recorder.units)
    tokens_out = round(recorder.replies if rates.out is None else rates.out * recorder.requests)
    settings, cost = recorder.settings, None
    if settings.price_in is not None or settings.price_out is not None:
        cost = (tokens_in * (settings.price_in or 0.0) + tokens_out * (settings.price_out or 0.0)) / _MILLION
    return Estimate(
        requests=recorder.requests,
        cached=recorder.cached,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        counted=rates.counted,
        cost=cost,
        seconds=None if rates.each is None else rates.each * recorder.units,
        timed=rates.timed,
        searched=searched,
    )


def answering(reader: LanguageModelReader, groups: Sequence[Sequence[Item]], *, dry: bool) -> Estimate:
    """What it will take to answer some groups of questions.

    A few are asked at once to see how fast the server is; of a `dry` run only where that costs nobody money.
    """
    recorder = Recorder(reader.endpoint, reader.settings)
    reader.rehearse(groups, recorder)
    return estimate_of(recorder, rates_of(recorder, tries=may_try(reader.settings, dry=dry)))


def searching(reader: LanguageModelReader, items: Sequence[Item], budget: int, *, dry: bool) -> Estimate:
    """What a search against a reader may take: each item as often as its budget allows."""
    recorder = Recorder(reader.endpoint, reader.settings)
    reader.rehearse([(item,) for item in items], recorder)
    rates = rates_of(recorder, tries=may_try(reader.settings, dry=dry))
    asked = recorder.requests + recorder.cached
    units = recorder.units + sum(one for one, _ in recorder.known)
    replies = recorder.replies / recorder.requests if recorder.requests else _SPAN_REPLY
    most = budget * asked
    whole = replace(recorder, requests=most, units=budget * units, replies=most * replies)
    return estimate_of(whole, rates, searched=most)


def may_try(settings: LLMSettings, *, dry: bool) -> bool:
    """Whether a few questions may be asked before the start."""
    return not dry or (is_here(settings.address) and settings.price_in is None and settings.price_out is None)
