"""A Chinese question and an answer as one statement, told as edits to the question, so that all else stays."""

from __future__ import annotations

import re

from readproof.items import Edit
from readproof.lang.zh.clauses import is_known_clause, is_predicate
from readproof.lang.zh.questions import Phrase, bare, headwords, phrases

# what a time can follow without a 于 of its own
_PREPOSITIONS = tuple("在于是自从至到由为前后，,、（(和与及或起")
_MANNERS = ("身份", "名义", "方式", "形式", "理由", "角色", "态度", "姿态", "评语", "名称", "名字")
_PEN_NAMES = ("笔名", "艺名", "化名")
_TITLES = ("角色", "称号", "美誉", "美名", "名号", "头衔", "荣誉称号", "绰号", "外号", "声誉", "殊荣", "评价", "地位")
# 有什么变化 → 的变化是…; 造成了什么后果 → 造成的后果是…
_GOVERNS = re.compile("(?P<verb>[^，,。的是在于以用为]{0,2}?)(?P<perfect>了|过)?$")
_LONG = 14
_DATE = re.compile("(?:时间|日期|日子|年份|期间?|时期|年代|时候|朝代|季节|月份|纪念日|节|起源|的)是$")
# a verb with something after it, or one that needs nothing
_DEED = re.compile(
    "[^的]*(?:成立|建立|创立|出生|去世|逝世|发生|出现|开始|结束|加入|参加|获得|进入|成为|采用|使用|担任|任|发现|发表|出版|上映|首播|播出|推出|改名|更名|公布"
    "|被|开放|通车|完成|完工|动工|举行|举办|结婚|毕业|退役|登基|即位|迁|改)[^的]*$"
)


def is_clause(answer: str) -> bool:
    """Whether an answer is more than a name or a short noun phrase."""
    return len(answer) > _LONG or bool(re.search("[，。；,;：]", answer))


def statement_edits(question: str, answer: str, others: tuple[str, ...] = ()) -> list[Edit] | None:
    """What makes a statement of a question, without its final sign; None where no question phrase is found.

    `answer` is for the first phrase, `others` for the rest of them. An answer to a yes-no question is the verb or the
    negation that takes the place of 是否, or "" .
    """
    found = phrases(question)
    if not found:
        return None
    size = len(bare(question))
    edits = _first(question[:size], found[0], answer)
    for phrase, other in zip(found[1:], others, strict=False):
        edits.append(Edit(phrase.start, phrase.text, fitted(question, phrase, other), "answer"))
    tail = question[size:]
    if tail:
        edits.append(Edit(size, tail, "", "final sign"))
    return _merged(edits)


def fitted(question: str, phrase: Phrase, answer: str) -> str:
    """The answer as it must read in the phrase's place: with the 于 that a bare time wants, without a doubled word."""
    before, after = question[: phrase.start], question[phrase.end :]
    if phrase.type == "time" and before and after and not before.endswith(_PREPOSITIONS) and not after.startswith("的"):
        word = re.search("[\u4e00-\u9fff]$", before)
        return f"于{answer}" if word and re.match("[\u4e00-\u9fff]", after) else answer
    # 加入南社是1915年: of a deed it is told when, by 是在; a date itself is
    if phrase.type == "time" and before.endswith("是") and not after and _DEED.search(before[:-1]):
        return answer if answer.startswith(("在", "于", "从", "自")) or _DATE.search(before) else f"在{answer}"
    if before.endswith(("以", "用")) and phrase.head in (*_MANNERS, *_PEN_NAMES) and not answer.endswith(phrase.head):
        return f"{answer}的{phrase.head}"
    if before.endswith("从事") and phrase.head in ("职业", "工作") and phrase.text.endswith(phrase.head):
        return f"{answer}工作"
    if phrase.head == "之称" and phrase.text.endswith("之称"):
        return f"{answer}之称"
    titled = phrase.head in _TITLES and phrase.text.endswith(phrase.head) and not answer.endswith(phrase.head)
    if titled and not re.search("(?:是|为|叫做?|称作?|任|当)$", before):
        return f"{answer}的{phrase.head}"
    if phrase.type == "place":
        if before.endswith(("在", "于")):
            answer = re.sub("^(?:位于|在|于)", "", answer)
        if after.startswith("人") and answer.endswith("人"):
            answer = answer[:-1]
    return answer


