"""Characters that nobody sees: put before spaces, in place of spaces, or anywhere.

The study of Persian readers says that it replaces spaces by U+200E; its code puts one before each space. Both are
attacks, and different ones: in place of a space it fuses two words. A reader that removes what is invisible before it
reads, as ours do, sees nothing of the first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar

from readproof.attacks.base import About, Made, skipped
from readproof.attacks.characters import WHERE, changed, chosen
from readproof.items import Edit, Item, SpanItem

MARK = "\u200e"
# zero-width space, non-joiner, joiner, direction marks, word joiner, invisible operators, soft hyphen, byte order mark
ANY = "\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\u00ad\ufeff"
# in Arabic script joiners are seen: they change the shapes of the letters beside them
_HIDDEN = ANY.replace("\u200c", "").replace("\u200d", "")
_SPACE = re.compile(" ")
_ARABIC = re.compile("[\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Invisible:
    """`auto` is `before` where the language has spaces, else `anywhere`."""

    about: ClassVar[About] = About(
        name="invisible",
        does="invisible characters before spaces, in place of spaces, or anywhere",
        languages=("zh", "fa", "en"),
        undone="partly",
    )

    mode: str = field(
        default="auto",
        metadata={"values": ("auto", "before", "replace", "anywhere"), "help": "where the characters go"},
    )
    budget: int = field(default=0, metadata={"help": "how many are put in; 0: every space, or one in ten characters"})
    where: str = field(default="passage", metadata={"values": WHERE, "help": "the texts that are changed"})

    def make(self, item: Item, *, seed: int = 0, count: int = 1) -> Made:
        """Golds move along: an answer that now has invisible characters inside is cut with them."""
        if not isinstance(item, SpanItem):
            return skipped("no span question")
        mode = ("anywhere" if item.language == "zh" else "before") if self.mode == "auto" else self.mode
        change = self._anywhere if mode == "anywhere" else self._replaced if mode == "replace" else self._before
        return changed(self.about, item, change, where=self.where, seed=seed, count=count, strategy=mode, golds=True)

    def _anywhere(self, text: str, _free: Callable[[int, int], bool], random: Random) -> Sequence[Edit]:
        places = range(1, len(text))
        some = [places[at] for at in chosen(places, random, self.budget, 10)]
        marks = _HIDDEN if _ARABIC.search(text) else ANY
        return [Edit(at, "", random.choice(marks), "invisible") for at in some]

    def _before(self, text: str, _free: Callable[[int, int], bool], random: Random) -> Sequence[Edit]:
        return [Edit(at, "", MARK, "before a space") for at in self._spaces(text, random)]

    def _replaced(self, text: str, _free: Callable[[int, int], bool], random: Random) -> Sequence[Edit]:
        return [Edit(at, " ", MARK, "in place of a space") for at in self._spaces(text, random)]

    def _spaces(self, text: str, random: Random) -> list[int]:
        places = [found.start() for found in _SPACE.finditer(text)]
        return [places[at] for at in chosen(places, random, self.budget, 1)] if places else []
