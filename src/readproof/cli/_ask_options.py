"""A question with options: where the options come from, and what the reader says of each of them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from readproof.errors import InputError, shown
from readproof.items import LETTERS, letter
from readproof.text import encodable, sanitised

if TYPE_CHECKING:
    from readproof.items import Answer, ChoiceItem
    from readproof.readers import Reader
    from readproof.readers.judged import Judged

# as options are printed in a paper: A. A． A、 (A) （A）
_LEAD = re.compile(r"\s*[(（]?([A-Z])[)）.．、:：]\s*")


@dataclass(frozen=True, slots=True)
class Options:
    """The options; a file may bring the passage and the question with them."""

    texts: tuple[str, ...]
    passage: str | None = None
    question: str | None = None


@dataclass(frozen=True, slots=True)
class AskedOptions:
    """A question with its answer, and with the reasons of a reader that has some to show."""

    item: ChoiceItem
    answer: Answer
    judged: Judged | None = None

    @property
    def scores(self) -> tuple[float, ...]:
        """A score an option, or none at all."""
        if self.judged:
            return tuple(option.score for option in self.judged.options)
        return self.answer.scores if len(self.answer.scores) == len(self.item.options) else ()


def ask_options(reader: Reader, item: ChoiceItem) -> AskedOptions:
    """Which option a reader takes, and why, if it can tell."""
    from readproof.readers.base import need
    from readproof.readers.judged import Judges

    need(reader, item)
    if isinstance(reader, Judges):
        judged = reader.judge(item)
        return AskedOptions(item, judged.answer, judged)
    return AskedOptions(item, reader.answer([item])[0])


def typed(texts: Sequence[str]) -> Options:
    """Options as they were typed, with or without their letters."""
    return Options(_checked(_bare(texts), ""))


def from_file(text: str, file: str) -> Options:
    """Options as a file has them: one a line, a JSON list, or one JSON record such as GCRC's, with all that it asks."""
    if text.lstrip()[:1] not in ("{", "["):
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        return Options(_checked(_bare(lines), file))
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InputError(file=file, place=place, found=f"no JSON ({error.msg})", expected="one JSON value") from None
    if isinstance(found, dict) and isinstance(found.get("data"), list):
        found = found["data"]
    if isinstance(found, list) and found and isinstance(found[0], dict):
        if len(found) > 1:
            raise InputError(file=file, found=f"{len(found)} records", expected="one record", do="Cut it out first.")
        found = found[0]
    if isinstance(found, dict):
        return Options(
            _checked(found.get("options"), file), _text(found, "passage", file), _text(found, "question", file)
        )
    return Options(_checked(found, file))


def record_of(asked: AskedOptions, reader: Reader, evidence: int) -> dict[str, Any]:
    """For programs; offsets are characters of the passage as it was given."""
    item, answer, scores = asked.item, asked.answer, asked.scores
    options = []
    for at, text in enumerate(item.options):
        pieces = asked.judged.options[at].evidence[:evidence] if asked.judged else ()
        options.append(
            {
                "letter": letter(at),
                "text": encodable(text),
                "score": scores[at] if scores else None,
                "evidence": [
                    {
                        "start": one.start,
                        "end": one.end,
                        "weight": one.weight,
                        "text": encodable(item.passage[one.start : one.end]),
                    }
                    for one in pieces
                ],
            }
        )
    return {
        "question": encodable(item.question),
        "reader": reader.name,
        "letter": None if answer.choice is None else letter(answer.choice),
        "choice": answer.choice,
        "text": None if answer.choice is None else encodable(item.options[answer.choice]),
        "confidence": answer.confidence,
        "asked": asked.judged.asked if asked.judged else None,
        "options": options,
    }


def _bare(texts: Sequence[str]) -> list[str]:
    """Without their letters, where every option has its own."""
    found = [_LEAD.match(text) for text in texts]
    if all(lead and lead[1] == LETTERS[at % len(LETTERS)] for at, lead in enumerate(found)):
        return [text[lead.end() :] for text, lead in zip(texts, found, strict=True) if lead]
    return list(texts)


def _checked(texts: Any, file: str) -> tuple[str, ...]:
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise InputError(file=file, found=shown(texts), expected="options: a list of texts")
    if not 2 <= len(texts) <= len(LETTERS):
        count = f"{len(texts)} option{'' if len(texts) == 1 else 's'}"
        raise InputError(file=file, found=count, expected=f"from 2 to {len(LETTERS)}")
    for at, text in enumerate(texts):
        if not sanitised(text).clean.strip():
            raise InputError(file=file, place=f"option {letter(at)}", found="nothing to read", expected="a text")
    return tuple(texts)


def _text(record: dict[str, Any], key: str, file: str) -> str | None:
    value = record.get(key)
    if value is not None and not isinstance(value, str):
        raise InputError(file=file, place=key, found=shown(value), expected="a text")
    return value
