"""Where the verb of an English question stands, and whether what is asked for is a part of the clause beside it."""

from __future__ import annotations

import re
from functools import lru_cache

from readproof.lang.api import Word, column, wordset
from readproof.lang.en.questions import AskingPhrase
from readproof.lang.en.words import (
    ADVERBS,
    AUXILIARY,
    BE,
    DETERMINERS,
    HAVE,
    MODAL,
    PREPOSITIONS,
    is_adverb,
    is_base,
    is_participle,
    is_past,
    is_third,
)

# Where the verb of an English question stands after do, did or a modal.


# endings of nouns: "the IMF translation", "the Musical Instruments gallery"
_NOUN = re.compile("(?:tion|sion|ment|ness|ty|ism|ist|ance|ence|[a-z]ship|dom|logy|phy|cy|ry|al|ic|ous|ing|hood|ess)$")
_PRONOUNS = frozenset({"he", "she", "they", "it", "we", "you"})
_ORDINAL = re.compile("first|second|third|last|only|same|own|most|[a-z]{3,}th")
_PLURAL = re.compile("[a-z](?<![suia])s$")


def main_verb(tokens: list[Word], start: int) -> int:
    """Where the plain verb after do or a modal stands; 0 where none is known."""
    first = start + 1
    for at in range(first, len(tokens)):
        low = tokens[at].text.lower()
        if tokens[at].text[0].isupper() or not is_base(low):
            continue
        before = tokens[at - 1].text.lower()
        if low == "last" and at + 1 < len(tokens) and is_base(tokens[at + 1].text):
            continue
        if low == "take":
            return at
        # "the first direct elections", "a 2013 report"
        number = tokens[at - 1].tag == "m" or _ORDINAL.fullmatch(before) is not None
        counted = number and tokens[at - 2].text.lower() in DETERMINERS
        if (
            counted
            or tokens[at - 1].tag == "a"
            or before in DETERMINERS | PREPOSITIONS | MODAL
            or before in ("and", "or", "other")
            or tokens[at - 1].text in ("who", "which")
        ):
            continue
        # "the fossils found in the shale lack": a participle, for the verb ends the question
        if is_participle(low) and at < len(tokens) - 2 and is_base(tokens[-1].text) and tokens[-2].tag in ("n", "e"):
            return len(tokens) - 1
        return _later(tokens, at) or at
    return _unknown_verb(tokens, first)


def _later(tokens: list[Word], at: int) -> int:
    """The plain verb that a noun gives way to: "the amount of work does", "a gender pay gap tend"; 0 where none."""
    # "what does the institute help run" has two verbs
    if tokens[at].tag != "nv" or tokens[at].text == "help":
        return 0
    later = at + 1
    # after a singular noun the word is likelier another noun than the verb
    after_noun = tokens[at - 1].tag in ("n", "nv") and not _PLURAL.search(tokens[at - 1].text)
    while after_noun and later < len(tokens) and tokens[later].tag == "n":
        later += 1
    if later >= len(tokens) or not is_base(tokens[later].text) or tokens[later].text in DETERMINERS:
        return 0
    following = tokens[later + 1].text.lower() if later + 1 < len(tokens) else ""
    return later if not following or following in PREPOSITIONS | DETERMINERS else 0


def _unknown_verb(tokens: list[Word], first: int) -> int:
    """A verb that no list has: a plain word that closes a clause after a name or a plural, and looks like no noun."""
    # "did … received"
    if tokens[0].text.lower() == "did" and past_verb(tokens):
        return 0
    for at in range(first, len(tokens)):
        following = tokens[at + 1].text.lower() if at + 1 < len(tokens) else ""
        closes = not following or following in PREPOSITIONS - {"of"} or following in DETERMINERS or following == ","
        named_so = following in ("up", "off") and tokens[at].tag == "n"  # "team up"
        if closes and (named_so or _may_act(tokens[at])) and _may_be_subject(tokens, at - 1):
            return at
    return 0


@lru_cache(maxsize=1)
def _everyday() -> frozenset[str]:
    # the everyday words that are verbs are all listed as such, so the others are not
    return frozenset(column("en", "common"))


def _may_act(word: Word) -> bool:
    low = word.text.lower()
    return word.tag == "n" and not low.endswith("s") and not _NOUN.search(low) and low not in _everyday()


def _may_be_subject(tokens: list[Word], at: int) -> bool:
    """Whether a name or a plural ends here that no preposition stands before: "on the CPI scale" has no verb."""
    if tokens[at].text.lower() in _PRONOUNS:
        return True
    if tokens[at].tag != "e" and not (tokens[at].tag in ("n", "nv") and _PLURAL.search(tokens[at].text)):
        return False
    if re.search("['’]s$", tokens[at].text):
        return False
    while at and tokens[at].tag in ("e", "n", "nv", "a"):
        at -= 1
    while at and tokens[at].text.lower() in DETERMINERS:
        at -= 1
    return tokens[at].text.lower() not in PREPOSITIONS - {"of"}


def past_verb(tokens: list[Word]) -> int:
    """«did … received», a common slip: the past form is the verb."""
    did = tokens[0].text.lower() == "did"
    return next(
        (at for at in range(2, len(tokens)) if did and tokens[at].text.islower() and is_past(tokens[at].text)), 0
    )


# Where what is asked for has left its place inside an English question: after a preposition that has lost its noun.


_LEFT = wordset("en", "losing")
# "as of", "from within", "for over ten years", "in between": two that go together
_TOGETHER = wordset("en", "together")
_CLAUSE = frozenset({"when", "while", "because", "if"})


def gap(tokens: list[Word], start: int) -> int:
    """Which preposition from `start` on has lost its noun before the question's end; 0 where none has."""
    for at in range(start, len(tokens) - 1):
        low, following = tokens[at].text.lower(), tokens[at + 1].text.lower()
        if low not in _LEFT or tokens[at + 1].text[0].isupper():
            continue
        together = following in _TOGETHER and not (following == "at" and low in ("to", "with"))
        together = together or (low == "for" and following == "as")  # "for as long as"
        # "refer to as", "known as in English", "members of to serve", "a shortage of is caused"
        if following in (PREPOSITIONS | BE | _CLAUSE) and not together:
            return at
        # "to actually vote" has lost nothing
        if (
            low != "to"
            and is_adverb(following)
            and at + 2 < len(tokens)
            and tokens[at + 2].text.lower() in PREPOSITIONS
        ):
            return at
        if following == "that" and at + 2 < len(tokens) and _is_finite(tokens[at + 2].text.lower()):
            return at
    return 0


def _is_finite(low: str) -> bool:
    return low in AUXILIARY or is_past(low) or is_third(low)


PREDICATES = wordset("en", "predicates")
# forms in -ing that are nouns, or little words
_NOT_VERBS = frozenset({"building", "king", "during", "meaning", "rating", "ranking", "spring", "programming", "being"})
_NAMING = frozenset({"called", "named", "known", "termed", "nicknamed"})
# these have an object, which what is asked for must be
_LACKING = frozenset({"wearing", "using", "making", "doing", "building", "carrying", "seeking", "causing", "producing"})
# passives that keep an object or a title: "was X elected khan", "were settlers promised land"
_KEEPING = wordset("en", "keeping")
_SUPERLATIVE = re.compile("(?:the )?(?:\\w+est|most|least|only|first|last|main)\\b")


def is_adjunct(question: AskingPhrase) -> bool:
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


def predicate(question: AskingPhrase, tokens: list[Word], auxiliary: str) -> int:
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


def _may_be_adjective(question: AskingPhrase, tokens: list[Word], at: int) -> bool:
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
