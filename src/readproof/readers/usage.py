"""What a reader behind an endpoint was asked, and what that cost: requests, tokens, money, and what could not be used.

Counts only grow, so that what a batch cost is the difference of two, and what a run cost is the sum over its sessions.
Replies that came from the cache are counted apart: they cost nothing, and say nothing about how fast the server is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from statistics import median, quantiles
from typing import Any, Protocol, runtime_checkable

_MILLION = 1_000_000
# latencies kept in a run's files
MOST_LATENCIES = 5000
_SUMMED = (int, float)


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Counts since a reader was opened, or over the sessions of a run.

    Of `tokens_in` the server had `reused_tokens_in` in its own prefix cache. `cached_…` is what replies from our cache
    cost when they were asked. `seconds` is the time of all requests that the server answered, `latencies` that of each;
    of a request that was tried again, the last try's.
    `aligned` answers quote the passage loosely, `not_in_the_passage` not at all; `withheld` replies were refused by the
    model or its filter, `refused` questions by the server; `cut_off` replies ended at the limit of tokens.
    """

    model: str = ""
    independent: bool = True
    requests: int = 0
    failed_tries: int = 0
    cache_hits: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    reused_tokens_in: int = 0
    cached_tokens_in: int = 0
    cached_tokens_out: int = 0
    cached_seconds: float = 0.0
    refused: int = 0
    withheld: int = 0
    cut_off: int = 0
    unconstrained: int = 0
    options: int = 0
    unparsed: int = 0
    spans: int = 0
    aligned: int = 0
    not_in_the_passage: int = 0
    price_in: float | None = None
    price_out: float | None = None
    price_reused: float | None = None
    seconds: float = 0.0
    latencies: tuple[float, ...] = field(default=(), repr=False)

    @property
    def priced(self) -> bool:
        """Whether a price was given."""
        return self.price_in is not None or self.price_out is not None

    @property
    def cost(self) -> float:
        """What was asked of the server, at the prices given."""
        reused = self.reused_tokens_in if self.price_reused is not None else 0
        own = (self.tokens_in - reused) * (self.price_in or 0.0) + reused * (self.price_reused or 0.0)
        return (own + self.tokens_out * (self.price_out or 0.0)) / _MILLION

    @property
    def cost_without_cache(self) -> float:
        """What it would have cost if nothing had come from the cache."""
        cached = self.cached_tokens_in * (self.price_in or 0.0) + self.cached_tokens_out * (self.price_out or 0.0)
        return self.cost + cached / _MILLION

    def plus(self, other: Usage) -> Usage:
        """Both together; of what is no count, the later one's."""
        return self._with(other, 1)

    def since(self, before: Usage) -> Usage:
        """What was added since."""
        found = self._with(before, -1)
        return replace(found, latencies=self.latencies[len(before.latencies) :])

    def _with(self, other: Usage, sign: int) -> Usage:
        later = other if sign > 0 else self
        values: dict[str, Any] = {}
        for one in fields(Usage):
            own, added = getattr(self, one.name), getattr(other, one.name)
            counts = isinstance(own, _SUMMED) and not isinstance(own, bool) and not one.name.startswith("price")
            values[one.name] = own + sign * added if counts else getattr(later, one.name)
        values["latencies"] = (*self.latencies, *other.latencies)[:MOST_LATENCIES] if sign > 0 else ()
        return Usage(**values)


@runtime_checkable
class MeteredReader(Protocol):
    """A reader that says what it was asked so far."""

    def usage(self) -> Usage: ...


def latency(seconds: Sequence[float]) -> dict[str, float]:
    """Half of some requests were answered within `median` seconds, nine in ten within `p90`; {} of none."""
    if not seconds:
        return {}
    p90 = quantiles(seconds, n=10, method="inclusive")[-1] if len(seconds) > 1 else seconds[0]
    return {"median": median(seconds), "p90": p90}


def figures_of(usage: Usage) -> dict[str, Any]:
    """A usage by name, as `--json` and the files of a run have it."""
    found = {
        one.name: getattr(usage, one.name)
        for one in fields(Usage)
        if one.name != "latencies" and not one.name.startswith("price")
    }
    found["seconds"] = round(usage.seconds, 3)
    found["cached_seconds"] = round(usage.cached_seconds, 3)
    if usage.options:
        found["unparsed_rate"] = usage.unparsed / usage.options
    if usage.spans:
        found["not_in_the_passage_rate"] = usage.not_in_the_passage / usage.spans
    if usage.latencies:
        found["latency"] = {name: round(one, 4) for name, one in latency(usage.latencies).items()}
    if usage.priced:
        found |= {"cost": usage.cost, "cost_without_cache": usage.cost_without_cache}
    return found


