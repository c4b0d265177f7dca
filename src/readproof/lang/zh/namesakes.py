"""Another one of a subject that is no name: one of the same name, one that a pronoun leads to, or one of a story."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from random import Random

from readproof.lang.api import Word
from readproof.lang.zh.another import (
    MARKED,
    OF_PERSON,
    UNFIT,
    another_counted,
    is_known_measure,
    is_person,
    span_of_subject,
)
from readproof.lang.zh.entities import common_nouns, ending_of, endings
from readproof.lang.zh.questions import headwords, phrases
from readproof.lang.zh.subjects import is_species, kind_of, tells_of_person
from readproof.lang.zh.words import words

_NEAR = 4
_STORIES = ("在一部虚构的小说里，", "在一出改编过的话剧里，", "在一则虚构的故事里，", "在一部虚构的电视剧里，")
# the classes of which two may bear one name, each with its measure word
_NAMESAKES = {"organisation": "家", "building": "座", "place": "个", "station": "座", "route": "条"}
# what happens of itself, and is done by nobody
_HAPPENS = ("发生", "出现", "存在", "有", "流行", "产生", "形成", "叫", "叫做", "称为", "下", "建", "位于")


def namesake(question: str, passage: str, title: str = "") -> Iterator[tuple[int, str, str]]:
    """公司登记地址 → 另一家公司登记地址; a person, a place or an organisation → another one of that name."""
    first = next(iter(phrases(question)), None)
    at = first.end if first is not None and first.start == 0 and first.form in ("because", "definition") else 0
    found = words(question[at:])
    if not found or (first is not None and first.start == 0 and not at) or UNFIT.match(question[at:]):
        return
    if question[at + found[0].end :].startswith(("这", "那", "后", "前", "时", "中")):
        return
    if re.match("一[种个座部条位名家款项本支只类艘间所套首张场]", question[at:]):
        yield at, "一", "另一"
    elif re.match(".{2,4}(?:年间|年代|时期|元年|[二三四五六七八九十]+年)", question[at:]):
        return
    elif found[0].tag in ("n", "vn") and found[0].text in common_nouns() and not MARKED.match(question[at:]):
        noun = _headed(question[at:], found)
        if noun and is_known_measure(noun):
            yield at, "", another_counted(noun)
    else:
        yield from ((at, "", f"另一{measure}同名的") for measure in _of_one_name(question, at, passage, title))


def _of_one_name(question: str, at: int, passage: str, title: str) -> Iterator[str]:
    """The measure word of what may have a namesake; none for a concept, a scale or a kind of thing."""
    start, end = span_of_subject(question, passage, title)
    name = question[start:end]
    if not name or start != at:
        pairs = zip(question[at:], passage, strict=False)
        opening = "".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        if len(opening) > 1 and is_person(opening, question, passage):
            yield "位"
        return
    kind, _detail = kind_of(name, question, passage)
    if is_person(name, question, passage):
        yield "位"
    elif kind == "work" and f"《{name.strip('《》')}》" in passage:
        yield "部"
    elif endings().get(ending_of(name), "") in _NAMESAKES:
        yield _NAMESAKES[endings()[ending_of(name)]]


def _headed(text: str, found: Sequence[Word]) -> str:
    """The last of the common nouns that a text begins with; "" where a name may be among them."""
    last = found[0]
    for word in found[1:]:
        if word.tag[0] not in "njxg" or text[word.start] in "的是":
            break
        last = word
        if last.text not in common_nouns():
            return ""
    ends = text[last.end : last.end + 1]
    follows = next((word for word in found if word.start == last.end), None)
    plain = follows is None or ends in "的是有在由于为，" or follows.tag[0] in "pd" or _acts(follows, found)
    return last.text if plain else ""


def _acts(verb: Word, found: Sequence[Word]) -> bool:
    """公司成立于, but not 机器博弈锦标赛."""
    after = next((word for word in found if word.start == verb.end), None)
    return verb.tag == "v" and len(verb.text) > 1 and (after is None or after.tag[0] not in "nv")


def told_elsewhere(question: str, random: Random) -> Iterator[tuple[int, str, str]]:
    """Where nothing in a question can be changed, it is told of a made-up story."""
    if not phrases(question) or re.match("[他她它该这此本]", question):
        return
    yield from ((0, "", story) for story in random.sample(_STORIES, len(_STORIES)))


def pronoun(question: str, passage: str) -> Iterator[tuple[int, str, str]]:
    """他 → 他的一位同乡; 它们 → 与它们相近的另一种动物; a question without a subject gets one."""
    found = re.match("他们|她们|它们|牠们|[他她它牠其]", question)
    if re.match("是哪[里儿国].{0,3}人|是何[处地]人", question):
        yield 0, "", "他的一位同乡"
        return
    if found is None:
        yield from _missing(question, passage)
        return
    said = found[0]
    if said in ("他", "她", "其") and (said != "其" or tells_of_person(passage)):
        own = "" if said == "其" else "的"
        yield from ((0, said, f"{said}{own}{who}") for who in ("一位同乡", "一位朋友", "一名学生", "一位同事"))
    elif said in ("他们", "她们"):
        yield from ((0, said, f"{said}的{who}") for who in ("邻居", "对手", "同行"))
    elif said != "其":
        yield (
            0,
            said,
            f"与{said}{'相近' if is_species(passage) else '类似'}的另一种{'生物' if is_species(passage) else '事物'}",
        )


def _missing(question: str, passage: str) -> Iterator[tuple[int, str, str]]:
    first = next(iter(phrases(question)), None)
    if first is None or not question:
        return
    at = first.end if first.start == 0 and first.form == "because" else 0
    if first.start == 0 and not at:
        return
    rest = words(question[at:])
    if not rest or UNFIT.match(question[at:]):
        return
    verb = rest[0].tag in ("v", "p", "d") and rest[0].text not in (
        "在",
        "当",
        "从",
        "据",
        "根据",
        "自",
        "随着",
        "除了",
        "由于",
    )
    # 组织 and 押送官吏 may be nouns: a verb must stand right before what is asked, or tell of a life
    acts = rest[0].tag in ("p", "d") or first.start == at + rest[0].end or bool(OF_PERSON.match(rest[0].text))
    verb = verb and (acts or (len(rest) > 1 and rest[1].text in ("于", "在", "过", "了")))
    noun = (
        rest[0].tag == "n"
        and rest[0].text in common_nouns()
        and rest[0].text in headwords("attribute")
        and question[at + rest[0].end : at + rest[0].end + 1] in ("是", "为", "有")
    )
    if "的" in question[at : max(at, first.start)] or (verb and first.start - at > _NEAR) or rest[0].text == "是":
        return
    if tells_of_person(passage) and (verb or noun) and rest[0].text not in _HAPPENS:
        whose = "的" if noun else ""
        said = "她" if passage.count("她") > passage.count("他") else "他"
        yield from ((at, "", f"{said}的{who}{whose}") for who in ("一位同乡", "一位朋友", "一名学生"))
    elif is_species(passage) and re.match("[以吃栖喜习会能属有被主]|分布|生活|一般|多", question[at:]):
        yield at, "", "另一种生物"
