"""English questions: what asks, what it asks for, and the pieces that a statement is put together from."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from readproof.lang.api import Word, wordset
from readproof.lang.en.words import AUXILIARY, PREPOSITIONS, WH, is_adverb, is_base, is_past, is_third, words

_TIME = re.compile("^(?:years?|dates?|day|days|months?|century|centuries|decades?|season|time|period)$")
_DEGREE = wordset("en", "degree")
_MODIFIERS = wordset("en", "modifiers")


@dataclass(frozen=True, slots=True)
class AskingPhrase:
    """`before` what asks, the asking words [start, end) of the text, their head noun, and the words after them.

    `form` is the wh-word ("how many" for counts); `place` is "front", or "inside" where the answer's place is kept.
    """

    text: str
    start: int
    end: int
    form: str
    head: str
    place: str
    preposition: str
    prefix: str

    @property
    def after(self) -> str:
        return self.text[self.end :].strip()

    @property
    def type(self) -> str:
        """What kind of answer is asked for."""
        if self.form in ("how many", "how much", "how far") or (
            self.form.startswith("how ") and self.form != "how well"
        ):
            return "number"
        if self.form == "when" or _TIME.match(self.head.lower()):
            return "time"
        return {
            "who": "person",
            "whom": "person",
            "whose": "person",
            "where": "place",
            "why": "reason",
            "how": "manner",
        }.get(self.form, "thing")


@lru_cache(maxsize=1 << 12)
def question_of(question: str) -> AskingPhrase | None:
    """The question in pieces; None where nothing asks."""
    text = re.sub("[\\s?.!]+$", "", question.strip())
    tokens = words(text)
    found = [at for at, one in enumerate(tokens) if one.text.lower() in WH]
    if not found:
        return None
    at = _asking(tokens, found)
    if at is None or re.search("\\bdo what\\b", text):
        return None
    fronted = at == 0 or _starts_clause(tokens, at) or _follows_adjunct(tokens, at)
    size, form, head = _phrase(tokens, at, fronted)
    start = at
    preposition = ""
    if fronted and start and tokens[start - 1].text.lower() in PREPOSITIONS | _MODIFIERS:
        while start and tokens[start - 1].text.lower() in PREPOSITIONS | _MODIFIERS:
            start -= 1
        preposition = text[tokens[start].start : tokens[at].start].strip()
    prefix = text[: tokens[start].start].strip()
    return AskingPhrase(
        text,
        tokens[start].start,
        tokens[at + size - 1].end,
        form,
        head,
        "front" if fronted else "inside",
        preposition,
        prefix,
    )


def _asking(tokens: tuple[Word, ...], found: list[int]) -> int | None:
    """The wh-word that asks: one that begins a clause before one inside."""
    clause = tokens[0].text.lower() in ("when", "where") and any(_starts_clause(tokens, at) for at in found[1:])
    if found[0] == 0 and not clause:
        return 0
    found = found[1:] if clause else found
    for at in found:
        if _starts_clause(tokens, at) and at + 1 < len(tokens):
            return at
    inside = [at for at in found if tokens[at].text.lower() in ("what", "which", "whom", "who", "where", "how", "when")]
    return inside[-1] if inside else None


def _starts_clause(tokens: tuple[Word, ...], at: int) -> bool:
    """At the very start, after a comma, or after a preposition that is."""
    first = at
    while first and tokens[first - 1].text.lower() in PREPOSITIONS | _MODIFIERS:
        first -= 1
    if first == 0:
        return True
    return tokens[first - 1].text == "," and not any(one.text.lower() in ("and", "or") for one in tokens[first:at])


def _follows_adjunct(tokens: tuple[Word, ...], at: int) -> bool:
    """«In 2009 what was …»: no comma, but what asks is followed by the auxiliary of its clause."""
    opens = tokens[0].text.lower() in ("in", "during", "after", "before", "at", "on", "as", "since", "by", "inspired")
    turned = at + 1 < len(tokens) and tokens[at + 1].text.lower() in AUXILIARY
    return opens and turned and not any(one.text.lower() in AUXILIARY for one in tokens[:at])


def _phrase(tokens: tuple[Word, ...], at: int, fronted: bool) -> tuple[int, str, str]:
    """How many words ask, the form, and the head noun."""
    low = tokens[at].text.lower()
    following = tokens[at + 1].text.lower() if at + 1 < len(tokens) else ""
    if low in ("who", "whom", "where", "when", "why"):
        return 1, low, ""
    if low == "how":
        if following in ("many", "much"):
            size, head = _noun(tokens, at + 2, fronted)
            return 2 + size, f"how {following}", head
        if following in _DEGREE:
            return 2, f"how {following}", following
        return 1, "how", ""
    if low in ("what", "which") and following in ("is", "are", "was", "were"):
        return 1, low, ""
    size, head = _noun(tokens, at + 1, fronted)
    return 1 + size, low, head


def _noun(tokens: tuple[Word, ...], at: int, fronted: bool) -> tuple[int, str]:
    """The nouns that follow a wh-word: to the verb, or (inside a sentence) to the next little word."""
    size = 0
    while at + size < len(tokens):
        one = tokens[at + size]
        low = one.text.lower()
        if low in AUXILIARY or not (one.text[0].isalnum() or one.text[0] in "$'\"“"):
            break
        links = low == "of" and (fronted or (size and _kind(tokens[at + size - 1].text)))
        inside = fronted and size and tokens[at].text.lower() == "of"
        if low in PREPOSITIONS and not links and not inside:
            break
        if _is_verb(tokens, at + size, size):
            break
        size += 1
    # "what theory best explains", "which country previously held"
    while size and (is_adverb(tokens[at + size - 1].text) or tokens[at + size - 1].text == "best"):
        size -= 1
    while size and tokens[at + size - 1].text.lower() in ("the", "a", "an", "there", "of"):
        size -= 1
    head = next((tokens[at + one].text for one in range(size - 1, -1, -1) if tokens[at + one].text[0].isalpha()), "")
    names = [tokens[at + one].text.lower() for one in range(size)]
    if "of" in names[1:] and not _kind(names[0]):
        head = tokens[at + max(names.index("of") - 1, 0)].text
    if names and _kind(names[0]) and names.count("of") > 1:
        head = tokens[at + names.index("of", names.index("of") + 1) - 1].text
    return size, head


def _kind(word: str) -> bool:
    return word.lower() in ("kind", "type", "types", "kinds", "sort", "form", "amount", "percentage", "number", "part")


def _is_verb(tokens: tuple[Word, ...], at: int, size: int) -> bool:
    low = tokens[at].text.lower()
    if tokens[at].text[0].isupper():
        return False
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if is_past(low):
        modifies = following is not None and following.tag in ("n", "a") and not following.text.endswith("ly")
        return not (modifies and (size == 0 or any(one.text.lower() in AUXILIARY for one in tokens[at + 1 : at + 5])))
    # "what reasons cause": the verb of a plural, where no other verb asks
    plural = size and tokens[at - 1].text.endswith("s") and not tokens[at - 1].text.endswith("ss")
    if plural and is_base(low) and not any(one.text.lower() in AUXILIARY for one in tokens[at:]):
        return True
    if is_third(low) and following is not None and not any(one.text.lower() in AUXILIARY for one in tokens[at:]):
        return True
    opens = following is None or following.text.lower() in PREPOSITIONS or following.tag in ("f", "e", "m", "a")
    if is_third(low) and opens:
        return following is not None and following.text.lower() not in AUXILIARY
    return bool(is_base(low) and size and opens and following is not None and following.text.lower() not in AUXILIARY)
