"""The words of a Chinese question that can be altered, each with its stream of replacements, the best target first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from random import Random

from readproof.attacks.addsent.rules import Alteration, Fixed, Slots, free, refillable, refilled
from readproof.attacks.checks import fall
from readproof.items import Edit
from readproof.lang.zh.another import UNFIT, another_counted, is_known_measure, other_subject, span_of_subject
from readproof.lang.zh.entities import Entity, Kind, common_nouns, ending_of, endings, entities
from readproof.lang.zh.names import alike, chinese_name, others, respelt, same_heads
from readproof.lang.zh.namesakes import namesake, pronoun, told_elsewhere
from readproof.lang.zh.questions import bare, phrases
from readproof.lang.zh.subjects import first_piece, kind_of, kindred_words, opening, siblings, subjects
from readproof.lang.zh.words import words

_THAT = re.compile(
    "(?:(?:^|(?<=[，,对于与和被将把从])|(?<=(?<!现)在))(?:这|该|此)(?=[一-龥])(?!如何|怎|不|用|时|前|后|外|次|些|样|么|人|来|科|身|名|质|地|国|里|为|以|被|在|由|是|于|处)"
    "|^本(?=[片书剧作案届线站镇校区村县]))"
)
_NUMBER = re.compile("[一二两三四五六七八九十百几0-9]+")
_COUNTS = "件种个座部条位名家款项本支只类艘间所套首张场届档次起颗份篇幅块段"
_THEY = re.compile("^[他她](?!们)")
_PEOPLE = re.compile(
    "原告|被告人?|被害人|上诉人|证人|男子|女子|作者|主角|演员|导演|歌手|患者|学生|老师|孩子|法官|律师|教练|球员|儿童|居民|总统"
)
_KINDS: dict[str, Kind] = {
    "person": "person",
    "place": "place",
    "organisation": "organisation",
    "work": "work",
    "number": "number",
    "time": "time",
    "people": "people",
    "latin": "latin",
}
# a time or a number is altered after the names: it changes what is asked less
_LATER = ("time", "number")
_NAME = 10
# tags of words that are names, or part of one
_PROPER = ("nr", "ns", "nt", "nz")
# of the nouns that may stand for another so many, if none of them is much less usual there
_BEST, _UNUSUAL = 4, 0.15
# endings of names, and those of common nouns that say what a thing is
_NAMED = ("place", "organisation", "building", "route", "station")
_SORTS = ("species", "food", "medical", "medicine", "substance", "weapon")
# what may stand before the name that a question is about
LEADING = re.compile(
    "(?:.*[，,])?(?:在|由|对|对于|关于|据|根据|当|从|自|为什么|为何|什么时候|何时|谁|是谁|目前|现在|现时|当前|最早|除了|截至|截止|"
    "[0-9年月日]{2,12}[，,]?在?|[一-龥]{0,4}(?:歌手|演员|导演|作家|球员|国王|皇帝|将领|主教|电影|小说|专辑|游戏))?[《“「『]?"
)


def targets(
    question: str, passage: str, title: str, fixed: Fixed, slots: Slots, random: Random
) -> tuple[list[Iterator[Alteration]], ...]:
    """One stream of alterations a word, in ranks, each for when those before are spent; a fixed span is not altered."""
    found = [*_defined(question), *_entities(question, passage, title, slots)]
    kept = [one for one in found if free(one.start, one.end, fixed) and not _is_common(one)]
    names = [one for one in kept if one.kind not in _LATER]
    later = [one for one in kept if one.kind == "time" and not _in_range(question, one)]
    last = [one for one in kept if one.kind == "number" and one.text.startswith("第")]
    defined = any(one.form == "definition" for one in phrases(question)[:1])
    guessed = [one for one in names if _is_guess(one) or (defined and one.detail == "chinese")]
    sure = [one for one in names if one not in guessed]
    leading = [one for one in sure if LEADING.fullmatch(question[: one.start])]
    # what a question speaks of first is what it is about: while that stays, another word changed denies the passage
    first = [_other_names(one, question, fixed, random) for one in leading]
    if not leading and slots.entities is None:
        first = [
            _another_one(question, fixed, random),
            _told_by_name(question, passage, title, fixed),
            _others(question, namesake(question, passage, title), fixed),
        ]
    taken = [*fixed, *((one.start, one.end) for one in kept)]
    rest = [refilled(word, question, slots, random) for word in refillable(question, taken, slots, words)]
    rest += [_other_names(one, question, fixed, random) for one in sure if one not in leading]
    # of a named thing another word would deny what the passage says
    kin = _kin(question, fixed, kept) if not names or slots.entities is not None else ()
    rest += [_kindred(start, end, question, random) for start, end in kin]
    rest += [_other_names(one, question, fixed, random) for one in (*later, *last)]
    unsure = [_other_names(one, question, fixed, random) for one in guessed]
    piece = first_piece(question, passage) if not names and slots.entities is None else None
    if piece is not None and free(piece.start, piece.end, fixed):
        rest.append(_other_names(piece, question, fixed, random))
    if slots.refill is not None or slots.entities is not None:
        return [*first, *rest, *unsure], [], _fallbacks(question, passage, title, fixed, slots, random)
    # a name of unknown kind comes last: what takes its place may not fit
    return first, rest, _fallbacks(question, passage, title, fixed, slots, random), unsure


def _is_guess(entity: Entity) -> bool:
    """A name that no list or ending tells the kind of."""
    if entity.kind == "place" and entity.detail == "place":
        return True
    # 虚拟电路 is no road: its last word is longer than the ending
    last, ending = words(entity.text)[-1].text, ending_of(entity.text)
    if entity.kind == "name" and len(ending) == 1 < len(last) and last in common_nouns() and last not in endings():
        return True
    return entity.kind == "name" and entity.detail in ("", "subject", "quoted", "unmarked", "defined")


def _is_common(entity: Entity) -> bool:
    """水力发电站, 天桥: no names, though they end as names do."""
    if entity.kind not in ("place", "organisation", "name") or endings().get(ending_of(entity.text)) not in _NAMED:
        return False
    return all(word.text in common_nouns() and word.tag[0] in "nv" for word in words(entity.text))


def _in_range(question: str, time: Entity) -> bool:
    """One end of a stretch of time cannot move alone."""
    return bool(
        re.match("[至到和与、及或—–~～-]", question[time.end :])
        or re.search("[至到和与、及或—–~～-]$", question[: time.start])
    )


def _defined(question: str) -> Iterator[Entity]:
    """What a definition is asked of: 什么是X."""
    for phrase in phrases(question)[:1]:
        size = len(bare(question))
        if (
            phrase.form == "definition"
            and 0 < size - phrase.end <= _NAME
            and not kind_known(question[phrase.end : size])
        ):
            text = question[phrase.end : size]
            yield Entity(phrase.end, size, text, "name", ending_of(text) or "defined")


def kind_known(text: str) -> bool:
    """Whether a text holds a name that the lists know."""
    return bool(entities(text))


def _entities(question: str, passage: str, title: str, slots: Slots) -> Sequence[Entity]:
    if slots.entities is None:
        return subjects(question, passage, title)
    found = []
    for mark in slots.entities(question):
        text = question[mark.start : mark.end]
        kind, detail = kind_of(text, question, passage)
        known = _KINDS.get(mark.type, kind)
        found.append(Entity(mark.start, mark.end, text, known, detail if known == kind else _detail(known, text)))
    return found


def _detail(kind: Kind, text: str) -> str:
    if kind == "person":
        return "foreign" if "·" in text or len(text) > 4 else "chinese"
    return {"place": "place", "latin": "thing"}.get(kind, "")


def _other_names(entity: Entity, question: str, fixed: Fixed, random: Random) -> Iterator[Alteration]:
    """The name changed wherever it stands."""
    spots = [found.start() for found in re.finditer(re.escape(entity.text), question)]
    if entity.kind == "number" or not spots:
        spots = [entity.start]
    olds = [question[at : at + len(entity.text)] + _gloss(question, at + len(entity.text)) for at in spots]
    spans = [(at, old) for at, old in zip(spots, olds, strict=True) if free(at, at + len(old), fixed)]
    for new in others(entity, random):
        if new != entity.text:
            yield Alteration(tuple(Edit(at, old, new, entity.kind) for at, old in spans), entity.kind)


def _gloss(question: str, at: int) -> str:
    """A name's other form in brackets, which would give the old name away."""
    found = re.match("[（(][^（）()]{1,30}[)）]", question[at:])
    return found[0] if found else ""


