"""The answer in the form that its place in an English statement asks for: a noun phrase, a count, a time, a place."""

from __future__ import annotations

import re

from readproof.lang.en.little import little
from readproof.lang.en.questions import Question
from readproof.lang.en.words import PREPOSITIONS

_OWNER = ("'s", "'")
_PARTICLES = frozenset({"up", "out", "off", "down", "away", "over"})
_DATE = re.compile("^(?:[A-Z][a-z]+ \\d{1,2}\\b|\\d{1,2} [A-Z])")
# "where did X go": to a place, not in one
_TOWARDS = little("towards")


def counted(question: Question, answer: str) -> str:
    """«how many N»: the number with its noun, unless the answer brings it."""
    asked = question.text[question.start : question.end]
    noun = re.sub("^.*?how (?:many|much)\\s*", "", asked, flags=re.IGNORECASE)
    noun = re.sub("^total ", "total ", noun)
    return answer if noun.lower() in answer.lower() else f"{answer} {noun}".strip()


def filled(question: Question, answer: str) -> str:
    """The answer as a noun phrase."""
    if question.form in ("how many", "how much"):
        return counted(question, answer)
    share = re.match("what (?:percentage|percent)( of .+)", question.text[question.start : question.end], re.IGNORECASE)
    if share:
        return f"{answer}{'' if re.search('%|percent', answer) else ' percent'}{share[1]}"
    if question.form == "whose":
        noun = re.sub("^.*?whose\\s*", "", question.text[question.start : question.end], flags=re.IGNORECASE)
        return f"{answer}{_OWNER[answer.endswith('s')]} {noun}"
    return answer


def adjunct(question: Question, answer: str, verb: str = "") -> str:
    """The answer as a time, a place, a reason or a manner; a verb of going needs another preposition."""
    low = question.preposition.lower().split()
    if question.form == "why":
        return f"because of {answer}"
    if question.form == "how":
        return answer
    if question.type == "time":
        if re.match("(?:in|on|at|during|before|after|from|since|between|by|until|around)\\b", answer, re.IGNORECASE):
            return answer
        answer = re.sub("^(?=\\d+(?:st|nd|rd|th) cent|\\d{4}s$)", "the ", answer)
        lead = (
            low[0]
            if low and low[0] in ("since", "until", "before", "after", "by", "from", "between", "during", "for", "to")
            else ""
        )
        return f"{lead or ('on' if _DATE.match(answer) or answer.endswith('day') else 'in')} {answer}"
    if question.form == "where" and not low:
        if question.after.split()[-1].lower() in PREPOSITIONS - _PARTICLES:
            return answer
        lead = "from" if verb == "come" else "to" if verb in _TOWARDS else "in"
        return answer if re.match("(?:in|on|at|near|from|to)\\b", answer) else f"{lead} {answer}"
    return f"{question.preposition.lower()} {filled(question, answer)}".strip()
