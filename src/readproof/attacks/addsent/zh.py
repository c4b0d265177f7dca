"""AddSent's rules for Chinese. Text in traditional characters is worked on in simplified ones and written back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from random import Random

from readproof.attacks.addsent.rules import AddedSentence, Alteration, Rules, Slots, in_turn
from readproof.attacks.addsent.zhtargets import LEADING, targets
from readproof.attacks.base import random_of
from readproof.items import Edit, SpanItem
from readproof.lang.zh.entities import common_nouns, is_spelt
from readproof.lang.zh.facts import KnownFact, frame_of, like_facts
from readproof.lang.zh.fakes import fakes, fits
from readproof.lang.zh.questions import Phrase, PhraseInContext, phrases
from readproof.lang.zh.statements import statement_edits
from readproof.lang.zh.subjects import subjects, tells_of_person
from readproof.lang.zh.words import words
from readproof.script import in_script
from readproof.text import applied

_SENTENCE_END = re.compile("[。！？!?；]+[”’」』）)]*|\n+")
# a closing mark ends a sentence where one ends before it: （见图） does not
_ENDED = re.compile('(?:[：:﹕]|[。！？!?；;….｡．﹒﹔﹖﹗][”’」』）)"]*)\\s*$')
_CONTENT = ("n", "v", "a", "t", "m", "i", "l", "j", "eng", "nr", "ns", "nz", "s", "f", "b", "x")
_LEFT = re.compile("什么|谁|哪[里儿个些位一家年种]|为何|为什么|多少|怎么|怎样|是否|何时|何地|何处|吗$|呢$")
_DOUBLED = re.compile(
    "的的|是是|为为|在在|于于|有有(?!所)|，，|因为因为|为是|是为了是|的，是的|位于在|在于在|的是的|和、|、、|是，|没有利|没有有"
)
# what no Chinese sentence says; a question in another script was not understood
_BROKEN = re.compile("曾的|是之所以|[\u0600-\u06ff]")
_QUOTED = re.compile("《[^《》]*》|“[^“”]*”|「[^「」]*」")
_LONGEST = 220
# so many facts are looked at; one of a question so like the item's is told in the item's own words
_FACTS, _SAME, _NEAR = 24, 0.4, 0.2
_ABOUT = (0.8, 1.2)
# what a made-up answer to these questions is, hardly depends on what they ask it of
_CLOSED = ("time", "number", "person", "yesno")
# of these an answer fits other words, too
_SAME_CLOSED = 0.26
# 《墨兰图卷》 is no comic
_SORT_OF_WORK = re.compile(
    "漫画|动画|专辑|[片剧书集卷册]|小说|游戏|杂志|单曲|歌|诗|演唱"
    "|编著|主角|主演|饰|扮演|导演|上映|播|出版|发行|连载|改编"
)
# traditional if at least this share of the characters has a simplified form
_TRADITIONAL = 0.05


@dataclass(frozen=True, slots=True)
class SimplifiedView:
    """An item in simplified characters; `same` tells if offsets into its question are those of the item's own."""

    question: str
    passage: str
    title: str
    gold: str
    traditional: bool
    same: bool


@lru_cache(maxsize=1 << 10)
def _simplified(text: str) -> tuple[str, bool]:
    clean = in_script(text, "simplified").clean
    changed = sum(one != other for one, other in zip(text, clean, strict=False)) + abs(len(text) - len(clean))
    return clean, changed > _TRADITIONAL * max(len(text), 1)


@lru_cache(maxsize=1 << 10)
def view_of(item: SpanItem) -> SimplifiedView:
    """The item as the rules see it."""
    gold = next((one.text for one in item.golds if one.text), "")
    passage, traditional = _simplified(item.passage)
    if not traditional:
        return SimplifiedView(item.question, item.passage, item.title, gold, False, True)
    question, title = _simplified(item.question)[0], _simplified(item.title)[0]
    return SimplifiedView(question, passage, title, _simplified(gold)[0], True, len(question) == len(item.question))


