"""Characters that look the same and are not: Cyrillic for Latin letters, radicals for Chinese characters."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from random import Random
from typing import ClassVar

from readproof.attacks.base import About, Made
from readproof.attacks.characters import WHERE, changed, chosen
from readproof.items import Edit, Item

_RADICALS = ((0x2E80, 0x2FDF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F))


@lru_cache(maxsize=1)
def doubles() -> Mapping[str, str]:
    """Each character with those that look like it. Radicals and compatibility ideographs are known to Unicode."""
    found: dict[str, str] = {}
    for line in files("readproof.lang").joinpath("homoglyphs.tsv").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            letter, others = line.split("\t")
            found[letter] = others
    for first, last in _RADICALS:
        for point in range(first, last + 1):
            form = unicodedata.normalize("NFKC", chr(point))
            if len(form) == 1 and form != chr(point):
                found[form] = found.get(form, "") + chr(point)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Homoglyph:
    about: ClassVar[About] = About(
        name="homoglyph", does="characters replaced by ones that look the same", languages=("zh", "fa", "en")
    )

    budget: int = field(default=0, metadata={"help": "how many are replaced; 0: one in ten that can be"})
    where: str = field(default="passage", metadata={"values": WHERE, "help": "the texts that are changed"})

    def make(self, item: Item, *, seed: int = 0, count: int = 1) -> Made:
        """Gold answers stay as they are: with another character in it, an answer would be another text."""
        return changed(self.about, item, self._change, where=self.where, seed=seed, count=count, golds=False)

    def _change(self, text: str, free: Callable[[int, int], bool], random: Random) -> Sequence[Edit]:
        known = doubles()
        places = [at for at, sign in enumerate(text) if sign in known and free(at, at + 1)]
        return [
            Edit(places[at], text[places[at]], random.choice(known[text[places[at]]]), "looks the same")
            for at in (chosen(places, random, self.budget, 10) if places else ())
        ]
