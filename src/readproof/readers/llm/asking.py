"""How a conversation becomes a request, and a reply a vote for an option.

A reply may be constrained where the server can: by a JSON schema (`constrain=json`), or by a grammar as llama.cpp has
them (`constrain=grammar`). A server that refuses the constraint is asked without it; one that takes no notice is read
as any other. Both are counted.
"""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from readproof.items import LETTERS, letter
from readproof.readers.llm.client import RefusedError
from readproof.readers.llm.figures import LLMTally
from readproof.readers.llm.replies import cut_off, first_tokens, letter_of, text_of, withheld
from readproof.readers.llm.spec import LLMSettings
from readproof.readers.llm.templates import PromptWords, Template

# The letter that a model finds likeliest as the beginning of its answer, where the server tells.

_AROUND = " \t\n▁Ġ()[]（）【】.。:：、*"


def letter_scores(tokens: Mapping[str, float], count: int) -> tuple[float, ...] | None:
    """The share of each option among the letters found; None where the server named none of them.

    The server names only the likeliest tokens: a letter that is not among them has the share 0, and cannot be the best.
    """
    found = [0.0] * count
    top = max(tokens.values(), default=0.0)
    for token, value in tokens.items():
        name = unicodedata.normalize("NFKC", token).strip(_AROUND)
        # capitals only: a small a begins many a word
        if len(name) == 1 and name in LETTERS[:count] and value > -math.inf:
            found[LETTERS.index(name)] += math.exp(value - top)
    total = sum(found)
    return tuple(value / total for value in found) if total else None


# How a conversation becomes a request: for the chat endpoint, or as one text for models that only complete it.

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


class Asks(Protocol):
    """What gives a reply to a request: an endpoint, or what only counts."""

    def ask(self, path: str, request: Mapping[str, Any]) -> dict[str, Any]: ...


class Rehearses(Asks, Protocol):
    """What only counts the requests of a conversation, whose replies are not those that the model would give."""

    def begin(self) -> None:
        """Another conversation."""
        ...


@dataclass(frozen=True, slots=True)
class LLMAsker:
    """Asks one endpoint under one set of settings; `extra` are fields of the user's own for every request."""

    endpoint: Asks
    settings: LLMSettings
    tally: LLMTally
    extra: Mapping[str, Any]

    def text(
        self,
        template: Template,
        words: PromptWords,
        before: Sequence[Turn],
        question: str,
        options: Sequence[str] | None = None,
    ) -> str:
        """What the model says; `options` are those of the question, None where a text is wanted."""
        most = template.max_tokens if self.settings.max_tokens is None else self.settings.max_tokens
        # thoughts come before the answer, and need room of their own
        extra: dict[str, Any] = {"max_tokens": most + self.settings.thinking} if most else {}
        if self.settings.api == "completions" and not template.reasons:
            extra["stop"] = ["\n"]
        if self.settings.constrain == "off" or template.reasons:
            return self._said(self._request(words, before, question, extra))
        return self._constrained(self._request(words, before, question, extra), options)

    def vote(
        self, template: Template, words: PromptWords, before: Sequence[Turn], question: str, options: Sequence[str]
    ) -> Vote:
        """The option that the model chooses."""
        if self.settings.letters == "likelihood":
            return self._likeliest(words, before, question, len(options))
        said = self.text(template, words, before, question, options)
        lead = words.lead if self.settings.api == "completions" else ""
        return Vote(letter_of(lead + said, options), said)

    def _likeliest(self, words: PromptWords, before: Sequence[Turn], question: str, count: int) -> Vote:
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

    def _said(self, request: tuple[str, dict[str, Any]]) -> str:
        reply = self.endpoint.ask(*request)
        self.tally.ended(cut_off=cut_off(reply), withheld=withheld(reply))
        return text_of(reply)

    def _constrained(self, request: tuple[str, dict[str, Any]], options: Sequence[str] | None) -> str:
        """What the model says inside the constraint; of a server that refuses it, without."""
        path, body = request
        field = constraint(self.settings.constrain, None if options is None else len(options))
        if self.tally.cannot_constrain:
            self.tally.unconstrain()
            return self._said(request)
        try:
            said = self._said((path, {**body, **field}))
        except RefusedError:
            # too long without the constraint too: then that is what is told
            said = self._said(request)
            self.tally.cannot_constrain = True
            self.tally.unconstrain()
            return said
        found = inside(said, self.settings.constrain, None if options is None else len(options))
        if found is None:
            self.tally.unconstrain()
            return said
        return found

    def _request(
        self, words: PromptWords, before: Sequence[Turn], question: str, extra: dict[str, Any]
    ) -> tuple[str, dict[str, Any]]:
        request: dict[str, Any] = {"model": self.settings.model, **extra}
        if self.settings.temperature is not None:
            request["temperature"] = self.settings.temperature
        if self.settings.api == "completions":
            request["prompt"] = _as_text(words, before, question)
            return "/completions", self._with_extra(request)
        messages = [{"role": "system", "content": words.system}] if words.system else []
        for asked, answered in before:
            messages += [{"role": "user", "content": asked}, {"role": "assistant", "content": answered}]
        messages.append({"role": "user", "content": question})
        request["messages"] = messages
        return "/chat/completions", self._with_extra(request)

    def _with_extra(self, request: dict[str, Any]) -> dict[str, Any]:
        """With the user's own fields; null takes one of ours out."""
        return {name: value for name, value in {**request, **self.extra}.items() if value is not None}


def constraint(kind: str, options: int | None) -> dict[str, Any]:
    """The field of a request that holds a reply to one of so many letters, or (None) to a text."""
    letters = [letter(at) for at in range(options or 0)]
    if kind == "grammar":
        if options is None:
            return {"grammar": "root ::= [^\\n]+"}
        return {"grammar": "root ::= " + " | ".join(f'"{one}"' for one in letters)}
    answer = {"type": "string"} if options is None else {"type": "string", "enum": letters}
    schema = {"type": "object", "properties": {"answer": answer}, "required": ["answer"], "additionalProperties": False}
    return {
        "response_format": {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}
    }


def inside(said: str, kind: str, options: int | None) -> str | None:
    """The answer in a constrained reply; None where it does not keep to the constraint."""
    answer: Any = said
    if kind == "json":
        try:
            record = json.loads(said)
        except ValueError:
            return None
        answer = record.get("answer") if isinstance(record, dict) else None
    if not isinstance(answer, str):
        return None
    return answer if options is None or answer in {letter(at) for at in range(options)} else None


def _as_text(words: PromptWords, before: Sequence[Turn], question: str) -> str:
    lead = f"\n{words.lead}" if words.lead else ""
    pieces = [words.system] if words.system else []
    pieces += [f"{asked}{lead}{answered}" for asked, answered in before]
    return "\n\n".join([*pieces, f"{question}{lead}"])