def _kin(question: str, fixed: Fixed, names: Sequence[Entity]) -> Iterator[tuple[int, int]]:
    # the noun asked for stays: the answer is made for it
    head = next((phrase.head for phrase in phrases(question)), "")
    asked = [(found.start(), found.end()) for found in re.finditer(re.escape(head), question)] if head else []
    # 从何时开始 cannot become 从何时结束
    asked += [(start, end + 2) for start, end in fixed if re.search("[从自]$", question[:start])]
    quoted = [found.span() for found in re.finditer("[《“「『][^》”」』]*[》”」』]", question)]
    taken = [*fixed, *asked, *quoted, *((one.start, one.end) for one in names)]
    return ((start, end) for start, end in kindred_words(question) if free(start, end, taken))


def _kindred(start: int, end: int, question: str, random: Random) -> Iterator[Alteration]:
    """A noun, verb or adjective changed for another of its kind."""
    old = question[start:end]
    pool = [new for new in siblings(old) if not old.startswith("最") and not new.startswith(("最", "第"))]
    random.shuffle(pool)
    for new in pool:
        yield Alteration((Edit(start, old, new, "word"),), "word")


def _fallbacks(
    question: str, passage: str, title: str, fixed: Fixed, slots: Slots, random: Random
) -> list[Iterator[Alteration]]:
    """For a question without a name: another one of what it speaks of, or another thing of its kind.

    Not the same thing in another place or at another time: of a named thing that would be a false answer.
    """
    return [
        _told_by_name(question, passage, title, fixed),
        _another_one(question, fixed, random),
        _others_sound(question, fixed, random),
        _others(question, namesake(question, passage, title), fixed),
        _respelt(question, passage, title, fixed, random),
        _other_ordinal(question, passage, fixed, random),
        _another_kind(question, fixed),
        _other_nouns(question, fixed, random),
        _others(question, told_elsewhere(question, random) if slots.frames else (), fixed),
    ]


