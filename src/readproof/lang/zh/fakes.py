"""Answers that a Chinese question could have had: of the type it asks for and formed as its gold answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from random import Random

from readproof.lang.api import lines
from readproof.lang.zh.another import said_to_be
from readproof.lang.zh.clauses import clause_kind, clauses, governed, is_known_clause
from readproof.lang.zh.entities import Entity, ending_of, entities
from readproof.lang.zh.fakethings import described, is_counted, kind_for, known_answers, things
from readproof.lang.zh.names import alike, chinese_name, county_with_province, foreign_name, fronts, others, places
from readproof.lang.zh.numbers import Number, another, numbers
from readproof.lang.zh.questions import Phrase, PhraseInContext
from readproof.lang.zh.statements import is_clause
from readproof.lang.zh.subjects import is_species, tells_of_person
from readproof.lang.zh.times import Time, shifted, times
from readproof.lang.zh.words import words

# Numbers and times that a Chinese question could have had as its answer.


_TRIES = 8
# a smaller number of years is more likely a length of time than a year
_OLDEST = 1000
_SMALL = ("两", "三", "四", "五", "六", "七", "八", "九")
_SIZED = {"多高": "高", "多长": "长", "多宽": "宽", "多深": "深", "多厚": "厚", "多远": "远", "多重": "重"}
_LETTERED = re.compile(r"([0-9][0-9.,]*)\s*((?!x)[A-Za-z°]{1,6}(?:/[a-z])?)(?![A-Za-z])")
_COUNTERS = ("种", "个", "次", "名", "位", "条", "只", "项", "座")
_LENGTHS = ("米", "公里", "千米", "厘米", "毫米", "英里", "英尺", "公斤", "吨", "千克", "尺", "丈", "里")
_USUAL = {
    "多长": "三公里",
    "多高": "十二米",
    "多远": "八公里",
    "多久": "四个月",
    "多重": "二十公斤",
    "多宽": "六米",
    "多深": "十五米",
    "多厚": "三厘米",
    "多大": "三百平方米",
    "多快": "每小时六十公里",
    "多粗": "四厘米",
}
# what a question for a time wants to know, and how fine the answer must be
_WANTED: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("世纪", ("century", "decade")),
    ("朝代|朝$|代$", ("dynasty",)),
    ("季节", ("season",)),
    ("星期|周几|礼拜", ("weekday",)),
    ("几点", ("clock",)),
    ("几月几|几号|哪一?[天日]|何日", ("day",)),
    ("年", ("year", "month", "day", "reign", "decade")),
)


def other_times(head: str, gold: str, random: Random) -> Iterator[str]:
    """The gold answer's time, moved; asked for a year, the year of its date."""
    found = [time for time in times(gold) if _fits(head, time)]
    if re.search("年$|年份$", head):
        found = [_year_of(time) for time in found]
    for _ in range(_TRIES if found else 0):
        moved = shifted(found[0], random)
        # the first end of 1965-1976年 has no 年 of its own
        yield f"{moved}年" if moved.isdigit() else moved


def _fits(head: str, time: Time) -> bool:
    for pattern, granularities in _WANTED:
        if re.search(pattern, head):
            return time.granularity in granularities
    return time.granularity != "relative"


def _year_of(time: Time) -> Time:
    match = re.match("[^年]*年(?!代)", time.text)
    return next(iter(times(match[0])), time) if match else time


