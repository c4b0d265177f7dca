"""The words of an English question that can be altered, each with its stream of replacements, the best target first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

from readproof.attacks.addsent.altering import Fixed, free, refilled
from readproof.attacks.addsent.rules import Alteration
from readproof.attacks.addsent.slots import Slots
from readproof.items import Edit
from readproof.lang.en.entities import Entity, classes, entities, kin
from readproof.lang.en.little import little
from readproof.lang.en.numbers import other_number
from readproof.lang.en.things import person
from readproof.lang.en.verbs import is_base
from readproof.lang.en.words import MODAL, tag_of, words
from readproof.lang.words import Word

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
_TELLING = little("telling")


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
