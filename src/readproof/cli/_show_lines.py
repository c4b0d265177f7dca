"""From marked text to lines of a terminal: brackets or colours, wrapping by columns, both directions of writing."""

from __future__ import annotations

import os
import shutil
import sys
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from readproof.lang.api import get_language
from readproof.text import ZWNJ

# Right-to-left lines: left to a terminal that reorders them itself, reordered and shaped for one that does not.
#
# A line is a list of clusters (a character with its marks), so that whatever is known of a cluster survives reordering.


RIGHT_TO_LEFT_ISOLATE = "\u2067"
POP_ISOLATE = "\u2069"
RIGHT_TO_LEFT_MARK = "\u200f"

_TATWEEL = "\u0640"
_LAM = "\u0644"
# Tag characters have no direction and are no part of a clean text: two after each cluster carry its number through the
# reordering, and come out before it where the order was turned.
_TAG = 0xE0020
_TAGS = 90
_HEBREW, _LATIN = "\u05d0", "a"
_PRESENTATION = (range(0xFB50, 0xFDFF), range(0xFE70, 0xFEFD))


def reorders_itself(environment: Mapping[str, str], is_terminal: bool) -> bool:
    """Whether what shows our output puts right-to-left text in order by itself.

    A file or a pipe does: text is stored in reading order. Of the terminals, GNOME's and its kin (VTE), Konsole,
    Apple's Terminal, mlterm and mintty do; xterm, the Linux console, VS Code, Windows Terminal and most others do not.
    """
    if not is_terminal:
        return True
    if "XTERM_VERSION" in environment:
        # an xterm started from another terminal inherits that one's variables
        return False
    program = environment.get("TERM_PROGRAM", "")
    return (
        program in ("Apple_Terminal", "mintty")
        or any(name in environment for name in ("VTE_VERSION", "KONSOLE_VERSION", "MLTERM"))
        or environment.get("TERM", "").startswith("mlterm")
    ) and program != "vscode"


def is_right_to_left(text: str, language: str = "") -> bool:
    """The direction of a paragraph: by its first letter, but Persian is right to left even where a name comes first."""
    directions = [direction for direction in map(unicodedata.bidirectional, text) if direction in ("L", "R", "AL")]
    if get_language(language).right_to_left:
        return any(direction != "L" for direction in directions)
    return bool(directions) and directions[0] != "L"


def visual_order(clusters: Sequence[str], right_to_left: bool) -> list[tuple[int, str]]:
    """The clusters from left to right, each with its number; brackets mirrored where the order is turned."""
    from bidi import get_display
    from bidi.mirror import MIRRORED

    tagged = "".join(cluster[0] + _tags(number) for number, cluster in enumerate(clusters))
    # a letter of the line's own direction changes nothing at its end, but keeps the last tags with their cluster
    if right_to_left:
        shown = str(get_display(tagged + _HEBREW, base_dir="R"))[1:]
    else:
        shown = str(get_display(tagged + _LATIN, base_dir="L"))[:-1]
    order: list[tuple[int, str]] = []
    for at in range(0, len(shown), 3):
        if _is_tag(shown[at]):
            low, high, base = shown[at], shown[at + 1], MIRRORED.get(shown[at + 2], shown[at + 2])
        else:
            base, high, low = shown[at], shown[at + 1], shown[at + 2]
        number = (ord(high) - _TAG) * _TAGS + ord(low) - _TAG
        order.append((number, base + clusters[number][1:]))
    return order


def shaped(clusters: Sequence[str]) -> list[str]:
    """Arabic letters in the form their neighbours ask for, as terminals that do not reorder do not join them either.

    A cluster keeps its number: of the ligature lam-alef the lam takes the form, the alef becomes empty.
    """
    result = list(clusters)
    for at, cluster in enumerate(clusters):
        forms = _forms().get(cluster[0])
        if forms is None or not result[at]:
            continue
        before = at > 0 and _joins_on(clusters[at - 1])
        after = at + 1 < len(clusters) and _joins_on(cluster) and _joins_back(clusters[at + 1])
        ligature = _forms().get(cluster + clusters[at + 1][0]) if after else None
        if ligature is not None:
            result[at] = ligature["final" if before else "isolated"] + clusters[at + 1][1:]
            result[at + 1] = ""
            continue
        form = {(True, True): "medial", (True, False): "final", (False, True): "initial"}.get(
            (before, after), "isolated"
        )
        result[at] = forms.get(form, cluster[0]) + cluster[1:].replace(ZWNJ, "")
    return result