class ChineseRules(Rules):
    """See `Rules`."""

    def question_phrase(self, item: SpanItem) -> str | None:
        found = phrases(view_of(item).question)
        return found[0].type if found and not is_tangled(found, view_of(item).question) else None

    def alter(self, item: SpanItem, slots: Slots, random: Random) -> Iterator[Alteration]:
        view = view_of(item)
        fixed = [(one.start, one.end) for one in phrases(view.question)]
        for streams in targets(view.question, view.passage, view.title, fixed, slots, random):
            for found in in_turn(streams):
                yield found if not view.traditional else _written_back(found)

    def fake_answers(self, item: SpanItem, random: Random) -> Iterator[str]:
        view = view_of(item)
        for answer in fakes(phrases(view.question)[0], view.gold, view.question, random, view.passage):
            yield _traditional(answer) if view.traditional else answer

    def statement(self, item: SpanItem, alteration: Alteration, answer: str, slots: Slots) -> str:
        view = view_of(item)
        question = item.question if view.same else view.question
        if slots.statement is not None:
            altered = applied(question, sorted(alteration.edits, key=lambda edit: edit.start)).clean
            return slots.statement(altered, answer)
        edits = statement_edits(view.question, answer, _others(view, item.id, answer))
        if edits is None:
            return ""
        if view.traditional and view.same:
            edits = [Edit(edit.start, edit.old, _traditional(edit.new), edit.why) for edit in edits]
        both = sorted([*edits, *alteration.edits], key=lambda edit: (edit.start, edit.end))
        if any(one.end > other.start or (one.start == other.start and one.old) for one, other in pairwise(both)):
            return ""
        if any(_cuts(view.question, edit) for edit in alteration.edits):
            return ""
        text = applied(question, both).clean.strip()
        text = re.sub("[\\s，,：:；;。]+$", "", text) + "。"
        return text if not view.traditional else _traditional(text) if not view.same else text

    def sentence_ends(self, passage: str) -> Sequence[int]:
        return [found.end() for found in _SENTENCE_END.finditer(passage) if found.end() < len(passage.rstrip())]

    def joined(self, before: str, sentence: str) -> str:
        return sentence if not before.strip() or _ENDED.search(before) else f"。{sentence}"

    def content_words(self, text: str) -> frozenset[str]:
        return frozenset(
            word.text for word in words(text) if word.tag.startswith(_CONTENT) and not _LEFT.match(word.text)
        )

    def refuses(self, item: SpanItem, statement: str) -> str:
        simple = _simplified(statement)[0] if view_of(item).traditional else statement
        kept = view_of(item).question
        for phrase in sorted(phrases(kept), key=lambda one: -one.start):
            kept = kept[: phrase.start] + "_" + kept[phrase.end :]
        # what the question itself says, outside of what it asks, may stay
        if any(left[0] not in kept for left in _LEFT.finditer(simple.rstrip("。"))):
            return "question word left"
        if any(found[0] not in view_of(item).question for found in _DOUBLED.finditer(simple)):
            return "doubled word"
        if any(
            found[0] not in view_of(item).question
            for found in re.finditer("没有?[^，。是的]{1,8}了(?=[^，。]{2})", simple)
        ):
            return "没有 with 了"
        if _BROKEN.search(simple):
            return "broken sentence"
        # two questions in one leave a sign behind, a fake answer cut out of a title one half of its marks
        if re.search("[？?《》“”「」]", _QUOTED.sub("", _QUOTED.sub("", simple))):
            return "signs left"
        return "too long" if len(simple) > _LONGEST else ""

    def facts(self, item: SpanItem, random: Random) -> Iterator[AddedSentence]:
        view = view_of(item)
        found = phrases(view.question)
        if not found or is_tangled(found, view.question):
            return
        names = [one for one in subjects(view.question, view.passage, view.title) if one.kind not in ("time", "number")]
        subject = next((one for one in names if one.end <= found[0].start or one.start >= found[0].end), None)
        span = (subject.start, subject.end) if subject else None
        alike_ones = list(like_facts(frame_of(view.question, found[0], span), found[0].type, _FACTS))
        # another seed gives others of those that are about as like
        for alike, fact in sorted(alike_ones, key=lambda one: -one[0] * random.uniform(*_ABOUT)):
            if fact.subject in view.passage or fact.subject in view.question or fact.subject in view.title:
                continue
            enough = _SAME_CLOSED if found[0].type in (*_CLOSED, "place") else _SAME
            same = alike >= enough and subject is not None and subject.kind == fact.kind and len(found) == 1
            # 具有什么样的形状 is not answered by 易燃性, though 具有 what is
            same = same and (found[0].type in (*_CLOSED, "place") or found[0].head == fact.head)
            text = self._in_own_words(item, view, found[0], subject.text, fact) if same and subject else ""
            alteration = Alteration((), "fact")
            if text and subject:
                alteration = Alteration((Edit(subject.start, subject.text, fact.subject, "fact"),), "fact")
            answer = _traditional(fact.answer) if view.traditional else fact.answer
            text = text or (_traditional(fact.statement) if view.traditional else fact.statement)
            yield AddedSentence(text, alteration, answer, alike)

    def _in_own_words(self, item: SpanItem, view: SimplifiedView, phrase: Phrase, subject: str, fact: KnownFact) -> str:
        """The fact told as the item's question asks, with its subject and its answer; "" if they do not fit there."""
        if not fits(PhraseInContext(phrase, view.question, fact.answer, view.passage), fact.answer):
            return ""
        spots = [found.start() for found in re.finditer(re.escape(subject), view.question)]
        alteration = Alteration(tuple(Edit(at, subject, fact.subject, "fact") for at in spots), "fact")
        return self.statement(item, _written_back(alteration) if view.traditional else alteration, fact.answer, Slots())

    def rank(self, item: SpanItem, sentence: AddedSentence) -> int:
        if sentence.alike:
            own = bool(sentence.alteration.edits)
            return 1 if own else 2 if sentence.alike >= _NEAR else 3
        edit = sentence.alteration.edits[0]
        one_sign = len(edit.old) == len(edit.new) and sum(a != b for a, b in zip(edit.old, edit.new, strict=True)) == 1
        if one_sign and not is_spelt(edit.old):
            return 6
        # else not what the question is about is altered, but something beside it
        if not LEADING.fullmatch(view_of(item).question[: edit.start]) or edit.new.startswith("另一种"):
            return 5
        return 0 if self.question_phrase(item) in _CLOSED and _is_sure(item, sentence.alteration) else 4


