"""Attacks on single characters: invisible ones, look-alikes, another order in memory, another script, typos."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from importlib.resources import files
from random import Random
from typing import ClassVar

from readproof.attacks.base import AttackInfo, AttackOutput, random_for, skipped, variant_id
from readproof.attacks.edits import PASSAGE, QUESTION, variant
from readproof.items import Edit, Item, SpanItem, Variant
from readproof.lang.api import LANGUAGES, get_language
from readproof.text import sanitised

WHERE = ("passage", "question", "both")

# the edits of one text; `free` says of a place whether it may be changed
Change = Callable[[str, Callable[[int, int], bool], Random], Sequence[Edit]]


def changed(
    about: AttackInfo, item: Item, change: Change, *, where: str, seed: int, count: int, strategy: str = "", golds: bool
) -> AttackOutput:
    """Variants of a span item by a change to its texts; with `golds` false no character of a gold answer is touched."""
    if not isinstance(item, SpanItem):
        return skipped("no span question")
    if not about.speaks(item.language):
        return skipped(f"not for {item.language}")
    random = random_for(seed, about.name, item.id)
    made: list[Variant] = []
    seen: set[tuple[Edit, ...]] = set()
    for _ in range(4 * count if count > 1 else 1):
        edits = tuple(_edits(item, change, where, random, golds))
        if not edits:
            break
        if count == 1 or edits not in seen:
            if count > 1:  # to hash hundreds of edits takes as long as to make them
                seen.add(edits)
            name = variant_id(item.id, about.name, len(made))
            made.append(variant(item, edits, id=name, attack=about.name, strategy=strategy))
        if len(made) == count:
            break
    return AttackOutput(variants=tuple(made)) if made else skipped("nothing to change")


def undone(new: SpanItem, old: SpanItem) -> bool:
    """Whether the sanitiser gives back the very texts that there were before the attack."""
    return all(
        sanitised(after).clean == sanitised(before).clean
        for after, before in ((new.passage, old.passage), (new.question, old.question))
    )


def chosen(places: Sequence[int], random: Random, budget: int, one_in: int) -> list[int]:
    """Some of the places, in order: `budget` of them, or one in so many where no budget is given."""
    wanted = budget or max(1, len(places) // one_in)
    return sorted(random.sample(range(len(places)), min(wanted, len(places))))


def _edits(item: SpanItem, change: Change, where: str, random: Random, golds: bool) -> list[Edit]:
    edits: list[Edit] = []
    if where in ("passage", "both"):
        spans = [] if golds else [(gold.start, gold.end) for gold in item.golds]

        def free(start: int, end: int) -> bool:
            return all(first is None or last is None or end <= first or start >= last for first, last in spans)

        edits += [_in(edit, PASSAGE) for edit in change(item.passage, free, random)]
    if where in ("question", "both"):
        edits += [_in(edit, QUESTION) for edit in change(item.question, lambda _start, _end: True, random)]
    return edits


def _in(edit: Edit, where: str) -> Edit:
    return Edit(edit.start, edit.old, edit.new, edit.why, where)


# Characters that nobody sees: put before spaces, in place of spaces, or anywhere.
#
# The study of Persian readers says that it replaces spaces by U+200E; its code puts one before each space. Both are
# attacks, and different ones: in place of a space it fuses two words. A reader that removes what is invisible before it
# reads, as ours do, sees nothing of the first.


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

    about: ClassVar[AttackInfo] = AttackInfo(
        name="invisible",
        does="invisible characters before spaces, in place of spaces, or anywhere",
        languages=("zh", "fa", "en"),
        registry=LANGUAGES,
        undone="partly",
    )

    mode: str = field(
        default="auto",
        metadata={"values": ("auto", "before", "replace", "anywhere"), "help": "where the characters go"},
    )
    budget: int = field(default=0, metadata={"help": "how many are put in; 0: every space, or one in ten characters"})
    where: str = field(default="passage", metadata={"values": WHERE, "help": "the texts that are changed"})

    def make(self, item: Item, *, seed: int = 0, count: int = 1) -> AttackOutput:
        """Golds move along: an answer that now has invisible characters inside is cut with them."""
        if not isinstance(item, SpanItem):
            return skipped("no span question")
        usual = "before" if get_language(item.language).spaced else "anywhere"
        mode = usual if self.mode == "auto" else self.mode
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


# Characters that look the same and are not: Cyrillic for Latin letters, radicals for Chinese characters.


# How Arabic letters join: a letter's shape hangs on whether it is joined to the one before it and the one after.
# The types are Unicode's (ArabicShaping.txt), kept to what Persian and Arabic texts hold.

# joined to the letter before them, never to the one after; ڈ to ڙ are the kin of د and ر
_RIGHT = frozenset("آأؤإاةدذرزوٱٲٳٵٶٷۀۃۄۅۆۇۈۉۊۋۍۏےۓەۮۯ") | frozenset(map(chr, range(0x0688, 0x069A)))
# joined to nothing
_ALONE = frozenset("ءٴ\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u200c\u202f\u2066\u2067\u2068\u2069")
# these make their neighbours join as letters would
_CAUSING = frozenset("ـ\u200d")
# the blocks whose letters join; presentation forms keep the shape they have
_BLOCKS = ((0x0620, 0x064A), (0x066E, 0x06D3), (0x06D5, 0x06D5), (0x06EE, 0x06FF))


@lru_cache(maxsize=1 << 10)
def joining(sign: str) -> str:
    """D (joins on both sides), R (to the letter before), C (causes joining), T (not seen by joining), U (joins not)."""
    if sign in _RIGHT:
        return "R"
    if sign in _CAUSING:
        return "C"
    if sign in _ALONE:
        return "U"
    if unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return "T"
    arabic = any(first <= ord(sign) <= last for first, last in _BLOCKS)
    return "D" if arabic and sign.isalpha() else "U"


def joins_before(text: str, at: int) -> bool:
    """Whether a letter is joined to the one before it."""
    return joining(text[at]) in "DRC" and _neighbour(text, at, -1) in "DC"


def joins_after(text: str, at: int) -> bool:
    """Whether a letter is joined to the one after it."""
    return joining(text[at]) in "DC" and _neighbour(text, at, 1) in "DRC"


def _neighbour(text: str, at: int, step: int) -> str:
    """The type of the next sign that is not transparent; "U" at the text's edges."""
    at += step
    while 0 <= at < len(text):
        found = joining(text[at])
        if found != "T":
            return found
        at += step
    return "U"


