"""What an endpoint's reply says: its text, the tokens it might have begun with, what it cost in tokens."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL)
_KEPT = ("choices", "usage")


def checked(body: Any) -> dict[str, Any] | None:
    """The part of a reply that is kept; None where it is no reply at all."""
    if not isinstance(body, dict) or "error" in body:
        return None
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict) or _text(choices[0]) is None:
        return None
    return {name: body[name] for name in _KEPT if name in body}


def text_of(reply: Mapping[str, Any]) -> str:
    """What was said, without the thoughts that some models speak aloud first."""
    said = _text(reply["choices"][0]) or ""
    if "</think>" in said and "<think>" not in said:
        # some chat templates put the opening mark into the prompt
        said = said.rpartition("</think>")[2]
    return _THOUGHT.sub("", said).strip()


def first_tokens(reply: Mapping[str, Any]) -> dict[str, float] | None:
    """The tokens that the answer might have begun with and their log-probabilities; None where none were given."""
    given = reply["choices"][0].get("logprobs")
    if not isinstance(given, dict):
        return None
    content, plain = given.get("content"), given.get("top_logprobs")
    if isinstance(content, list) and content and isinstance(content[0], dict):
        pairs = [(one.get("token"), one.get("logprob")) for one in _objects(content[0].get("top_logprobs"))]
    elif isinstance(plain, list) and plain and isinstance(plain[0], dict):
        pairs = list(plain[0].items())
    else:
        return None
    found: dict[str, float] = {}
    for token, value in pairs:
        if isinstance(token, str) and isinstance(value, int | float) and not isinstance(value, bool):
            # bytes that are no character look alike: the likeliest stands for them
            found[token] = max(float(value), found.get(token, float("-inf")))
    return found


def tokens_of(reply: Mapping[str, Any]) -> tuple[int, int]:
    """Tokens in and out, as the server counted them."""
    usage = reply.get("usage")
    if not isinstance(usage, dict):
        return 0, 0
    counts = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
    given, made = (count if isinstance(count, int) and count > 0 else 0 for count in counts)
    return given, made


def _text(choice: Mapping[str, Any]) -> str | None:
    message = choice.get("message")
    if isinstance(message, dict):
        content = message.get("content")
        # null where a model thought until its tokens were spent
        return "" if content is None else content if isinstance(content, str) else None
    text = choice.get("text")
    return text if isinstance(text, str) else None


def _objects(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
