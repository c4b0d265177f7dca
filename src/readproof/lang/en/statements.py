"""English statements out of questions: the subject goes before its verb again, and the answer where it belongs."""

from __future__ import annotations

import re

from readproof.lang.en.adverbs import ADVERBS, is_adverb, parted
from readproof.lang.en.agreement import agrees, is_plural
from readproof.lang.en.answers import adjunct, counted, filled
from readproof.lang.en.completing import completed
from readproof.lang.en.copulas import copula
from readproof.lang.en.entities import classes
from readproof.lang.en.gaps import gap
from readproof.lang.en.mainverbs import main_verb, past_verb
from readproof.lang.en.predicates import is_adjunct, is_predicate, predicate
from readproof.lang.en.questions import Question
from readproof.lang.en.slips import has_slip, is_misfit
from readproof.lang.en.verbs import is_base, is_past, is_third, past, third
from readproof.lang.en.words import AUXILIARY, BE, DETERMINERS, DO, HAVE, MODAL, PREPOSITIONS, words
from readproof.lang.words import Word

_PLACES = frozenset({"city", "country", "town", "state", "place", "location", "stadium"})
# "the place the team used", "the goal Gano made", "before it re-entered": the verb has a subject of its own
_TWO_SUBJECTS = re.compile(
    "^(?:the|a|an|The) (?:(?!of|in|on|at|for|to|by|with|from|and|or|that|between)[\\w'-]+ )+(?:the|an?) \\w"
    "|^(?:the|a|an) (?:[a-z]+ )+[A-Z][\\w'-]+$|\\b(?:it|he|she|they|that|which|who)$"
)
# "because of his words what was the state of …": a question's order, which is not kept
_TURNED = re.compile("(?:is|are|was|were|has|have|had) (?:the|an?|his|her|its|their|[A-Z]\\w*)\\b")
_MORE_ASKED = re.compile(
    "^(?!.*(?:what|which) of ).*['’]s |(?:how much) \\w+er$|\\b(?:that|large|long|wide|tall|deep|high)$|[a-z] that ",
    re.IGNORECASE,
)
_LEAD = re.compile("^(In [A-Z][\\w ]+, )((?:The|A|An|Some|Most|This|These|In|Under|An|Such|Many)\\b)")
# "how long was the theatre in operation": a span, and no length
_STATE = re.compile(" (?:in|at|on|under) [a-z]+$")
_AGE = re.compile("year|month|week|day|hour|minute|decade|centur|millenni")


def statement(question: Question, answer: str) -> str:
    """The question with the answer as a sentence; "" where its form is not known."""
    if question.place == "inside" and has_slip(question.text):
        return ""
    if question.place == "inside":
        if question.text.startswith("To ") or question.after.split(" ")[0] in DO or _TURNED.match(question.after):
            return ""
        if re.search("\\bwhat\\b", question.text[: question.start]):
            return ""  # "the absence of what … in which they are found"
        if re.fullmatch("harder|easier|better|worse|larger|smaller|higher|lower", question.head):
            return ""  # "all make what harder"
        lead = _LEAD.sub(lambda found: found[1] + found[2].lower(), question.text[: question.start])
        if question.head == "reason":
            lead = re.sub("\\bfor $", "because of ", lead)
        text = f"{lead}{_inside(question, answer)} {question.after}"
    else:
        body = _turned(question, answer)
        if not body:
            return ""
        text = f"{question.prefix} {body}" if question.prefix else body
    text = re.sub("\\s+([,.;:]|['’](?!\\w\\w))", "\\1", re.sub("\\s+", " ", text)).strip(" ,")
    return f"{text[:1].upper()}{text[1:]}." if text and not is_misfit(text) else ""


def _inside(question: Question, answer: str) -> str:
    if question.type == "number" and question.form in ("how many", "how much"):
        return counted(question, answer)
    # "were how old"
    return f"{answer} old" if question.form == "how old" and _AGE.search(answer) else answer


def _turned(question: Question, answer: str) -> str:
    tokens = list(words(question.after))
    if not tokens or has_slip(question.text):
        return ""
    first = tokens[0].text.lower()
    if question.form.startswith("how ") and question.form not in ("how many", "how much", "how often"):
        return _degree(question, tokens, answer)
    if question.form == "how" and re.search("\\bgo\\b", question.after):
        return ""
    if question.form == "when" and first not in AUXILIARY:
        return ""  # "when large groups boycott a system"
    # "what famous Indian's actions", "what pathogen that causes", "how many square miles large": more than a noun
    if _MORE_ASKED.search(question.text[question.start : question.end]):
        return ""
    if first in DO:
        return _with_do(question, tokens, answer)
    if first in BE | HAVE | MODAL:
        return _with_auxiliary(question, tokens, answer)
    if is_adjunct(question) and question.type != "time":
        return ""
    if first in PREPOSITIONS and question.form in ("how many", "how much"):
        return ""
    if first == "lead" and question.head[-1:] != "s":
        return f"{filled(question, answer)} led {question.after[len(first) :]}"
    # "what scientist influence": a plural's verb or a slip
    if (
        is_base(first)
        and not is_past(first)
        and question.form in ("who", "what", "which")
        and question.head[-1:] != "s"
    ):
        return ""
    # "what reasons cause": the verb of several
    if is_base(first) and not is_past(first) and not _is_several(answer):
        return ""
    if not _has_verb(tokens):
        return ""
    return _as_subject(question, answer, next((one.text for one in tokens if not is_adverb(one.text.lower())), ""))