def _told_by_name(question: str, passage: str, title: str, fixed: Fixed) -> Iterator[Alteration]:
    """Another one than the subject, told by way of the subject."""
    yield from _others(question, (*other_subject(question, passage, title), *pronoun(question, passage)), fixed)


def _others(question: str, found: Iterable[tuple[int, str, str]], fixed: Fixed) -> Iterator[Alteration]:
    for start, old, new in found:
        if free(start, start + len(old), fixed) and question[start : start + len(old)] == old:
            yield Alteration((Edit(start, old, new, "other"),), "other")


def _another_one(question: str, fixed: Fixed, random: Random) -> Iterator[Alteration]:
    they = _THEY.search(question)
    that = _THAT.search(question)
    if they and free(they.start(), they.end(), fixed):
        for _ in range(4):
            yield Alteration((Edit(0, they[0], chinese_name(random), "person"),), "person")
    elif that and free(that.start(), that.end(), fixed):
        first = next(iter(words(question[that.end() :])), None)
        counted = (
            first is None
            or (first.tag in ("q", "m", "qt") and first.text not in "片书剧")
            or (first.text[0] in _COUNTS and first.text not in common_nouns())
        )
        other = "另一" if counted or first is None else another_counted(first.text)
        # 这一年 → 另一年; 这三个星系 → 另外三个星系
        number = _NUMBER.match(question, that.end()) if first is not None and first.tag in ("m", "t") else None
        if number is not None:
            other = "另" if number[0] == "一" else "另外"
        yield Alteration((Edit(that.start(), that[0], other, "other"),), "other")
    else:
        first = next(iter(words(question)), None)
        alone = first is not None and question[first.end : first.end + 1] in tuple("的是有在被由因对为与和向从于将曾")
        if first is not None and alone and _PEOPLE.fullmatch(first.text) and free(0, first.end, fixed):
            yield Alteration((Edit(0, "", "另一名", "other"),), "other")