def _joins_on(cluster: str) -> bool:
    """Whether a letter reaches for the one after it."""
    return ZWNJ not in cluster and (cluster[0] == _TATWEEL or "initial" in _forms().get(cluster[0], {}))


def _joins_back(cluster: str) -> bool:
    return cluster[0] == _TATWEEL or "final" in _forms().get(cluster[0], {})


@cache
def _forms() -> dict[str, dict[str, str]]:
    """The presentation forms of each Arabic letter, and of lam with an alef, out of Unicode's own table."""
    forms: dict[str, dict[str, str]] = {}
    for character in (chr(code) for block in _PRESENTATION for code in block):
        kind, *codes = unicodedata.decomposition(character).split() or [""]
        letters = "".join(chr(int(code, 16)) for code in codes)
        if kind.strip("<>") in ("isolated", "final", "initial", "medial") and (
            len(letters) == 1 or (len(letters) == 2 and letters[0] == _LAM and letters[1] in "\u0622\u0623\u0625\u0627")
        ):
            forms.setdefault(letters, {}).setdefault(kind.strip("<>"), character)
    return forms


def _tags(number: int) -> str:
    high, low = divmod(number, _TAGS)
    return chr(_TAG + high) + chr(_TAG + low)


def _is_tag(character: str) -> bool:
    return _TAG <= ord(character) < _TAG + _TAGS


OPEN, CLOSE = "⟦", "⟧"

# no line begins with one of these, no line ends with one of those
_NOT_FIRST = frozenset("，。、；：？！…—）》】」』”’〉〕％℃·,.;:?!)]}%" + CLOSE)
_NOT_LAST = frozenset("（《【「『“‘〈〔([{" + OPEN)
_CODES = {
    "": "",
    "label": "2",
    "head": "1",
    "gold": "1;30;43",
    "right": "1;32",
    "type": "2",
    **{f"tag{number}": f"4;{31 + number}" for number in range(6)},
}


@dataclass(frozen=True, slots=True)
class PageStyle:
    """How to write: how wide, with colours or with brackets, right-to-left lines reordered (`visual`) or not."""

    width: int = 100
    colour: bool = False
    visual: bool = False


@dataclass(frozen=True, slots=True)
class MarkedSpan:
    """A piece of a text to be made visible; `note` is written behind it."""

    start: int
    end: int
    style: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Grapheme:
    """A character with its marks, its style and how many columns it takes."""

    text: str
    style: str
    width: int


def lines_of(text: str, spans: Sequence[MarkedSpan], page: PageStyle, width: int, language: str = "") -> list[str]:
    """The text as lines of at most `width` columns; right-to-left paragraphs stand on the right."""
    lines: list[str] = []
    for paragraph in _paragraphs(_marked(text, spans, page)):
        letters = "".join(cluster.text for cluster in paragraph if cluster.text != RIGHT_TO_LEFT_MARK)
        right_to_left = is_right_to_left(letters, language)
        if not right_to_left:
            paragraph = [cluster for cluster in paragraph if cluster.text != RIGHT_TO_LEFT_MARK]
        lines.extend(_written(line, page, width, right_to_left) for line in _wrapped(paragraph, width))
    return lines


def styled(text: str, style: str, page: PageStyle) -> str:
    """The text in colour, where the page has colours."""
    return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if page.colour and _CODES[style] and text else text


def columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    from rich.cells import cell_len

    return cell_len(text)


