"""Options written by a language model: one that says the same, or one whose truth is the other.

A prompt file for each strategy says what is wanted. What comes back is one line, and passes the same checks as what
rules make: new, of a fitting length, fluent, no denial of the whole. Then it is judged, by the same endpoint or another
one, that sees the passage and the new option alone: where it does not find the truth that was asked for, the option is
refused. Every refusal is counted by its reason. Replies are cached as those of a reader are: a run that was stopped
asks nothing twice.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from readproof.attacks.checks import fluent
from readproof.attacks.options.rewriting import Rewrite, edits_between
from readproof.errors import InputError, shown
from readproof.files import read_text
from readproof.items import Truth
from readproof.readers.llm.cache import Endpoint, open_endpoint
from readproof.readers.llm.client import RefusedError
from readproof.readers.llm.replies import text_of
from readproof.readers.llm.spec import LLMSettings, parse_spec
from readproof.readers.usage import figures_of
from readproof.text import encodable

JUDGE = "judge"
UNCHECKED = "none"

# how often an option is asked for anew where what came was refused
_TRIES = 3
_SLOT = re.compile(r"\{(passage|option|truth|number)\}")
_NEEDED = ("kept", "flipped")
# what a model puts before its text: a label, a letter, a list's number
_LABEL = re.compile(
    r"\s*(?:\*\*)?(?:改写后?的?|新的?|修改后的?)?(?:选项|答案|句子)?(?:\*\*)?\s*[:：]\s*|[A-D1-9][.．、)）](?!\d)\s*"
)
_PAIRS = {"“": "”", '"': '"', "「": "」", "**": "**", "`": "`"}
_DENIAL = re.compile("不符合(?:文意|原文)|(?:说法|看法|观点|表述)(?:是)?(?:错误|不正确|不对)|并非如此|与原文不符")
_TALKS = re.compile("改写|原选项|该选项|这个选项|以下是|好的[，。]")
_HAN = re.compile("[\u3400-\u9fff]")
# a judge's verdict: the last of these words in its reply counts
_VERDICT = re.compile("不正确|不真|错误|错|假|正确|对|真")
# nine in ten options of other questions fall by less; one whose words are shuffled by more
_FALL = 1.2
_SHORTER, _LONGER = 0.4, 2.0


@dataclass(frozen=True, slots=True)
class WriterPrompt:
    """What a strategy's file asks for: the words for an option that keeps its truth, and for one that flips it."""

    system: str
    words: Mapping[str, str]
    max_tokens: int


@dataclass(frozen=True, slots=True)
class OptionWriter:
    """An endpoint that writes options, and the one that judges them ("" for the same, none for no judge)."""

    writer: str
    judge: str = ""
    prompts: str = ""

    def rewrites(
        self, option: str, passage: str, truth: bool, wanted: Truth, strategy: str, others: Sequence[str] = ()
    ) -> Iterator[Rewrite | str]:
        """New options, each time another is asked for; for one that is refused the reason."""
        prompt = load_prompt(strategy, self.prompts)
        result = truth is (wanted == "kept")
        known = {option, *others}
        for number in range(_TRIES):
            values = {"passage": passage, "option": option, "number": str(number + 1)}
            values["truth"] = "正确" if truth else "错误"
            try:
                said = _ask(self.writer, prompt, prompt.words[wanted], values)
                text = line_of(said)
                reason = refusal(text, option, known) or self._judged(text, passage, result)
            except RefusedError:
                yield "refused by the server"
                return
            if reason:
                yield reason
                continue
            known.add(text)
            yield Rewrite(edits_between(option, text, f"{strategy}/written"), wanted, f"{strategy}/written")

    def figures(self) -> dict[str, Any]:
        """Requests, tokens and cost of the endpoints, as far as this process asked them."""
        found: dict[str, Any] = {}
        for name, spec in (("writer", self.writer), ("judge", self.judge)):
            if spec and spec != UNCHECKED:
                found[name] = _figures(*_opened(spec))
        return found

    def _judged(self, text: str, passage: str, result: bool) -> str:
        if self.judge == UNCHECKED:
            return ""
        prompt = load_prompt(JUDGE, self.prompts)
        said = verdict(
            _ask(self.judge or self.writer, prompt, prompt.words["kept"], {"passage": passage, "option": text})
        )
        if said is None:
            return "the judge does not say"
        return "" if said is result else "the judge finds another truth"


