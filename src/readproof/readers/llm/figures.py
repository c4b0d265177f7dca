"""What a run with a language model ends with: requests, tokens, cost, and what could not be used."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

from readproof.errors import InputError
from readproof.items import Answer
from readproof.readers.llm.client import Endpoint
from readproof.readers.llm.spec import LLMSettings
from readproof.readers.llm.templates import Template

_MILLION = 1_000_000


@dataclass(slots=True)
class LLMTally:
    """Counted by many threads: what became of each question, and which prompts were used."""

    options: int = 0
    unparsed: int = 0
    spans: int = 0
    unplaced: int = 0
    refused: int = 0
    changed: int = 0
    compared: int = 0
    replies: int = 0
    unscored: int = 0
    refusal: InputError | None = None
    prompts: set[tuple[str, str]] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def choice(self, choice: int | None) -> None:
        """A question with options was answered, or its reply names none."""
        with self._lock:
            self.options += 1
            self.unparsed += choice is None

    def span(self, answer: Answer) -> None:
        """A span question was answered; perhaps with words that the passage does not hold."""
        with self._lock:
            self.spans += 1
            self.unplaced += bool(answer.text) and answer.start is None

    def refuse(self, error: InputError, questions: int = 1) -> None:
        """The server would not take the request."""
        with self._lock:
            self.refused += questions
            self.refusal = self.refusal or error

    def reply(self, *, unscored: bool) -> None:
        """A reply came, perhaps without the log-probabilities it should have."""
        with self._lock:
            self.replies += 1
            self.unscored += unscored

    def shuffled(self, changed: int, compared: int) -> None:
        """A question was asked under several orders of its options."""
        with self._lock:
            self.changed += changed
            self.compared += compared

    def prompt(self, name: str, language: str) -> None:
        """A prompt was used."""
        with self._lock:
            self.prompts.add((name, language))


def figures(settings: LLMSettings, template: Template, endpoint: Endpoint, tally: LLMTally) -> dict[str, Any]:
    """All of it, by name; what was not asked for is left out."""
    counts = endpoint.client.counts
    found: dict[str, Any] = {
        "model": settings.model,
        "prompt": template.name,
        "letters": settings.letters,
        "track": "open",
        "independent": not template.joint,
        "requests": counts.answered,
        "failed_tries": counts.failed_tries,
        "cache_hits": endpoint.hits,
        "cache": str(endpoint.cache.path) if endpoint.cache else "",
        "tokens_in": counts.tokens_in,
        "tokens_out": counts.tokens_out,
        "cached_tokens_in": endpoint.saved_in,
        "cached_tokens_out": endpoint.saved_out,
        "refused": tally.refused,
    }
    if tally.refusal:
        found["refusal"] = tally.refusal.found
    if tally.options:
        found |= {"unparsed": tally.unparsed, "unparsed_rate": tally.unparsed / tally.options}
    if tally.spans:
        found |= {"not_in_the_passage": tally.unplaced, "not_in_the_passage_rate": tally.unplaced / tally.spans}
    if settings.shuffle > 1:
        share = tally.changed / tally.compared if tally.compared else None
        found |= {"changed_letters": tally.changed, "compared_letters": tally.compared, "changed_share": share}
    if settings.price_in is not None or settings.price_out is not None:
        price_in, price_out = settings.price_in or 0.0, settings.price_out or 0.0
        found["cost"] = (counts.tokens_in * price_in + counts.tokens_out * price_out) / _MILLION
        found["cost_without_cache"] = (
            (counts.tokens_in + endpoint.saved_in) * price_in + (counts.tokens_out + endpoint.saved_out) * price_out
        ) / _MILLION
    return found


def in_words(found: dict[str, Any]) -> list[str]:
    """The figures as lines for a person."""
    where = f" ({found['cache']})" if found["cache_hits"] and found.get("cache") else ""
    lines = [
        f"{found['requests']} requests ({found['failed_tries']} failed tries), {found['cache_hits']} from the cache"
        f"{where}; {found['tokens_in']} tokens in, {found['tokens_out']} out"
    ]
    if "cost" in found:
        lines[0] += f"; cost {found['cost']:.4f}, {found['cost_without_cache']:.4f} without the cache"
    if "unparsed" in found:
        lines.append(f"no letter found for {found['unparsed']} questions ({found['unparsed_rate']:.1%}): left empty")
    if "not_in_the_passage" in found:
        share = found["not_in_the_passage_rate"]
        lines.append(f"{found['not_in_the_passage']} answers ({share:.1%}) are not in the passage as they were given")
    if found["refused"]:
        lines.append(f"{found['refused']} questions refused by the server, left empty: {found['refusal']}")
    if found.get("compared_letters"):
        share = found["changed_share"]
        lines.append(f"{share:.1%} of {found['compared_letters']} letters changed under another order of the options")
    if not found["independent"]:
        lines.append("not independent: the three questions of a triple were asked in one conversation")
    return lines
