"""Another thing of a name's kind, told by way of the name: 丘迟 → 与丘迟同时代的另一位文学家.

It needs no list and no guess at what a name may be: what the passage calls the name is what the other one is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from readproof.lang.zh.entities import common_nouns, ending_of, endings, is_spelt, surnames
from readproof.lang.zh.questions import phrases
from readproof.lang.zh.subjects import is_species, is_thing, kind_of, tells_of_person
from readproof.lang.zh.words import words

_SHORTEST, _LONGEST = 2, 16
_NAME = 4
_TITLED = re.compile("[王帝宗祖妃后公侯伯]$")
_BOUND = "的是有在于由被为以对从到曾，,将"
_OPEN = re.compile("[的是有在于由被为以与和对从到，,了着]")
_START = re.compile("^(?:在?[0-9]{1,4}年[^，,的]{0,8}[，,]|[^，,]{2,24}[，,])")
_PREDICATE = ("v", "p", "d", "c", "u")
UNFIT = re.compile(
    "^[在与和由从以对为自因当如这该此本其某他她它哪那何谁最第]|^(?:原来|目前|现在|当时|现任|首任|前任|历任|唯一|另外|部分|有些|一些|许多|文中)"
)
_VAGUE = re.compile(
    "国际|所在地|驻地|简写|版本|单位|员工|论$|意思|名称|统称|总称|简称|全称|俗称|别称|称呼|成员|部分|之一|地方|时候|代表|名字|后裔|儿子|女儿|弟弟|哥哥|父亲|母亲|妻子"
    "|长子|次子|夫妇|东西|产物|结果|原因|方面|名词|术语|人$|们$|区域|中心|总部|分支|类型|地点|地域|高校|灵长目|情况|方式|[上下]$|^个|基础|核心|缩写|概念|对象|来源|主角|手下|部下"
)
OF_PERSON = re.compile(
    "死后|继位|即位|登基|称帝|的父亲|的母亲|的儿子|哪里人|哪国人|何人|何许人|什么人|的著作|受封|生于|生下|逝世|投降|出道|毕业|就读|卒于|病逝|生平|谥号|官至|任官|出身|嫁给|娶|字什么|号什么|去世|出生|享年|扮演|饰演|角色"
)
MARKED = re.compile("[“”「」『』《》军]")
_UNCOUNTED = ("人口", "面积", "政府", "系列", "时代", "时期")
_LIVING = re.compile(
    "[家员者手师王帝相侯臣星士官长将主爵妃后]$|将领|首领|统帅|君主|诗人|歌手|人物|学生|教授|导演|编剧|艺人|领袖|主教|牧师|模特|军人|商人|僧人|主播"
)
_MEASURES: tuple[tuple[str, str], ...] = (
    ("作品|小说|电影|电视剧|连续剧|漫画|动画|影片|纪录片|戏剧|话剧|著作|[剧片书]$|法律|法规|史书|丛书", "部"),
    ("歌曲|单曲|乐曲|诗$|[歌曲]$", "首"),
    ("专辑|唱片", "张"),
    ("节目", "档"),
    (
        "教堂|寺|庙|宫殿|桥|山峰|山$|城市|城$|岛|建筑|大厦|大楼|车站|站$|机场|公园|博物馆|图书馆|体育馆|球场|水库|塔|火山|港口|[场园馆宫楼亭]$|故居",
        "座",
    ),
    ("河流|河$|江$|铁路|公路|道路|路线|线路|大道|隧道|路$|线$|山脉|航线", "条"),
    ("大学|学校|中学|小学|医院|学院|高中|书院|院校", "所"),
    ("公司|企业|银行|出版社|报社|集团|餐厅|酒店|电视台|商店|工厂|航空|杂志社|机构|厂商|媒体", "家"),
    ("球队|乐队|军队|部队|[队军]$|乐团|民族", "支"),
    ("游戏|软件|手机|汽车|轿车|飞机|战斗机|步枪|手枪|坦克|火炮|导弹|直升机|相机|处理器|产品", "款"),
    ("战役|战争|比赛|会战|战斗|起义|政变|战$", "场"),
    ("[舰船艇]$", "艘"),
    ("奖|运动|制度|赛事|技术|工程|计划|政策|锦标赛|联赛|权利|学科|服务", "项"),
    ("报纸|杂志|期刊|报$", "份"),
    (
        "室$|部门|班$|小?组$|中心|国家|王国|王朝|县|镇|乡|村|区|州|街道|市$|组织|团体|协会|政党|党$|联盟|家族|部落|星系|社区|车厂|品牌|网站|节日|组合|行政区",
        "个",
    ),
    ("民$|族人", "群"),
    ("内阁|教区", "个"),
    ("法案|草案", "项"),
    ("事件|事故|案$|惨案", "起"),
    ("[鼎器钟瓶玉]$|文物", "件"),
    ("榜$|派$|例$|词$|字$|理论|问题|概念|定理|数$|集$|地区", "个"),
    ("决赛|赛$|演出|音乐会|婚礼|会议|运动会", "场"),
    ("作者|导演|演员|教练|原告|被告|老师|学生|孩子|主角|男子|女子", "位"),
    ("恒星|行星|卫星|小行星|[星]$", "颗"),
    ("杂文|文章|论文", "篇"),
)
# what an ending names: how it is related, its measure word, and a noun where the ending is none
_KINDS = {
    "organisation": ("齐名", "家", "机构"),
    "building": ("相邻", "座", "建筑"),
    "place": ("相邻", "个", "地方"),
    "route": ("相邻", "条", "路线"),
    "station": ("相邻", "座", "车站"),
    "species": ("相近", "种", "生物"),
    "event": ("同年发生", "次", "事件"),
    "book": ("同类", "部", "著作"),
    "food": ("类似", "种", "食物"),
    "medical": ("相似", "种", "病症"),
    "medicine": ("类似", "种", "药物"),
    "substance": ("相近", "种", "物质"),
    "weapon": ("类似", "种", "武器"),
    "concept": ("相近", "个", "概念"),
    "law": ("同年公布", "部", "法规"),
    "award": ("同类", "个", "奖项"),
    "people": ("相邻", "个", "族群"),
}
_RELATED: tuple[tuple[str, str], ...] = (
    ("部首张档篇份", "同年问世"),
    ("座条个", "相邻"),
    ("所家支", "齐名"),
    ("款", "同类"),
    ("场次", "同年发生"),
    ("艘", "同级"),
    ("项", "类似"),
    ("颗", "相邻"),
)


def other_subject(question: str, passage: str, title: str) -> Iterator[tuple[int, str, str]]:
    """Where the subject stands, the subject, and what it becomes."""
    for start, end in _subjects(question, passage, title):
        name = question[start:end]
        for new in others_of(name, question, passage):
            yield start, name, new


def _subjects(question: str, passage: str, title: str) -> Iterator[tuple[int, int]]:
    lead = _START.match(question)
    asked = [(one.start, one.end) for one in phrases(question)]
    after = [end for first, end in asked[:1] if not first]
    for start in (0, *([lead.end()] if lead else []), *after):
        end = _end(question, start, passage, title)
        if end and all(end <= first or start >= last for first, last in asked):
            yield start, end
            return


def _end(question: str, start: int, passage: str, title: str) -> int:
    """Where a name that begins at a place ends: before what cannot be of it, the passage having it too."""
    plain = re.sub(r"\s*[（(].*$", "", title)
    if (
        len(plain) >= _SHORTEST
        and question.startswith(plain, start)
        and _ends_at(question, start, start + len(plain), passage)
    ):
        return start + len(plain)
    for end in range(start + _SHORTEST, min(len(question), start + _LONGEST) + 1):
        name = question[start:end]
        if name not in passage or re.search("[，。？?,]", name):
            break
        if _ends_at(question, start, end, passage) and not UNFIT.match(name) and not _OPEN.search(name):
            return end if _balanced(name) and _is_nominal(name) else 0
    return 0


def _balanced(name: str) -> bool:
    return all(name.count(a) == name.count(b) for a, b in ("《》", "“”", "「」", "『』", "（）", "()"))


def _is_nominal(name: str) -> bool:
    found = words(name)
    whole = found[0].tag[0] in "vdtmrcpfa" and found[0].tag not in ("vn", "an") and len(found[0].text) > 1
    whole = whole or found[0].tag in ("d", "m", "c", "p", "t") or found[-1].tag[0] in "afmt"
    whole = whole or (len(found) == 1 and found[0].tag in ("n", "vn", "an", "b", "s", "l"))
    odd = any(word.tag[0] in "prcu" for word in found) or (found[-1].tag[0] in "vd" and found[-1].tag != "vn")
    return not whole and not odd and not re.search("[0-9]年|[时前后中里上下]$", name)


def _ends_at(question: str, start: int, end: int, passage: str) -> bool:
    if end >= len(question) or question[end] in _BOUND:
        return True
    if any(one.start == end for one in phrases(question)):
        return True
    rest = words(question[end:])
    # 九命 of 九命奇冤: the passage has the longer name
    name, longer = question[start:end], question[start : end + 1]
    if is_spelt(question[end - 2 : end + 1]) or (name in passage and passage.count(name) == passage.count(longer)):
        return False
    if f"《{question[start : end + 1]}" in passage or f"「{question[start : end + 1]}" in passage:
        return False
    cut = any(word.start == end - start for word in words(question[start:]))
    return cut and bool(rest) and rest[0].tag.startswith(_PREDICATE) and rest[0].tag != "vn" and len(rest[0].text) > 1


def said_to_be(name: str, passage: str) -> tuple[str, ...]:
    """What something of the name's class might be: 一种较为少见的兵器; none where the class is not known."""
    noun, measure = _called(name, passage)
    noun = noun or _last_noun(name)
    kind = endings().get(ending_of(name), "")
    if not noun and kind in _KINDS:
        _how, measure, noun = _KINDS[kind]
    if not noun:
        return ()
    if measure in ("位", "名") or _LIVING.search(noun):
        return tuple(f"一位{how}的{noun}" for how in ("不太出名", "来自北方", "晚年才成名", "很少有人知道"))
    measure = measure if measure not in ("", "个") else _measure(noun)
    return tuple(f"一{measure}{how}的{noun}" for how in ("较为少见", "不太出名", "很少有人知道", "近年才受到关注"))


