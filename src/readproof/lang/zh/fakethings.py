"""Things that could have been the answer to a Chinese "what" or "which": by the noun asked for, by the words around
the question phrase, and by the gold answer's own kind, in this order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from random import Random

from readproof.lang.api import lines
from readproof.lang.zh.another import said_to_be
from readproof.lang.zh.clauses import clause_kind, clauses, governed
from readproof.lang.zh.entities import Entity, ending_of, entities
from readproof.lang.zh.names import alike, chinese_name, foreign_name, fronts, others
from readproof.lang.zh.questions import PhraseInContext, headwords
from readproof.lang.zh.statements import is_clause
from readproof.lang.zh.subjects import siblings
from readproof.lang.zh.words import words

_TRIES = 8
_SHORT = 12
_COUNTED = "一[种个列座部条位名家款项本支只类档场首张艘间所套番]$"
_CALLED = ("名字", "俗称")
_HEROES = re.compile(
    "主角|主人公|儿子|女儿|父亲|母亲|妻子|丈夫|弟弟|哥哥|妹妹|姐姐|兄弟|弟兄|兄长|叔叔|作者|导演|老师|人$"
)
_LIVING = re.compile(
    "[鱼鸟龙蛇蜥龟猫鼠虫蛙羚狸牛豹狮狼獾猿鲸鳄鳖豚鳅鲷鲀鲾鲈雀莺鸫蝶兽猴狐猪羊犬熊虎鹿鸭雁懒]|[鳍羽喙尾]|体型|雄性|雌性|植物|[叶花茎]"
)
_FISH = re.compile("[鱼鲷鲀鲅鲾鲈鲨鳗鳕鲉鲽鲆]")
_BIRDS = re.compile("[鸟雀莺鸫鹟鸭雁鸥]")
_TOLD_STORY = re.compile("[《剧书诗]|电影|小说|故事|传说|漫画|游戏|影片|纪录片|主题|题材")
_PLANTS = re.compile("[叶花茎草树果藻]|植物")
_FOLK = re.compile("[某人]|原告|被告|夫|妻|父|母|兄|弟|朋友")
_EATEN = re.compile("[药茶汤粥酒膏丸]|食用|服用|功效")
_NO_CLAUSE = re.compile("网址|地址|电话|邮箱|号码|拼音|读音|英文|名$|称$|单位|公式|通式|数字|前身")
# a last character that tells what is asked for, whatever stands before it
_TELLING = "科目纲族语奖剧歌曲山湖河站路酶"
_NICKNAMES = ("别名", "别称", "又名", "俗称", "俗名")
_ITEMS = (
    *("书目", "剧目", "题目", "曲目", "节目", "项目", "数目", "名目", "头目"),
    *("标语", "口语", "术语", "评语", "谚语", "俗语", "成语"),
)
_SINGLE = "药鱼鸟书病酒茶树花草石车船剑塔"
_NOUNS = ("n", "vn", "an", "j", "l", "s")
_NO_NOUN = re.compile("[著着了]$|之间|有关|著名|闻名|不同|相同|多少|[间关用制脉型处中里上下]$")


def things(asked: PhraseInContext, random: Random) -> Iterator[str]:
    """Answers to "what"; none where nothing that fits is known, as an odd answer is worse."""
    found = list(_wanted(asked, random)) or list(described(asked, random))
    yield from found
    if not found and asked.gold and asked.at_end and not asked.in_phrase and asked.before.endswith(("了", "过")):
        yield from (random.choice(known_answers("泛指")) for _ in range(_TRIES))
    if not found and not asked.before.endswith(("另", "一")):
        yield from _another(asked)
    if not found and not asked.gold and not asked.in_phrase:
        for _ in range(_TRIES):
            yield random.choice(known_answers("东西"))


def _another(asked: PhraseInContext) -> Iterator[str]:
    """哪一种方法 → 另外一种方法; 什么方式 → 另一种方式: it tells little, but reads well."""
    text = asked.phrase.text
    if asked.head in ("其他", "其它"):
        return
    if re.fullmatch("哪一?[^些几两三四五六七八]{1,8}", text) and asked.phrase.count == 1:
        yield "另外一" + text.removeprefix("哪").removeprefix("一")
    elif re.fullmatch("(?:什么|何种)[^样]{2,6}", text) and asked.in_phrase and words(asked.head)[-1].tag in ("n", "vn"):
        yield "另一种" + asked.head


def described(asked: PhraseInContext, random: Random) -> Iterator[str]:
    """The noun asked for with a plain word before it: 普通的教材."""
    head = asked.head
    last = words(head)[-1:] if head else ()
    noun = bool(last) and (last[0].tag.startswith(_NOUNS) or head in headwords("noun"))
    noun = noun and (len(head) > 1 or head in _SINGLE) and not _NO_NOUN.search(head)
    if asked.in_phrase and noun and not asked.after.startswith("的"):
        several = re.match("哪([两二三四五六七八几][^的]{1,2}?)(?=.)", asked.phrase.text)
        lead = several[1] if several and asked.phrase.text == several[0] + head else ""
        # 深灰色的什么岩石: one 的 is enough
        cut = 1 if asked.before.endswith("的") else 0
        yield from (lead + front[: len(front) - cut] + head for front in random.sample(fronts("plain"), 6))


def is_counted(asked: PhraseInContext) -> bool:
    """是一家什么公司 asks what sort of company, not which."""
    sort = re.search(_COUNTED, asked.before) or re.search("类型|种类|什么样|怎样|怎么样|性质的", asked.phrase.text)
    return bool(sort) and asked.in_phrase and asked.head not in ("种类", "类型")


def _wanted(asked: PhraseInContext, random: Random) -> Iterator[str]:
    gold, head = asked.gold, asked.head
    kind = kind_for(asked)
    known = known_answers("科" if head == "科目" and _LIVING.search(asked.question) else head)
    # 液晶电视是什么 asks what it is, not for a programme
    if _is_defined(asked):
        known = ()
    if asked.in_phrase and asked.after.startswith("下"):
        yield from described(asked, random)
        return
    if head == "科" and "龙" in asked.question:
        known = known_answers("龙科")
    if head in _NICKNAMES and _FISH.search(asked.question):
        known = known_answers("鱼名")
    elif head in _NICKNAMES and _BIRDS.search(asked.question):
        known = known_answers("鸟名")
    if re.fullmatch("《[^》]+》", gold):
        yield from others(Entity(0, len(gold), gold, "work", "marked"), random)
    if head in ("东西", "事物") and asked.in_phrase and asked.before.endswith("是"):
        said = said_to_be(asked.before[:-1], asked.passage)
        yield from (random.choice(said) for _ in range(_TRIES if said else 0))
    if kind and asked.in_phrase and asked.before.endswith(("作为", "用作", "当作")):
        yield from described(asked, random)
        return
    if is_counted(asked) and not (kind and is_clause(gold)):
        plain = list(described(asked, random))
        yield from plain or (random.choice(known) for _ in range(_TRIES if known else 0))
        return
    what, wanted = ("", "") if asked.in_phrase or kind or known else governed(asked.before, asked.after)
    if wanted in _CALLED or (re.search("[名称号]$|名字|名称", head) and known):
        common = wanted in _CALLED and not _LIVING.search(asked.question) and not _HEROES.search(asked.before)
        pool = known_answers("通称" if common else _living_names(asked) or wanted)
        yield from _called(asked, known or pool, random)
    elif kind and ((is_clause(gold) and asked.at_end) or not known or (head == "工作" and not asked.in_phrase)):
        yield from clauses(kind, gold, random) if asked.at_end or not asked.in_phrase else described(asked, random)
    elif wanted == "content" and not _TOLD_STORY.search(asked.question):
        yield from (random.choice(known_answers("泛指")) for _ in range(_TRIES))
    elif what == "clause":
        yield from clauses(wanted, gold, random)
    else:
        yield from _short(asked, known or (known_answers(wanted) if what == "answer" else ()), random)


def _is_defined(asked: PhraseInContext) -> bool:
    """X是什么, where X ends with a noun of its own."""
    plain = asked.at_end and not asked.in_phrase and asked.phrase.text == "什么" and asked.before.endswith("是")
    named = len(asked.before) - len(asked.head) > 2 and not re.search("[名称号色度字地长语]$", asked.head)
    return plain and named and "的" not in asked.before and asked.head not in headwords("attribute")


def _living_names(asked: PhraseInContext) -> str:
    """The list that names of living things are taken from."""
    if not _LIVING.search(asked.question) or _HEROES.search(asked.before):
        return ""
    return "鱼名" if _FISH.search(asked.question) else "鸟名" if _BIRDS.search(asked.question) else "俗名"


def _called(asked: PhraseInContext, pool: tuple[str, ...], random: Random) -> Iterator[str]:
    """Names: of the gold answer's kind where it has one, a person's for a person."""
    gold = asked.gold
    whole = next((one for one in entities(gold) if one.text == gold), None)
    foreign = re.search("[英外法德日俄]文", asked.head) and pool
    if len(gold) <= _SHORT and not foreign and (whole is not None or ending_of(gold)):
        yield from like(gold, random)
    elif _HEROES.search(asked.before):
        for _ in range(_TRIES):
            yield foreign_name(random) if "·" in gold else chinese_name(random)
    else:
        for _ in range(_TRIES if pool else 0):
            yield random.choice(pool)


def _short(asked: PhraseInContext, pool: tuple[str, ...], random: Random) -> Iterator[str]:
    gold, head = asked.gold, asked.head
    if not pool and asked.in_phrase:
        pool = tuple(dict.fromkeys(alike(f"某某{head}", random))) if ending_of(f"某某{head}") == head else ()
    if not pool and len(gold) <= _SHORT and _is_nominal(gold):
        yield from like(gold, random)
    for _ in range(_TRIES if pool else 0):
        yield random.choice(pool)
    loose = is_clause(gold) or (gold and not _is_nominal(gold))
    bare = "的" not in asked.before
    told = loose and asked.at_end and re.search("(?:是|为|在于)$", asked.before) and not _NO_CLAUSE.search(head)
    if not pool and told:
        said = said_to_be(re.sub("(?:是|为)$", "", asked.before).rpartition("，")[2], asked.passage) if bare else ()
        if said:
            yield from (random.choice(said) for _ in range(_TRIES))
        else:
            yield from clauses("definition" if bare else "settled", gold, random)
    elif not pool and asked.at_end and _lists(asked):
        yield from (random.choice(known_answers("种类")) for _ in range(_TRIES))


def _lists(asked: PhraseInContext) -> bool:
    """…有哪些, …包括哪些."""
    listed = re.search("(?:有|包括|包含|分为|分成)(?:了|着)?$", asked.before)
    return bool(listed) and "哪" in asked.phrase.text and not asked.in_phrase


def _is_nominal(text: str) -> bool:
    return not any(word.tag[0] in "vudprc" and word.tag != "vn" for word in words(text))


def kind_for(asked: PhraseInContext) -> str:
    """The kind of clause wanted; what a living thing looks like is told in other words than what a thing does."""
    kind = clause_kind(asked.head)
    if kind == "content" and not _TOLD_STORY.search(asked.question):
        kind = "work"
    if not kind and not asked.in_phrase and re.match("什么样|怎样|怎么样", asked.phrase.text):
        kind = "feature"
    if kind == "relation" and not _FOLK.search(asked.question):
        return ""
    if kind == "feature" and _LIVING.search(asked.question):
        return "plant" if _PLANTS.search(asked.question) else "body"
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
        short = len(head) - cut == 1 and cut and (head[-1] not in _TELLING or head[-2:] in _ITEMS)
        if head[cut:] in _answers() and not short:
            return _answers()[head[cut:]]
    return ()