def _others_sound(question: str, fixed: Fixed, random: Random) -> Iterator[Alteration]:
    """A disease, an animal, a food: common nouns whose ending says what they are."""
    for word in words(question):
        if (
            word.tag.startswith("n")
            and len(word.text) > 2
            and endings().get(ending_of(word.text)) in _SORTS
            and free(word.start, word.end, fixed)
        ):
            for new in alike(word.text, random):
                yield Alteration((Edit(word.start, word.text, new, "word"),), "word")


def _respelt(question: str, passage: str, title: str, fixed: Fixed, random: Random) -> Iterator[Alteration]:
    """A name of no known kind, with another character in it."""
    start, end = span_of_subject(question, passage, title)
    if start == end:
        start, end = next(((one.start, one.end) for one in opening(question, passage, title)), (0, 0))
    name = question[start:end]
    if not name or not free(start, end, fixed) or name in common_nouns():
        return
    if _is_sort(name):
        yield Alteration((Edit(start, "", "另一种", "other"),), "other")
        return
    spots = [found.start() for found in re.finditer(re.escape(name), question)]
    for new in respelt(name, random):
        yield Alteration(tuple(Edit(at, name, new, "name") for at in spots), "name")


def _other_ordinal(question: str, passage: str, fixed: Fixed, random: Random) -> Iterator[Alteration]:
    """第八大道 → 第五大道, where the passage has no other."""
    found = re.search("第([一二三四五六七八九])(?=[一-龥])(?![十百一])", question)
    if found is None or not free(*found.span(), fixed):
        return
    others = [sign for sign in "三四五六七八九" if sign != found[1] and f"第{sign}" not in passage]
    for sign in random.sample(others, min(3, len(others))):
        yield Alteration((Edit(found.start(), found[0], f"第{sign}", "number"),), "number")


def _another_kind(question: str, fixed: Fixed) -> Iterator[Alteration]:
    """产能规划著重于哪些方面 → 另一种产能规划: where a question begins with a thing that has no name."""
    run = list(takewhile(lambda word: word.tag[0] in "nvabg" and word.tag[:2] not in _PROPER, words(question)))
    while run and question[run[-1].end : run[-1].end + 1] not in tuple("的是有在由被为以对从于会能可将最"):
        run.pop()
    asked = [one.start for one in phrases(question)]
    if not run or len(question[: run[-1].end]) < 2 or any(start < run[-1].end for start in asked):
        return
    # a verb alone is no thing
    if all(word.tag[0] != "n" for word in run) or UNFIT.match(question) or not free(0, run[-1].end, fixed):
        return
    head = next((word.text for word in (run[-1], run[0]) if is_known_measure(word.text)), run[-1].text)
    yield Alteration((Edit(0, "", another_counted(head), "other"),), "other")


def _is_sort(name: str) -> bool:
    """Whether a name is a compound of common words: 工业洗衣机, 肾萎缩. In those another character makes no name."""
    parts = words(name)
    return len(name) > 2 and all(part.tag[0] in "nvabgztxjik" and part.tag[:2] not in _PROPER for part in parts)


def _other_nouns(question: str, fixed: Fixed, random: Random) -> Iterator[Alteration]:
    """The thing that a question begins with is another one with the same last character: 灯塔 → 铁塔."""
    lead = next((one for one in phrases(question)[:1] if not one.start), None)
    start = lead.end if lead is not None else 0
    for word in words(question[start:])[:2]:
        at = start + word.start
        plain = word.tag in ("n", "nz") and len(word.text) > 1 and ending_of(word.text) in endings()
        of = question[at + len(word.text) :].startswith("的")
        if not plain or of or question[:at][-1:].isdigit() or not free(at, at + len(word.text), fixed):
            continue
        made = {one: question[:at] + one + question[at + len(word.text) :] for one in same_heads(word.text)}
        usual = sorted((fall(text, question, "zh"), one) for one, text in made.items() if one not in question)
        best = [one for fallen, one in usual[:_BEST] if fallen < _UNUSUAL]
        for new in random.sample(best, len(best)):
            yield Alteration((Edit(at, word.text, new, "word"),), "word")
        return