def _as_subject(question: Question, answer: str, verb: str) -> str:
    """The answer before the verb that follows what asks."""
    new = filled(question, answer)
    # "how many households has kids": the noun of a count is of several
    slips = question.form == "how many" and question.head.endswith("s") and verb.lower() in ("is", "was", "has")
    return f"{new} {question.after}" if agrees(new, verb.lower()) and not slips else ""


def _has_verb(tokens: list[Word]) -> bool:
    """Whether the words after what asks are a predicate: a verb is among them, and no subject follows its auxiliary."""
    if tokens[0].text == ".":
        return False  # "what U.S. entity", cut at its stop
    finite = [at for at, one in enumerate(tokens) if one.text.lower() in AUXILIARY]
    if tokens[0].text.lower() in PREPOSITIONS and finite and finite[0] + 1 < len(tokens):
        following = tokens[finite[0] + 1].text
        if following[0].isupper() or re.match(
            "the (?!\\w+est\\b)", " ".join(one.text for one in tokens[finite[0] + 1 :])
        ):
            return False  # "what ranking in terms of passengers is the airport"
    plain = tokens[0].text.lower() not in PREPOSITIONS
    said = [one.text.lower() for one in tokens]
    return bool(finite) or any(is_past(low) or is_third(low) or (plain and is_base(low)) for low in said)


def _is_several(answer: str) -> bool:
    if re.match("an? ", answer):
        return False
    return " and " in answer or bool(re.search("[a-z](?<![sui])s$", answer)) or bool(re.match("[\\d$]", answer))


def _degree(question: Question, tokens: list[Word], answer: str) -> str:
    """«How long is X»: X is … long."""
    body = ""
    answer = re.sub("^(\\d+)-(minute|year|yard|mile|hour|day)$", "\\1 \\2s", answer)
    if tokens[0].text.lower() in DO:
        found = main_verb(tokens, 1)
        if found:
            verb = _finite(tokens[0].text.lower(), tokens[found].text)
            after = question.after
            subject, rest = after[tokens[1].start : tokens[found].start], after[tokens[found].end :]
            # "continued to use French names for nine years", "gets 19 °C in the winter"
            body = f"{subject}{verb} {answer}{rest}"
            if question.form == "how long" and tokens[found].text != "take":
                body = f"{subject}{verb}{rest} for {answer}"
    elif tokens[0].text.lower() in BE and len(tokens) > 1 and not _STATE.search(question.after):
        after = question.after
        rest = after[tokens[0].end :]
        measure = f" {question.head}" if question.head in ("long", "tall", "high", "deep", "wide", "old") else ""
        measure = "" if question.head in answer else measure
        if measure == " old" and not _AGE.search(answer):
            measure = " years old"
        # "how far is X from Y"
        subject, _, other = rest.partition(" from ") if question.head == "far" else (rest, "", "")
        body = f"{subject} {tokens[0].text} {answer}{measure}{other and f' from {other}'}"
    return body


def _finite(auxiliary: str, base: str) -> str:
    if auxiliary == "did":
        return past(base.lower())
    return third(base) if auxiliary == "does" else base


def _with_do(question: Question, tokens: list[Word], answer: str) -> str:
    if len(tokens) > 2 and tokens[1].text.lower() == "not":
        return "" if is_adjunct(question) else _as_subject(question, answer, tokens[0].text)  # "who did not throw"
    slipped = past_verb(tokens)
    found = main_verb(tokens, 1) or slipped
    if not found or 0 < slipped < found:
        return ""  # "did Chrysler ended its model"
    after = question.after
    subject = after[tokens[1].start : tokens[found].start].strip()
    if subject.endswith(("'s", "’s")) or _is_people(subject):
        return ""  # "did the Norman's invade", "did British begin"
    if tokens[0].text.lower() == "do" and found == 2 and tokens[1].tag in ("n", "nv") and not is_plural(subject):
        return ""  # "do scientist like"
    if tokens[found].text.lower() == "do" and question.form == "what" and not question.head:
        base, _, others = answer.partition(" ")
        verb = _finite(tokens[0].text.lower(), base)
        adverb = next((one for one in sorted(ADVERBS) if subject.endswith(f" {one}")), "")
        subject = subject.removesuffix(f" {adverb}") if adverb else subject
        return "" if adverb == "not" else f"{subject} {adverb} {verb} {others} {after[tokens[found].end :]}"
    if tokens[0].text.lower() != "do" and _has_another(tokens, found):
        return ""
    negative = re.search("\\bnot$", subject)
    verb = _finite(tokens[0].text.lower(), tokens[found].text)
    if not is_base(tokens[found].text) and is_past(tokens[found].text):
        verb = tokens[found].text
    if negative:
        verb = f"{tokens[0].text.lower()} not {tokens[found].text}"
        subject = subject[: negative.start()].strip()
    if not negative:
        subject, adverb = parted(subject)
        verb = f"{adverb} {verb}".strip()
    return completed(question, f"{subject} {verb}", tokens, found, answer)


