"""What a run with a language model ends with: what it cost, and what became of each question."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from typing import Any

from readproof.errors import InputError
from readproof.readers.llm.cache import Endpoint
from readproof.readers.llm.quotes import Quote
from readproof.readers.llm.spec import LLMSettings
from readproof.readers.llm.templates import Template
from readproof.readers.usage import Usage, figures_of


@dataclass(slots=True)
class LLMTally:
    """Counted by many threads: what became of each question, and which prompts were used."""

    options: int = 0
    unparsed: int = 0
    spans: int = 0
    unplaced: int = 0
    aligned: int = 0
    refused: int = 0
    changed: int = 0
    compared: int = 0
    replies: int = 0
    unscored: int = 0
    cut_off: int = 0
    withheld: int = 0
    unconstrained: int = 0
    cannot_constrain: bool = False
    refusal: InputError | None = None
    prompts: set[tuple[str, str]] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def choice(self, choice: int | None) -> None:
        """A question with options was answered, or its reply names none."""
        with self._lock:
            self.options += 1
            self.unparsed += choice is None

    def span(self, quote: Quote) -> None:
        """A span question was answered; perhaps with words that the passage does not hold, or nearly holds."""
        with self._lock:
            self.spans += 1
            self.unplaced += bool(quote.answer.text) and quote.answer.start is None
            self.aligned += quote.aligned

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

    def ended(self, *, cut_off: bool, withheld: bool) -> None:
        """How a reply ended: at the limit of tokens, or by a refusal."""
        with self._lock:
            self.cut_off += cut_off
            self.withheld += withheld

    def unconstrain(self) -> None:
        """A reply does not keep to the constraint that was asked for."""
        with self._lock:
            self.unconstrained += 1

    def shuffled(self, changed: int, compared: int) -> None:
        """A question was asked under several orders of its options."""
        with self._lock:
            self.changed += changed
            self.compared += compared

    def prompt(self, name: str, language: str) -> None:
        """A prompt was used."""
        with self._lock:
            self.prompts.add((name, language))


def usage_with(settings: LLMSettings, template: Template, endpoint: Endpoint, tally: LLMTally) -> Usage:
    """What was asked, what it cost, and what could not be used."""
    return replace(
        endpoint.usage(settings),
        independent=not template.joint,
        refused=tally.refused,
        withheld=tally.withheld,
        cut_off=tally.cut_off,
        unconstrained=tally.unconstrained,
        options=tally.options,
        unparsed=tally.unparsed,
        spans=tally.spans,
        aligned=tally.aligned,
        not_in_the_passage=tally.unplaced,
    )


def figures(settings: LLMSettings, template: Template, endpoint: Endpoint, tally: LLMTally) -> dict[str, Any]:
    """All of it, by name; what was not asked for is left out."""
    found = figures_of(usage_with(settings, template, endpoint, tally))
    found |= {
        "prompt": template.name,
        "letters": settings.letters,
        "track": "open",
        "cache": str(endpoint.cache.path) if endpoint.cache else "",
    }
    if tally.refusal:
        found["refusal"] = tally.refusal.found
    if settings.shuffle > 1:
        share = tally.changed / tally.compared if tally.compared else None
        found |= {"changed_letters": tally.changed, "compared_letters": tally.compared, "changed_share": share}
    return found
