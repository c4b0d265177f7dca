"""How a conversation becomes a request: for the chat endpoint, or as one text for models that only complete it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from readproof.items import letter
from readproof.readers.llm.endpoint import Endpoint
from readproof.readers.llm.letters import letter_of
from readproof.readers.llm.likelihood import letter_scores
from readproof.readers.llm.replies import first_tokens, text_of
from readproof.readers.llm.spec import Settings
from readproof.readers.llm.templates import Template, Words

# what the user asked, and what the model answered
Turn = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Vote:
    """What one reply says: the option it settles on, the words, scores where there are any.

    `unscored` marks a reply without the log-probabilities that were asked for.
    """

    choice: int | None
    said: str
    scores: tuple[float, ...] | None = None
    unscored: bool = False


@dataclass(frozen=True, slots=True)
class Asker:
    """Asks one endpoint under one set of settings."""

    endpoint: Endpoint
    settings: Settings

    def text(self, template: Template, words: Words, before: Sequence[Turn], question: str) -> str:
        """What the model says."""
        most = template.max_tokens if self.settings.max_tokens is None else self.settings.max_tokens
        extra: dict[str, Any] = {"max_tokens": most} if most else {}
        if self.settings.api == "completions" and not template.reasons:
            extra["stop"] = ["\n"]
        return text_of(self.endpoint.ask(*self._request(words, before, question, extra)))

    def vote(
        self, template: Template, words: Words, before: Sequence[Turn], question: str, options: Sequence[str]
    ) -> Vote:
        """The option that the model chooses."""
        if self.settings.letters == "likelihood":
            return self._likeliest(words, before, question, len(options))
        said = self.text(template, words, before, question)
        lead = words.lead if self.settings.api == "completions" else ""
        return Vote(letter_of(lead + said, options), said)

    def _likeliest(self, words: Words, before: Sequence[Turn], question: str, count: int) -> Vote:
        chat = self.settings.api == "chat"
        top = self.settings.top
        extra: dict[str, Any] = {"logprobs": True, "top_logprobs": top} if chat else {"logprobs": top}
        reply = self.endpoint.ask(*self._request(words, before, question, {"max_tokens": 1, **extra}))
        tokens = first_tokens(reply)
        if tokens is None:
            # also where the first token is an end or half a character: the reader judges by all replies
            return Vote(None, text_of(reply), unscored=True)
        scores = letter_scores(tokens, count)
        if scores is None:
            return Vote(None, text_of(reply))
        choice = max(range(count), key=lambda at: (scores[at], -at))
        return Vote(choice, letter(choice), scores)

    def _request(
        self, words: Words, before: Sequence[Turn], question: str, extra: dict[str, Any]
    ) -> tuple[str, dict[str, Any]]:
        request: dict[str, Any] = {"model": self.settings.model, **extra}
        if self.settings.temperature is not None:
            request["temperature"] = self.settings.temperature
        if self.settings.api == "completions":
            request["prompt"] = _as_text(words, before, question)
            return "/completions", request
        messages = [{"role": "system", "content": words.system}] if words.system else []
        for asked, answered in before:
            messages += [{"role": "user", "content": asked}, {"role": "assistant", "content": answered}]
        messages.append({"role": "user", "content": question})
        request["messages"] = messages
        return "/chat/completions", request


def _as_text(words: Words, before: Sequence[Turn], question: str) -> str:
    lead = f"\n{words.lead}" if words.lead else ""
    pieces = [words.system] if words.system else []
    pieces += [f"{asked}{lead}{answered}" for asked, answered in before]
    return "\n\n".join([*pieces, f"{question}{lead}"])