def _has_another(tokens: list[Word], verb: int) -> bool:
    """Whether a second plain verb hangs on the same did or does, as in «begin and help»: its form would be wrong."""
    for at in range(verb + 1, len(tokens) - 1):
        if tokens[at].text.lower() in ("and", "or", "but") and is_base(tokens[at + 1].text):
            following = tokens[at + 2].text.lower() if at + 2 < len(tokens) else ""
            if at == verb + 1 or following in DETERMINERS:
                return True
    return False


def _is_people(subject: str) -> bool:
    """Whether the subject is an adjective alone that is no noun for several: "Libyan", "the Italian"."""
    article, _, name = subject.rpartition(" ")
    plain = article.lower() in ("", "the") and name in classes()["nationality"]
    return plain and not (article and re.search("(?:sh|ch|ese|ss)$", name))


def _with_auxiliary(question: Question, tokens: list[Word], answer: str) -> str:
    auxiliary = tokens[0].text
    after = question.after
    called = re.match("(?:is|was) (.+?) (called|known as) ((?:that|which) .+)", after)
    if called:
        return f"{called[1]} {called[3]} {auxiliary} {called[2]} {answer}"
    if len(tokens) == 1:
        return ""
    if tokens[1].text.lower() in ("first", "last") and len(tokens) > 2 and tokens[2].tag in ("n", "nv"):
        return ""  # "what was first battle in 1754" has lost its article
    if tokens[1].text.lower() == "there":
        if is_adjunct(question):
            return f"There {auxiliary} {after[tokens[1].end :]} {adjunct(question, answer)}"
        if tokens[-1].text.lower() in PREPOSITIONS or gap(tokens, 2) or auxiliary.lower() in MODAL:
            return ""  # "what river was there a bridge across", "how much must there be"
        return f"There {auxiliary} {filled(question, answer)} {after[tokens[1].end :]}"
    if not is_adjunct(question) and is_predicate(tokens, 1, auxiliary.lower()):
        return _as_subject(question, answer, auxiliary)
    counts = question.form in ("how many", "how much") and not question.preposition
    if counts and re.match(".*how (?:many|much) of ", question.text, re.IGNORECASE):
        return f"{filled(question, answer)} {after}"
    if (
        counts
        and tokens[1].text.lower() not in DETERMINERS
        and not tokens[1].text[0].isupper()
        and auxiliary.lower() in BE
    ):
        return f"{filled(question, answer)} {after}"
    if re.fullmatch("\\w+er", tokens[1].text) and question.form == "which" and not question.head:
        return ""
    found = predicate(question, tokens, auxiliary.lower())
    if found:
        subject = after[tokens[1].start : tokens[found].start].strip()
        if _TWO_SUBJECTS.search(subject):
            return ""
        subject, adverb = parted(subject)
        if tokens[found].text == "do" and question.form == "what" and not question.head:
            return f"{subject.removesuffix(' then')} {auxiliary} {adverb} {answer} {after[tokens[found].end :]}"
        # "how many plays was Denver kept out of the zone": a span, not what is kept
        spans = counts and auxiliary.lower() in BE and not is_adjunct(question) and question.head != "times"
        if spans and found + 1 < len(tokens) and tokens[found + 1].text.lower() in ("out", "up", "off", "away", "down"):
            return ""
        start = f"{subject} {auxiliary} {adverb} {tokens[found].text}"
        if question.head in _PLACES and tokens[found].text in ("held", "born", "located", "founded", "allowed"):
            answer = answer if question.preposition or tokens[-1].text in PREPOSITIONS else f"in {answer}"
        return completed(question, start, tokens, found, answer)
    if auxiliary.lower() not in BE:
        # "what have studies sometimes found evidence confirming": whose participle it is cannot be told
        unclear = auxiliary.lower() in MODAL or any(one.tag == "v" for one in tokens[2:])
        known = not is_adjunct(question) and not unclear
        return _as_subject(question, answer, auxiliary) if known else ""
    return copula(question, tokens, answer)
