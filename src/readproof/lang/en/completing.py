"""Subject and verb of an English statement, then the answer where it belongs, and the rest of what was asked."""

from __future__ import annotations

import re

from readproof.lang.en.adverbs import is_adverb
from readproof.lang.en.answers import adjunct, filled
from readproof.lang.en.gaps import gap
from readproof.lang.en.little import little
from readproof.lang.en.predicates import is_adjunct
from readproof.lang.en.questions import Question
from readproof.lang.en.verbs import is_base, is_participle, is_past, is_third
from readproof.lang.en.words import BE, HAVE, MODAL, PREPOSITIONS
from readproof.lang.words import Word

_SAYING = little("saying")
_CHAINED = little("chained")
_TWO_OBJECTS = little("two objects")
_ASIDE = frozenset({"up", "out", "off", "down", "away", "back"})
_CLAUSE = frozenset({",", "when", "while", "because", "if", "that", "and", "compared"})
_GOING_ON = little("going on")


def completed(question: Question, start: str, tokens: list[Word], verb: int, answer: str) -> str:
    """The statement from its subject and verb on; "" where the answer's place cannot be told."""
    after = question.after
    rest = after[tokens[verb].end :].strip()
    if question.form == "what" and re.search("\\bto do\\b", rest):
        return re.sub("\\bto do\\b", f"to {answer}", f"{start} {rest}")
    base = tokens[verb].text.lower()
    lost = gap(tokens, verb + 1)
    pair = [one.text.lower() for one in tokens[verb + 1 : verb + 3]]
    # "opened in between 1980 and 1984": the verb's own preposition, whatever the second is
    if not lost and len(pair) > 1 and pair[0] in ("in", "to", "with", "on") and pair[1] in PREPOSITIONS:
        lost = verb + 1
    if is_adjunct(question):
        if lost and question.form == "where":
            return _put(question, start, tokens, verb, lost, answer)
        if question.form == "where" and base.startswith("rank"):
            return ""  # a place in a list, and none on a map
        if base in ("believe", "think") and not _has_clause(tokens, verb):
            return ""  # "where did he believe the place for water"
        return f"{start} {rest} {adjunct(question, answer, base)}"
    new = filled(question, answer)
    # "feels … plays", "believe contributed": the answer is the subject of what is felt
    if verb + 1 < len(tokens) and (
        _is_finite(tokens[verb + 1]) or (base in _SAYING and _is_past(tokens[verb + 1].text.lower()))
    ):
        return f"{start} {new} {rest}"
    if tokens[-1].text.lower() in PREPOSITIONS:
        return f"{start} {rest} {new}"
    # "considered to be", "famous for using"
    if rest.endswith("to be") or (_is_doing(tokens[-1].text) and tokens[-2].text.lower() in PREPOSITIONS):
        return f"{start} {rest} {new}"
    if lost:
        return _put(question, start, tokens, verb, lost, new)
    last = _last_verb(tokens, verb)
    following = tokens[last + 1].text.lower() if last + 1 < len(tokens) else ""
    if following == "that" and not question.head and base in _SAYING:
        return f"{start} {rest} {new}"
    if not following or following in PREPOSITIONS | _CLAUSE or is_adverb(following):
        return _put(question, start, tokens, verb, last, new)
    return _behind_object(question, start, tokens, verb, new)


def _put(question: Question, start: str, tokens: list[Word], verb: int, last: int, new: str) -> str:
    """The answer after the word at `last`."""
    after, cut = question.after, tokens[last].end
    return f"{start} {after[tokens[verb].end : cut].strip()} {new} {after[cut:].strip()}"


def _behind_object(question: Question, start: str, tokens: list[Word], verb: int, new: str) -> str:
    """The answer after an object that the verb has already; "" for a verb that takes only one, which it should be."""
    rest = question.after[tokens[verb].end :].strip()
    base = tokens[verb].text.lower()
    # "think the weapon would end", "want his son to pursue": the place is the end of another clause
    clause = base in _SAYING and _has_clause(tokens, verb)
    purpose = len(tokens) > verb + 2 and tokens[-2].text.lower() == "to" and is_base(tokens[-1].text.lower())
    if clause or purpose or question.head in ("times", "time") or base == "be":
        return f"{start} {rest} {new}"
    if base not in _TWO_OBJECTS:
        return ""
    behind = (at for at in range(verb + 1, len(tokens)) if tokens[at].text.lower() in PREPOSITIONS - {"of"})
    return _put(question, start, tokens, verb, next(behind, len(tokens)) - 1, new)


def _has_clause(tokens: list[Word], verb: int) -> bool:
    return any(_is_finite(one) or is_past(one.text.lower()) for one in tokens[verb + 1 :])


def _last_verb(tokens: list[Word], verb: int) -> int:
    """The last word of the verb: "get paid", "want to see", "begin using", "show off"."""
    last = verb
    if tokens[verb].text.lower() == "get" and verb + 1 < len(tokens) and is_participle(tokens[verb + 1].text.lower()):
        last += 1
    # "want to V": the object follows the second verb
    while (
        last + 2 < len(tokens)
        and tokens[last + 1].text.lower() == "to"
        and (_is_chained(tokens[last].text.lower()) or tokens[last].text == "used")
        and is_base(tokens[last + 2].text.lower())
    ):
        last += 2
    if last + 1 < len(tokens) and tokens[last].text.lower() == "help" and is_base(tokens[last + 1].text):
        last += 1
    doing = last + 1 < len(tokens) and tokens[last + 1].text.endswith("ing")
    if doing and tokens[last].text.lower() in _GOING_ON:
        last += 1
    aside = last + 1 < len(tokens) and tokens[last + 1].text.lower() in _ASIDE
    # "kept out of the zone" is not "kept out"
    if aside and not (last + 2 < len(tokens) and tokens[last + 2].text.lower() == "of"):
        last += 1
    return last


def _is_finite(word: Word) -> bool:
    low = word.text.lower()
    return low in BE | HAVE | MODAL or (is_third(low) and word.text[0].islower())


def _is_doing(low: str) -> bool:
    stem = low.removesuffix("ing")
    return stem != low and (is_base(stem) or is_base(f"{stem}e"))


def _is_past(low: str) -> bool:
    return is_past(low) and not is_base(low)


def _is_chained(low: str) -> bool:
    stem = low.removesuffix("ing")
    return low in _CHAINED or stem in _CHAINED or f"{stem}e" in _CHAINED
