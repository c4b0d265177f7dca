"""Text whose order in memory is not the order on the screen: bidirectional controls show it as it was.

In scripts written from left to right two neighbouring letters change places under an override that turns them back; in
Persian, whose letters join, two neighbouring words do so under isolates.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import ClassVar

from readproof.attacks.base import About, Made
from readproof.attacks.characters import WHERE, changed, chosen
from readproof.items import Edit, Item

_RLO, _PDF = "\u202e", "\u202c"
_LRI, _RLI, _PDI = "\u2066", "\u2067", "\u2069"
# digits keep their own order under a right-to-left paragraph, so only letters are swapped
_PAIR = re.compile(r"(?=([^\W\d_]{2}))")
_WORDS = re.compile(r"(?<![^\s])([\u0620-\u06ff\u200c]+) ([\u0620-\u06ff\u200c]+)(?![^\s])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reorder:
    about: ClassVar[About] = About(
        name="reorder",
        does="letters (fa: words) that changed places, shown as before by bidirectional controls",
        languages=("zh", "fa", "en"),
    )

    budget: int = field(default=0, metadata={"help": "how many pairs change places; 0: one in forty"})
    where: str = field(default="passage", metadata={"values": WHERE, "help": "the texts that are changed"})

    def make(self, item: Item, *, seed: int = 0, count: int = 1) -> Made:
        """Gold answers stay as they are."""
        words = getattr(item, "language", "") == "fa"
        change = self._words if words else self._letters
        strategy = "words" if words else "letters"
        return changed(
            self.about, item, change, where=self.where, seed=seed, count=count, strategy=strategy, golds=False
        )

    def _letters(self, text: str, free: Callable[[int, int], bool], random: Random) -> Sequence[Edit]:
        pairs = [at for at in _pairs(text) if free(at, at + 2)]
        return _apart(
            Edit(pairs[at], text[pairs[at] : pairs[at] + 2], _turned(text[pairs[at] : pairs[at] + 2]), "turned round")
            for at in (chosen(pairs, random, self.budget, 40) if pairs else ())
        )

    def _words(self, text: str, free: Callable[[int, int], bool], random: Random) -> Sequence[Edit]:
        pairs = [found for found in _WORDS.finditer(text) if found[1] != found[2] and free(found.start(), found.end())]
        return [
            Edit(pairs[at].start(), pairs[at][0], _exchanged(pairs[at][1], pairs[at][2]), "changed places")
            for at in (chosen(range(len(pairs)), random, self.budget, 10) if pairs else ())
        ]


@lru_cache(maxsize=64)  # several questions share a passage
def _pairs(text: str) -> tuple[int, ...]:
    return tuple(found.start() for found in _PAIR.finditer(text) if found[1][0] != found[1][1])


def _turned(pair: str) -> str:
    # isolated, or a digit behind the pair would follow it to the left
    return f"{_LRI}{_RLO}{pair[::-1]}{_PDF}{_PDI}"


def _exchanged(first: str, second: str) -> str:
    return f"{_LRI}{_RLI}{second}{_PDI} {_RLI}{first}{_PDI}{_PDI}"


def _apart(edits: Iterable[Edit]) -> list[Edit]:
    """Pairs that share a letter cannot both change places: the first does."""
    kept: list[Edit] = []
    for edit in edits:
        if not kept or edit.start >= kept[-1].end:
            kept.append(edit)
    return kept