def any_time(head: str, gold: str, question: str, passage: str, random: Random) -> str:
    """A time of the sort asked for, where the gold answer gives none."""
    near = [time.year for time in times(passage) if time.granularity in ("year", "month", "day", "reign") and time.year]
    year = max(1, random.choice(near) + random.randint(-12, 12)) if near else random.randint(1906, 2009)
    month, day = random.randint(1, 12), random.randint(1, 28)
    if "世纪" in head:
        return f"{random.randint(11, 19)}世纪"
    if gold and re.search("一般|通常|每[天日年逢]|经常", question) and re.search("时", head):
        return random.choice(("清晨", "傍晚", "周末", "雨季", "午后", "入冬前后"))
    if "时间段" in head:
        return random.choice(("清晨", "午后", "入冬前后", "每周末"))
    if re.search("时期|时代|阶段", head) and re.search("(?:[幼卵熟育备胎长]|阶)[期段]$|幼年|成年", gold):
        return random.choice(("幼年时期", "产卵期", "成熟期", "筹备阶段", "战后初期"))
    if re.search("[纪世]$|[纪世]到", gold):
        return random.choice(("侏罗纪晚期", "三叠纪", "更新世", "早白垩世", "二叠纪"))
    if re.search("朝代|朝|时期|时代", head):
        return random.choice(("北魏", "西汉", "南宋", "东晋", "北宋")) + ("时期" if "时" in head else "")
    if "季" in head:
        return random.choice("春夏秋冬") + "季"
    if re.search("星期|周几|礼拜", head):
        return "星期" + random.choice("一二三四五六")
    if "点" in head or re.search("[0-9]点", question):
        return f"{random.randint(6, 11)}点"
    if head.startswith("几月几") or "号" in head:
        return f"{month}月{day}日"
    if "月" in head and "年" not in head:
        return f"{month}月"
    if re.search("[天日]$", head):
        return f"{year}年{month}月{day}日"
    return f"{year // 10 * 10}年代" if "年代" in head else f"{year}年"


def other_numbers(phrase: Phrase, gold: str, random: Random) -> Iterator[str]:
    """The gold answer's number, changed, with the measure word that the question or the answer has."""
    lettered = None if phrase.measure else _LETTERED.search(gold)
    if lettered and phrase.head != "第几":
        yield from _lettered(lettered[1], lettered[2], _lead(phrase), random)
        return
    found = [number for number in numbers(gold) if not _in_time(gold, number)]
    same = [number for number in found if phrase.measure and number.measure == phrase.measure]
    lead = "第" if phrase.head.startswith("第") else _lead(phrase)
    if phrase.head.startswith("多") and phrase.head != "多少":
        found = [number for number in found if number.measure not in _COUNTERS]
    for number in (same or found)[:1]:
        unit = phrase.measure or gold[number.end : number.measured]
        sized = _SIZED.get(phrase.head, "") if unit in _LENGTHS and "时间" not in phrase.text else ""
        for _ in range(_TRIES):
            yield f"{lead}{another(number, random)}{unit}{sized}"


def _lettered(number: str, unit: str, lead: str, random: Random) -> Iterator[str]:
    """55cm, 2GB: units that are written in letters."""
    value = float(number.replace(",", "").strip(".") or 1)
    for _ in range(_TRIES):
        moved = value * random.choice((0.5, 0.6, 1.5, 1.8, 2, 3, 4))
        yield f"{lead}{moved:.10g}{unit}" if value < 10 and "." in number else f"{lead}{max(1, round(moved))}{unit}"


def _lead(phrase: Phrase) -> str:
    """有多大 gives way as a whole, so that its 有 comes back."""
    return "有" if phrase.text.startswith("有") else ""


def _in_time(gold: str, number: Number) -> bool:
    known = (time for time in times(gold) if time.granularity != "year" or (time.year or 0) > _OLDEST)
    return any(time.start <= number.start and number.end <= time.end for time in known)


