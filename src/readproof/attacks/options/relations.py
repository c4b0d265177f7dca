"""Who does what to whom: two sides of a relation change places, or someone else says it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from readproof.attacks.options.change import Change, in_place, one
from readproof.attacks.options.evidence import evidence
from readproof.attacks.options.phrases import is_thing
from readproof.attacks.options.view import LETTER, View
from readproof.items import Edit
from readproof.lang.zh.entities import entities
from readproof.lang.zh.words import words

_RELATION = re.compile(
    "(?:都|均|也|往往|常常|直接|主要|从根本上|归根结底|归根到底|最终)?"
    "(?:取决于|依赖于|服务于|从属于|来源于|源于|高于|优于|大于|重于|先于|早于|晚于|包括|包含|属于|影响着?|决定着?"
    "|制约着?|支配着?|推动了?|促进了?|代替了?|取代了?|借鉴了?|吸收了?|继承了?|胜过|不如|离不开|孕育了?|催生了?)"
)
_PREMISE = re.compile(
    f"^(?P<first>{LETTER}{{2,18}}?)是(?P<second>{LETTER}{{2,20}}?)(?P<of>的(?:重要|根本|必要|首要|主要|必备|关键|直接|基本)?"
    "(?:前提|基础|条件|保证|根源|原因|源泉|来源|关键|目的|产物|结果|前提条件|必要条件|先决条件|出发点|一种|一部分|组成部分|"
    "表现形式|象征|载体|手段|工具|反映|延续|核心|灵魂|集中体现))$"
)
_EFFECT = re.compile(
    f"(?P<first>{LETTER}{{2,16}}?)(?P<on>对)(?P<second>{LETTER}{{2,16}}?)(?P<rest>(?:有着?|具有|产生了?|造成了?|起到?了?|发挥了?|的)"
    "[^，。；对]{0,12}(?:影响|作用|冲击|制约|意义|启发))"
)
_ACTS = "认为|指出|提出|主张|强调|说[：，“过]|写|曾|在《|的《|创作|批评"
_SAYS = re.compile("认为|指出|提出|主张|强调|说|写|创作|发现|发明|提倡|批评|反对|创立|撰|著|编|论述|阐述|评价|赞")


def relations(view: View) -> Iterator[Change]:
    """A取决于B becomes B取决于A; A是B的前提 becomes B是A的前提; A对B有影响 becomes B对A有影响."""
    for clause in view.clauses:
        text = view.text[clause.start : clause.end]
        match = _PREMISE.match(text)
        if match and all(
            is_thing(view, clause.start + start, clause.start + end)
            for start, end in (match.span("first"), match.span("second"))
        ):
            yield one(clause.start, text, f"{match['second']}是{match['first']}{match['of']}", "contrary", "deduction")
        for found in _RELATION.finditer(text):
            start, end = clause.start + found.start(), clause.start + found.end()
            if view.whole(start, end) and is_thing(view, clause.start, start) and is_thing(view, end, clause.end):
                new = f"{view.text[end : clause.end]}{found[0]}{view.text[clause.start : start]}"
                yield one(clause.start, text, new, "contrary", "agent")
    for match in _EFFECT.finditer(view.text):
        first, second = match.span("first"), match.span("second")
        if view.clause_at(first[0]).start != first[0] or not view.opens(match.start("on")):
            continue
        if is_thing(view, *first) and is_thing(view, *second):
            new = f"{match['second']}对{match['first']}{match['rest']}"
            yield in_place(match, new, "contrary", "agent")
    yield from _sides(view)


def _sides(view: View) -> Iterator[Change]:
    """前者 and 后者 change places."""
    text = view.text
    if text.count("前者") == 1 and text.count("后者") == 1:
        edits = [Edit(text.index("前者"), "前者", "后者"), Edit(text.index("后者"), "后者", "前者")]
        if all(view.free(edit.start, edit.end) for edit in edits):
            yield Change(tuple(sorted(edits, key=lambda edit: edit.start)), "contrary", "agent")


def agents(view: View, passage: str) -> Iterator[Change]:
    """Someone else of the passage says or does it."""
    people = [entity for entity in entities(view.text) if entity.kind == "person" and _is_name(entity.text)]
    if not people or not passage:
        return
    around, known = evidence(view.text, passage).around, _names(passage)
    for person in people:
        if person.text not in known or view.text.count(person.text) != 1 or not view.whole(person.start, person.end):
            continue
        if not view.free(person.start, person.end) or re.search("[、和与及]$", view.text[: person.start]):
            continue
        if not _SAYS.search(view.after(person.end)) or view.text[person.end : person.end + 1] in "、和与及等的":
            continue
        for name in known:
            if name not in view.text and name not in around and name[0] != person.text[0]:
                yield one(person.start, person.text, name, "contrary", "agent")
                break


@lru_cache(maxsize=256)
def _names(passage: str) -> tuple[str, ...]:
    """The people of a passage who say or do something there."""
    found = sorted({entity.text for entity in entities(passage) if entity.kind == "person"})
    return tuple(name for name in found if _is_name(name) and re.search(f"{re.escape(name)}(?:{_ACTS})", passage))


@lru_cache(maxsize=1 << 12)
def _is_name(name: str) -> bool:
    """Whether the dictionary knows it for a person's name, or it is spelt as a foreign one."""
    if "·" in name:
        return True
    parts = words(name)
    return len(parts) == 1 and parts[0].tag.startswith("nr") and 2 <= len(name) <= 4