def _first(text: str, phrase: Phrase, answer: str) -> list[Edit]:
    start, end = phrase.start, phrase.end
    size = len(text)
    if phrase.form == "because":
        comma = "" if text.endswith(("，", ",")) else "，"
        # 之所以 follows its subject: where the question begins with 为什么 there is none before it
        so = "之所以" if text[:start].strip("，, ") else ""
        return [Edit(start, phrase.text, so, "question word"), Edit(size, "", f"{comma}是因为{answer}", "answer")]
    if phrase.form == "definition":
        if start == 0 or text[start - 1] in "，,":
            return [Edit(start, phrase.text, "", "question word"), Edit(size, "", f"是{answer}", "answer")]
        joint = "的意思是" if phrase.head == "意思" and not text[:start].endswith("意思") else "是"
        joint = "意思是" if text[:start].endswith("的") and phrase.head == "意思" else joint
        return [Edit(start, phrase.text, joint + answer, "answer")]
    if phrase.form == "way":
        return _way(text, phrase, answer)
    if phrase.form == "state":
        joint = "" if is_predicate(answer) else "是"
        return [Edit(start, phrase.text, joint + answer, "answer")]
    if phrase.form == "doing":
        lead = "时，应当" if phrase.head == "怎么办" else ""
        return [Edit(start, phrase.text, lead + answer, "answer")]
    if phrase.form == "polarity":
        return [Edit(start, phrase.text, answer, "answer")]
    if phrase.form == "choice":
        lead = "是" if phrase.text.startswith("是") else ""
        return [Edit(start, phrase.text, lead + answer, "answer")]
    if phrase.form == "end":
        return _end(text, phrase, answer)
    if phrase.head == "的情况下":
        return [Edit(start, phrase.text, f"{answer}的情况下", "answer")]
    if phrase.head == "是因为":
        lead = "" if text[:start].endswith("是") else "是"
        return [Edit(start, phrase.text, f"{lead}因为{answer}", "answer")]
    long = is_clause(answer) or is_known_clause(answer)
    # 最终导致了什么 → 最终促使…
    caused = re.search("(?:导致|造成|引起|引发|带来)(?:了|过)?$", text[:start])
    if caused and is_known_clause(answer) and end == size and not phrase.text.endswith(phrase.head or "_"):
        return [Edit(caused.start(), text[caused.start() : end], answer, "answer")]
    happened = re.search("(?:会|将|可能)*(?:发生|出现)(?:了|过)?$", text[:start])
    if happened and long and end == size and not phrase.text.endswith(phrase.head or "_"):
        return [Edit(happened.start(), text[happened.start() : end], answer, "answer")]
    # 地理位置在哪里 → 地理位置是东临大海，西接山地
    if is_known_clause(answer) and end == size and text[:start].endswith("位置在"):
        return [Edit(start - 1, "在" + phrase.text, f"是{answer}", "answer")]
    # 叶子是什么样的 → 叶子细长
    if long and end == size and re.match("什么样|怎样|怎么样", phrase.text) and text[:start].endswith("是"):
        bare_end = not phrase.head or not phrase.text.endswith(phrase.head)
        if bare_end and is_known_clause(answer):
            return [Edit(start - 1, "是" + phrase.text, answer, "answer")]
    # 有什么绰号 → 的绰号是…
    has = bool(re.search("(?<![享拥设伴含带占持印附])有$", text[:start]))
    long = long or (phrase.head in headwords("attribute") and has)
    if phrase.end == size and phrase.type in ("thing", "reason", "description") and long:
        return _cleft(text, phrase, answer)
    return [Edit(start, phrase.text, fitted(text, phrase, answer), "answer")]