def another_counted(noun: str) -> str:
    """该公司 → 另一家公司."""
    return f"另一{_measure(noun)}"


@lru_cache(maxsize=1 << 12)
def others_of(name: str, question: str, passage: str) -> tuple[str, ...]:
    """Other things than the named one, each told by way of it."""
    kind, _detail = kind_of(name, question, passage)
    noun, measure = _called(name, passage)
    if kind == "person" and is_thing(name):
        kind = "name"
    if noun and _LIVING.search(noun) and endings().get(ending_of(name)) in _KINDS:
        noun = ""
    if not noun and kind != "work" and not _last_noun(name) and _reads_as_person(name, question, passage):
        kind = "person"
    said = question.partition(f"{name}是一")[2][:1]
    if noun and (
        (not measure and not is_known_measure(noun)) or (said in tuple("款种座部首本") and said != _measure(noun))
    ):
        noun = ""
    if not noun and kind in ("person", "name"):
        kind = "person" if is_person(name, question, passage) else "name"
    if noun and (kind == "person" or measure in ("位", "名") or _LIVING.search(noun)):
        return (f"与{name}同时代的另一位{noun}", f"与{name}齐名的另一位{noun}", f"比{name}年长的另一位{noun}")
    if noun:
        measure = measure if measure not in ("", "个") else _measure(noun)
        how = next((related for signs, related in _RELATED if measure in signs), "")
        return tuple(f"与{name}{link}的另一{measure}{noun}" for link in dict.fromkeys(filter(None, (how, "类似"))))
    if kind == "person":
        return (f"{name}的一位同乡", f"{name}的一位朋友", f"{name}的一名学生")
    if kind == "work":
        return (f"与{name}同年问世的另一部作品", f"与{name}同类的另一部作品")
    ending = ending_of(name)
    if endings().get(ending, "") in _KINDS:
        how, measure, noun = _KINDS[endings()[ending]]
        noun = ending if len(ending) > 1 and words(ending)[0].text == ending else noun
        return (f"与{name}{how}的另一{_measure(noun) if noun == ending else measure}{noun}",)
    noun = _last_noun(name) or _said_of(name, question)
    if noun and is_known_measure(noun):
        link = "同时代" if _measure(noun) == "位" else "类似"
        return (f"与{name}{link}的另一{_measure(noun)}{noun}",)
    if is_species(passage) and passage.startswith(name) and not tells_of_person(passage):
        return (f"与{name}相近的另一种生物",)
    return ()


