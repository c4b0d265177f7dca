"""An answer as a person reads it: how sure the reader is, and where in the passage it stands.

Of options: how each was judged, and by which sentences.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from readproof.cli._show_lines import MarkedSpan, PageStyle, columns, lines_of, styled
from readproof.errors import InputError, shown
from readproof.items import LETTERS, Answer, ChoiceItem, SpanItem, letter
from readproof.text import encodable, sanitised

if TYPE_CHECKING:
    from readproof.items import Answer, ChoiceItem
    from readproof.readers import Reader
    from readproof.readers.options import EvidenceSpan, JudgedOptions


# A question with options: where the options come from, and what the reader says of each of them.


# as options are printed in a paper: A. A． A、 (A) （A）
_LEAD = re.compile(r"\s*[(（]?([A-Z])[)）.．、:：]\s*")


@dataclass(frozen=True, slots=True)
class AskOptions:
    """The options; a file may bring the passage and the question with them."""

    texts: tuple[str, ...]
    passage: str | None = None
    question: str | None = None


@dataclass(frozen=True, slots=True)
class OptionsAskResult:
    """A question with its answer, and with the reasons of a reader that has some to show."""

    item: ChoiceItem
    answer: Answer
    judged: JudgedOptions | None = None

    @property
    def scores(self) -> tuple[float, ...]:
        """A score an option, or none at all."""
        if self.judged:
            return tuple(option.score for option in self.judged.options)
        return self.answer.scores if len(self.answer.scores) == len(self.item.options) else ()


def ask_options(reader: Reader, item: ChoiceItem) -> OptionsAskResult:
    """Which option a reader takes, and why, if it can tell."""
    from readproof.readers.api import need
    from readproof.readers.options import JudgesOptions

    need(reader, item)
    if isinstance(reader, JudgesOptions):
        judged = reader.judge(item)
        return OptionsAskResult(item, judged.answer, judged)
    return OptionsAskResult(item, reader.answer([item])[0])


def typed(texts: Sequence[str]) -> AskOptions:
    """Options as they were typed, with or without their letters."""
    return AskOptions(_checked(_bare(texts), ""))


def from_file(text: str, file: str) -> AskOptions:
    """Options as a file has them: one a line, a JSON list, or one JSON record such as GCRC's, with all that it asks."""
    if text.lstrip()[:1] not in ("{", "["):
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        return AskOptions(_checked(_bare(lines), file))
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
        return AskOptions(
            _checked(found.get("options"), file), _text(found, "passage", file), _text(found, "question", file)
        )
    return AskOptions(_checked(found, file))


def record_of(asked: OptionsAskResult, reader: Reader, evidence: int) -> dict[str, Any]:
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


AROUND = 200
_SHORT = 600
_NOTHING = "(no answer)"
_WORTH = 0.01

CHOSEN = "▸"
_INDENT = 5
_BAR = 20
_LEAST = 20
_LONGEST = 160
_WORDS = {
    "true": ("the option that is true of the passage", " true"),
    "false": ("the option that is not true of the passage", " true"),
    "best": ("the option that answers best", " right"),
}


def lines(item: SpanItem, answers: Sequence[Answer], page: PageStyle) -> Iterator[str]:
    """The answers with their confidence, then the passage, or what of it stands round the best one.

    Further answers are left out where the reader is all but sure that they are wrong.
    """
    answers = [*answers[:1], *(answer for answer in answers[1:] if (answer.confidence or 0.0) >= _WORTH)]
    for number, answer in enumerate(answers):
        sure = "" if answer.confidence is None else f"  {_percent(answer.confidence)}"
        text = " ".join(_shown(answer.text, [], page, item.language)) if answer.text else _NOTHING
        lead = f"{number + 1}. " if len(answers) > 1 else ""
        yield f"{lead}{styled(text, '' if number else 'right', page)}{styled(sure, 'label', page)}"
    yield ""
    yield from _passage(item, answers[0], page)


def unread_lines(
    item: SpanItem | ChoiceItem, reader: str, spans: Sequence[tuple[int, int]], page: PageStyle
) -> Iterator[str]:
    """What of the passage the reader passed over."""
    if not spans:
        return
    yield styled(f"not read by {reader}:", "label", page)
    yield from _pieces(item.passage, [(start, end, "") for start, end in spans], page, item.language, indent=2)
    yield ""


