"""A text with an offset map: clean it as you like, and any span of the clean text still maps back to the raw one.

Every cleaning step is a list of edits over the raw text; `applied` turns edits into a `Text`, and the same edits are
the report of what was changed. An answer is then always cut from the raw passage by offsets, never put together again
from tokens.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby

from readproof.items import Edit

_SURROGATES = re.compile("[\ud800-\udfff]")

ZWNJ = "\u200c"

# Characters that show nothing: format and control characters, bidi controls, zero-width characters, variation
# selectors, fillers and tags. Left out on purpose: tab and line feed, and the visible signs of category Cf (Arabic
# number and verse signs, the Syriac abbreviation mark, Kaithi number signs), which a test lists one by one.
_INVISIBLE_CLASS = (
    "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# Invisible characters that a writer or an attacker puts where a space would stand; the others (soft hyphen, joiners,
# selectors) are found inside words.
_SPACE_LIKE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_LINE_CLASS = "\x0b\x0c\x85\u2028\u2029"
_SPACE_CLASS = "\xa0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000"
_SUSPECT = re.compile(f"[{_INVISIBLE_CLASS}]+|\r\n|[\r{_LINE_CLASS}]|[{_SPACE_CLASS}]")
_UNUSUAL_SPACE = re.compile(f"[{_SPACE_CLASS}]")
_SPACES = re.compile(r"[ \t]{2,}|\t")
# Scripts written without spaces between words: an invisible character there never stands for one.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fff\u3005-\u3007\u3021-\u312f\u31a0-\u31ff\u3400-\u9fff"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]"
)
_ARABIC = re.compile("[\u0600-\u06ff\u0750-\u077f\u0870-\u08ff\ufb50-\ufdff\ufe70-\ufefe]")
# Letters that combine with the letter before them: vowel and final jamo; U+16D67 of Kirat Rai since Unicode 16.
_LETTERS_THAT_JOIN = re.compile("[\u1160-\u11ff\ud7b0-\ud7ff\U00016d67]")
# All but ASCII and common Han characters, which NFKC leaves as they are.
_UNSTABLE = re.compile("[^\x00-\x9f\u3400-\u9fff]+")
_LONG_CLUSTER = 32


@dataclass(frozen=True, slots=True)
class Gap:
    """A run of invisible characters raw[start:end] and what stands in its place by the letters beside it alone.

    `usual` is a space, a ZWNJ or nothing; `space_like` says whether the run may stand for a space at all.
    """

    start: int
    end: int
    usual: str
    space_like: bool


# what stands in the place of each gap: a space, a ZWNJ or nothing. Whether a mark is a space or stands inside a word is
# known by words, which belong to languages: so they come from outside
Judge = Callable[[str, Sequence[Gap]], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Text:
    """A raw text, its clean form, and where each clean character comes from.

    `starts` and `ends` give each clean character's raw span; both are None where the texts are the same. `leaning`
    holds the clean characters that stand only because of both their neighbours (a kept ZWNJ, a space put for an
    invisible character): a span does not begin or end with one of them. `edits` are what was changed, in raw offsets.
    """

    raw: str
    clean: str
    starts: Sequence[int] | None = None
    ends: Sequence[int] | None = None
    leaning: frozenset[int] = frozenset()
    edits: tuple[Edit, ...] = ()

    def to_raw(self, start: int, end: int) -> tuple[int, int]:
        """The raw span of a clean span, widened to whole raw characters."""
        self._check(start, end, len(self.clean))
        if start == end:
            return self._position(start), self._position(start)
        start -= start in self.leaning
        end += end - 1 in self.leaning
        if self.starts is None or self.ends is None:
            return start, end
        return self.starts[start], self.ends[end - 1]

    def to_clean(self, start: int, end: int) -> tuple[int, int]:
        """The clean span of a raw span: every clean character that comes from a part of it.

        A leaning character at its edge is left out, as one of the neighbours it stands for is not in the span.
        """
        self._check(start, end, len(self.raw))
        if self.starts is None or self.ends is None:
            return start, end
        first = bisect_right(self.ends, start)
        last = bisect_left(self.starts, end) if start < end else first
        if first in self.leaning and first < last:
            first += 1
        if last - 1 in self.leaning and first < last:
            last -= 1
        return first, max(first, last)

    def widened(self, start: int, end: int) -> tuple[int, int]:
        """The clean span that a clean span grows to when it is cut from the raw text and cleaned again."""
        if start == end:
            return start, end
        return self.to_clean(*self.to_raw(start, end))

    def then(self, step: Callable[[str], Text], *, told: bool = True) -> Text:
        """The same text after one more step; the map still leads to the first raw text.

        To tell all edits of both steps as one list takes longer than all else; what is only read goes without.
        """
        later = step(self.clean)
        if later.starts is None or later.ends is None:
            return self
        if self.starts is None or self.ends is None:
            return later
        # look-ups in one go: a call for each character would take seconds for a book
        starts = array("q", map([*self.starts, len(self.raw)].__getitem__, later.starts))
        ends = array("q", map([0, *self.ends].__getitem__, later.ends))
        for index in [index for index, (at, end) in enumerate(zip(later.starts, later.ends, strict=True)) if at == end]:
            ends[index] = starts[index]
        leaning = {
            index
            for index, at in enumerate(later.starts if self.leaning else ())
            if at in self.leaning and later.ends[index] == at + 1
        }
        text = Text(self.raw, later.clean, starts, ends, later.leaning | leaning)
        if not told:
            return text
        spans = [(edit.start, edit.end, edit.why) for edit in self.edits]
        spans += [(self._position(edit.start), self._end(edit.start, edit.end), edit.why) for edit in later.edits]
        return replace(text, edits=tuple(_joined(text, spans)))

    def _position(self, at: int) -> int:
        if self.starts is None:
            return at
        return self.starts[at] if at < len(self.starts) else len(self.raw)

    def _end(self, start: int, end: int) -> int:
        if self.ends is None or start == end:
            return self._position(end)
        return self.ends[end - 1]

    def _check(self, start: int, end: int, length: int) -> None:
        if not 0 <= start <= end <= length:
            raise IndexError(f"span {start}:{end} outside a text of {length} characters")


def plain(raw: str) -> Text:
    """A text as it stands."""
    return Text(raw, raw)


def applied(raw: str, edits: Iterable[Edit], leaning: Iterable[int] = ()) -> Text:
    """The text after edits that are in order and do not overlap; `leaning` are the raw starts of leaning edits."""
    pieces: list[str] = []
    starts = array("q")
    ends = array("q")
    leans: set[int] = set()
    leaning = set(leaning)
    at = 0
    done: list[Edit] = []
    for edit in edits:
        done.append(edit)
        pieces.append(raw[at : edit.start])
        starts.extend(range(at, edit.start))
        ends.extend(range(at + 1, edit.start + 1))
        if edit.start in leaning:
            leans.add(len(starts))
        pieces.append(edit.new)
        starts.extend([edit.start] * len(edit.new))
        ends.extend([edit.end] * len(edit.new))
        at = edit.end
    if not done:
        return plain(raw)
    pieces.append(raw[at:])
    starts.extend(range(at, len(raw)))
    ends.extend(range(at + 1, len(raw) + 1))
    changes = tuple(edit for edit in done if edit.old != edit.new)
    return Text(raw, "".join(pieces), starts, ends, frozenset(leans), changes)


def sanitised(raw: str, judge: Judge | None = None) -> Text:
    """The text without anything invisible: format, control, bidi and zero-width characters, selectors, odd spaces.

    `judge` decides what an invisible run stands for by more than the two letters beside it.
    """
    found = list(_suspects(raw))
    edits: list[Edit] = [one if isinstance(one, Edit) else _filled(raw, one, one.usual) for one in found]
    gaps = [(at, one) for at, one in enumerate(found) if isinstance(one, Gap)]
    if judge is not None and gaps:
        judged = judge(raw, [gap for _, gap in gaps])
        for (at, gap), new in zip(gaps, judged, strict=True):
            if new != gap.usual:
                edits[at] = _filled(raw, gap, new)
    return applied(raw, edits, (gap.start for at, gap in gaps if edits[at].new))


def sanitising_edits(raw: str) -> list[Edit]:
    """What `sanitised` changes, with the reason for each change."""
    return list(sanitised(raw).edits)


def normalised(raw: str) -> Text:
    """Sanitised, in compatibility form (NFKC), runs of spaces and tabs as one space."""
    visible = sanitised(raw)
    text = visible.then(compatible)
    if text is not visible:
        # NFKC puts marks in another order, so a kept non-joiner may now stand beside one that is not Arabic
        text = text.then(sanitised)
    return text.then(single_spaced)


def compatible(raw: str) -> Text:
    """NFKC, character cluster by character cluster, so that each cluster keeps its place."""
    if unicodedata.is_normalized("NFKC", raw):
        return plain(raw)
    return applied(raw, _compatibility_edits(raw))


def single_spaced(raw: str) -> Text:
    """Runs of spaces and tabs as one space; line ends stay."""
    return applied(raw, (Edit(found.start(), found[0], " ", "run of spaces") for found in _SPACES.finditer(raw)))


def encodable(text: str) -> str:
    """A lone surrogate, which no file, terminal or tokenizer holds, becomes the replacement character; offsets stay."""
    return _SURROGATES.sub("\ufffd", text)


def _suspects(raw: str) -> Iterator[Edit | Gap]:
    """Each suspicious run: what becomes of it, or the gap where that hangs on its neighbours."""
    for found in _SUSPECT.finditer(raw):
        run = found[0]
        first = run[0]
        if first == "\r" or first in _LINE_CLASS:
            yield Edit(found.start(), run, "\n", f"line end {' '.join(f'U+{ord(end):04X}' for end in run)}")
        elif _UNUSUAL_SPACE.match(first):
            yield Edit(found.start(), run, " ", f"unusual space {_name(first)}")
        else:
            yield _gap(raw, found.start(), run)


def _gap(raw: str, start: int, run: str) -> Gap:
    end = start + len(run)
    left = raw[start - 1] if start else ""
    right = raw[end : end + 1]
    space_like = bool(_SPACE_LIKE.search(run))
    usual = ""
    if left and right and not _continues(right):
        if ZWNJ in run and _is_arabic(left, -1) and _is_arabic(right, 0):
            usual = ZWNJ
        elif space_like and _is_spaced(left, -1) and _is_spaced(right, 0):
            usual = " "
    return Gap(start, end, usual, space_like)


def _filled(raw: str, gap: Gap, new: str) -> Edit:
    run = raw[gap.start : gap.end]
    kept = "; the non-joiner kept" if new == ZWNJ else " in place of a space" if new else ""
    return Edit(gap.start, run, new, ", ".join(dict.fromkeys(map(_name, run[:8]))) + kept)


# Neighbours are judged by the end of their compatibility form that faces the invisible run, so that `normalised` sees
# the same ones when it comes again: U+FC5E is a letter, yet its form begins with a space. A mark can end a word on the
# left of the run; on its right it belongs to what is on the left.
@lru_cache(maxsize=1 << 12)
def _is_arabic(character: str, side: int) -> bool:
    facing = unicodedata.normalize("NFKC", character)[side]
    return bool(_ARABIC.match(facing)) and unicodedata.category(facing)[0] in "LM"


@lru_cache(maxsize=1 << 12)
def _is_spaced(character: str, side: int) -> bool:
    facing = unicodedata.normalize("NFKC", character)[side]
    return unicodedata.category(facing)[0] in "LMN" and not _UNSPACED.match(facing)


@lru_cache(maxsize=512)
def _name(character: str) -> str:
    return f"U+{ord(character):04X} {unicodedata.name(character, 'CONTROL CHARACTER')}"


def _compatibility_edits(raw: str) -> Iterator[Edit]:
    for stretch in _UNSTABLE.finditer(raw):
        # the character before it may be the one that its marks stand on
        start = max(stretch.start() - 1, 0)
        for end in range(start + 1, stretch.end() + 1):
            if end < len(raw) and _continues(raw[end]):
                continue
            cluster = raw[start:end]
            form = unicodedata.normalize("NFKC", _in_order(cluster) if len(cluster) > _LONG_CLUSTER else cluster)
            if form != cluster:
                yield Edit(start, cluster, form, "compatibility form")
            start = end


@lru_cache(maxsize=1 << 16)
def _continues(character: str) -> bool:
    """Whether a character can combine with the one before it (a mark, or a jamo that is not the first)."""
    if character < "\u0300" or "\u3400" <= character <= "\u9fff":
        return False
    first = unicodedata.normalize("NFKD", character)[0]
    return unicodedata.category(first)[0] == "M" or bool(_LETTERS_THAT_JOIN.match(first))


def _in_order(cluster: str) -> str:
    """Decomposed, each run of marks in canonical order: Python's own sort of a run takes quadratic time."""
    whole = "".join(unicodedata.normalize("NFKD", character) for character in cluster)
    runs = groupby(whole, lambda character: unicodedata.combining(character) > 0)
    return "".join("".join(sorted(run, key=unicodedata.combining)) if marks else "".join(run) for marks, run in runs)


def _joined(text: Text, spans: Iterable[tuple[int, int, str]]) -> Iterator[Edit]:
    """The edits of two steps as one list over the raw text: those that overlap become one."""
    groups: list[tuple[int, int, str]] = []
    for start, end, why in sorted(spans, key=lambda span: span[:2]):
        first, last, reasons = groups[-1] if groups else (-1, -1, "")
        if start < last or (start == last and (start == end or first == last)):
            groups[-1] = (first, max(last, end), reasons if why in reasons else f"{reasons}; {why}")
        else:
            groups.append((start, end, why))
    for start, end, why in groups:
        first = bisect_left(text.starts or (), start)
        last = max(first, bisect_right(text.ends or (), end))
        if text.clean[first:last] != text.raw[start:end]:
            yield Edit(start, text.raw[start:end], text.clean[first:last], why)