def any_number(phrase: Phrase, question: str, random: Random) -> str:
    """A number of the sort asked for, where the gold answer gives none."""
    if phrase.head.startswith("第"):
        return f"第{random.choice(_SMALL[1:])}{phrase.measure}"
    if "分之" in phrase.head:
        return f"百分之{random.choice(('十二', '二十五', '三十八', '四十五'))}"
    if phrase.head in _USUAL:
        long = "时间" in phrase.text or (phrase.head == "多长" and re.search("时|期|寿命", question))
        return _lead(phrase) + ("四个月" if long else _USUAL[phrase.head])
    if phrase.head == "几":
        return f"{random.choice(_SMALL)}{phrase.measure}"
    near = question[max(0, phrase.start - 6) : phrase.end + 3]
    money = not phrase.measure and re.search("[额费款价金]|工资|收入|利润|获利", near)
    if phrase.measure == "元" or money:
        return f"{random.randint(12, 95) * 100}元"
    if not phrase.measure and re.search("百分比|比例|占|率|增加|减少|增长", near):
        return f"{random.randint(12, 88)}%"
    if not phrase.measure and "人口" in near:
        return f"{random.randint(12, 88)}万"
    return f"{random.randint(13, 480)}{phrase.measure}"


# Yes or no in Chinese: what stands for 是否 and its kin in a statement.

_PAIRS = {
    "是不是": ("是", "不是"),
    "有没有": ("有", "没有"),
    "有无": ("有", "没有"),
    "能否": ("能", "不能"),
    "能不能": ("能", "不能"),
    "可否": ("可以", "不可以"),
    "可不可以": ("可以", "不可以"),
    "会不会": ("会", "不会"),
    "会否": ("会", "不会"),
    "要不要": ("要", "不必"),
    "需不需要": ("需要", "不需要"),
    "用不用": ("需要", "不用"),
    "好不好": ("很好", "不好"),
    "对不对": ("是对的", "是不对的"),
    "行不行": ("可行", "不可行"),
}
_NOT = re.compile("[能会需可应愿同知属具符想要该必]")


def polarities(phrase: Phrase, gold: str, question: str, random: Random) -> Iterator[str]:
    """What takes the phrase's place, the side that the gold answer is not on first."""
    positive, negative = _sides(phrase, question)
    no = bool(re.match("NO|不|没|否|并非|未", gold))
    first, second = (positive, negative) if no else (negative, positive)
    if first is not None and second is not None and random.random() < 0.3:
        first, second = second, first
    for side in (first, second):
        if side is not None:
            yield side


def _sides(phrase: Phrase, question: str) -> tuple[str, str | None]:
    text = phrase.text
    if text in _PAIRS:
        return _PAIRS[text]
    if text == "是否":
        rest = question[phrase.end :]
        if rest.startswith("有"):
            return "", "没"
        if rest.startswith(("是", "为")):
            return "", "并不"
        first = words(rest)[:1]
        plain = _NOT.match(rest) or (first and first[0].tag.startswith(("a", "p", "r", "z")))
        return "", "不" if plain else "没有"
    if text.startswith("可以吗"):
        return "是可以的", "是不可以的"
    if text.endswith(("没有", "了吗", "了么", "了嘛")):
        return "了", None
    return "", None


# Whether a made-up answer fits the slot of a Chinese question: a noun where one is wanted, as many as are asked.

# after these only a name or a noun can stand
_NAMING = re.compile(
    "(?:分别(?:是|为|叫做?|称为?)|叫做?|名叫|名为|[称改更译命]名?[为作]|称[为作]|[更改命]名[为叫]|位于|来自|属于|隶属于|毕业于|称[^，,]{1,6}为)$"
)
_SEVERAL = re.compile("[、和与及，]|两|三|各")
_ALL = re.compile("(?<!主要)(?<![的何所])分别(?:[是为叫有在位由]|[命更改]名|称为?|来自|属于)*(?:于)?$")
_WORKS = re.compile("工作|隶属|主管|主办|所属|任职|就职|供职|管理|承办|协办|发起|组织|参加|建设|施工|设计")
_SHORT_FORM = re.compile("(?:全称|简称|缩写|全名)(?:是|为|叫做?)?$")
_UNITS = re.compile("多[大长高远重宽深厚快粗久]")
_GOING_ON = re.compile("正在|一直|逐步|仍|逐渐")
_HAN = re.compile("[\u4e00-\u9fff]")
_DIGIT = re.compile("[0-9０-９一二两三四五六七八九十百千万亿半数几]")