def _way(text: str, phrase: Phrase, answer: str) -> list[Edit]:
    """A如何B → AB的方式是…; A是如何B的 → AB的方式是…"""
    rest = text[phrase.end :]
    if re.fullmatch("(?:去世|死亡|死|身亡)的?", rest):
        return [Edit(phrase.start, text[phrase.start :], f"死于{answer}", "answer")]
    if re.fullmatch("看待?的?", rest):
        return [Edit(phrase.start, text[phrase.start :], f"的看法是{answer}", "answer")]
    judged = re.fullmatch("(评价|看待|形容|描述|解释)([^，,]{2,})", rest)
    if judged:
        said = {"看待": "看法"}.get(judged[1], judged[1])
        tail = "的" if rest.endswith("的") else ""
        return [
            Edit(phrase.start, phrase.text + judged[1], "对", "question word"),
            Edit(len(text) - len(tail), tail, f"的{said}是{answer}", "answer"),
        ]
    able = re.search("(?:可以|才能|能够|能|可|应该|应当|应)$", text[: phrase.start])
    begin = able.start() if able else phrase.start
    edits = [Edit(begin, text[begin : phrase.end], "", "question word")]
    size = len(text)
    final = re.search("(?:的|了)$", text)
    if final and final.start() >= phrase.end:
        edits.append(Edit(final.start(), final[0], f"的方式是{answer}", "answer"))
    else:
        edits.append(Edit(size, "", f"的方式是{answer}", "answer"))
    return edits


def _end(text: str, phrase: Phrase, answer: str) -> list[Edit]:
    size = len(text)
    edits = [Edit(0, phrase.text, "", "request")] if phrase.text else []
    if phrase.type == "reason" and not phrase.head:
        return [*edits, Edit(size, "", f"的原因是{answer}", "answer")]
    open_end = re.search(
        "(?:是|为|叫做?|名为|有|包括|包含|在于?|于|指|称为?|用来|即|表示|认为|以及|和|了|及|的)$", text
    )
    joint = "" if open_end else "是"
    return [*edits, Edit(size, "", joint + answer, "answer")]


def _cleft(text: str, phrase: Phrase, answer: str) -> list[Edit]:
    """有什么变化 → 的变化是…; 造成了哪些后果 → 造成的后果是…: a long answer cannot stand in the noun's place."""
    before = text[: phrase.start]
    head = phrase.head if phrase.text.endswith(phrase.head) else ""
    head = {"用": "用处"}.get(head, head)
    if before.endswith("是") and head and not before.endswith("的是"):
        return [Edit(phrase.start - 1, "是" + phrase.text, f"的{head}是{answer}", "answer")]
    if (
        not head
        or before.endswith(("是", "为", "于", "在", "指"))
        or not before
        or re.search("一[种个列座部条位名家款项本支只类]$", before)
    ):
        return [Edit(phrase.start, phrase.text, answer, "answer")]
    joint = f"的{head}是{answer}"
    have = re.search(
        "(?:都|又|还|也|具|会|将|可能)*(?<![享拥设伴含带占持印没附])有(?:着|了|过)?$|(?:产生|发生|出现)(?:了|过)$",
        before,
    )
    if have and "有" in have[0]:
        if before[: have.start()].endswith(("，", ",")) or not have.start():
            joint = f"其{head}是{answer}"
        return [Edit(have.start(), text[have.start() : phrase.end], joint, "answer")]
    perfect = re.search("[了过着]$", before)
    if perfect:
        return [Edit(perfect.start(), text[perfect.start() : phrase.end], joint, "answer")]
    return [Edit(phrase.start, phrase.text, joint, "answer")]


def _merged(edits: list[Edit]) -> list[Edit]:
    """In order; two edits at one place become one."""
    done: list[Edit] = []
    for edit in sorted(edits, key=lambda one: (one.start, one.end)):
        if done and edit.start == done[-1].start and not done[-1].old:
            done[-1] = Edit(edit.start, edit.old, done[-1].new + edit.new, done[-1].why)
        elif not done or edit.start >= done[-1].end:
            done.append(edit)
    return done