def last_direction(text: str, at: int) -> str:
    """The direction of the nearest letter before a place: L, R or AL; "" where there is none."""
    kinds = map(unicodedata.bidirectional, reversed(text[:at]))
    return next((kind for kind in kinds if kind in ("L", "R", "AL")), "")


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
    about: ClassVar[AttackInfo] = AttackInfo(
        name="homoglyph", does="characters replaced by ones that look the same", languages=("zh", "fa", "en")
    )

    budget: int = field(default=0, metadata={"help": "how many are replaced; 0: one in ten that can be"})
    where: str = field(default="passage", metadata={"values": WHERE, "help": "the texts that are changed"})

    def make(self, item: Item, *, seed: int = 0, count: int = 1) -> AttackOutput:
        """Gold answers stay as they are: with another character in it, an answer would be another text."""
        return changed(self.about, item, self._change, where=self.where, seed=seed, count=count, golds=False)

    def _change(self, text: str, free: Callable[[int, int], bool], random: Random) -> Sequence[Edit]:
        known = doubles()
        places = [at for at, sign in enumerate(text) if sign in known and alike(text, at) and free(at, at + 1)]
        return [
            Edit(places[at], text[places[at]], random.choice(alike(text, places[at])), "looks the same")
            for at in (chosen(places, random, self.budget, 10) if places else ())
        ]