def fits(asked: PhraseInContext, answer: str) -> bool:
    """Whether an answer can stand where the question asks."""
    phrase = asked.phrase
    clause = is_clause(answer) or is_known_clause(answer)
    listed = bool(re.search("、.+和", answer)) or "和" in answer
    if phrase.form == "place" and clause and not listed and _NAMING.search(asked.before):
        return False
    if clause and not listed and re.search("[名号称]$", asked.head) and not asked.head.endswith("信号"):
        return False
    # a clause cannot describe what follows it
    if clause and not listed and asked.after and phrase.form == "place" and re.search("[样怎]", phrase.text):
        return False
    if phrase.type == "number" and _UNITS.match(phrase.head) and not _has_unit(answer, asked.after):
        return False
    if (
        _GOING_ON.match(answer)
        and not re.search("[状态势况]", asked.head)
        and phrase.form in ("end", "definition", "place")
    ):
        return False
    if phrase.count == 0 and re.fullmatch("《[^》]+》", answer):
        return False
    if phrase.type == "yesno" or phrase.form in ("because", "choice", "polarity"):
        return True
    wants_several = phrase.count > 1 or is_told_apart(asked) or "几" in phrase.text[:2]
    if wants_several and phrase.type not in ("number", "time", "reason", "manner") and not _SEVERAL.search(answer):
        return False
    if wants_several and clause and not listed:
        return False
    # 两个常见的法定洞和两个传统的法定洞 tells nothing
    plain = [front for front in fronts("plain") if front in answer] if phrase.count != 1 else []
    if plain and phrase.head and answer.count(phrase.head) > 1:
        return False
    return _of_the_kind(asked, answer)


def is_told_apart(asked: PhraseInContext) -> bool:
    """分别是谁: one answer for each of several."""
    return bool(_ALL.search(asked.before))


def wants_name(asked: PhraseInContext) -> bool:
    """又称为什么: what something is called."""
    called = re.search("[称叫名改]", asked.before[-6:]) and _NAMING.search(asked.before)
    return asked.phrase.type == "thing" and asked.at_end and bool(called) and not asked.in_phrase


def _has_unit(answer: str, after: str) -> bool:
    return not re.search("[0-9.,万亿千百十一二三四五六七八九]$", answer) or bool(re.match("[岁年米]", after))


def _of_the_kind(asked: PhraseInContext, answer: str) -> bool:
    """Nouns that are asked for in two senses: 单位 is a body or a measure, 简称 is short for a body or a thing."""
    if not asked.gold:
        return True
    if "：" in answer:
        return False
    if asked.head.endswith("单位") and "的单位" in asked.before and not _WORKS.search(asked.question):
        return False
    if _SHORT_FORM.search(asked.before) and _HAN.search(answer) and not _HAN.search(asked.gold):
        return False
    if _SHORT_FORM.search(asked.before) and ending_of(answer) and not ending_of(asked.gold):
        return False
    return asked.phrase.type != "number" or bool(_DIGIT.search(asked.gold)) or asked.phrase.head != "多大"


_OWN = 0.4
_ONE = ("time", "number", "reason", "manner", "yesno", "choice", "description")
_NATIVE = re.compile("产地|出生|生于|籍贯|来自|效力|哪里人|起源|位于|葬于|祖籍")
_PLAYS = re.compile("效力|加盟|转会|踢球")
_APPLIED = re.compile("(?:应用|运用|用|使用|体现|表现)[在于]$")
# answers that already tell of several
_WHOLE = re.compile("两(?:种|类|段|部分)$|件.*事$")
_WHO = re.compile("[^的，]{2,12}[^者人长家员主父母妻夫演编任军手师角王帝]是")
_UNIT = re.compile("[0-9]\\s*[多余]?((?:平方)?(?:[毫厘公千分英海]?[米尺里寸]|公顷|公分|[公千]?[斤克]|吨|呎|吋|岁|年))")
_SEA = re.compile("[洋海湾礁沙岩]|水域|沿岸|河口")
_LIVES = re.compile("躲藏|寻找|生存|觅食|海域|栖息|分布|生活在|生长|产于")
_RULED = re.compile("^[唐宋明清汉元魏晋隋梁齐周辽金陈北南后].{0,2}[宗帝祖]$|[一二三四]世$|皇后$|公主$|太后$")


