"""Where the verb of an English question stands, and whether what is asked for is a part of the clause beside it."""

from __future__ import annotations

import re

from readproof.lang.en.little import little
from readproof.lang.en.mainverbs import main_verb
from readproof.lang.en.questions import Question
from readproof.lang.en.verbs import is_base, is_participle
from readproof.lang.en.words import AUXILIARY, BE, DETERMINERS, HAVE, MODAL, PREPOSITIONS
from readproof.lang.words import Word

ADVERBS = little("adverbs")
PREDICATES = little("predicates")
# forms in -ing that are nouns, or little words
_NOT_VERBS = frozenset({"building", "king", "during", "meaning", "rating", "ranking", "spring", "programming", "being"})
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
            or (low in DETERMINERS and not any(one.text.lower() == "been" for one in tokens))
        )
    if tokens[at].text[0].isupper():
        return False
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    plain = following is None or following.text.lower() in PREPOSITIONS or following.tag in ("f", "m", "e")
    return (
        is_participle(low)
        or low in PREDICATES
        or (low.endswith("ing") and plain)
        or low in PREPOSITIONS
        or low in ("being", "been")
        or (low.endswith("est") and following is not None and following.text.lower() in PREPOSITIONS)
    )


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
        if before in AUXILIARY and at > 1:
            continue
        if before in PREPOSITIONS:
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
            is_participle(low) or low in PREDICATES or (low.endswith("ing") and low not in _NOT_VERBS)
        ):
            candidates.append(at)
    if not candidates:
        return 0
    by_pronoun = candidates[0] == 2 and tokens[1].text.lower() in ("he", "she", "it", "they")
    if is_adjunct(question) and auxiliary in BE and candidates[-1] == len(tokens) - 1:
        return candidates[-1]  # "the lobster caught in these waters shipped"
    if is_adjunct(question) or auxiliary in HAVE or by_pronoun:
        return candidates[0]
    # "What is X called", "What is X used for": the participle ends the question, or nearly so
    last = candidates[-1]
    named = tokens[last].text.lower() in ("called", "named", "known", "termed", "nicknamed")
    if candidates == [len(tokens) - 1] and not named and _SUPERLATIVE.match(question.after[tokens[1].start :]):
        return 0  # "the smallest region discussed" is one thing
    closes = last == len(tokens) - 1 or (last == len(tokens) - 2 and tokens[-1].text.lower() in PREPOSITIONS)
    by_name = tokens[1].text[0].isupper() and candidates[0] <= 5
    if tokens[-1].text.lower() in PREPOSITIONS and not closes:
        return candidates[0]
    if by_name or question.head:
        return candidates[0]
    return last if closes else 0
