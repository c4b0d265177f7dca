"""Make lang/zh/facts.tsv: short facts about one subject each, out of training questions and their answers.

    python tools/facts.py CMRC_TRAIN DRCD… [--show 40]

Chinese AddSent takes its sentences from them (`lang/zh/facts.py`). Kept are questions that name what they are about and
do not lean on their passage, with a short answer that does not repeat them. The whole list was read twice, by
language models; what they found fault with is in facts.faulted.txt. Never give it data that is measured on.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import astuple
from functools import lru_cache
from itertools import chain
from pathlib import Path

from readproof.attacks.addsent.zh import RULES, SimplifiedView, is_tangled, view_of
from readproof.attacks.checks import mean_score, worst_score
from readproof.items import Item, SpanItem
from readproof.lang.zh.entities import Entity
from readproof.lang.zh.facts import KnownFact, frame_of
from readproof.lang.zh.questions import Phrase, phrases
from readproof.lang.zh.statements import statement_edits
from readproof.lang.zh.subjects import subjects
from readproof.lang.zh.words import words
from readproof.tasks import load
from readproof.text import applied

FAULTED = Path(__file__).with_name("facts.faulted.txt")
OUT = Path(__file__).parents[1] / "src/readproof/lang/zh/facts.tsv"
HEAD = (
    "# answer type, noun asked for, kind of subject, subject, question without both, answer, statement; from "
    "questions and answers of CMRC 2018 train (ymcui/cmrc2018, CC BY-SA 4.0) and DRCD dev and test (Delta Research "
    "Center, CC BY-SA 3.0, in simplified characters); tools/facts.py; CC BY-SA 4.0"
)
_LEANS = re.compile(
    "[他她它牠此该]|^[这那其本]|[，,](?:这|那|其|本)|[这那][一两个种次场件座部些年届样]|本[片剧书作]|下列|上述|文中|区划调整|全书|影片|当时|当地|之后|此后|后来|同年|如今|目前|现在|另"
)
_OPENS = re.compile("(?:[0-9]{3,4}年[^，,]{0,6}[，,])?(?:在|由|对|为什么|为何|关于)?[《“「]?")
_MARKS = re.compile("[?？!！;；:：（）()“”「」『』\"'…]|——|\\.\\.|等等?$|^[，。、]")
_LEAD = re.compile(
    "^(?:则|而|并|也|亦|但|且|即|就是|是|为|乃|系|指|位于|坐落于|座落于|分布于|分布在|在|于|栖息于|栖息在|生活在)(?=.{2})"
)
_BECAUSE = re.compile("^(?:是因为|因为|由于|是为了|乃因|因|在于|系因|原因是|是)")
_VERBS = re.compile("^(?:著有|属|呈|具有?|有|采用|提供|使用|曾|被|把|将|以|主要|分别|全长|体长|体色)")
_DOUBLED = re.compile(
    "([一-龥]{2})\\1|(?<![一-龥])([一-龥])\\2(?![一-龥])|[是为在于有由被]{2}|为食为|[村镇人个年岁米元][村镇人个年岁米元]。"
    "|在(?:生|位|来|处|属|建|坐)于|[，为是]以|的乐风|的方式是[^，。]*[、和]|因[^，。]{2,20}因|叫.{0,8}叫|是[^，。]{1,12}是[^，。]{1,8}。"
)
# what reads badly whatever is said: words said twice, a place that is a thing, a 的 without its 是
_ODD = re.compile(
    "([任桶旗寨共高大是由成对有种])\\1|([一-龥]{2}).?\\2|达到达|次子儿子|种类种|共全|属属于|于.{0,4}于|的于|于西元|在.{0,2}在|位在|处在|至.{0,2}至"
    "|约.{0,3}大概|大约.{0,6}约|的人是|从事一|从事.*[员师手]工作|的一[座条个处片]|[行映]与[0-9每]|之所以.{1,20}，是因为因|原因是[0-9]"
    "|[0-9]的人|有[0-9]+是|[、和与及](?:的|，|。)|(?<![《是])的。$"
)
# a distracting sentence need not speak of these
_BETTER_NOT = re.compile(
    "天安门|屠杀|处决|色情|强奸|自杀|卖淫|人权|专政|独裁|独派|独立|同性|占中|国民党|共产党|共党|毛泽东|刘少奇|周恩来|林彪|蒋中正|文化大革命|批斗|政变"
    "|中华民国|台湾|西藏|新疆|法西斯|纳粹|占领|殖民|侵略|迫害|清党|钓鱼台|尖阁|南斯拉夫|金正恩|吸食|学潮|资产阶级|formula"
)
_TYPES = ("thing", "place", "time", "person", "number", "organisation", "reason", "description")
_LONG_ANSWER, _LONG_QUESTION = 24, 36
_MEAN, _WORST = -7.0, -9.2


@lru_cache(maxsize=1)
def _faulted() -> frozenset[str]:
    """Statements that a reader of the whole list found fault with."""
    return frozenset(FAULTED.read_text(encoding="utf-8").splitlines())


def fact_of(item: SpanItem) -> KnownFact | str:
    """The fact that a question and its answer tell, or why they tell none that stands alone."""
    view = view_of(item)
    question = view.question.strip()
    found = phrases(question)
    if len(found) != 1 or not view.gold or found[0].type not in _TYPES or is_tangled(found, question):
        return "question not understood"
    phrase = found[0]
    subject = _subject(question, phrase, view)
    if subject is None:
        return "subject not named first"
    if _BETTER_NOT.search(question + view.gold):
        return "not for a distracting sentence"
    if _LEANS.search(question) or re.search("[?？！!]", question[:-1]) or len(question) > _LONG_QUESTION:
        return "question leans on its passage"
    answer = _cleaned(view.gold, subject.text, phrase.type)
    reason = _unfit(answer, question, phrase)
    if reason:
        return reason
    edits = statement_edits(question, answer)
    if edits is None:
        return "no statement"
    statement = re.sub("[\\s，,：:；;。？?]+$", "", applied(question, edits).clean.strip()) + "。"
    if _ODD.search(statement) and not (
        statement.endswith("的。") and "是" in statement and not _ODD.search(statement[:-2])
    ):
        return "statement reads oddly"
    if (
        statement in _faulted()
        or RULES.refuses(item, statement)
        or any(one[0] not in question for one in _DOUBLED.finditer(statement))
    ):
        return "statement is broken"
    if mean_score(statement, "zh") < _MEAN or worst_score(statement, "zh") < _WORST:
        return "statement reads oddly"
    frame = frame_of(question, phrase, (subject.start, subject.end))
    return KnownFact(phrase.type, phrase.head, subject.kind, subject.text, frame, answer, statement)


def _subject(question: str, phrase: Phrase, view: SimplifiedView) -> Entity | None:
    found = [one for one in subjects(question, view.passage, view.title) if one.kind not in ("time", "number")]
    first = next((one for one in found if one.end <= phrase.start or one.start >= phrase.end), None)
    if first is None or len(first.text) < 2 or not _OPENS.fullmatch(question[: first.start]):
        return None
    # 欧洲基督教国家: a name that goes on is cut
    after = next(iter(words(question[first.end :])), None)
    goes_on = after is not None and after.tag[0] in "nj" and question[first.end] not in "的，"
    return None if goes_on and first.kind in ("place", "name", "people") and len(first.text) < 3 else first


def _cleaned(gold: str, subject: str, type: str) -> str:
    answer = re.sub("[。，；,;、\\s]+$", "", gold).strip()
    answer = (_BECAUSE if type == "reason" else _LEAD).sub("", answer)
    if answer.startswith(subject):
        answer = re.sub("^的?(?:是|为|在|位于)?", "", answer[len(subject) :])
    return answer


def _unfit(answer: str, question: str, phrase: Phrase) -> str:
    closed = phrase.type not in ("reason", "description")
    if not 1 <= len(answer) <= _LONG_ANSWER:
        return "answer too long"
    if _MARKS.search(answer) or _LEANS.search(answer):
        return "answer leans on its passage"
    if re.match("和|与|跟|对|以|从|按|用|通过|借由|除了|有|因", answer) and closed:
        return "answer is a clause"
    if phrase.type == "number" and re.search("[0-9]$", answer):
        return "answer has no unit"
    if (
        phrase.type == "place"
        and re.search("位于|在$|在于$|在(?=◇)", question)
        and re.search("[街路楼道品种]$|的[^，]{2,8}$", answer)
    ):
        return "answer is no place"
    if any(answer[at : at + 2] in question for at in range(len(answer) - 1)):
        return "answer repeats the question"
    if closed and (_VERBS.match(answer) or re.search("[是为]", answer[:-1])) and "《" not in answer:
        return "answer is a clause"
    if phrase.type in ("number", "time") and re.search("，", answer):
        return "answer is a clause"
    return ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="+")
    parser.add_argument("--show", type=int, default=0)
    given = parser.parse_args()
    why: Counter[str] = Counter()
    facts: dict[str, KnownFact] = {}
    for item in _spans(chain.from_iterable(load(path) for path in given.data)):
        fact = fact_of(item)
        if isinstance(fact, str):
            why[fact] += 1
        elif not any("\t" in value for value in (fact.subject, fact.frame, fact.answer)):
            facts.setdefault(fact.statement, fact)
    rows = ["\t".join(astuple(one)) for one in facts.values()]
    OUT.write_text("\n".join([HEAD, *sorted(rows)]) + "\n", encoding="utf-8")
    print(len(rows), dict(why.most_common()))
    for one in random.Random(0).sample(list(facts.values()), min(given.show, len(facts))):
        print(f"{one.type:8} {one.frame} -> {one.answer} || {one.statement}")


def _spans(items: Iterable[Item]) -> Iterable[SpanItem]:
    return (item for item in items if isinstance(item, SpanItem) and item.golds)


if __name__ == "__main__":
    main()