def fakes(phrase: Phrase, gold: str, question: str, random: Random, passage: str = "") -> Iterator[str]:
    """Answers to the phrase that fit its slot, in chance order, the likest first."""
    asked = PhraseInContext(phrase, question, gold, passage)
    found = False
    for answer in _made(asked, random):
        if fits(asked, answer):
            found = True
            yield answer
    if not found and wants_name(asked) and not is_told_apart(asked):
        yield from (random.choice(known_answers("通称")) for _ in range(_TRIES))


def _made(asked: PhraseInContext, random: Random) -> Iterator[str]:
    phrase, gold = asked.phrase, asked.gold
    make = _MAKERS[phrase.type]
    clause = phrase.type == "thing" and clause_kind(phrase.head) and not known_answers(phrase.head)
    single_one = phrase.count == 1 and not (is_told_apart(asked) and phrase.type in ("person", "place", "thing"))
    if single_one or phrase.type in _ONE or clause:
        yield from make(asked, random)
        return
    first = re.split("[、，,和与及;；]", gold)[0].strip("“”「」『』\"' ") or gold
    count = (phrase.count if phrase.count > 1 else 0) or random.choice((2, 3))
    single = replace(asked, gold=first)
    made = dict.fromkeys(one for _ in range(4) for one in make(single, random))
    described = {front + phrase.head for front in fronts("plain")}
    short = [one for one in made if not is_clause(one) and not is_known_clause(one)]
    pool = [one for one in short if one not in described and not _WHOLE.search(one)]
    for _ in range(_TRIES if len(pool) >= count else 0):
        chosen = random.sample(pool, count)
        yield "、".join(chosen[:-1]) + "和" + chosen[-1]
    yield from (one for one in make(single, random) if not is_known_clause(one))


def _times(asked: PhraseInContext, random: Random) -> Iterator[str]:
    found = list(other_times(asked.head, asked.gold, random))
    yield from found
    for _ in range(0 if found else _TRIES):
        yield any_time(asked.head, asked.gold, asked.question, asked.passage, random)


def _numbers(asked: PhraseInContext, random: Random) -> Iterator[str]:
    if "身高" in asked.question:
        yield from (f"1.{random.randint(58, 96)}米" for _ in range(_TRIES))
        return
    found = list(other_numbers(asked.phrase, asked.gold, random))
    unit = _UNIT.search(asked.gold) if asked.head != "多少" and asked.head.startswith("多") else None
    # 3～8毫米 gives 4, which needs its unit
    yield from (f"{one}{unit[1]}" if unit and re.search("[0-9]$", one) else one for one in found)
    for _ in range(0 if found else _TRIES):
        yield any_number(asked.phrase, asked.question, random)


def _people(asked: PhraseInContext, random: Random) -> Iterator[str]:
    found = entities(asked.gold)
    if re.search("[商方]家?(?:是|为)$|[商方]$", asked.before):
        yield from (random.choice(known_answers("公司")) for _ in range(_TRIES))
        return
    if asked.at_end and _WHO.fullmatch(asked.before) and not any(one.text == asked.gold for one in found):
        yield from (random.choice(known_answers("何人")) for _ in range(_TRIES))
        return
    name = next((one for one in found if one.kind in ("person", "latin")), None)
    if name is not None and _RULED.search(name.text) and len(name.text) <= 6:
        yield from alike(name.text, random)
    if name is not None and name.kind == "latin":
        yield from others(Entity(0, len(name.text), name.text, "latin", "person"), random)
        return
    if name is not None and name.detail == "masked":
        yield from others(name, random)
        return
    if re.search("[\u4e00-\u9fff]{2,}人$", asked.gold) and name is None:
        for country in places("法国", "country", random):
            yield f"{country}人"
    group = next((one for one in found if one.kind in ("organisation", "people")), None)
    if name is None and group is not None:
        yield from others(group, random)
    foreign = "·" in asked.gold or (name is not None and name.detail == "foreign")
    for _ in range(_TRIES):
        yield foreign_name(random) if foreign else chinese_name(random)