def in_words(found: Mapping[str, Any]) -> list[str]:
    """Figures as lines for a person."""
    lines = [
        f"{_requests(found['requests'])}{_tries(found)}, {found['cache_hits']:,} from the cache; "
        f"{found['tokens_in']:,} tokens in{_reused(found)}, {found['tokens_out']:,} out"
    ]
    if "cost" in found:
        lines[0] += f"; cost {money(found['cost'])}"
        if found["cache_hits"]:
            lines[0] += f", {money(found['cost_without_cache'])} without the cache"
    if "latency" in found:
        spent = found["latency"]
        lines.append(f"a request took {seconds(spent['median'])}, one in ten over {seconds(spent['p90'])}")
    if found["cache_hits"]:
        where = f" ({found['cache']})" if found.get("cache") else ""
        before = found["cached_tokens_in"], found["cached_tokens_out"]
        lines.append(
            f"from the cache{where}: {before[0]:,} tokens in, {before[1]:,} out, "
            f"{seconds(found['cached_seconds'])} when they were asked"
        )
    lines += _unused(found)
    return lines


def _requests(count: int) -> str:
    return f"{count:,} request{'' if count == 1 else 's'}"


def _tries(found: Mapping[str, Any]) -> str:
    failed = found["failed_tries"]
    return f" ({failed:,} failed {'try' if failed == 1 else 'tries'})" if failed else ""


def _reused(found: Mapping[str, Any]) -> str:
    share = found["reused_tokens_in"] / found["tokens_in"] if found["tokens_in"] else 0.0
    return f" ({share:.0%} of them in the server's prefix cache)" if share else ""


def _unused(found: Mapping[str, Any]) -> list[str]:
    """What replies could not be used, each kind a line; nothing is passed over in silence."""
    lines = []
    if found["options"]:
        empty, share = found["unparsed"], found["unparsed_rate"]
        lines.append(f"no letter found in the replies to {empty} of {found['options']} questions ({share:.1%})")
    if found["spans"]:
        missing, share = found["not_in_the_passage"], found["not_in_the_passage_rate"]
        lines.append(
            f"{missing} of {found['spans']} answers ({share:.1%}) are not in the passage; "
            f"{found['aligned']} quote it loosely and were aligned"
        )
    if found["refused"]:
        why = f": {found['refusal']}" if found.get("refusal") else ""
        lines.append(f"{found['refused']} questions refused by the server, left empty{why}")
    if found["withheld"]:
        lines.append(f"{found['withheld']} replies withheld by the model or its filter")
    if found["cut_off"]:
        lines.append(f"{found['cut_off']} replies cut off at max_tokens")
    if found["unconstrained"]:
        lines.append(f"{found['unconstrained']} replies are not constrained: the server does not support it")
    if found.get("compared_letters"):
        share = found["changed_share"]
        lines.append(f"{share:.1%} of {found['compared_letters']} letters changed under another order of the options")
    if not found["independent"]:
        lines.append("not independent: the questions of a triple were asked in one conversation")
    return lines


def money(amount: float) -> str:
    """An amount in whatever currency the prices are."""
    return f"{amount:,.2f}" if amount >= 1 else f"{amount:.4f}"


def seconds(amount: float) -> str:
    """A short time for a person."""
    if amount >= 90:
        return f"{amount / 60:.0f} min"
    return f"{amount:.1f} s" if amount >= 0.95 else f"{1000 * amount:.0f} ms"


def brief(usage: Usage) -> str:
    """A line of progress."""
    words = [_requests(usage.requests)]
    if usage.cache_hits:
        words.append(f"{usage.cache_hits:,} cached")
    words.append(f"{short(usage.tokens_in)} tokens in, {short(usage.tokens_out)} out")
    if usage.priced:
        words.append(f"cost {money(usage.cost)}")
    return ", ".join(words)


def short(count: float) -> str:
    """A count in at most five characters: 950, 12k, 1.3M."""
    if count >= _MILLION:
        return f"{count / _MILLION:.1f}M"
    return f"{count / 1000:.0f}k" if count >= 10_000 else f"{count:.0f}"
