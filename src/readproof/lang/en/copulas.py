"""English questions with "to be" and no other verb: what is the subject, and what is said of it."""

from __future__ import annotations

import re

from readproof.lang.en.agreement import agrees
from readproof.lang.en.answers import adjunct, filled
from readproof.lang.en.predicates import is_adjunct
from readproof.lang.en.questions import Question
from readproof.lang.en.verbs import is_base, is_participle
from readproof.lang.en.words import PREPOSITIONS
from readproof.lang.words import Word

_LIKE_ADJECTIVE = re.compile("(?:ent|ant|ble|ive|ful|ous|lar|ory|ial)$")
_QUALITIES = frozenset({"color", "colors", "colour", "colours", "shape", "price", "rank", "percent", "percentage"})
_NAMED = ("n", "nv", "e")
_RELATIVE = frozenset({"that", "which", "who", "whom", "whose", "where"})
_LATER_GAP = re.compile(
    "(?:ed|den|ne|ght|ld|de) (?:to [a-z]+|(?:about|for|with|by|of) \\w+ing(?: \\w+ed)?)"
    "(?:$| (?:in|on|at|for|to|with|from|by)\\b)"
)
_CLAUSE = re.compile(" (?:when|while|if|because|after|before) (?:it|he|she|they|the)\\b")


def copula(question: Question, tokens: list[Word], answer: str) -> str:
    """The statement from the subject on; "" where it cannot be told where the subject ends."""
    after, auxiliary = question.after, tokens[0].text
    subject = after[tokens[1].start :]
    new = filled(question, answer)
    if question.form in ("how many", "how much"):
        return _measure(question, tokens, new)
    clause = any(one.text.lower() in _RELATIVE for one in tokens[1:])
    if tokens[-1].text.lower() in PREPOSITIONS and not is_adjunct(question) and not (clause and not question.head):
        cut = _predicate_noun(tokens)
        return f"{after[tokens[1].start : cut].strip()} {auxiliary} {after[cut:]} {new}" if cut else ""
    if question.head and tokens[1].text.lower() in ("a", "an") and not is_adjunct(question):
        return f"{new} {after}" if agrees(new, auxiliary) else ""  # "which actor was a replacement"
    if question.form == "how" or (question.head and not is_adjunct(question) and question.head not in _QUALITIES):
        return ""  # "what religion were the Normans"
    if is_adjunct(question):
        return "" if _says_more(question, tokens) else f"{subject} {auxiliary} {adjunct(question, answer)}"
    if _LATER_GAP.search(subject) and not subject.lower().startswith("the "):
        return ""  # "what are pharmacists forbidden to do", "are people concerned about losing in the forest"
    if _CLAUSE.search(subject):
        at = next(_CLAUSE.finditer(subject)).start()
        return f"{subject[:at]} {auxiliary} {new}{subject[at:]}"
    return f"{subject} {auxiliary} {new}"


def _measure(question: Question, tokens: list[Word], new: str) -> str:
    """«How many miles is the valley»: the valley is … miles; "" for more than a noun and what belongs to it."""
    after = question.after
    first = tokens[1].text
    if first.lower() in PREPOSITIONS:
        return f"{new} {after}"
    plain = first.lower() == "the" or first[0].isupper()
    more = any(tokens[at].tag == "v" and tokens[at - 1].tag in _NAMED for at in range(2, len(tokens)))
    if not plain or more or any(one.text.lower() in _RELATIVE for one in tokens[1:]):
        return ""
    return f"{after[tokens[1].start :]} {tokens[0].text} {new}"


def _predicate_noun(tokens: list[Word]) -> int:
    """Where what is said of the subject begins, in a question that ends with its preposition; 0 where it is not clear.

    "Iqbal | a critic of", "the concept of force | an integral part of", "the islands | off the coast of".
    """
    articles = [
        at
        for at in range(2, len(tokens) - 1)
        if tokens[at].text.lower() in ("a", "an", "the") and tokens[at - 1].tag in _NAMED
    ]
    clause = (
        is_base(tokens[-2].text) and tokens[-1].text != "of" and len(tokens) > 4
    )  # "the duties technicians now deal with"
    if clause or any(one.text.lower() in _RELATIVE | {"being"} for one in tokens[1:]):
        return 0  # "the episode that he wrote music for" is one thing
    if articles:
        return tokens[articles[-1]].start
    inner = [at for at in range(2, len(tokens) - 1) if tokens[at].text.lower() in PREPOSITIONS]
    if _LIKE_ADJECTIVE.search(tokens[-2].text) and len(tokens) > 3:
        return tokens[-2].start
    if inner and tokens[inner[0]].text.lower() != "of":
        return tokens[inner[0]].start
    return tokens[-1].start if all(tokens[at].text.lower() == "of" for at in inner) else 0


def _says_more(question: Question, tokens: list[Word]) -> bool:
    """Whether something is said of the subject beside its time or place, which would have to go behind the verb.

    "When were attacks the highest", "why is X rare", "where was X to be built", "to what is oxygen poisonous".
    """
    if question.form == "why" or re.search("\\bto be\\b", question.after):
        return True
    last = tokens[-1]
    if last.tag == "a" and tokens[-2].tag in _NAMED:
        return True
    for at in range(2, len(tokens)):
        low, before = tokens[at].text.lower(), tokens[at - 1]
        if before.tag not in _NAMED:
            continue
        if low in ("the", "a", "an", "all", "both", "at") or (
            is_participle(low) and at + 1 < len(tokens) and tokens[at].tag == "v"
        ):
            return True
    # "is oxygen in seawater at higher levels"
    inner = [one for one in tokens[2:] if one.text.lower() in PREPOSITIONS - {"of"}]
    return bool(question.preposition) and len(inner) > 1