def _places(asked: PhraseInContext, random: Random) -> Iterator[str]:
    gold, head = asked.gold, asked.head
    if asked.question[asked.phrase.end :].startswith("人"):
        gold = gold.removesuffix("人")
        asked = replace(asked, gold=gold)
    if _PLAYS.search(asked.question) and not re.search("[省市县州]$", gold):
        yield from (random.choice(known_answers("球队")) for _ in range(_TRIES))
        return
    if re.search("隶属|任职|就职|供职|毕业于|就读", asked.before):
        yield from (random.choice(known_answers("机构")) for _ in range(_TRIES))
        return
    for pattern, wanted in (("任$", "官职"), ("(?:发表|刊载|连载|刊登)[在于]$", "报纸")):
        if re.search(pattern, asked.before):
            yield from (random.choice(known_answers(wanted)) for _ in range(_TRIES))
            return
    if _APPLIED.search(asked.before):
        yield from (random.choice(known_answers("领域")) for _ in range(_TRIES))
        return
    named = bool(re.search("[省市县州国]", gold))
    named = named or any(one.kind == "place" for one in entities(gold))
    named = named and not (_LIVES.search(asked.question) and re.search("[洋礁]", gold))
    inside = any(one.end == asked.phrase.start and one.kind == "place" for one in entities(asked.question))
    at_sea = _SEA.search(gold) and not re.search("[林草山]|陆", gold) and not _NATIVE.search(asked.question)
    spots = "part" if head == "位置" or inside else "sea" if at_sea and not named else ""
    pool = spots_of(spots) if spots else known_answers(head) if head not in ("路", "站") else ()
    if pool:
        for _ in range(_TRIES):
            yield random.choice(pool)
        return
    if head in ("国", "国家") or head.endswith("国家"):
        old = next((one.text for one in entities(gold) if one.detail == "state"), "")
        for _ in range(_TRIES):
            yield from _first(places(old or "法国", "state" if old else "country", random))
        return
    yield from _named_places(asked, random)


def _named_places(asked: PhraseInContext, random: Random) -> Iterator[str]:
    gold, head = asked.gold, asked.head
    found = [one for one in entities(gold) if one.kind in ("place", "organisation")]
    latin = next((one for one in entities(gold) if one.kind == "latin"), None)
    if latin is not None and not found:
        yield from others(Entity(0, len(latin.text), latin.text, "latin", "thing"), random)
        return
    if len(gold) <= 12 and len(found) == 1 and found[0].text == gold:
        yield from others(found[0], random)
    spot = _LIVES.search(asked.question) or re.search("[里内中上下旁边侧外端处]$", gold)
    if not found and gold and not head and spot and not _NATIVE.search(asked.question):
        for _ in range(_TRIES):
            yield random.choice(spots_of("habitat" if _LIVES.search(asked.question) else "spot"))
    foreign = any(one.detail in ("country", "land") and one.text != "中国" for one in found) or "·" in gold
    rank = {"省": "province", "市": "city", "县": "county", "区": "county"}.get(head[-1:], "")
    wide = head == "地区" or (_LIVES.search(asked.question) and not head)
    for _ in range(_TRIES):
        if wide and foreign:
            yield from _first(places("法国", "country", random))
        elif wide and found:
            yield from _first(places("湖南省", "province", random))
        elif rank:
            yield from _first(places(f"某{head[-1]}", rank, random))
        elif foreign:
            yield from _first(places("罗马", "city", random))
        elif len(gold) > 5:
            yield county_with_province(random)
        else:
            yield from _first(places("大连", "town", random))


