"""AddSent's rules for English. What asks stands first, so the altered question is turned round to make a statement."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

from readproof.attacks.addsent.rules import Alteration, Fixed, Rules, Slots, free, in_turn, refilled
from readproof.items import Edit, SpanItem
from readproof.lang.api import Word, wordset
from readproof.lang.en.entities import Entity, classes, entities, kin, other_number
from readproof.lang.en.fakes import asked_head, fakes, heads, person
from readproof.lang.en.questions import question_of
from readproof.lang.en.statements import statement
from readproof.lang.en.words import MODAL, is_base, tag_of, words
from readproof.text import applied

# The words of an English question that can be altered, each with its stream of replacements, the best target first.

_MOST = 8
# a word before a hyphen is half of one
_QUOTED = re.compile('["“][^"”]*["”]|\\([^)]*\\)')
_COMPOUND = re.compile(" (?!(?:in|of|on|at|by|to|is|was|are|were|and|or|for|that|who|from|with|as|did|do)\\b)[a-z]")
_ACTS = re.compile(" (?:begin|use|make|come|become|believe|have|seize|acquire|receive|\\w+ed)\\b")
_HYPHEN = re.compile(" ?[-–]")
_HALVES = frozenset({"name", "company", "country", "city", "state"})
_DIRECTIONS = frozenset({"North", "South", "East", "West", "Northern", "Southern", "Eastern", "Western"})
# of the acronyms those that go with an article
_WITH_THE = frozenset({"FAO", "ILO", "ESA", "IMF", "OECD", "IAEA", "WWF", "ITU", "BBC"})
# «the general public», «high school», «white blood cells», «real life»
_FIXED = frozenset({"general", "school", "schools", "blood", "speed", "life", "time", "order", "level", "rate"})
_LATER = ("roman", "number", "numberword", "ordinal", "century", "month", "weekday")
_STRATEGY = {
    "country": "place",
    "city": "place",
    "state": "place",
    "continent": "place",
    "river": "place",
    "superpower": "place",
    "person": "person",
    "surname": "person",
    "given": "person",
    "roman": "number",
    "number": "number",
    "numberword": "number",
    "ordinal": "number",
    "century": "time",
    "month": "time",
    "weekday": "time",
    "company": "organisation",
    "broadcaster": "organisation",
    "organisation": "organisation",
    "university": "organisation",
    "team": "organisation",
    "peoples": "people",
    "nationality": "people",
}
# a model's kinds of names, and the lists that hold such names
_KINDS = {
    "person": "person",
    "place": "city",
    "organisation": "company",
    "people": "peoples",
    "number": "number",
    "time": "number",
}


def targets(question: str, fixed: Fixed, slots: Slots, random: Random) -> list[list[Iterator[Alteration]]]:
    """Streams of alterations, one a word, in ranks: those of a later rank are for when the earlier ones are spent."""
    # what is quoted or in brackets is not altered: it names or explains what stands outside
    fixed = [*fixed, *(one.span() for one in _QUOTED.finditer(question))]
    found = [one for one in _entities(question, slots) if free(one.start, one.end, fixed)]
    found = [one for one in found if not _is_half(one, question) and not _is_noun(one, question)]
    names = [one for one in found if one.kind not in _LATER]
    later = [one for one in found if one.kind in _LATER]
    plain = _plain(question, fixed, found)
    ranks = [[_others(one, question, fixed, random) for one in names]]
    ranks[0] += [
        refilled(word, question, slots, random)
        for word in plain
        if word.tag.startswith(("n", "a")) and len(word.text) > 1
    ]
    known = [word for word in plain if word.text in kin() and not _in_name(word, question)]
    known = [word for word in known if not _is_fixed(word, question)]
    compounds = [word for word in known if _COMPOUND.match(question, word.end) and word.tag != "a"]
    ranks.append([_kindred(word, question, random) for word in known if word not in compounds])
    ranks.append([_others(one, question, fixed, random) for one in later])
    ranks.append([_kindred(word, question, random) for word in compounds])
    ranks.append([_other(question, fixed)])
    return ranks


_ARTICLE = re.compile(
    "\\b(?:do|does|did|is|was|are|were|has|have|had|can|could|would|may) the (?=([a-z]+)\\b(?! of\\b))"
)
_TELLING = wordset("en", "telling")


def _other(question: str, fixed: Fixed) -> Iterator[Alteration]:
    """Another one of what a noun names, for a question without names or words with siblings."""
    for found in _ARTICLE.finditer(question):
        noun = found[1]
        plain = (
            tag_of(noun) in ("n", "nv") and noun not in _TELLING and not noun.endswith(("est", "ss", "ous", "us", "is"))
        )
        if plain and free(found.end(), found.end() + len(noun), fixed):
            yield Alteration((Edit(found.end(), "", "other ", "other"),), "other")


def _is_half(entity: Entity, question: str) -> bool:
    """Whether a name of no known kind, or of a place, stands beside another: then it is half of a longer one."""
    if re.match(" (?:[IVXL]+\\b|numerals)", question[entity.end :]):
        return True
    if entity.kind not in _HALVES:
        return False
    before = re.search("(?:[A-Z][\\w.'&-]* )+$", question[: entity.start])
    longer = re.match(" (?:of )?(?:[A-Z][a-z]|\\d)", question[entity.end :])
    behind = longer and entity.kind in ("name", "company")
    # «the Yuan began»: with the article only some names go alone
    if entity.kind == "name" and _ACTS.match(question, entity.end) and question[: entity.start].endswith("the "):
        return True
    return bool(behind or (before and before.start() and not _DIRECTIONS.issuperset(before[0].split())))


def _is_noun(entity: Entity, question: str) -> bool:
    """«many Chinese with»: a people by a word that is no noun in the others."""
    described = re.match(" (?:[A-Z]|[a-z]{3,}\\b(?<!with)(?<!who))", question[entity.end :])
    return entity.kind == "nationality" and not described


def _is_fixed(word: Word, question: str) -> bool:
    """Whether a word makes a fixed phrase with a neighbour, as in «pharmacy school», «high school» or «white blood».

    «The famous artist Lempicka» is still Lempicka when she is young.
    """
    before = re.search("([\\w-]+) $", question[: word.start])
    behind = re.match(" ([\\w-]+)", question[word.end :])
    if before and (before[1].lower() in _FIXED or (word.tag == "n" and tag_of(before[1]) == "n")):
        return True
    return bool(behind and (behind[1].lower() in _FIXED or re.match(" [a-z]+ [A-Z]\\w", question[word.end :])))


def _in_name(word: Word, question: str) -> bool:
    """Whether a capital word stands beside another: half a name is not altered."""
    if not word.text[0].isupper() or word.text == "Methodist":
        return False
    before = re.search("(\\S+) $", question[: word.start])
    return bool(re.match(" [A-Z]", question[word.end :]) or (before and before[1][0].isupper() and before.start()))


def _entities(question: str, slots: Slots) -> Sequence[Entity]:
    if slots.entities is None:
        return entities(question)
    return [
        Entity(mark.start, mark.end, question[mark.start : mark.end], _KINDS.get(mark.type, "name"))
        for mark in slots.entities(question)
    ]


def _plain(question: str, fixed: Fixed, names: Sequence[Entity]) -> list[Word]:
    taken = [*fixed, *((one.start, one.end) for one in names)]
    return [
        one
        for one in words(question)
        if one.tag != "f" and free(one.start, one.end, taken) and not _HYPHEN.match(question, one.end)
    ]


def _news(entity: Entity, question: str, random: Random) -> Iterator[str]:
    if entity.kind == "person":
        for _ in range(_MOST):
            yield person(random, question)
    elif entity.kind == "number":
        for _ in range(_MOST):
            yield other_number(entity.text, random)
    else:
        pool = [one for one in classes()[entity.kind] if one not in entity.text and entity.text not in one]
        if entity.kind in ("surname", "given"):
            pool = pool[:52]
        # the rest of the plain names are kept for answers
        pool = pool[:20] if entity.kind == "name" else pool
        if entity.kind in ("acronym", "broadcaster") and question[: entity.start].lower().endswith("the "):
            pool = [one for one in pool if one in _WITH_THE]
        random.shuffle(pool)
        yield from pool[:_MOST]


def _others(entity: Entity, question: str, fixed: Fixed, random: Random) -> Iterator[Alteration]:
    """The name changed wherever it stands."""
    spots = [one.start() for one in re.finditer(f"(?<!\\w){re.escape(entity.text)}(?!\\w)", question)]
    spots = [at for at in spots if free(at, at + len(entity.text), fixed)]
    kind = _STRATEGY.get(entity.kind, "name")
    news = _news(entity, question, random)
    if entity.kind == "number" and question[: entity.start].endswith("Bowl "):
        news = (str(random.randint(31, 49)) for _ in range(_MOST))
    for new in news:
        if spots and new != entity.text:
            edits = [Edit(at, entity.text, new, kind) for at in spots]
            yield Alteration(tuple(edits + _articles(question, edits)), kind)


def _articles(question: str, edits: list[Edit]) -> list[Edit]:
    """«a» before a vowel, «an» before none."""
    found = []
    for edit in edits:
        article = re.search("\\b([Aa])(n?) $", question[: edit.start])
        if article:
            wanted = "n" if edit.new[:1].lower() in "aeiou" else ""
            if wanted != article[2]:
                found.append(Edit(article.start(), f"{article[1]}{article[2]}", f"{article[1]}{wanted}", "article"))
    return found


def _kindred(word: Word, question: str, random: Random) -> Iterator[Alteration]:
    pool = list(kin()[word.text])
    if (before := re.search("(\\w+) $", question[: word.start])) and before[1].lower() in MODAL:
        pool = [one for one in pool if is_base(one)]
    random.shuffle(pool)
    for new in pool:
        edits = [Edit(word.start, word.text, new, "word")]
        yield Alteration(tuple(edits + _articles(question, edits)), "word")


_SENTENCE_END = re.compile('[.!?]+["”\')]*(?=\\s+[A-Z0-9"“(])|\n+')
_ENDED = re.compile("[.!?:;\"”')]\\s*$")
_LONGEST = 320
_DOUBLED = re.compile("\\b(in|on|at|of|the|a|by|to|is|was|from|and) \\1\\b", re.IGNORECASE)
_CLASH = re.compile("\\b(?:in by|by in|in at|in with|of in|a the|the a|because of because|in on)\\b", re.IGNORECASE)

# orders that the rules do not bring into a statement: an object with a long tail, a clause put in, whose, it takes
_TANGLED = re.compile(
    "how many \\w+ (?:do|does|did) .*\\b(?:have to|after|before|in order)\\b|\\bwhose\\b"
    "|\\bhow long (?:do|does|did) it take|\\bhow old (?:is|was|are|were)\\b[^?]*\\b(?:when|while|during|at|in)\\b"
    "|\\b(?:can|did|does|do|could|will|would) [^,?]{3,60},|\\bdo for\\b|\\bwhen (?:was|were) [^?]*\\b\\w+ly \\w+ing\\b"
    "|\\ban example of\\?",
    re.IGNORECASE,
)
_AND_BEFORE = re.compile("(?:\\band|\\bor|&) (?:the )?$")
_AND_BEHIND = re.compile(" (?:and|or|&) (?!\\w+(?:ed|s)\\b [a-z])")
# a time, a place or a number put first says of what the rest is true; other openings leave it as it was
_SETTING = re.compile("(?:in|on|during|by|since|at|before|after) (?:the )?[A-Z0-9]", re.IGNORECASE)
_SET = frozenset({"number", "time", "place"})
# a preposition that has lost what it belongs to, a question's own verb that stayed
_DANGLING = re.compile(
    "\\b(?:of|with|for|from|by|about) (?:to|in|on|of|with|by|after|during)\\b"
    "|\\b(?:did|does) (?!not\\b)(?:the|an?|[A-Z])"
)


class EnglishRules(Rules):
    """See `Rules`."""

    def question_phrase(self, item: SpanItem) -> str | None:
        found = question_of(item.question)
        if found and found.type == "thing" and re.search("\\d", _gold(item)):
            return "number"
        return found.type if found else None

    def alter(self, item: SpanItem, slots: Slots, random: Random) -> Iterator[Alteration]:
        found = question_of(item.question)
        if found is None:
            return
        shift = len(item.question) - len(item.question.lstrip())
        fixed = [(found.start + shift, found.end + shift)]
        # the answer is of the kind of this noun, so it stays
        head = asked_head(found) if found.type == "thing" and not found.head else ""
        if head in heads() and (at := item.question.find(f" {head}", fixed[0][1])) >= 0:
            fixed.append((at + 1, at + 1 + len(head)))
        before = item.question[: fixed[0][0]]
        opening = len(before) if found.place == "front" or before.rstrip().endswith(",") else 0
        for streams in targets(item.question, fixed, slots, random):
            for alteration in in_turn(streams):
                if alteration.kind == "other" or _halved(item.question, alteration):
                    continue
                if not _only_opens(item.question[:opening], alteration):
                    yield alteration

    def fake_answers(self, item: SpanItem, random: Random) -> Iterator[str]:
        found = question_of(item.question)
        if found is not None:
            yield from fakes(found, _gold(item), random, item.passage)

    def statement(self, item: SpanItem, alteration: Alteration, answer: str, slots: Slots) -> str:
        altered = applied(item.question, sorted(alteration.edits, key=lambda edit: edit.start)).clean
        if slots.statement is not None:
            return slots.statement(altered, answer)
        found = question_of(altered)
        return statement(found, answer) if found else ""

    def sentence_ends(self, passage: str) -> Sequence[int]:
        return [found.end() for found in _SENTENCE_END.finditer(passage) if found.end() < len(passage.rstrip())]

    def joined(self, before: str, sentence: str) -> str:
        if not before.strip():
            return f"{sentence} "
        return f" {sentence}" if _ENDED.search(before) else f". {sentence}"

    def content_words(self, text: str) -> frozenset[str]:
        return frozenset(
            one.text.lower()
            for one in words(text)
            if one.tag not in ("f", "x") and (one.tag not in ("v", "nv") or one.text in kin())
        )

    def refuses(self, item: SpanItem, statement: str) -> str:
        if _TANGLED.search(item.question):
            return "tangled question"
        if _DOUBLED.search(statement) and not _DOUBLED.search(item.question):
            return "doubled word"
        if "?" in statement:
            return "question mark"
        if _CLASH.search(statement):
            return "clashing words"
        if _DANGLING.search(statement):
            return "dangling word"
        return "too long" if len(statement) > _LONGEST else ""


def _halved(question: str, alteration: Alteration) -> bool:
    """Whether one of a pair is altered: the other half still stands, and with it what was asked about."""
    return any(
        _AND_BEFORE.search(question[: edit.start]) or _AND_BEHIND.match(question[edit.end :])
        for edit in alteration.edits
    )


def _only_opens(opening: str, alteration: Alteration) -> bool:
    """Whether all that is altered stands before what asks, so that what is asked stays as it was."""
    before = bool(opening.strip()) and all(edit.end <= len(opening) for edit in alteration.edits)
    return before and not (_SETTING.match(opening) and alteration.kind in _SET)


def _gold(item: SpanItem) -> str:
    return next((one.text for one in item.golds if one.text), "")


RULES = EnglishRules()
