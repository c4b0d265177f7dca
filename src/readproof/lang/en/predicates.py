"""Where the verb of an English question stands, and whether what is asked for is a part of the clause beside it."""

from __future__ import annotations

import re

from readproof.lang.en.adverbs import ADVERBS, is_adverb
from readproof.lang.en.gaps import gap
from readproof.lang.en.little import little
from readproof.lang.en.mainverbs import main_verb
from readproof.lang.en.questions import Question
from readproof.lang.en.verbs import is_base, is_participle, is_past, is_third
from readproof.lang.en.words import AUXILIARY, BE, DETERMINERS, HAVE, MODAL, PREPOSITIONS
from readproof.lang.words import Word

PREDICATES = little("predicates")
# forms in -ing that are nouns, or little words
_NOT_VERBS = frozenset({"building", "king", "during", "meaning", "rating", "ranking", "spring", "programming", "being"})
_NAMING = frozenset({"called", "named", "known", "termed", "nicknamed"})
# these have an object, which what is asked for must be
_LACKING = frozenset({"wearing", "using", "making", "doing", "building", "carrying", "seeking", "causing", "producing"})
# passives that keep an object or a title: "was X elected khan", "were settlers promised land"
_KEEPING = little("keeping")
_SUPERLATIVE = re.compile("(?:the )?(?:\\w+est|most|least|only|first|last|main)\\b")


def is_adjunct(question: Question) -> bool:
    """Whether the answer is no subject nor object."""
    if question.form in ("when", "where", "why", "how") or question.form == "how often":
        return True
    first, _, others = question.preposition.lower().partition(" ")
    approximate = question.type == "number" and first in ("about", "over", "around", "at")
    if first in PREPOSITIONS and not approximate and not (first == "at" and others):
        return True
    return question.type == "time"


def is_predicate(tokens: list[Word], at: int, auxiliary: str) -> bool:
    """Whether a verb's own form follows the auxiliary: then the wh-word is the subject."""
    low = tokens[at].text.lower()
    if low in ADVERBS or low.endswith("ly"):
        return at + 1 < len(tokens) and (tokens[at + 1].tag != "n" or low in ADVERBS)
    if auxiliary in MODAL:
        return is_base(low) or low == "be"
    if auxiliary in HAVE:
        return (
            low == "been"
            or (is_participle(low) and tokens[at].text[0].islower())
            or (low in DETERMINERS and not any(one.text.lower() == "been" for one in tokens) and not _is_turned(tokens))
        )
    if tokens[at].text[0].isupper():
        return False
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    plain = following is None or following.text.lower() in PREPOSITIONS or following.tag in ("f", "m", "e")
    return (
        is_participle(low)
        or low in PREDICATES
        or (tokens[at].tag == "a" and following is not None and following.text.lower() in PREPOSITIONS)
        or (low.endswith("ing") and plain)
        or low in PREPOSITIONS
        or low in ("being", "been")
        or (low.endswith("est") and following is not None and following.text.lower() in PREPOSITIONS)
    )


def _is_turned(tokens: list[Word]) -> bool:
    """«has the engine achieved»: the participle of "have" ends the question, so the noun before it is the subject."""
    if [one.text.lower() for one in tokens[-2:]] == ["to", "do"]:
        return True  # "what has a Lama determined to do"
    return tokens[1].text.lower() == "the" and tokens[-1].tag == "v" and tokens[-2].tag in ("n", "nv", "e")


