"""English statements out of questions: the subject goes before its verb again, and the answer where it belongs."""

from __future__ import annotations

import re

from readproof.lang.api import Word, wordset
from readproof.lang.en.entities import classes
from readproof.lang.en.predicates import gap, is_adjunct, is_predicate, main_verb, past_verb, predicate
from readproof.lang.en.questions import AskingPhrase
from readproof.lang.en.words import (
    ADVERBS,
    AUXILIARY,
    BE,
    DETERMINERS,
    DO,
    HAVE,
    MODAL,
    PREPOSITIONS,
    is_adverb,
    is_base,
    is_participle,
    is_past,
    is_third,
    parted,
    past,
    third,
    words,
)

# Whether a made-up answer may be the subject of the verb that a question has for another.


_OF_ONE = frozenset({"is", "was", "has", "does"})
_ONE = re.compile("(?:an?|one|each|every) ", re.IGNORECASE)
# "the cost of repairs", "the drums"; sciences and illnesses end as plurals do
_MANY = re.compile("[a-z]{2}(?<![sui])s$")
# "the Dolphins", "the Turks"
_SEVERAL_NAMED = re.compile("the (?!Netherlands|Philippines|United)[A-Z][a-z]+(?<![sui])s")
_WITHOUT_S = frozenset({"people", "men", "women", "children", "fish", "bacteria", "police", "larvae", "fungi", "algae"})
_NO_PLURAL = re.compile("(?:ics|news|measles|diabetes|rabies|rickets)$")


def is_plural(noun: str) -> bool:
    """Whether a noun in small letters can be of several."""
    return noun.endswith("s") or noun in _WITHOUT_S


def is_many(answer: str) -> bool:
    """Whether an answer in words is of several: two joined by "and", or a noun in the plural that is no name."""
    if _ONE.match(answer) or re.match("[\\d$]", answer):
        return False
    if " and " in answer or _SEVERAL_NAMED.fullmatch(answer):
        return True
    head = re.split(" (?:of|in|from|for|on|to|near) ", answer, maxsplit=1)[0].split(" ")[-1]
    return head.islower() and bool(_MANY.search(head)) and not _NO_PLURAL.search(head)


def agrees(answer: str, verb: str) -> bool:
    """Whether a verb of one may follow; one of several, or one that shows no number, always may."""
    return not ((verb in _OF_ONE or is_third(verb)) and is_many(answer))


# The answer in the form that its place in an English statement asks for: a noun phrase, a count, a time, a place.


_OWNER = ("'s", "'")
_PARTICLES = frozenset({"up", "out", "off", "down", "away", "over"})
_DATE = re.compile("^(?:[A-Z][a-z]+ \\d{1,2}\\b|\\d{1,2} [A-Z])")
# "where did X go": to a place, not in one
_TOWARDS = wordset("en", "towards")


def counted(question: AskingPhrase, answer: str) -> str:
    """«how many N»: the number with its noun, unless the answer brings it."""
    asked = question.text[question.start : question.end]
    noun = re.sub("^.*?how (?:many|much)\\s*", "", asked, flags=re.IGNORECASE)
    noun = re.sub("^total ", "total ", noun)
    return answer if noun.lower() in answer.lower() else f"{answer} {noun}".strip()


def filled(question: AskingPhrase, answer: str) -> str:
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


def adjunct(question: AskingPhrase, answer: str, verb: str = "") -> str:
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


# English questions with "to be" and no other verb: what is the subject, and what is said of it.


_LIKE_ADJECTIVE = re.compile("(?:ent|ant|ble|ive|ful|ous|lar|ory|ial)$")
_QUALITIES = frozenset({"color", "colors", "colour", "colours", "shape", "price", "rank", "percent", "percentage"})
_NAMED = ("n", "nv", "e")
_RELATIVE = frozenset({"that", "which", "who", "whom", "whose", "where"})
_LATER_GAP = re.compile(
    "(?:ed|den|ne|ght|ld|de) (?:to [a-z]+|(?:about|for|with|by|of) \\w+ing(?: \\w+ed)?)"
    "(?:$| (?:in|on|at|for|to|with|from|by)\\b)"
)
_CLAUSE_OPENING = re.compile(" (?:when|while|if|because|after|before) (?:it|he|she|they|the)\\b")


def copula(question: AskingPhrase, tokens: list[Word], answer: str) -> str:
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
    if _CLAUSE_OPENING.search(subject):
        at = next(_CLAUSE_OPENING.finditer(subject)).start()
        return f"{subject[:at]} {auxiliary} {new}{subject[at:]}"
    return f"{subject} {auxiliary} {new}"


def _measure(question: AskingPhrase, tokens: list[Word], new: str) -> str:
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