def _is_sure(item: SpanItem, alteration: Alteration) -> bool:
    """Whether what takes a name's place is surely of its kind: a person for a person, or what ends as the old name."""
    edit = alteration.edits[0]
    of_person = tells_of_person(view_of(item).passage)
    if alteration.kind == "other":
        return True
    if alteration.kind == "work":
        return edit.old.startswith("《") and not _SORT_OF_WORK.search(view_of(item).question)
    if alteration.kind == "person":
        return of_person or "·" in edit.old
    named = alteration.kind in ("place", "organisation", "name")
    return named and not of_person and edit.old[-1:] == edit.new[-1:]


def is_tangled(found: Sequence[Phrase], question: str) -> bool:
    """Whether two phrases stand side by side (何时何地, 什么和什么), or one is left that was not understood (几划)."""
    spans = sorted((one.start, one.end) for one in found)
    near = any(question[end:start] in ("", "和", "与", "、", "或") for (_, end), (start, _) in pairwise(spans))
    unread = not found[0].text and re.search("何|哪|什么|谁|几(?!乎)", question)
    return near or bool(
        unread or re.search("几[划画笔]|怎样(?:重要|大)的|怎[么样]认为|哪些(?:国家|省)[和或与]", question)
    )


def _cuts(question: str, edit: Edit) -> bool:
    """Whether an edit takes a part out of a word of the language, or stands within one."""
    return any(
        word.start < place < word.end and (word.text in common_nouns() or word.tag in ("v", "a", "d", "vn"))
        for word in words(question)
        for place in {edit.start, edit.end}
    )


def _others(view: SimplifiedView, id: str, answer: str) -> tuple[str, ...]:
    """Answers for the further question phrases of a question."""
    rest = phrases(view.question)[1:]
    random = random_of(f"{id}|{answer}")
    return tuple(next(fakes(phrase, "", view.question, random, view.passage), "") for phrase in rest)


@lru_cache(maxsize=1 << 12)
def _traditional(text: str) -> str:
    return in_script(text, "traditional").clean


def _written_back(alteration: Alteration) -> Alteration:
    edits = tuple(Edit(edit.start, edit.old, _traditional(edit.new), edit.why) for edit in alteration.edits)
    return Alteration(edits, alteration.kind)


RULES = ChineseRules()
