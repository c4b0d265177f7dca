"""Names of people and teams: shown to others, so neither empty to the eye nor made to be taken for somebody else's."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from readproof.board.words import Refusal

# letters by their category that show nothing, or a blank
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800\u17b4\u17b5\u180e")
# scripts whose letters are taken for one another
_ALIKE = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE"})
_CJK = "CJK"
# signs of other scripts that look like Latin letters, for comparing names
_LOOKS = str.maketrans(
    "аеорсухіјѕһԁԛԝвнкмтАВЕКМНОРСТУХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧοανρυ",
    "aeopcyxijshdqwbhkmtabekmhopctyxijsabezhikmnoptyxoavpu",
)


def printable(text: str) -> str:
    """Names as they can be shown: one line, no characters that steer a page or a terminal, no blanks in disguise."""
    kept = "".join(" " if not one.isprintable() or one in _BLANK else one for one in unicodedata.normalize("NFC", text))
    return " ".join(kept.split())


def check_name(name: str) -> None:
    """A refusal of a name that shows nothing, or that mixes letters of scripts that are taken for one another."""
    if not any(unicodedata.category(one)[0] in "LNS" and one not in _BLANK for one in name):
        raise Refusal("refused.blank")
    for part in name.split():
        found = {script for script in map(_script, part) if script}
        if len(found & _ALIKE) > 1:
            raise Refusal("refused.mixed")
    if _stacked(name):
        raise Refusal("refused.mixed")


def folded(name: str) -> str:
    """What two names that look alike have in common."""
    plain = unicodedata.normalize("NFKC", name).translate(_LOOKS).casefold()
    return "".join(one for one in unicodedata.normalize("NFKC", plain) if not one.isspace())


def _script(sign: str) -> str:
    if not sign.isalpha():
        return ""
    first = unicodedata.name(sign, "").partition(" ")[0]
    return "HAN" if first == _CJK else "LATIN" if first in ("FULLWIDTH", "FEMININE", "MASCULINE") else first


def _stacked(name: Iterable[str]) -> bool:
    """Marks piled up over a letter, which run into the lines above."""
    run = 0
    for one in name:
        run = run + 1 if unicodedata.combining(one) else 0
        if run > 2:
            return True
    return False
