"""English statements out of questions: the subject goes before its verb again, and the answer where it belongs."""

from __future__ import annotations

import re

from readproof.lang.en.little import little
from readproof.lang.en.mainverbs import main_verb, past_verb
from readproof.lang.en.predicates import ADVERBS, is_adjunct, is_predicate, predicate
from readproof.lang.en.questions import Question
from readproof.lang.en.slips import has_slip
from readproof.lang.en.verbs import is_base, is_participle, is_past, is_third, past, third
from readproof.lang.en.words import BE, DETERMINERS, DO, HAVE, MODAL, PREPOSITIONS, words
from readproof.lang.words import Word

_SAYING = frozenset({"argue", "assume", "believe", "claim", "note", "say", "state", "suggest", "think"})
_OPENING = frozenset({"after", "before", "during", "in", "on", "at", "since", "until", "when", "while"})
_BEFORE_NO_PREDICATE = frozenset({"that", "which", "who", "and", "or", "being"})
_PLACES = frozenset({"city", "country", "town", "state", "place", "location", "stadium"})
_OWNER = ("'s", "'")
_PARTICLES = frozenset({"up", "out", "off", "down", "away", "over"})
_CHAINED = little("chained")
_LIKE_ADJECTIVE = re.compile("(?:ent|ant|ble|ive|ful|ous|lar|ory|ial)$")
# "the place the team used", "the goal Gano made", "before it re-entered": the verb has a subject of its own
_TWO_SUBJECTS = re.compile(
    "^(?:the|a|an|The) (?:(?!of|in|on|at|for|to|by|with|from|and|or|that|between)[\\w'-]+ )+(?:the|an?) \\w"
    "|^(?:the|a|an) (?:[a-z]+ )+[A-Z][\\w'-]+$|\\b(?:it|he|she|they|that|which|who)$"
)
_QUALITIES = frozenset({"color", "colors", "colour", "colours", "shape", "price", "rank", "percent", "percentage"})
_LEAD = re.compile("^(In [A-Z][\\w ]+, )((?:The|A|An|Some|Most|This|These|In|Under|An|Such|Many)\\b)")
_DATE = re.compile("^(?:[A-Z][a-z]+ \\d{1,2}\\b|\\d{1,2} [A-Z])")
_AGE = re.compile("year|month|week|day|hour|minute|decade|centur|millenni")


def statement(question: Question, answer: str) -> str:
    """The question with the answer as a sentence; "" where its form is not known."""
    if question.place == "inside" and has_slip(question.text):
        return ""
    if question.place == "inside":
        if question.text.startswith("To ") or question.after.split(" ")[0] in DO:
            return ""
        lead = _LEAD.sub(lambda found: found[1] + found[2].lower(), question.text[: question.start])
        text = f"{lead}{_inside(question, answer)} {question.after}"
    else:
        body = _turned(question, answer)
        if not body:
            return ""
        text = f"{question.prefix} {body}" if question.prefix else body
    text = re.sub("\\s+([,.;:]|['’](?!\\w\\w))", "\\1", re.sub("\\s+", " ", text)).strip(" ,")
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _inside(question: Question, answer: str) -> str:
    if question.type == "number" and question.form in ("how many", "how much"):
        return _counted(question, answer)
    return answer


def _counted(question: Question, answer: str) -> str:
    """«how many N»: the number with its noun, unless the answer brings it."""
    asked = question.text[question.start : question.end]
    noun = re.sub("^.*?how (?:many|much)\\s*", "", asked, flags=re.IGNORECASE)
    noun = re.sub("^total ", "total ", noun)
    return answer if noun.lower() in answer.lower() else f"{answer} {noun}".strip()


def _filled(question: Question, answer: str) -> str:
    """The answer as a noun phrase."""
    if question.form in ("how many", "how much"):
        return _counted(question, answer)
    share = re.match("what (?:percentage|percent)( of .+)", question.text[question.start : question.end], re.IGNORECASE)
    if share:
        return f"{answer}{'' if re.search('%|percent', answer) else ' percent'}{share[1]}"
    if question.form == "whose":
        noun = re.sub("^.*?whose\\s*", "", question.text[question.start : question.end], flags=re.IGNORECASE)
        return f"{answer}{_OWNER[answer.endswith('s')]} {noun}"
    return answer


def _adjunct(question: Question, answer: str) -> str:
    """The answer as a time, a place, a reason or a manner."""
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
        return answer if re.match("(?:in|on|at|near|from|to)\\b", answer) else f"in {answer}"
    return f"{question.preposition.lower()} {_filled(question, answer)}".strip()