# Text whose order in memory is not the order on the screen: bidirectional controls show it as it was.
#
# In scripts written from left to right two neighbouring letters change places under an override that turns them back;
# in
# Persian, whose letters join, two neighbouring words do so under isolates.


_RLO, _PDF = "\u202e", "\u202c"
_LRI, _RLI, _PDI = "\u2066", "\u2067", "\u2069"
# digits keep their own order under a right-to-left paragraph, so only letters are swapped
_PAIR = re.compile(r"(?=([^\W\d_]{2}))")
_WORDS = re.compile(r"(?<![^\s])([\u0620-\u06ff\u200c]+) ([\u0620-\u06ff\u200c]+)(?![^\s])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reorder:
    about: ClassVar[AttackInfo] = AttackInfo(
        name="reorder",
        does="letters (fa: words) that changed places, shown as before by bidirectional controls",
        languages=("zh", "fa", "en"),
        registry=LANGUAGES,
    )

    budget: int = field(default=0, metadata={"help": "how many pairs change places; 0: one in forty"})
    where: str = field(default="passage", metadata={"values": WHERE, "help": "the texts that are changed"})

    def make(self, item: Item, *, seed: int = 0, count: int = 1) -> AttackOutput:
        """Gold answers stay as they are."""
        words = get_language(getattr(item, "language", "")).right_to_left
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


# The same text in another script: traditional for simplified Chinese and back, Arabic for Persian letters.


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptAttack:
    about: ClassVar[AttackInfo] = AttackInfo(
        name="script",
        does="traditional for simplified characters (or back); Arabic ي ك for Persian ی ک",
        languages=("zh", "fa"),
    )

    where: str = field(default="passage", metadata={"values": WHERE, "help": "the texts that are changed"})

    def make(self, item: Item, *, seed: int = 0, count: int = 1) -> AttackOutput:
        """There is but one variant; golds are cut from the converted passage."""
        spoken = get_language(getattr(item, "language", ""))

        def change(text: str, _free: Callable[[int, int], bool], _random: Random) -> Sequence[Edit]:
            return spoken.script_edits(text)

        return changed(self.about, item, change, where=self.where, seed=seed, count=min(count, 1), golds=True)


# Slips of the pen: Chinese characters of the same sound or shape, keys beside the right one elsewhere.


KINDS = ("both", "sound", "shape")


@dataclass(frozen=True, slots=True, kw_only=True)
class Typo:
    about: ClassVar[AttackInfo] = AttackInfo(
        name="typo",
        does="characters of the same sound or shape (zh), keys beside the right one (fa, en)",
        languages=("zh", "fa", "en"),
        registry=LANGUAGES,
    )

    kind: str = field(
        default="both", metadata={"values": KINDS, "help": "Chinese only: same sound, look-alike, or both"}
    )
    budget: int = field(default=0, metadata={"help": "how many slips; 0: one in thirty characters"})
    where: str = field(default="passage", metadata={"values": WHERE, "help": "the texts that are changed"})

    def make(self, item: Item, *, seed: int = 0, count: int = 1) -> AttackOutput:
        """Gold answers stay as they are."""
        spoken = get_language(getattr(item, "language", ""))
        change = partial(self._change, spoken.slips(self.kind))
        strategy = "keyboard" if spoken.spaced else self.kind
        return changed(
            self.about, item, change, where=self.where, seed=seed, count=count, strategy=strategy, golds=False
        )

    def _change(
        self, known: Mapping[str, str], text: str, free: Callable[[int, int], bool], random: Random
    ) -> Sequence[Edit]:
        places = [at for at, sign in enumerate(text) if sign in known and free(at, at + 1)]
        return [
            Edit(places[at], text[places[at]], random.choice(known[text[places[at]]]), "slip")
            for at in (chosen(places, random, self.budget, 30) if places else ())
        ]
