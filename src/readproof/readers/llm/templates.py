"""Prompts are data: a TOML file each, with the words in Chinese and in English. A user's own file will do as well.

`kind` is options or spans. `user` is what is asked; {passage}, {question}, {options}, {letters} and {no_answer} are
filled in. `second` and `third` belong to a joint prompt, `lead` begins the answer for models that only complete text,
and `option` is the line of one option. With `one_text` a joint prompt is one growing text instead of turns.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from readproof.errors import InputError, shown
from readproof.files import read_text
from readproof.items import ChoiceItem, SpanItem, letter
from readproof.text import encodable

_SLOT = re.compile(r"\{(passage|question|options|letters|no_answer)\}")
_WORDS = ("system", "user", "second", "third", "lead", "no_answer", "option")
_LANGUAGES = ("zh", "en")
# a line for each option, where a prompt does not say how
OPTION = "{letter}. {text}"


@dataclass(frozen=True, slots=True)
class PromptWords:
    """A prompt in one language."""

    system: str = ""
    user: str = ""
    second: str = ""
    third: str = ""
    lead: str = ""
    no_answer: str = ""
    option: str = OPTION


@dataclass(frozen=True, slots=True)
class Template:
    """A prompt: what kind of question it asks, how long an answer it expects, and its words in each language."""

    name: str
    kind: str
    max_tokens: int
    words: Mapping[str, PromptWords]
    joint: bool = False
    one_text: bool = False
    examples: bool = False
    reasons: bool = False
    digest: str = ""

    def language(self, of: str) -> str:
        """The language it asks an item in: its own where the prompt has it."""
        return of if of in self.words else "en" if "en" in self.words else next(iter(self.words))


@lru_cache(maxsize=16)
def load_template(name: str) -> Template:
    """A prompt of ours by its name, or a user's by the path of its file."""
    if name.endswith(".toml"):
        return _template(Path(name).stem, read_text(Path(name)), name)
    folder = files("readproof.readers.llm") / "prompts"
    known = sorted(one.name.removesuffix(".toml") for one in folder.iterdir() if one.name.endswith(".toml"))
    if name not in known:
        expected = f"one of {', '.join(known)}, or the path of a .toml file"
        raise InputError(place="prompt", found=repr(name), expected=expected)
    return _template(name, (folder / f"{name}.toml").read_text(encoding="utf-8"), f"{name}.toml")


def filled(words: str, item: ChoiceItem | SpanItem, no_answer: str = "", option: str = OPTION) -> str:
    """A prompt's words with the item in them; what the passage itself says in braces is left alone."""
    options = item.options if isinstance(item, ChoiceItem) else ()
    letters = [letter(at) for at in range(len(options))]
    values = {
        "passage": item.passage,
        "question": item.question,
        "options": "\n".join(
            option.replace("{letter}", name).replace("{text}", text)
            for name, text in zip(letters, options, strict=True)
        ),
        "letters": "/".join(letters),
        "no_answer": no_answer,
    }
    return encodable(_SLOT.sub(lambda found: values[found[1]], words))


def _template(name: str, text: str, file: str) -> Template:
    try:
        record = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(file=file, found=f"no TOML ({error})", expected="a prompt") from None
    kind, most = record.get("kind", "options"), record.get("max_tokens", 256)
    if kind not in ("options", "spans"):
        raise InputError(file=file, place="kind", found=shown(kind), expected="options or spans")
    if not isinstance(most, int) or isinstance(most, bool) or most < 1:
        raise InputError(file=file, place="max_tokens", found=shown(most), expected="a whole number from 1")
    words = {code: _words(record[code], file, code) for code in _LANGUAGES if code in record}
    if not words:
        raise InputError(file=file, found="no words", expected="a table [zh] or [en] with at least `user`")
    flags = {flag: record.get(flag) is True for flag in ("joint", "one_text", "examples", "reasons")}
    if flags["joint"] and not all(one.second and one.third for one in words.values()):
        raise InputError(file=file, found="a joint prompt without `second` or `third`", expected="all three questions")
    return Template(name, kind, most, words, **flags, digest=hashlib.sha256(text.encode()).hexdigest())


def _words(table: Any, file: str, place: str) -> PromptWords:
    if not isinstance(table, dict):
        raise InputError(file=file, place=place, found=shown(table), expected="a table")
    for key, value in table.items():
        if key not in _WORDS or not isinstance(value, str):
            found = f"{key} = {shown(value)}"
            raise InputError(file=file, place=place, found=found, expected=f"texts named {', '.join(_WORDS)}")
    words = PromptWords(**{key: value if key == "no_answer" else value.strip() for key, value in table.items()})
    for slot in ("{passage}", "{question}"):
        if slot not in words.user:
            raise InputError(file=file, place=f"{place}.user", found=f"no {slot}", expected="a prompt that asks")
    return words
