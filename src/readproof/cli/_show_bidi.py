"""Right-to-left lines: left to a terminal that reorders them itself, reordered and shaped for one that does not.

A line is a list of clusters (a character with its marks), so that whatever is known of a cluster survives reordering.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache

from readproof.text import ZWNJ

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
    if language == "fa":
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