def _says_more(question: AskingPhrase, tokens: list[Word]) -> bool:
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


# English questions that are not turned round: a word too many, a wrong form, or a gap that only a parser finds.

_SLIPS = (
    "\\bdid did\\b",
    "\\b[Ww]hat\\b.*\\bwhat must\\b",
    "\\b(?:of|to|with|by|for|from|as)\\s*,",
    "[Ww]hen were the [A-Z]\\w+s in\\b",
    "\\bnot particularly\\b",
    "\\b(?:was|is|were)\\b[^,]*\\boccur$",
    "\\bthat the is\\b",
    "\\bwas it when\\b",
    "\\b(?:the|a|an|its|\\w+est) what$",
    "\\bmany of$|\\bmost of in\\b",
    "\\bwas done to\\b|\\bdo (?:to|with)\\b",
    "\\bstand for$|\\bbetween who$|\\bdoing with\\b|\\bwithdrawal to$|\\bseen as to\\b",
    "^Where does .* rank\\b|^What are .* are known\\b",
    "[Hh]ow many of the (?:two|three|four|five|six|seven|eight|nine|ten)\\b",
    "\\bseparates? \\w+ to$",
    "^Who (?:was|is) [A-Z][a-z]+ of\\b|\\bword for\\b|\\bto \\w+ in \\d{4}$",
    "\\bnamed that\\b|\\b(?:do|does|did) what\\b",
    "\\bhow many of [^,]*\\b(?:was|were|is|are) [A-Z]",
    "^To where\\b|\\b[Ww]hat direction\\b|\\b[Ww](?:hat|hich) part of\\b|\\breferred to\\W*$",
    "\\b(?:what|which|What|Which) \\w+'s\\b|\\bkind of what\\b",
    "\\b(?:did|does|do) (?:the )?[A-Z]\\w+'s [a-z]+\\b(?! \\w*(?:ed|e)\\b)(?= (?:at|in|on|to))",
    "\\bdoes (?:the |these |those )?(?:[a-z]+ )*(?!series|species)[a-z]{2,}[^\\Wsuic]s "
    "(?:now |also |usually |often )?[a-z]+[^\\Ws]\\b",
)
_SLIP = re.compile("|".join(_SLIPS))
# what cannot stand side by side in a statement, whichever word was changed
_MISFIT = re.compile(
    "\\b(?:reviewed|translated) about\\b|\\b(?:in|at|by) (?:inland|upstream|downstream|seaward)\\b"
    "|\\bSouth (?:South|North) |\\bthe private(?=$|[,.]| (?:in|of|and|about)\\b)"
    "|(?<=[a-z] )(?:is|are|was|were) there\\b"
)


def has_slip(question: str) -> bool:
    """Whether a question is one of these."""
    return bool(_SLIP.search(question))


def is_misfit(statement: str) -> bool:
    """Whether a statement has words beside each other that do not go together."""
    return bool(_MISFIT.search(statement))


# Subject and verb of an English statement, then the answer where it belongs, and the rest of what was asked.

_SAYING = wordset("en", "saying")
_CHAINED = wordset("en", "chained")
_TWO_OBJECTS = wordset("en", "two objects")
_ASIDE = frozenset({"up", "out", "off", "down", "away", "back"})
_CLAUSE = frozenset({",", "when", "while", "because", "if", "that", "and", "compared"})
_GOING_ON = wordset("en", "going on")


def completed(question: AskingPhrase, start: str, tokens: list[Word], verb: int, answer: str) -> str:
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


def _put(question: AskingPhrase, start: str, tokens: list[Word], verb: int, last: int, new: str) -> str:
    """The answer after the word at `last`."""
    after, cut = question.after, tokens[last].end
    return f"{start} {after[tokens[verb].end : cut].strip()} {new} {after[cut:].strip()}"


def _behind_object(question: AskingPhrase, start: str, tokens: list[Word], verb: int, new: str) -> str:
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


def statement(question: AskingPhrase, answer: str) -> str:
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


def _inside(question: AskingPhrase, answer: str) -> str:
    if question.type == "number" and question.form in ("how many", "how much"):
        return counted(question, answer)
    # "were how old"
    return f"{answer} old" if question.form == "how old" and _AGE.search(answer) else answer


def _turned(question: AskingPhrase, answer: str) -> str:
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


def _as_subject(question: AskingPhrase, answer: str, verb: str) -> str:
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


def _degree(question: AskingPhrase, tokens: list[Word], answer: str) -> str:
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


def _with_do(question: AskingPhrase, tokens: list[Word], answer: str) -> str:
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


def _with_auxiliary(question: AskingPhrase, tokens: list[Word], answer: str) -> str:
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