def predicate(question: Question, tokens: list[Word], auxiliary: str) -> int:
    """Where the verb after the subject stands; 0 where the rest is one noun phrase."""
    if auxiliary in MODAL:
        found = main_verb(tokens, 1)
        return found or next((at for at in range(2, len(tokens)) if tokens[at].text.lower() == "be"), 0)
    candidates: list[int] = []
    for at in range(2, len(tokens)):
        low, before = tokens[at].text.lower(), tokens[at - 1].text.lower()
        if (
            tokens[at].text[0].isupper()
            or before in DETERMINERS
            or before in ("that", "which", "who", "and", "or", "being")
        ):
            continue
        # "the tentacles that they have called": what names ends the question, whatever stands before it
        names = low in _NAMING and at == len(tokens) - 1
        if (before in AUXILIARY or before == "be") and not names:
            continue
        if before in PREPOSITIONS or (low == "due" and tokens[at + 1 :] and tokens[at + 1].text.lower() == "to"):
            continue
        if low in PREDICATES and not is_participle(low) and not _may_be_adjective(question, tokens, at):
            continue
        if _in_clause(tokens, at):
            continue
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        plain = (
            following is None
            or following.text.lower() in PREPOSITIONS | ADVERBS
            or following.tag in ("f", "m", "e", "v")
            or following.text.endswith("ly")
            or following.text in (",", "higher", "lower")
        )
        if low == "been" and auxiliary in HAVE:
            return at
        doing = low.endswith("ing") and is_adjunct(question) and not candidates and len(tokens) > at + 1
        doing = doing and tokens[at - 1].tag in ("e", "n")
        if (plain or doing) and (
            is_participle(low)
            or (low in PREDICATES and auxiliary not in HAVE)
            or (low.endswith("ing") and low not in _NOT_VERBS and auxiliary not in HAVE)
        ):
            candidates.append(at)
    if not candidates:
        return _with_object(tokens) if is_adjunct(question) and auxiliary in BE else 0
    # "the area called near the gorge", "the astronauts wearing during the mission": the name or the object is asked for
    for at in candidates:
        low, behind = tokens[at].text.lower(), tokens[at + 1].text.lower() if at + 1 < len(tokens) else ""
        lacks = (low in _NAMING and low != "known" and behind != "after") or low in _LACKING
        if lacks and behind in PREPOSITIONS and not is_adjunct(question) and not question.head:
            return at
    # "the hymn known as in English", "the dispensary subject to in most countries": no noun could end so
    lost = gap(tokens, 2)
    if lost - 1 in candidates and not is_adjunct(question):
        return lost - 1
    by_pronoun = candidates[0] == 2 and tokens[1].text.lower() in ("he", "she", "it", "they")
    if is_adjunct(question) and auxiliary in BE and candidates[-1] == len(tokens) - 1:
        return candidates[-1]  # "the lobster caught in these waters shipped"
    if is_adjunct(question) or auxiliary in HAVE or by_pronoun:
        return candidates[0]
    # "What is X called", "What is X used for": the participle ends the question, or nearly so
    last = candidates[-1]
    named = tokens[last].text.lower() in _NAMING
    if candidates == [len(tokens) - 1] and not named and _SUPERLATIVE.match(question.after[tokens[1].start :]):
        return 0  # "the smallest region discussed" is one thing
    closes = last == len(tokens) - 1 or (last == len(tokens) - 2 and tokens[-1].text.lower() in PREPOSITIONS)
    by_name = tokens[1].text[0].isupper() and candidates[0] <= 5
    if tokens[-1].text.lower() in PREPOSITIONS and not closes:
        return candidates[0]
    if by_name or question.head:
        return candidates[0]
    return last if closes else 0


def _may_be_adjective(question: Question, tokens: list[Word], at: int) -> bool:
    """Whether an adjective, or "part", says something of the subject: it is no part of "an integral part of".

    Nor does one end a question that asks for a thing: "with no husband present".
    """
    if tokens[at - 1].tag == "a":
        return False
    return at < len(tokens) - 1 or is_adjunct(question)


def _in_clause(tokens: list[Word], at: int) -> bool:
    """Whether a form is the first verb after "that": "the stadium that the teams played in" says nothing yet."""
    opened = [one for one in range(2, at) if tokens[one].text in ("that", "which", "who", "where")]
    between = [one.text.lower() for one in tokens[opened[-1] + 1 : at]] if opened else []
    return bool(between) and not any(low in AUXILIARY or is_past(low) or is_third(low) for low in between)


def _with_object(tokens: list[Word]) -> int:
    """A passive before a noun, or an adjective with its adverb, after the noun that must be the subject; 0 where none.

    "When was X elected khan", "were theories developed suggesting", "are jellyfish extremely rare".
    """
    for at in range(2, len(tokens) - 1):
        one, following = tokens[at], tokens[at + 1]
        if one.text[0].isupper() or tokens[at - 1].tag not in ("n", "nv", "e"):
            continue
        low = one.text.lower()
        if low in _KEEPING or (is_participle(low) and following.text.endswith("ing")):
            return at
        if low in ("still", "now", "already") or (low.endswith("ly") and is_adverb(low) and following.tag != "f"):
            return at
    return 0
