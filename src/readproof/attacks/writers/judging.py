"""A language model as judge of variants: asked what a person is asked, and always marked as a model.

It sees what a person sees, and nothing of what the attack claims. What it says confirms nothing by itself: it stands
beside what people say, so that their agreement can be measured.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from importlib.resources import files
from typing import Any

from readproof.attacks.review import MODEL, Holds, Judgement, card_of
from readproof.items import ChoiceItem, Variant
from readproof.readers.llm.cache import open_endpoint
from readproof.readers.llm.client import RefusedError
from readproof.readers.llm.replies import text_of
from readproof.readers.llm.spec import parse_spec
from readproof.readers.usage import Usage
from readproof.text import encodable

_SLOT = re.compile(r"\{(text|passage|question|answer|before)\}")
# the first of these words in a reply is what it says
_SAYS: dict[str, Holds] = {
    "不确定": "unsure",
    "无法": "unsure",
    "unsure": "unsure",
    "不是": "no",
    "否": "no",
    "no": "no",
}
_SAYS |= {"不正确": "no", "错误": "no", "是": "yes", "正确": "yes", "yes": "yes"}
_WORD = re.compile("不确定|无法|不是|不正确|错误|否|是|正确|\\b(?:unsure|no|yes)\\b", re.I)
_TOGETHER = 32


class ModelJudge:
    """An endpoint that judges variants; what it did not say is counted, and is no judgement."""

    def __init__(self, spec: str) -> None:
        self.settings = parse_spec(spec)
        self.endpoint = open_endpoint(self.settings)
        self.by = f"{MODEL}{self.settings.model}"
        self.silent = 0

    def judgements(self, variants: Sequence[Variant]) -> Iterator[Judgement]:
        """One for each variant that the model says something of, in order."""
        with ThreadPoolExecutor(self.settings.concurrency) as pool:
            for at in range(0, len(variants), _TOGETHER):
                for found in pool.map(self._judged, variants[at : at + _TOGETHER]):
                    if found is None:
                        self.silent += 1
                    else:
                        yield found

    def usage(self) -> Usage:
        """What was asked, and what it cost."""
        return self.endpoint.usage(self.settings)

    def _judged(self, variant: Variant) -> Judgement | None:
        card, item = card_of(variant), variant.item
        words = _words(str(getattr(item, "language", "zh")))
        values = {"text": card.text, "passage": str(getattr(item, "passage", "")), "question": card.question}
        values |= {"answer": card.after, "before": card.before}
        asked = "same" if isinstance(item, ChoiceItem) and not item.truths else card.kind
        fluent = self._ask(
            words, words["fluent"], {**values, "text": card.after if card.kind == "choice" else card.text}
        )
        holds = self._ask(words, words[asked], values)
        if fluent not in ("yes", "no") or holds is None:
            return None
        return Judgement(variant=card.id, by=self.by, fluent=fluent == "yes", holds=holds)

    def _ask(self, words: Mapping[str, str], question: str, values: Mapping[str, str]) -> Holds | None:
        content = encodable(_SLOT.sub(lambda found: values[found[1]], question))
        messages = [{"role": "system", "content": words["system"]}, {"role": "user", "content": content}]
        most = int(words["max_tokens"]) if self.settings.max_tokens is None else self.settings.max_tokens
        request: dict[str, Any] = {"model": self.settings.model, "messages": messages}
        request |= {"max_tokens": most + self.settings.thinking} if most else {}
        request |= {"temperature": self.settings.temperature} if self.settings.temperature is not None else {}
        try:
            return says(text_of(self.endpoint.ask("/chat/completions", request)))
        except RefusedError:
            return None


def says(reply: str) -> Holds | None:
    """Yes, no or unsure by the first word of a reply that says so; None where it says none."""
    found = _WORD.search(reply)
    return _SAYS[found[0].casefold()] if found else None


@lru_cache(maxsize=2)
def _words(language: str) -> Mapping[str, str]:
    record = tomllib.loads((files("readproof.attacks.writers") / "prompts" / "review.toml").read_text(encoding="utf-8"))
    words = record[language if language in record else "en"]
    return {"max_tokens": str(record["max_tokens"]), **{name: str(text).strip() for name, text in words.items()}}