def is_person(name: str, question: str, passage: str) -> bool:
    """Whether a name is surely a person's: its form says so, and the passage tells of people."""
    if is_species(passage) or MARKED.search(name) or is_thing(name) or ending_of(name) or f"《{name}》" in passage:
        return False
    if not (tells_of_person(passage) or OF_PERSON.search(question)):
        return False
    if name[-1] in "谷山湖岛江河":
        return False
    at = passage.find(name)
    defined = re.split("[。；]", passage[at : at + 80])[0] if at >= 0 else ""
    if re.search("[是为]一[种类座款家项部]|化合物|定理|学说", defined):
        return False
    found = words(name)
    named = not any(len(word.text) > 1 and word.text in common_nouns() for word in found)
    native = 2 <= len(name) <= _NAME and (name[0] in surnames() or name[:2] in surnames()) and named
    native = native or (len(found) == 1 and found[0].tag == "nr" and passage.startswith(name))
    titled = len(name) > _SHORTEST and bool(_TITLED.search(name)) and passage.startswith(name)
    return native or titled or "·" in name or (len(name) > _SHORTEST and is_spelt(name))


def span_of_subject(question: str, passage: str, title: str) -> tuple[int, int]:
    """Where the name stands that a question is about; an empty span where none does."""
    return next(_subjects(question, passage, title), (0, 0))


