"""When a reader stops: at a layer, when its answer is sure (entropy), or when it has said the same often enough.

layer:6        after layer 6
entropy:0.2    at the first exit with an entropy below 0.2 (nats); of a text with tags, that of its least sure tag
patience:3     at the first exit that says what the two before it said
tokens:0.2     tags alone: a character whose tag has less entropy is done; it is read by the others, but goes no
               further itself
entropy:0.2@8  as entropy:0.2, but at layer 8 at the latest; so with patience
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Literal

from readproof.errors import InputError
from readproof.readers.exits.manner import Kind

Rule = Literal["last", "layer", "entropy", "patience", "tokens"]

_EXPECTED = "layer:6, entropy:0.2, patience:3 (or entropy:0.2@8: at layer 8 at the latest) or, for tags, tokens:0.2"


@dataclass(frozen=True, slots=True)
class Policy:
    """A rule with its number; `last` never stops early. `most` is a layer that is not passed, 0 for none."""

    rule: Rule = "last"
    value: float = 0.0
    most: int = 0

    def __str__(self) -> str:
        if self.rule == "last":
            return self.rule
        return f"{self.rule}:{self.value:g}" + (f"@{self.most}" if self.most else "")


def parse_policy(text: str) -> Policy:
    """A rule as a person types it; nothing is `last`."""
    rule, _, latest = text.partition("@")
    name, _, number = rule.partition(":")
    if text in ("", "last"):
        return Policy()
    try:
        value = float(number)
    except ValueError:
        value = -1.0
    if "@" in text:
        right = len(latest) < 5 and latest.isascii() and latest.isdigit() and int(latest) >= 1
        if name not in ("entropy", "patience") or not right:
            raise InputError(place="--exit", found=repr(text), expected=_EXPECTED)
        return replace(parse_policy(rule), most=int(latest))
    whole = value == int(value) if 0 <= value < 10**6 else False
    if name in ("layer", "patience") and whole and value >= 1:
        return Policy("layer" if name == "layer" else "patience", value)
    if name in ("entropy", "tokens") and 0 <= value < float("inf"):
        return Policy("entropy" if name == "entropy" else "tokens", value)
    raise InputError(place="--exit", found=repr(text), expected=_EXPECTED)


def check_policy(policy: Policy, kind: Kind, exits: tuple[int, ...]) -> None:
    """An InputError where a reader of this kind cannot stop so."""
    named = int(policy.value) if policy.rule == "layer" else policy.most
    if named and named not in exits:
        expected = f"a layer with a head: {', '.join(map(str, exits))}"
        raise InputError(place="--exit", found=str(policy), expected=expected)
    if policy.rule == "tokens" and kind != "tags":
        raise InputError(place="--exit", found=f"{policy} for a reader of {kind}", expected="a reader of tags")


class Watch:
    """One question on its way up: told what each exit says, it knows whether that is the answer."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._before: Hashable = None
        self._same = 0

    def enough(self, layer: int, said: Hashable, doubt: float) -> bool:
        """Whether the reader may stop at this exit; `doubt` is its entropy."""
        self._same = self._same + 1 if self._same and said == self._before else 1
        self._before = said
        if 0 < self._policy.most <= layer:
            return True
        match self._policy.rule:
            case "layer":
                return layer >= self._policy.value
            case "entropy":
                return doubt < self._policy.value
            case "patience":
                return self._same >= self._policy.value
            case _:
                return False
