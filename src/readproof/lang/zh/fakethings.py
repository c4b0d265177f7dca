"""Things that could have been the answer to a Chinese "what" or "which": by the noun asked for, by the words around
the question phrase, and by the gold answer's own kind, in this order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from random import Random

from readproof.lang.lists import lines
from readproof.lang.zh.asked import Asked
from readproof.lang.zh.clauses import clause_kind, clauses, governed
from readproof.lang.zh.entities import Entity, ending_of, entities
from readproof.lang.zh.names import alike, chinese_name, foreign_name, fronts, others, rhyming
from readproof.lang.zh.statements import is_clause
from readproof.lang.zh.subjects import siblings
from readproof.lang.zh.words import words

_TRIES = 8
_SHORT = 12
_FEW = 3
_COUNTED = "一[种个列座部条位名家款项本支只类]$"
_CALLED = ("名字", "俗称")
_HEROES = re.compile("主角|主人公|儿子|女儿|父亲|母亲|妻子|丈夫|弟弟|哥哥|妹妹|姐姐|兄弟|作者|导演|老师|人$")
_LIVING = re.compile(
    "[鱼鸟龙蛇蜥龟猫鼠虫蛙鲷鲀鲾鲈雀莺鸫蝶兽猴狐猪羊犬熊虎鹿鸭雁懒]|[鳍羽喙尾]|体型|雄性|雌性|植物|[叶花茎]"
)
_FOLK = re.compile("[某人]|原告|被告|夫|妻|父|母|兄|弟|朋友")
_EATEN = re.compile("[药茶汤粥酒膏丸]|食用|服用|功效")
_NO_CLAUSE = re.compile("网址|地址|电话|邮箱|号码|拼音|读音|英文|名$|称$|单位|公式|通式|数字|前身")
# a last character that tells what is asked for, whatever stands before it
_TELLING = "科目纲族语奖剧歌曲山湖河站路酶"
_NOUNS = ("n", "vn", "an", "j", "l", "s")
_NO_NOUN = re.compile("之间|有关|著名|闻名|不同|相同|多少|[间关用制脉型处中里上下]$")


def things(asked: Asked, random: Random) -> Iterator[str]:
    """Answers to "what"; none where nothing that fits is known, as an odd answer is worse."""
    found = list(_wanted(asked, random))
    yield from found or _described(asked, random)
    if not found and not asked.gold and not asked.in_phrase:
        for _ in range(_TRIES):
            yield random.choice(known_answers("东西"))


def _described(asked: Asked, random: Random) -> Iterator[str]:
    """The noun asked for with a plain word before it: 普通教材."""
    head = asked.head
    last = words(head)[-1:] if head else ()
    noun = bool(last) and last[0].tag.startswith(_NOUNS) and len(head) > 1 and not _NO_NOUN.search(head)
    if asked.in_phrase and noun and asked.phrase.count <= _FEW:
        yield from (front + head for front in random.sample(fronts("plain"), 6))


def _wanted(asked: Asked, random: Random) -> Iterator[str]:
    gold, head = asked.gold, asked.head
    kind = kind_for(asked)
    known = known_answers("科" if head == "科目" and _LIVING.search(asked.question) else head)
    if re.fullmatch("《[^》]+》", gold):
        yield from others(Entity(0, len(gold), gold, "work", "marked"), random)
    counted = re.search(_COUNTED, asked.before) or re.search("类型|种类|什么样|怎样", asked.phrase.text)
    if counted and asked.in_phrase and not (kind and is_clause(gold)):
        described = list(_described(asked, random))
        yield from described or (random.choice(known) for _ in range(_TRIES if known else 0))
        return
    what, wanted = ("", "") if asked.in_phrase or kind or known else governed(asked.before, asked.after)
    if wanted in _CALLED or (re.search("[名称号]$|名字|名称", head) and known):
        yield from _called(asked, known or known_answers(wanted), random)
    elif kind and ((is_clause(gold) and asked.at_end) or not known):
        yield from clauses(kind, gold, random) if asked.at_end or not asked.in_phrase else _described(asked, random)
    elif what == "clause":
        yield from clauses(wanted, gold, random)
    else:
        yield from _short(asked, known or (known_answers(wanted) if what == "answer" else ()), random)


def _called(asked: Asked, pool: tuple[str, ...], random: Random) -> Iterator[str]:
    """Names: of the gold answer's kind where it has one, a person's for a person."""
    gold = asked.gold
    whole = next((one for one in entities(gold) if one.text == gold), None)
    if len(gold) <= _SHORT and (whole is not None or ending_of(gold)):
        yield from like(gold, random)
    elif _HEROES.search(asked.before):
        for _ in range(_TRIES):
            yield foreign_name(random) if "·" in gold else chinese_name(random)
    else:
        for _ in range(_TRIES if pool else 0):
            yield random.choice(pool)


def _short(asked: Asked, pool: tuple[str, ...], random: Random) -> Iterator[str]:
    gold, head = asked.gold, asked.head
    if not pool and asked.in_phrase:
        pool = tuple(dict.fromkeys(alike(f"某某{head}", random)))
    if not pool and len(gold) <= _SHORT and _is_nominal(gold):
        yield from like(gold, random)
    for _ in range(_TRIES if pool else 0):
        yield random.choice(pool)
    loose = is_clause(gold) or (gold and not _is_nominal(gold))
    bare = "的" not in asked.before
    told = loose and asked.at_end and re.search("(?:是|为|在于)$", asked.before) and not _NO_CLAUSE.search(head)
    if not pool and told:
        yield from clauses("definition" if bare else "matter", gold, random)


def _is_nominal(text: str) -> bool:
    return not any(word.tag[0] in "vudprc" and word.tag != "vn" for word in words(text))


def kind_for(asked: Asked) -> str:
    """The kind of clause wanted; what a living thing looks like is told in other words than what a thing does."""
    kind = clause_kind(asked.head)
    if kind == "relation" and not _FOLK.search(asked.question):
        return ""
    if kind == "feature" and _LIVING.search(asked.question):
        return "body"
    return "remedy" if kind == "use" and _EATEN.search(asked.question) else kind


def like(gold: str, random: Random) -> Iterator[str]:
    """Something of the gold answer's own kind."""
    whole = next((one for one in entities(gold) if one.text == gold), None)
    if whole is not None:
        yield from others(whole, random)
    kin = siblings(gold)
    for _ in range(_TRIES if kin else 0):
        yield random.choice(kin)
    if ending_of(gold):
        yield from alike(gold, random)
    inner = [one for one in entities(gold) if one.text != gold]
    for _ in range(_TRIES if inner else 0):
        yield _renamed(gold, inner, random)
    if whole is None and not inner:
        yield from rhyming(gold, random)


def _renamed(gold: str, inner: list[Entity], random: Random) -> str:
    at, pieces = 0, []
    for one in inner:
        pieces += [gold[at : one.start], next((new for new in others(one, random) if new != one.text), one.text)]
        at = one.end
    return "".join(pieces) + gold[at:]


@lru_cache(maxsize=1)
def _answers() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for head, answer in lines("zh", "answers"):
        found.setdefault(head, []).append(answer)
    return {head: tuple(answers) for head, answers in found.items()}


@lru_cache(maxsize=1 << 12)
def known_answers(head: str) -> tuple[str, ...]:
    """Short answers to "what …?", by the noun asked for or by how it ends."""
    for cut in range(max(0, len(head) - 4), len(head)):
        short = len(head) - cut == 1 and cut and head[-1] not in _TELLING
        if head[cut:] in _answers() and not short:
            return _answers()[head[cut:]]
    return ()