def _turned(question: Question, answer: str) -> str:
    tokens = list(words(question.after))
    if not tokens or has_slip(question.text):
        return ""
    first = tokens[0].text.lower()
    if question.form.startswith("how ") and question.form not in ("how many", "how much", "how often"):
        return _degree(question, tokens, answer)
    if question.form == "how" and re.search("\\bgo\\b", question.after):
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
        return f"{_filled(question, answer)} led {question.after[len(first) :]}"
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
    # the answer is the subject
    return f"{_filled(question, answer)} {question.after}"


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
            body = f"{subject}{verb} {'for ' if question.form == 'how long' else ''}{answer}{rest}"
    elif tokens[0].text.lower() in BE and len(tokens) > 1:
        after = question.after
        rest = after[tokens[0].end :]
        measure = f" {question.head}" if question.head in ("long", "tall", "high", "deep", "wide", "old") else ""
        measure = "" if question.head in answer else measure
        if measure == " old" and not _AGE.search(answer):
            measure = " years old"
        body = f"{rest} {tokens[0].text} {answer}{measure}"
    return body


def _finite(auxiliary: str, base: str) -> str:
    if auxiliary == "did":
        return past(base.lower())
    return third(base) if auxiliary == "does" else base


def _with_do(question: Question, tokens: list[Word], answer: str) -> str:
    slipped = past_verb(tokens)
    found = main_verb(tokens, 1) or slipped
    if not found or 0 < slipped < found:
        return ""  # "did Chrysler ended its model"
    after = question.after
    subject = after[tokens[1].start : tokens[found].start].strip()
    if subject.endswith(("'s", "’s")):
        return ""  # "did the Norman's invade"
    if tokens[found].text.lower() == "do" and question.form == "what" and not question.head:
        base, _, others = answer.partition(" ")
        verb = _finite(tokens[0].text.lower(), base)
        adverb = next((one for one in sorted(ADVERBS) if subject.endswith(f" {one}")), "")
        subject = subject.removesuffix(f" {adverb}") if adverb else subject
        return "" if adverb == "not" else f"{subject} {adverb} {verb} {others} {after[tokens[found].end :]}"
    negative = re.search("\\bnot$", subject)
    verb = _finite(tokens[0].text.lower(), tokens[found].text)
    if not is_base(tokens[found].text) and is_past(tokens[found].text):
        verb = tokens[found].text
    if negative:
        verb = f"{tokens[0].text.lower()} not {tokens[found].text}"
        subject = subject[: negative.start()].strip()
    adverb = next((one for one in ADVERBS if subject.endswith(f" {one}")), "")
    if adverb and not negative:
        subject, verb = subject[: -len(adverb)].strip(), f"{adverb} {verb}"
    return _completed(question, f"{subject} {verb}", tokens, found, answer)


def _completed(question: Question, start: str, tokens: list[Word], verb: int, answer: str) -> str:
    """Subject and verb, then the answer where it belongs, and the rest."""
    after = question.after
    rest = after[tokens[verb].end :].strip()
    if question.form == "what" and re.search("\\bto do\\b", rest):
        return re.sub("\\bto do\\b", f"to {answer}", f"{start} {rest}")
    if is_adjunct(question):
        return f"{start} {rest} {_adjunct(question, answer)}"
    new = _filled(question, answer)
    if tokens[-1].text.lower() in PREPOSITIONS:
        return f"{start} {rest} {new}"
    last = verb
    # "feels … plays": the answer is the subject of what is felt
    if verb + 1 < len(tokens) and _is_finite(tokens[verb + 1]):
        return f"{start} {new} {rest}"
    if tokens[verb].text.lower() == "get" and verb + 1 < len(tokens) and is_participle(tokens[verb + 1].text.lower()):
        last += 1
    # "want to V": the object follows the second verb
    while (
        last + 2 < len(tokens)
        and tokens[last + 1].text.lower() == "to"
        and _is_chained(tokens[last].text.lower())
        and is_base(tokens[last + 2].text.lower())
    ):
        last += 2
    if last + 1 < len(tokens) and tokens[last + 1].text.lower() in ("up", "out", "off", "down", "away", "back"):
        last += 1
    # "speak to in July": the object goes with the first of two prepositions
    if (
        last + 2 < len(tokens)
        and tokens[last + 1].text.lower() in PREPOSITIONS
        and tokens[last + 2].text.lower() in PREPOSITIONS
    ):
        last += 1
    following = tokens[last + 1].text.lower() if last + 1 < len(tokens) else ""
    if following == "that" and not question.head and tokens[verb].text.lower() in _SAYING:
        return f"{start} {rest} {new}"
    # "take the place of after": the answer goes with the first of the two
    for at in range(last + 1, len(tokens) - 1):
        if tokens[at].text.lower() in ("of", "to", "with", "from", "as") and tokens[at + 1].text.lower() in _OPENING:
            cut = tokens[at].end
            return f"{start} {after[tokens[verb].end : cut].strip()} {new} {after[cut:].strip()}"
    between = after[tokens[verb].end : tokens[last].end].strip()
    tail = after[tokens[last].end :].strip()
    if (
        not following
        or following in PREPOSITIONS
        or following in ADVERBS
        or following in (",", "when", "while", "because", "if", "that", "and")
        or following.endswith("ly")
    ):
        return f"{start} {between} {new} {tail}"
    return (
        f"{start} {rest} {new}"
        if tail and question.form in ("how many", "how much")
        else f"{start} {between} {new} {tail}"
        if following == "to"
        else f"{start} {rest} {new}"
    )


