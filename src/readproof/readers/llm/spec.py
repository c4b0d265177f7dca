"""What `llm:ADDRESS#MODEL?option=value&…` says: where the model is, and how it is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal
from urllib.parse import parse_qsl, urlsplit

from readproof.errors import InputError

# of the user's key: the environment variable that holds it, and the header that takes it
KEY, BEARER = "READPROOF_API_KEY", "Authorization"
FORM = "llm:http://host:port/v1#model"
# these change what is asked; the others only how fast, how long and at what price
_ASKING = (
    *("model", "prompt", "joined", "letters", "constrain", "api", "top", "shuffle", "seed", "shots"),
    *("temperature", "max_tokens", "thinking"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LLMSettings:
    """Every option of a spec; docs/llm.md says what each is for.

    `max_tokens` None leaves it to the prompt, 0 to the server; `temperature` None leaves it to the server. `joined`
    "" leaves it to the prompt whether the questions of a triple are asked in one conversation.
    """

    address: str
    model: str
    prompt: str = "independent"
    joined: Literal["", "alone", "turns", "text"] = ""
    letters: Literal["generate", "likelihood"] = "generate"
    constrain: Literal["off", "json", "grammar"] = "off"
    api: Literal["chat", "completions"] = "chat"
    top: int = 20
    shuffle: int = 1
    seed: int = 0
    examples: str = ""
    shots: int = 4
    temperature: float | None = 0.0
    max_tokens: int | None = None
    thinking: int = 0
    extra: str = ""
    concurrency: int = 4
    timeout: float = 120.0
    patience: float = 600.0
    tries: int = 10
    price_in: float | None = None
    price_out: float | None = None
    price_reused: float | None = None
    max_requests: int = 0
    max_cost: float | None = None
    cache: Literal["on", "off"] = "on"
    key: str = KEY
    key_header: str = BEARER

    def asking(self) -> dict[str, Any]:
        """What the answers may depend on, but for who is asked."""
        return {name: getattr(self, name) for name in _ASKING}


_CHOICES = {
    "letters": ("generate", "likelihood"),
    "api": ("chat", "completions"),
    "joined": ("alone", "turns", "text"),
    "constrain": ("off", "json", "grammar"),
    "cache": ("on", "off"),
}
_WHOLE = {
    "top": (1, 1000),
    "shuffle": (1, 24),
    "seed": (0, 2**31),
    "shots": (1, 64),
    "max_tokens": (0, 1_000_000),
    "concurrency": (1, 256),
    "tries": (1, 1000),
    "thinking": (0, 1_000_000),
    "max_requests": (1, 10**9),
}
_FIGURES = {
    "temperature": (0.0, 2.0),
    "timeout": (0.1, 86_400.0),
    "patience": (0.1, 864_000.0),
    "price_in": (0.0, 1e9),
    "price_out": (0.0, 1e9),
    "price_reused": (0.0, 1e9),
    "max_cost": (0.0, 1e9),
}
_NONE = ("temperature",)
# of an address: what Azure wants behind its ?; a key has no place there
_QUERY = {"api-version"}


def parse_spec(spec: str) -> LLMSettings:
    """The settings that a spec gives; an InputError names what is wrong in it."""
    address, separator, rest = spec.removeprefix("llm:").partition("#")
    model, _, query = rest.partition("?")
    if not separator or not model:
        found = "a language-model reader without a model" if address else "a language-model reader without an address"
        raise InputError(place=shown_spec(spec), found=found, expected=FORM)
    settings = LLMSettings(address=checked_address(address), model=model, **_options(query, spec))
    if settings.max_cost is not None and settings.price_in is None and settings.price_out is None:
        found, expected = "max_cost without a price", "price_in, price_out, or both: the price of a million tokens"
        raise InputError(place=shown_spec(spec), found=found, expected=expected)
    return settings


def with_options(spec: str, given: Mapping[str, Any]) -> str:
    """A spec with more options, which win over its own; those that are None are left out."""
    more = [f"{name}={value}" for name, value in given.items() if value is not None]
    if not more:
        return spec
    if not spec.startswith("llm:"):
        dashed = ", ".join(f"--{one.partition('=')[0].replace('_', '-')}" for one in more)
        found = f"{dashed} with the reader {spec!r}"
        raise InputError(found=found, expected=FORM, do="Only a language model has a cost to limit.")
    _, _, rest = spec.partition("#")
    return f"{spec}{'&' if '?' in rest else '?'}{'&'.join(more)}"


def checked_address(address: str) -> str:
    """The endpoint's address without a slash at its end; one that holds a password is refused, and not shown."""
    try:
        parts = urlsplit(address)
        host = parts.hostname
        _ = parts.port
    except ValueError:
        host, parts = None, urlsplit("")
    if parts.username or parts.password:
        raise InputError(
            place="llm:",
            found="a user name or password in the address of a language-model endpoint",
            expected=FORM,
            do="Put the key into the environment variable READPROOF_API_KEY.",
        )
    if parts.query and {name for name, _ in parse_qsl(parts.query, keep_blank_values=True)} - _QUERY:
        found = "a language-model endpoint with more in its address than api-version"
        raise InputError(place=f"llm:{address.partition('?')[0]}", found=found, expected=FORM)
    if parts.scheme not in ("http", "https") or not host:
        found = "a language-model endpoint that is no http or https address"
        raise InputError(place=f"llm:{address}", found=found, expected=FORM)
    return address.rstrip("/")


def shown_spec(spec: str) -> str:
    """The spec without its options and without what may be a secret."""
    address, _, rest = spec.partition("#")
    return (address.rpartition("@")[2] if "@" in address else address) + (f"#{rest.partition('?')[0]}" if rest else "")


def _options(query: str, spec: str) -> Mapping[str, Any]:
    known = {one.name for one in fields(LLMSettings)} - {"address", "model"}
    values: dict[str, Any] = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        if name not in known:
            expected = f"one of {', '.join(sorted(known))}"
            raise InputError(place=shown_spec(spec), found=f"the option {name!r}", expected=expected)
        values[name] = _value(name, value, spec)
    return values


def _value(name: str, value: str, spec: str) -> Any:
    if name in _CHOICES:
        if value in _CHOICES[name]:
            return value
        raise _wrong(name, value, " or ".join(_CHOICES[name]), spec)
    if name in _NONE and value == "none":
        return None
    if name in _WHOLE:
        low, high = _WHOLE[name]
        if value.isascii() and value.isdigit() and len(value) < 12 and low <= int(value) <= high:
            return int(value)
        raise _wrong(name, value, f"a whole number from {low} to {high}", spec)
    if name in _FIGURES:
        least, most = _FIGURES[name]
        try:
            number = float(value)
        except ValueError:
            number = -1.0
        if least <= number <= most:
            return number
        raise _wrong(name, value, f"a number from {least:g} to {most:g}", spec)
    return value


def _wrong(name: str, value: str, expected: str, spec: str) -> InputError:
    return InputError(place=f"{shown_spec(spec)}, {name}", found=repr(value[:60]), expected=expected)