def _first(found: Iterator[str]) -> Iterator[str]:
    for one in found:
        yield one
        return


@lru_cache(maxsize=4)
def spots_of(kind: str) -> tuple[str, ...]:
    """Places that are no names: spots on land, parts of a place, seas."""
    return tuple(answer for of, answer in lines("zh", "spots") if of == kind)


def _organisations(asked: PhraseInContext, random: Random) -> Iterator[str]:
    if is_counted(asked):
        yield from described(asked, random)
        return
    pool = known_answers(asked.head)
    if pool:
        yield from (random.choice(pool) for _ in range(_TRIES))
    else:
        yield from alike(f"某某{asked.head}", random)
    if ending_of(asked.gold):
        yield from alike(asked.gold, random)
    yield from things(asked, random)


def _reasons(asked: PhraseInContext, random: Random) -> Iterator[str]:
    own = tells_of_person(asked.passage) and random.random() < _OWN
    wild = is_species(asked.passage)
    yield from clauses("nature" if wild else "motive" if own else "reason", asked.gold, random)


def _manners(asked: PhraseInContext, random: Random) -> Iterator[str]:
    if asked.phrase.form == "doing" and asked.before.endswith("是") and asked.phrase.text.endswith("的"):
        yield from (random.choice(known_answers("职业")) for _ in range(_TRIES))
        return
    what, kind = governed("", asked.question[asked.phrase.end :])
    known = kind if what == "manner" and asked.phrase.form == "way" else ""
    yield from clauses(_doing(asked) if asked.phrase.form == "doing" else known or "manner", asked.gold, random)


def _doing(asked: PhraseInContext) -> str:
    return "advice" if asked.head == "怎么办" or re.search("应该?|需要|可以|怎么", asked.question) else "doing"


def _descriptions(asked: PhraseInContext, random: Random) -> Iterator[str]:
    kind = kind_for(asked)
    if asked.head == "意思":
        kind = "meaning"
    elif asked.phrase.form == "definition" and not known_answers(asked.head):
        said = said_to_be(_defined(asked), asked.passage)
        if said and kind in ("", "definition"):
            yield from (random.choice(said) for _ in range(_TRIES))
            return
        kind = kind or "definition"
    if asked.phrase.form in ("end", "definition") and not kind:
        yield from things(asked, random)
    if asked.phrase.form == "state" and known_answers(asked.head):
        for _ in range(_TRIES):
            yield random.choice(known_answers(asked.head))
        return
    if asked.phrase.form == "state" and kind == "outcome":
        kind = "description"
    yield from clauses(kind or "description", asked.gold, random)


def _defined(asked: PhraseInContext) -> str:
    """What a definition is asked of."""
    name = asked.after if not asked.before else re.sub("(?:到底|究竟|都|就)?(?:是|指的?)?$", "", asked.before)
    return name.rpartition("，")[2]


def _yes_no(asked: PhraseInContext, random: Random) -> Iterator[str]:
    yield from polarities(asked.phrase, asked.gold, asked.question, random)


def _choices(asked: PhraseInContext, random: Random) -> Iterator[str]:
    one, _, other = asked.phrase.text.removeprefix("是").partition("还是")
    wrong = [side for side in (one, other) if side and side not in asked.gold] or [other or one]
    random.shuffle(wrong)
    yield from wrong


_MAKERS: dict[str, Callable[[PhraseInContext, Random], Iterator[str]]] = {
    "time": _times,
    "number": _numbers,
    "person": _people,
    "place": _places,
    "organisation": _organisations,
    "thing": things,
    "reason": _reasons,
    "manner": _manners,
    "description": _descriptions,
    "yesno": _yes_no,
    "choice": _choices,
}