def is_known_measure(noun: str) -> bool:
    """Whether the measure word of a noun is known, and so what it is."""
    return bool(_LIVING.search(noun)) or any(re.search(pattern, noun) for pattern, _measure in _MEASURES)


def _reads_as_person(name: str, question: str, passage: str) -> bool:
    if MARKED.search(name):
        return False
    if re.search("是什么人|哪里人|是谁的[儿女]|何许人", question) and not is_thing(name):
        return True
    if is_thing(name) or name[-1] in "宅陵祠像奖号书案派军线型部" or ending_of(name):
        return False
    opens = tells_of_person(passage) and ((passage.startswith(name) and len(name) <= 4) or is_spelt(name))
    return opens or bool(OF_PERSON.search(question))


def _said_of(name: str, question: str) -> str:
    """X是哪个国家的料理 says what X is."""
    found = re.search(f"^{re.escape(name)}是.+的([\u4e00-\u9fff]{{2,4}})[？?]?$", question)
    noun = found[1] if found else ""
    return noun if noun and len(words(noun)) == 1 and words(noun)[0].tag == "n" and not _VAGUE.search(noun) else ""


def _last_noun(name: str) -> str:
    """What a name ends with, if that is a noun of its own: 叶定仕故居 → 故居."""
    last = words(name)[-1]
    noun = last.tag in ("n", "nz") and len(last.text) > 1 and last.start > 0
    return (
        last.text
        if noun and not _VAGUE.search(last.text) and last.text not in _UNCOUNTED and _is_word(last.text)
        else ""
    )


def _is_word(noun: str) -> bool:
    """Whether a noun is one of the language, not a piece of a name that a tagger cut off."""
    return noun in common_nouns() or any(re.search(pattern, noun) for pattern, _measure in _MEASURES)


def _measure(noun: str) -> str:
    if _LIVING.search(noun) and not re.search("[行恒卫彗]星$", noun):
        return "位"
    return next((measure for pattern, measure in _MEASURES if re.search(pattern, noun)), "种")


def _called(name: str, passage: str) -> tuple[str, str]:
    """What the passage says that the name is, with its measure word: 是一种…的兵器 → 兵器, 种."""
    inner = re.escape(name.strip("《》“”「」『』"))
    found = re.search(
        f"(?:^|[。；\n《「“]){inner}[》」』”]?(?:\\s*[（(][^）)]{{0,120}}[）)])?[，,]?(?:是|为|乃)([^，,。；（(]{{2,60}})",
        passage,
    )
    if found is None:
        return "", ""
    text = re.sub("之一$", "", found[1])
    # 是由…公司, 是指…: not what it is
    if text[0] in "由于在指从以":
        return "", ""
    last = words(text)[-1:]
    if not last or last[0].tag not in ("n", "nl"):
        return "", ""
    noun = last[0].text
    if len(noun) < _SHORTEST or _VAGUE.search(noun) or noun in name:
        return "", ""
    counted = re.findall("一([种个座部条位名家款项本支只类艘间所套首张场档])", text)
    return noun, counted[-1] if counted else ""