def _is_finite(word: Word) -> bool:
    low = word.text.lower()
    return low in BE | HAVE | MODAL or (is_third(low) and word.text[0].islower())


def _is_chained(low: str) -> bool:
    stem = low.removesuffix("ing")
    return low in _CHAINED or stem in _CHAINED or f"{stem}e" in _CHAINED


def _with_auxiliary(question: Question, tokens: list[Word], answer: str) -> str:
    auxiliary = tokens[0].text
    after = question.after
    called = re.match("(?:is|was) (.+?) (called|known as) ((?:that|which) .+)", after)
    if called:
        return f"{called[1]} {called[3]} {auxiliary} {called[2]} {answer}"
    if len(tokens) == 1:
        return ""
    if tokens[1].text.lower() == "there":
        return f"There {auxiliary} {_filled(question, answer)} {after[tokens[1].end :]}"
    if not is_adjunct(question) and is_predicate(tokens, 1, auxiliary.lower()):
        return f"{_filled(question, answer)} {after}"
    counts = question.form in ("how many", "how much") and not question.preposition
    if counts and re.match(".*how (?:many|much) of ", question.text, re.IGNORECASE):
        return f"{_filled(question, answer)} {after}"
    if (
        counts
        and tokens[1].text.lower() not in DETERMINERS
        and not tokens[1].text[0].isupper()
        and auxiliary.lower() in BE
    ):
        return f"{_filled(question, answer)} {after}"
    if re.fullmatch("\\w+er", tokens[1].text) and question.form == "which" and not question.head:
        return ""
    found = predicate(question, tokens, auxiliary.lower())
    if found:
        subject = after[tokens[1].start : tokens[found].start].strip()
        if _TWO_SUBJECTS.search(subject):
            return ""
        adverb = next((one for one in ADVERBS if subject.endswith(f" {one}")), "")
        if adverb:
            subject = subject[: -len(adverb)].strip()
        if tokens[found].text == "do" and question.form == "what" and not question.head:
            return f"{subject.removesuffix(' then')} {auxiliary} {adverb} {answer} {after[tokens[found].end :]}"
        start = f"{subject} {auxiliary} {adverb} {tokens[found].text}"
        if question.head in _PLACES and tokens[found].text in ("held", "born", "located", "founded", "allowed"):
            answer = answer if question.preposition or tokens[-1].text in PREPOSITIONS else f"in {answer}"
        return _completed(question, start, tokens, found, answer)
    if auxiliary.lower() not in BE:
        return "" if is_adjunct(question) or auxiliary.lower() in MODAL else f"{_filled(question, answer)} {after}"
    subject = after[tokens[1].start :]
    if question.form in ("how many", "how much") and tokens[1].text.lower() in PREPOSITIONS | {"the"}:
        return f"{_filled(question, answer)} {after}"
    if tokens[-1].text.lower() in PREPOSITIONS and not is_adjunct(question):
        cut = tokens[-2].start if _LIKE_ADJECTIVE.search(tokens[-2].text) and len(tokens) > 3 else tokens[-1].start
        return f"{after[tokens[1].start : cut].strip()} {auxiliary} {after[cut:]} {_filled(question, answer)}"
    if question.form == "how" or (question.head and not is_adjunct(question) and question.head not in _QUALITIES):
        return ""  # "what religion were the Normans"
    clause = re.search(" (?:when|while|if|because|after|before) (?:it|he|she|they|the)\\b", subject)
    if clause and not is_adjunct(question):
        return f"{subject[: clause.start()]} {auxiliary} {_filled(question, answer)}{subject[clause.start() :]}"
    return f"{subject} {auxiliary} {_adjunct(question, answer) if is_adjunct(question) else _filled(question, answer)}"
