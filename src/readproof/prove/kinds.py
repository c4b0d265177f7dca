"""What kind of answer a question asks for, for the tables by type: by its words, in the language it is asked in."""

from __future__ import annotations

from readproof.items import ChoiceItem
from readproof.prove.questions import Single


def type_of(item: Single) -> str:
    """person, place, time, number, thing, reason, …; of options what the stem wants: right, wrong, other."""
    if isinstance(item, ChoiceItem):
        return _stem(item)
    if item.impossible:
        return "unanswerable"
    return _asked(item.question, item.language) or "other"


def _stem(item: ChoiceItem) -> str:
    if item.language != "zh":
        return "other"
    from readproof.lang.zh.stems import polarity

    asked = polarity(item.question)
    return "other" if asked is None else "right" if asked else "wrong"


def _asked(question: str, language: str) -> str:
    if language == "zh":
        from readproof.lang.zh.questions import phrases as chinese

        return next((phrase.type for phrase in chinese(question)), "")
    if language == "fa":
        from readproof.lang.fa.questions import phrases as persian

        return next((phrase.type for phrase in persian(question)), "")
    if language == "en":
        from readproof.lang.en.questions import question_of

        found = question_of(question)
        return found.type if found else ""
    return ""
