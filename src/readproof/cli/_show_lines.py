"""From marked text to lines of a terminal: brackets or colours, wrapping by columns, both directions of writing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from readproof.cli import _show_bidi as bidi

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
class Page:
    """How to write: how wide, with colours or with brackets, right-to-left lines reordered (`visual`) or not."""

    width: int = 100
    colour: bool = False
    visual: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a text to be made visible; `note` is written behind it."""

    start: int
    end: int
    style: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Cluster:
    """A character with its marks, its style and how many columns it takes."""

    text: str
    style: str
    width: int


def lines_of(text: str, spans: Sequence[Span], page: Page, width: int, language: str = "") -> list[str]:
    """The text as lines of at most `width` columns; right-to-left paragraphs stand on the right."""
    lines: list[str] = []
    for paragraph in _paragraphs(_marked(text, spans, page)):
        letters = "".join(cluster.text for cluster in paragraph if cluster.text != bidi.RIGHT_TO_LEFT_MARK)
        right_to_left = bidi.is_right_to_left(letters, language)
        if not right_to_left:
            paragraph = [cluster for cluster in paragraph if cluster.text != bidi.RIGHT_TO_LEFT_MARK]
        lines.extend(_written(line, page, width, right_to_left) for line in _wrapped(paragraph, width))
    return lines


def styled(text: str, style: str, page: Page) -> str:
    """The text in colour, where the page has colours."""
    return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if page.colour and _CODES[style] and text else text


def columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    from rich.cells import cell_len

    return cell_len(text)


def _marked(text: str, spans: Sequence[Span], page: Page) -> Iterator[tuple[str, str]]:
    """Each character with its style, brackets and notes put in. A longer span opens first and closes last."""
    opening: dict[int, list[Span]] = {}
    closing: dict[int, list[Span]] = {}
    spans = [span for span in spans if 0 <= span.start < span.end <= len(text)]
    for span in sorted(spans, key=lambda span: span.start - span.end):
        opening.setdefault(span.start, []).append(span)
    for span in sorted(spans, key=lambda span: span.end - span.start):
        closing.setdefault(span.end, []).append(span)
    inside: list[Span] = []
    for at in range(len(text) + 1):
        for span in closing.get(at, ()):
            inside.remove(span)
            # the mark keeps a number behind a Latin note from joining it; only right-to-left lines keep the mark
            end = f"/{span.note}{bidi.RIGHT_TO_LEFT_MARK}" if span.note else ""
            yield from ((character, "type") for character in (end if page.colour else end + CLOSE))
        for span in opening.get(at, ()):
            inside.append(span)
            if not page.colour:
                yield OPEN, ""
        if at < len(text):
            yield text[at], min(inside, key=lambda span: span.end - span.start).style if inside else ""


def _paragraphs(marked: Iterator[tuple[str, str]]) -> Iterator[list[Cluster]]:
    from rich.cells import get_character_cell_size

    paragraph: list[Cluster] = []
    for character, style in marked:
        if character == "\n":
            yield paragraph
            paragraph = []
            continue
        width = get_character_cell_size(character)
        if character == bidi.RIGHT_TO_LEFT_MARK:
            paragraph.append(Cluster(character, style, 0))
        elif width == 0 and paragraph:
            before = paragraph[-1]
            paragraph[-1] = Cluster(before.text + character, before.style, before.width)
        else:
            paragraph.append(Cluster(" " if character == "\t" else character, style, max(width, 1)))
    yield paragraph


def _wrapped(paragraph: Sequence[Cluster], width: int) -> Iterator[list[Cluster]]:
    line: list[Cluster] = []
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


def _may_break(before: Cluster, after: Cluster) -> bool:
    if after.style == "type" or after.text == " ":
        return False
    if before.text == " ":
        return True
    return (before.width > 1 or after.width > 1) and after.text not in _NOT_FIRST and before.text not in _NOT_LAST


def _trimmed(line: list[Cluster]) -> list[Cluster]:
    end = len(line)
    while end and line[end - 1].text == " ":
        end -= 1
    return line[:end]


def _written(line: list[Cluster], page: Page, width: int, right_to_left: bool) -> str:
    order = [(cluster.text, cluster.style) for cluster in line]
    taken = sum(cluster.width for cluster in line)
    if page.visual and line and (right_to_left or any(bidi.is_right_to_left(text) for text, _ in order)):
        shapes = bidi.shaped([cluster.text for cluster in line])
        kept = [(shape, cluster.style) for shape, cluster in zip(shapes, line, strict=True) if shape]
        taken -= len(line) - len(kept)
        turned = bidi.visual_order([shape for shape, _ in kept], right_to_left)
        order = [(text, kept[number][1]) for number, text in turned if text != bidi.RIGHT_TO_LEFT_MARK]
    pieces = ((style, "".join(text for text, _ in run)) for style, run in groupby(order, key=lambda pair: pair[1]))
    written = "".join(styled(text, style, page) for style, text in pieces)
    if not right_to_left:
        return written
    if not page.visual:
        written = f"{bidi.RIGHT_TO_LEFT_ISOLATE}{written}{bidi.POP_ISOLATE}"
    return " " * max(width - taken, 0) + written
