"""The try-it page's work: a passage and a question read, attacked, and read again; what changed is marked.

Nobody knows the right answer here, so the reader's own answer to the clean text is what an attack must leave standing.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from readproof.attacks.base import Attack
from readproof.attacks.known import make_attack
from readproof.board.refusal import Refusal
from readproof.board.turns import Turns
from readproof.items import Answer, ChoiceItem, Edit, Gold, SpanItem, letter
from readproof.readers.base import Reader, load_reader, reader_for
from readproof.text import encodable, language_of

# attacks that need no search, so that they answer at once
ATTACKS = ("addsent", "paraphrase", "invisible", "homoglyph", "reorder", "script", "typo")
LONGEST = {"passage": 3000, "question": 300, "options": 2000}
_SEED = 0
_EVIDENCE = 2
# reading takes a core: one at a time, and others are told to come back
_READING = Turns(1, 3)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text; `kinds` are the marks that lie over it."""

    text: str
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Read:
    """What the reader said of the text as given, or of an attacked one; `skipped` says why there is none."""

    attack: str
    answer: str = ""
    confidence: float | None = None
    pieces: tuple[Piece, ...] = ()
    question: str = ""
    same: bool = True
    skipped: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """An option with its score and the sentences that it was judged by."""

    letter: str
    text: str
    score: float | None
    chosen: bool
    evidence: tuple[str, ...]


def read_spans(passage: str, question: str, attacks: Iterable[str]) -> list[Read]:
    """The answer to the clean text, then one for each attack."""
    with _READING:
        item = SpanItem(id="try", passage=passage, question=question, language=language_of(passage))
        reader = _reader(reader_for(passage))
        first = reader.answer([item])[0]
        found = [_read("", item, first, (), True)]
        if first.start is None or not first.raw:
            return found
        known = SpanItem(
            id="try",
            passage=passage,
            question=question,
            golds=(Gold(first.raw, first.start),),
            language=item.language,
        )
        for name in attacks:
            found.append(_attacked(name, known, reader, first.text))
        return found


def read_options(passage: str, question: str, options: Sequence[str]) -> list[Judged]:
    """Each option with what it was judged by."""
    from readproof.readers.judged import Judges

    with _READING:
        language = language_of(passage)
        item = ChoiceItem(id="try", passage=passage, question=question, options=tuple(options), language=language)
        reader = _reader(reader_for(passage))
        if not isinstance(reader, Judges):
            raise Refusal("refused.try-options")
        judged = reader.judge(item)
    found = []
    for at, (text, option) in enumerate(zip(options, judged.options, strict=True)):
        evidence = tuple(visible(passage[one.start : one.end]) for one in option.evidence[:_EVIDENCE])
        found.append(Judged(letter(at), text, option.score, at == judged.answer.choice, evidence))
    return found


def _attacked(name: str, item: SpanItem, reader: Reader, before: str) -> Read:
    attack = make_attack(name)
    if not isinstance(attack, Attack) or item.language not in attack.about.languages:
        return Read(name, skipped="language")
    made = attack.make(item, seed=_SEED, count=1)
    if not made.variants:
        return Read(name, skipped=made.skipped or "nothing")
    variant = made.variants[0]
    if not isinstance(variant.item, SpanItem):
        return Read(name, skipped="nothing")
    answer = reader.answer([variant.item])[0]
    return _read(name, variant.item, answer, variant.edits, answer.text == before)


def _read(name: str, item: SpanItem, answer: Answer, edits: Sequence[Edit], same: bool) -> Read:
    marks = [(start, end, "new") for start, end in _new(edits)]
    if answer.start is not None and answer.end is not None:
        marks.append((answer.start, answer.end, "answer"))
    pieces = _pieces(item.passage, marks)
    return Read(name, visible(answer.text), answer.confidence, pieces, visible(item.question), same)


def _new(edits: Sequence[Edit]) -> list[tuple[int, int]]:
    """Where the edits of the passage stand in the new one."""
    found, moved = [], 0
    for edit in sorted((one for one in edits if one.where in ("", "passage")), key=lambda one: one.start):
        start = edit.start + moved
        found.append((start, start + len(edit.new)))
        moved += len(edit.new) - len(edit.old)
    return found


def _pieces(text: str, marks: Sequence[tuple[int, int, str]]) -> tuple[Piece, ...]:
    """The text cut where marks begin and end."""
    cuts = sorted({0, len(text), *(min(max(at, 0), len(text)) for start, end, _ in marks for at in (start, end))})
    pieces = []
    for first, last in pairwise(cuts):
        kinds = tuple(dict.fromkeys(kind for start, end, kind in marks if start <= first and last <= end))
        pieces.append(Piece(visible(text[first:last]), kinds))
    return tuple(pieces)


def visible(text: str) -> str:
    """A text for a page: what cannot be seen, or turns other text round, is shown by its number."""
    odd = ("Cf", "Cc", "Co", "Cn")
    return "".join(
        one if one in "\n\u200c" or unicodedata.category(one) not in odd else f"⟨U+{ord(one):04X}⟩"
        for one in encodable(text)
    )


@lru_cache(maxsize=2)
def _reader(name: str) -> Reader:
    return load_reader(name, threads=1)
