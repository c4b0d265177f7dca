"""The texts of a fresh suite: one YAML file a passage, read into frozen values; every fault is told with its place."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from readproof.attacks.edits import PASSAGE
from readproof.items import Edit
from readproof.lang.api import get_language

GENRES = ("news", "encyclopedia", "science", "biography", "essay", "fiction", "instructions", "table", "classical")
STRATEGIES = ("keyword", "logic", "spacetime", "cause")


@dataclass(frozen=True, slots=True)
class Substitute:
    """Another answer, and the replacements that make the passage give it."""

    answer: str
    edits: tuple[tuple[str, str], ...]

    def of(self, passage: str) -> str:
        for old, new in self.edits:
            passage = passage.replace(old, new)
        return passage


@dataclass(frozen=True, slots=True)
class SpanText:
    """A span question with all that is asked of it."""

    question: str
    answer: str
    also: tuple[str, ...]
    context: str
    sentences: int
    paraphrase: str
    distractor: str
    distractor2: str
    distractor_after: str
    substitute: Substitute | None


@dataclass(frozen=True, slots=True)
class OptionText:
    """An option, its truth, what decides it, and its two rewrites."""

    text: str
    truth: bool
    strategy: str
    evidence: tuple[str, ...]
    positive: str
    negative: str


@dataclass(frozen=True, slots=True)
class ChoiceText:
    """A question with options; `asks` is the truth of the option that its stem asks for."""

    stem: str
    asks: bool
    options: tuple[OptionText, ...]


@dataclass(frozen=True, slots=True)
class FreshText:
    """A passage with its questions."""

    id: str
    genre: str
    title: str
    passage: str
    questions: tuple[SpanText, ...]
    choices: tuple[ChoiceText, ...]

    @property
    def language(self) -> str:
        return self.id.split("-", 1)[0]


def read(path: Path) -> FreshText:
    """One file; ValueError says what is wrong with its form."""
    try:
        raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise ValueError(f"no YAML: {error}") from None
    if not isinstance(raw, dict):
        raise ValueError("not a mapping")
    return FreshText(
        id=_text(raw, "id"),
        genre=_text(raw, "genre"),
        title=_text(raw, "title"),
        passage=_text(raw, "passage"),
        questions=tuple(_span(one) for one in raw.get("questions") or []),
        choices=tuple(_choice(one) for one in raw.get("options") or []),
    )


def files_in(folder: Path) -> list[Path]:
    """The files of a folder and of those below it, by name."""
    return sorted(folder.rglob("*.yaml"))


def _text(raw: dict[str, Any], key: str, default: str | None = None) -> str:
    value = raw.get(key, default)
    if not isinstance(value, str):
        raise ValueError(f"{key}: {value!r} is no text (put it in quotes)")
    return value.strip()


def _span(raw: dict[str, Any]) -> SpanText:
    substitute = raw.get("substitute")
    return SpanText(
        question=_text(raw, "question"),
        answer=_text(raw, "answer"),
        also=tuple(str(one) for one in raw.get("also") or []),
        context=_text(raw, "context", ""),
        sentences=int(raw.get("sentences", 1)),
        paraphrase=_text(raw, "paraphrase"),
        distractor=_text(raw, "distractor"),
        distractor2=_text(raw, "distractor2"),
        distractor_after=_text(raw, "distractor_after", ""),
        substitute=None
        if not substitute
        else Substitute(_text(substitute, "answer"), tuple((str(old), str(new)) for old, new in substitute["edits"])),
    )


def _choice(raw: dict[str, Any]) -> ChoiceText:
    return ChoiceText(_text(raw, "stem"), bool(raw["asks"]), tuple(_option(one) for one in raw["options"]))


def _option(raw: dict[str, Any]) -> OptionText:
    if not isinstance(raw.get("truth"), bool):
        raise ValueError("truth: neither true nor false")
    return OptionText(
        text=_text(raw, "text"),
        truth=raw["truth"],
        strategy=_text(raw, "strategy"),
        evidence=tuple(str(one) for one in raw.get("evidence") or []),
        positive=_text(raw, "positive"),
        negative=_text(raw, "negative"),
    )


def insertion(text: FreshText, question: SpanText, sentence: str) -> Edit:
    """A sentence put after the one that the question names, or at the end of the passage."""
    language, passage, after = get_language(text.language), text.passage, question.distractor_after
    at = len(passage)
    if after:
        at = next((start for start, end in language.sentences(passage) if passage[start:end].startswith(after)), -1)
        if at < 0:
            raise ValueError(f"no sentence begins with {after!r}")
        at = next(end for start, end in language.sentences(passage) if start == at)
    return Edit(at, "", language.gap + sentence, "distractor", PASSAGE)