def _passage(item: SpanItem, answer: Answer, page: PageStyle) -> Iterator[str]:
    start, end = answer.start, answer.end
    low, high = 0, len(item.passage)
    if high > _SHORT:
        low, high = max(0, (start or 0) - AROUND), min(high, (end or 0) + AROUND)
    before, after = "… " if low else "", " …" if high < len(item.passage) else ""
    text = sanitised(encodable(item.passage[low:high]))
    spans = []
    if start is not None and end is not None:
        first, last = text.to_clean(start - low, end - low)
        spans = [MarkedSpan(first + len(before), last + len(before), "gold")]
    yield from _shown(f"{before}{text.clean}{after}", spans, page, item.language, clean=True)
    yield ""


def option_lines(asked: OptionsAskResult, page: PageStyle, evidence: int) -> Iterator[str]:
    """The letter and what was asked for, then each option with its score and what it was judged by."""
    choice, sure = asked.answer.choice, asked.answer.confidence
    wanted, what = _WORDS[asked.judged.asked] if asked.judged else ("", "")
    taken = _NOTHING if choice is None else letter(choice)
    figure = "" if sure is None or choice is None else f"  {_percent(sure)}"
    yield f"{styled(taken, 'right', page)}{styled(figure, 'label', page)}"
    if wanted:
        yield styled(f"asked for: {wanted}", "label", page)
    language, scores = asked.item.language, asked.scores
    for at, text in enumerate(asked.item.options):
        yield ""
        style = "right" if at == choice else ""
        lead = styled(f"{CHOSEN if at == choice else ' '} {letter(at)}".ljust(_INDENT), style, page)
        if scores:
            yield f"{lead}{styled(_bar(scores, at, what), style, page)}"
            lead = " " * _INDENT
        for line in _shown(_joined(text), [], page, language, indent=_INDENT):
            yield f"{lead}{line}".rstrip()
            lead = " " * _INDENT
        if asked.judged:
            yield from _judged_by(asked, asked.judged.options[at].evidence[:evidence], page)
    yield ""


def _bar(scores: Sequence[float], at: int, what: str) -> str:
    """A probability as a bar and in percent; any other score as it is."""
    if not all(0.0 <= score <= 1.0 for score in scores):
        return f"score {scores[at]:.2f}"
    full = round(_BAR * scores[at])
    return f"{'█' * full}{'░' * (_BAR - full)}  {_percent(scores[at])}{what}"


def _judged_by(asked: OptionsAskResult, evidence: Sequence[EvidenceSpan], page: PageStyle) -> Iterator[str]:
    """Each piece of evidence: where it stands in the passage, how much it weighs, what it says."""
    pieces = [(one.start, one.end, f"{one.weight:.2f}  ") for one in evidence]
    yield from _pieces(asked.item.passage, pieces, page, asked.item.language, indent=_INDENT)


def _pieces(
    passage: str, pieces: Sequence[tuple[int, int, str]], page: PageStyle, language: str, *, indent: int
) -> Iterator[str]:
    """Pieces of a passage, one below the other: where each stands, what is said of it, its words."""
    places = [f"{start}–{end}" for start, end, _ in pieces]
    widest = max(map(columns, places), default=0)
    for place, (start, end, said) in zip(places, pieces, strict=True):
        lead = f"{' ' * indent}{place:>{widest}}  {said}"
        text = passage[start:end]
        text = f"{text[:_LONGEST]} …" if len(text) > _LONGEST else text
        width = columns(lead)
        lead = styled(lead, "label", page)
        for line in _shown(_joined(text), [], page, language, indent=width):
            yield f"{lead}{line}".rstrip()
            lead = " " * width


def _joined(text: str) -> str:
    return " ".join(text.split())


def _shown(
    raw: str, spans: Sequence[MarkedSpan], page: PageStyle, language: str, *, clean: bool = False, indent: int = 0
) -> list[str]:
    """Nothing in a passage can steer the terminal: what is invisible is left out."""
    text = raw if clean else sanitised(encodable(raw)).clean
    return lines_of(text, spans, page, max(page.width - indent, min(_LEAST, page.width)), language)


def _percent(share: float) -> str:
    return f"{share:.0%}" if 0.005 <= share < 0.995 else "under 1%" if share < 0.005 else "over 99%"
