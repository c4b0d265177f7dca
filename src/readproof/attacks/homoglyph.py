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
from readproof.lang.joining import joins_after, joins_before, last_direction

_RADICALS = ((0x2E80, 0x2FDF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F))
# most fonts draw these letters as one sign, and another letter among them would break it up
_ONE_SIGN = "لله"


@lru_cache(maxsize=1)
def _rows() -> Sequence[tuple[str, str, str]]:
    """The listed letters, their doubles, and where these look the same ("" for everywhere)."""
    text = files("readproof.lang").joinpath("homoglyphs.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return [(letter, others, next(iter(where), "")) for letter, others, *where in rows]


@lru_cache(maxsize=1)
def doubles() -> Mapping[str, str]:
    """Each character with those that look like it. Radicals and compatibility ideographs are known to Unicode."""
    found: dict[str, str] = {}
    for letter, others, _where in _rows():
        found[letter] = found.get(letter, "") + others
    for first, last in _RADICALS:
        for point in range(first, last + 1):
            form = unicodedata.normalize("NFKC", chr(point))
            if len(form) == 1 and form != chr(point):
                found[form] = found.get(form, "") + chr(point)
    return found


@lru_cache(maxsize=1)
def _bound() -> Mapping[str, Mapping[str, str]]:
    """Characters whose doubles look the same in some places only: each double with its place."""
    found: dict[str, dict[str, str]] = {}
    for letter, others, where in _rows():
        if where:
            found.setdefault(letter, {}).update(dict.fromkeys(others, where))
    return found


def alike(text: str, at: int) -> str:
    """The doubles that look the same where a character stands; "" if there are none."""
    found = doubles().get(text[at], "")
    bound = _bound().get(text[at])
    return "".join(one for one in found if _same(text, at, bound[one])) if bound else found


def _same(text: str, at: int, where: str) -> bool:
    """Whether a double that is for such places keeps the character's shape, and its neighbours theirs."""
    if where == "arabic":
        # the two kinds of digits run the same way after Arabic letters only
        return last_direction(text, at) == "AL"
    if _is_marked(text, at) or _ONE_SIGN in text[max(0, at - 2) : at + 4]:
        return False
    if where == "apart":
        return not joins_before(text, at)
    return joins_after(text, at) == (where == "inside")


def _is_marked(text: str, at: int) -> bool:
    """Whether a mark or an unseen sign follows: fonts do not place marks on all letters alike."""
    following = text[at + 1 : at + 2] or " "
    return following != "\u200c" and unicodedata.category(following) in ("Mn", "Cf")


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
        places = [at for at, sign in enumerate(text) if sign in known and alike(text, at) and free(at, at + 1)]
        return [
            Edit(places[at], text[places[at]], random.choice(alike(text, places[at])), "looks the same")
            for at in (chosen(places, random, self.budget, 10) if places else ())
        ]