def _marked(text: str, spans: Sequence[MarkedSpan], page: PageStyle) -> Iterator[tuple[str, str]]:
    """Each character with its style, brackets and notes put in. A longer span opens first and closes last."""
    opening: dict[int, list[MarkedSpan]] = {}
    closing: dict[int, list[MarkedSpan]] = {}
    spans = [span for span in spans if 0 <= span.start < span.end <= len(text)]
    for span in sorted(spans, key=lambda span: span.start - span.end):
        opening.setdefault(span.start, []).append(span)
    for span in sorted(spans, key=lambda span: span.end - span.start):
        closing.setdefault(span.end, []).append(span)
    inside: list[MarkedSpan] = []
    for at in range(len(text) + 1):
        for span in closing.get(at, ()):
            inside.remove(span)
            # the mark keeps a number behind a Latin note from joining it; only right-to-left lines keep the mark
            end = f"/{span.note}{RIGHT_TO_LEFT_MARK}" if span.note else ""
            yield from ((character, "type") for character in (end if page.colour else end + CLOSE))
        for span in opening.get(at, ()):
            inside.append(span)
            if not page.colour:
                yield OPEN, ""
        if at < len(text):
            yield text[at], min(inside, key=lambda span: span.end - span.start).style if inside else ""


def _paragraphs(marked: Iterator[tuple[str, str]]) -> Iterator[list[Grapheme]]:
    from rich.cells import get_character_cell_size

    paragraph: list[Grapheme] = []
    for character, style in marked:
        if character == "\n":
            yield paragraph
            paragraph = []
            continue
        width = get_character_cell_size(character)
        if character == RIGHT_TO_LEFT_MARK:
            paragraph.append(Grapheme(character, style, 0))
        elif width == 0 and paragraph:
            before = paragraph[-1]
            paragraph[-1] = Grapheme(before.text + character, before.style, before.width)
        else:
            paragraph.append(Grapheme(" " if character == "\t" else character, style, max(width, 1)))
    yield paragraph


def _wrapped(paragraph: Sequence[Grapheme], width: int) -> Iterator[list[Grapheme]]:
    line: list[Grapheme] = []
    taken = 0
    for cluster in paragraph:
        line.append(cluster)
        taken += cluster.width
        while taken > width and cluster.text != " ":
            cut = next((at for at in range(len(line) - 1, 0, -1) if _may_break(line[at - 1], line[at])), len(line) - 1)
            cut = max(cut, 1)
            yield _trimmed(line[:cut])
            line = line[cut:]
            taken = sum(one.width for one in line)
            if len(line) <= 1:
                break
    yield _trimmed(line)


def _may_break(before: Grapheme, after: Grapheme) -> bool:
    if after.style == "type" or after.text == " ":
        return False
    if before.text == " ":
        return True
    return (before.width > 1 or after.width > 1) and after.text not in _NOT_FIRST and before.text not in _NOT_LAST


def _trimmed(line: list[Grapheme]) -> list[Grapheme]:
    end = len(line)
    while end and line[end - 1].text == " ":
        end -= 1
    return line[:end]


def _written(line: list[Grapheme], page: PageStyle, width: int, right_to_left: bool) -> str:
    order = [(cluster.text, cluster.style) for cluster in line]
    taken = sum(cluster.width for cluster in line)
    if page.visual and line and (right_to_left or any(is_right_to_left(text) for text, _ in order)):
        shapes = shaped([cluster.text for cluster in line])
        kept = [(shape, cluster.style) for shape, cluster in zip(shapes, line, strict=True) if shape]
        taken -= len(line) - len(kept)
        turned = visual_order([shape for shape, _ in kept], right_to_left)
        order = [(text, kept[number][1]) for number, text in turned if text != RIGHT_TO_LEFT_MARK]
    pieces = ((style, "".join(text for text, _ in run)) for style, run in groupby(order, key=lambda pair: pair[1]))
    written = "".join(styled(text, style, page) for style, text in pieces)
    if not right_to_left:
        return written
    if not page.visual:
        written = f"{RIGHT_TO_LEFT_ISOLATE}{written}{POP_ISOLATE}"
    return " " * max(width - taken, 0) + written


# The page that standard output is: its width, whether in colour, who puts right-to-left text in order.


_WIDEST = 100


def page_here(visual: bool | None = None) -> PageStyle:
    """What is printed on now; `visual` says whether right-to-left text is to be put in order, None to find out."""
    terminal = sys.stdout.isatty()
    forced = bool(os.environ.get("FORCE_COLOR"))
    colour = not os.environ.get("NO_COLOR") and (forced or (terminal and os.environ.get("TERM") != "dumb"))
    width = min(shutil.get_terminal_size((_WIDEST, 24)).columns, _WIDEST)
    return PageStyle(width, colour, not reorders_itself(os.environ, terminal) if visual is None else visual)
