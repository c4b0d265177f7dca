"""Paraphrase by rules: words that say the same, other ways to ask the same. The offline form of back-translation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import ClassVar

from readproof.attacks.base import AttackInfo, AttackOutput
from readproof.attacks.characters import WHERE, changed
from readproof.attacks.checks import around, fall
from readproof.attacks.options.tables import WordTableRow
from readproof.attacks.options.view import view_of
from readproof.items import Edit, Item
from readproof.lang.api import Language, get_language, lines

FALL = 0.3
_NEAR = 30
_ASKING = "another way to ask"


@dataclass(frozen=True, slots=True, kw_only=True)
class Paraphrase:
    about: ClassVar[AttackInfo] = AttackInfo(
        name="paraphrase",
        does="words that say the same, other ways to ask (rules and synonyms)",
        languages=("zh", "fa"),
    )

    where: str = field(default="both", metadata={"values": WHERE, "help": "the texts that are changed"})
    most: int = field(default=3, metadata={"help": "changes in a text at the most; 0: all there can be"})
    fall: float = field(default=FALL, metadata={"help": "how much less usual the place of a change may become"})

    def make(self, item: Item, *, seed: int = 0, count: int = 1) -> AttackOutput:
        """Gold answers stay as they are."""
        language = getattr(item, "language", "")

        def change(text: str, free: Callable[[int, int], bool], random: Random) -> Sequence[Edit]:
            found = [edit for edit in _proposed(text, language) if free(edit.start, edit.end)]
            sound = _apart(edit for edit in found if edit.why == _ASKING or self._sound(text, edit, language))
            if not sound:
                return []
            wanted = min(self.most, len(sound)) if self.most else len(sound)
            return sorted(random.sample(sound, wanted), key=lambda edit: edit.start)

        return changed(self.about, item, change, where=self.where, seed=seed, count=count, golds=False)

    def _sound(self, text: str, edit: Edit, language: str) -> bool:
        before, after = around(text, edit)
        return fall(after, before, language) <= self.fall


@lru_cache(maxsize=256)  # several questions share a passage
def _proposed(text: str, language: str) -> tuple[Edit, ...]:
    """Every change there could be, by place; where two overlap the longer comes first."""
    spoken = get_language(language)
    found = [edit for name in (spoken.askings, spoken.synonyms) if name for edit in _by_list(text, spoken, name)]
    return tuple(sorted(found, key=lambda edit: (edit.start, -edit.end, edit.new)))


def _by_list(text: str, spoken: Language, name: str) -> Iterator[Edit]:
    why = _ASKING if name == spoken.askings else "synonym"
    edge = r"(?<![\w\u200c])" if spoken.spaced else ""
    # a mark on the last letter belongs to the word
    back = r"(?![\w\u200c\u064b-\u0655])" if spoken.spaced else ""
    for entry in lines(spoken.code, name):
        old, new, before, after = (*entry, "", "")[:4]
        row = WordTableRow(new, "same", before, after)
        for found in re.finditer(edge + re.escape(old) + back, text) if old in text else ():
            if _fits(text, row, found.start(), found.end(), spoken):
                yield Edit(found.start(), old, new, why)


def _fits(text: str, row: WordTableRow, start: int, end: int, spoken: Language) -> bool:
    """In Chinese only whole words outside of quotes with the right neighbours; never a word that stands near."""
    around = text[max(0, start - _NEAR) : end + _NEAR]
    if row.new in around:
        return False
    if spoken.spaced:
        return True
    view = view_of(text)
    return view.free(start, end) and view.whole(start, end) and row.fits(view, start, end)


def _apart(edits: Iterable[Edit]) -> list[Edit]:
    """The first of those that overlap; a word that is put in twice is put in once."""
    kept: list[Edit] = []
    for edit in edits:
        if (not kept or edit.start >= kept[-1].end) and all(edit.new != one.new for one in kept):
            kept.append(edit)
    return kept