def line_of(reply: str) -> str:
    """The one line that was asked for, without what a model puts round it; "" where there are several."""
    lines = [line.strip() for line in reply.strip().splitlines() if line.strip()]
    if len(lines) != 1:
        return ""
    text = lines[0]
    label = _LABEL.match(text)
    text = text[label.end() :].strip() if label else text
    for left, right in _PAIRS.items():
        inside = text.removeprefix(left).removesuffix(right)
        if len(inside) + len(left) + len(right) == len(text) and left not in inside and right not in inside:
            return inside
    return text


def refusal(text: str, option: str, known: set[str]) -> str:
    """Why a text is no new option; "" where it may be one."""
    if not text:
        return "not one line"
    if text in known:
        return "nothing new"
    if not _SHORTER * len(option) <= len(text) <= _LONGER * len(option) + 8:
        return "too short or too long"
    if not _HAN.search(text):
        return "not Chinese"
    if _DENIAL.search(text) and not _DENIAL.search(option):
        return "denies the whole option"
    if _TALKS.search(text) and not _TALKS.search(option):
        return "talks about the task"
    return fluent(text, option, "zh", _FALL)


def verdict(reply: str) -> bool | None:
    """Whether a judge finds a statement true."""
    found = _VERDICT.findall(reply)
    return found[-1] in ("正确", "对", "真") if found else None


@lru_cache(maxsize=32)
def load_prompt(name: str, folder: str = "") -> WriterPrompt:
    """A strategy's prompt, or the judge's: ours, or NAME.toml in a folder of the user's where it is there."""
    own = Path(folder) / f"{name}.toml" if folder else None
    if own is not None and not Path(folder).is_dir():
        raise InputError(place="prompts", found=shown(folder), expected="a folder with STRATEGY.toml files")
    if own is not None and own.exists():
        text, file = read_text(own), str(own)
    else:
        text = (files("readproof.attacks.writers") / "prompts" / f"{name}.toml").read_text(encoding="utf-8")
        file = f"{name}.toml"
    try:
        record = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(file=file, found=f"no TOML ({error})", expected="a prompt") from None
    words = {key: str(value).strip() for key, value in record.get("zh", {}).items()}
    needed = ("kept",) if name == JUDGE else _NEEDED
    for key in needed:
        if "{option}" not in words.get(key, "") or "{passage}" not in words[key]:
            found = f"no {{passage}} and {{option}} in zh.{key}"
            raise InputError(file=file, place=f"zh.{key}", found=found, expected="a prompt that gives both")
    return WriterPrompt(words.get("system", ""), words, int(record.get("max_tokens", 256)))


def _ask(spec: str, prompt: WriterPrompt, words: str, values: Mapping[str, str]) -> str:
    settings, endpoint = _opened(spec)
    question = encodable(_SLOT.sub(lambda found: values.get(found[1], found[0]), words))
    messages = [{"role": "system", "content": prompt.system}] if prompt.system else []
    most = prompt.max_tokens if settings.max_tokens is None else settings.max_tokens
    request: dict[str, Any] = {
        "model": settings.model,
        "messages": [*messages, {"role": "user", "content": question}],
    }
    request |= {"max_tokens": most} if most else {}
    request |= {"temperature": settings.temperature} if settings.temperature is not None else {}
    return text_of(endpoint.ask("/chat/completions", request))


@lru_cache(maxsize=8)
def _opened(spec: str) -> tuple[LLMSettings, Endpoint]:
    """An endpoint, opened once in a process."""
    if not spec.startswith("llm:"):
        raise InputError(place="writer", found=shown(spec), expected="llm:http://host:port/v1#model")
    settings = parse_spec(spec)
    return settings, open_endpoint(settings)


def _figures(settings: LLMSettings, endpoint: Endpoint) -> dict[str, Any]:
    return figures_of(endpoint.usage(settings))
