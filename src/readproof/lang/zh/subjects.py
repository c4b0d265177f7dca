"""What a Chinese question is about: the names in it, and the words that it shares with its passage as names.

A passage shows where a name begins and ends better than any dictionary: it opens with it, puts it in 《》, or repeats
it. So names are looked for in question and passage together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from readproof.lang.api import lines
from readproof.lang.zh.entities import (
    Entity,
    Kind,
    common_nouns,
    ending_of,
    endings,
    entities,
    is_spelt,
    not_names,
    surnames,
)
from readproof.lang.zh.questions import headwords
from readproof.lang.zh.words import words

_CUT = re.compile("[的是在于由被有和与及对从到为了着过把将因以，。？、：；！（）()“”「」『』…《》 ?,.!:;]")
_OPENING = re.compile("[^（(，,。；;：:、是为]{2,20}")
_MARKED = re.compile("[《「『“]([^《》「」『』“”]{2,20})[》」』”]")
_PERSON = re.compile(
    "演员|歌手|人物|将领|政治家|运动员|作家|诗人|画家|导演|皇帝|国王|科学家|学者|教授|大臣|官员|选手|球员|模特|主教|枢机|生于"
    "|艺人|音乐家|作曲家|物理学家|数学家|化学家|历史学家|教练|僧人|元帅|总统|首相|企业家|记者|主持人|武将|棋手|，字"
)
_LIVES = re.compile(
    "著名导演|从事|运动员|政治家|科学家|著名作家|球员|选手|将领|更名|选进|创作|统治|即位|登基|皇帝|国王|公爵|伯爵|任教|革职|带领|执教|退休|出道|成名|球技|病逝|生于|学术贡献|个性|性格|身高|绰号|艺名|家乡|祖籍|效力|结识|统领|发明|娶|嫁|所杀|击败|加盟|转会|签约|被杀|任职|当选|写了|著有|说过|演唱|"
    "出生|父亲|母亲|毕业|去世|逝世|妻子|丈夫|儿子|女儿|担任|哪里人|哪国人|结婚|字什么|享年|就读|演过|饰演|哥哥|弟弟"
)
_LANDS = re.compile(
    "^[^，]{2,10}在(?:哪|什么地方)|产业|居民|气候|境内|首都|首府|人口|面积|政府|国土|位于|独立|殖民|地形"
)
_WORKS = re.compile("主演|讲述|片头曲|片尾曲|主题曲|上映|首播|收视|剧情|专辑|男主角|女主角|连载|改编自|改编成")
_PLANT = re.compile("植物|草本|灌木|乔木|藤本")
_SPECIES = re.compile(
    "(?<![数盟学内外隶附归所])[科属]的|目的(?:一|鱼|鸟|动|植|昆|种)|鱼纲|鸟类|恐龙|昆虫|哺乳动物|爬行动物|学名"
)
_SORT = re.compile("[是为][^，]{0,24}(?:一[种类座款项]|城市|市镇|药物|化合物|矩阵|港口|基地)")
_LONG_QUOTE = re.compile("[“「『][^”」』]{14,}[”」』]")
_BUILT = re.compile(
    "总?人口|的人口|的果实|的种子|的化石|位于|坐落|座落|建于|始建|建成|全长|成立于|开业|海拔|的面积|分布|栖息|的俗名|属于哪[一个]*[科属目纲]"
)
_VERBAL = "能会可派任在与由被死曾为是向对从后前时将把给说称自因于则也都又和率领娶嫁命令封入出到去来等"
_ALIVE = re.compile(
    "[目科属纲](?:[的下中（(鱼鸟]|动物|植物)|[鱼鸟兽]类|恐龙|昆虫|动物|生物|学名|栖息|物种|植物|草本|灌木|乔木|分布于|[鱼鸟]"
)
_RENAMED = re.compile("(?:更名|改名|改称|命名|译|改|叫)(?:为|作|做|成)$")
_THINGS = "节石会社局院团队部寨殿宫馆祠陵宅糖酒茶饼汤面饭菜鼎楼阁亭湖河桥路街镇村县剧歌曲拳棋琴寺庙塔碑墓舰刀枪"
_HAN = re.compile("[\u4e00-\u9fff]")
_LINKS = ("·", "-", "－", "‧")
_WHOLE = ("country", "city", "province", "region", "state", "land")
# a passage that says he or she so often speaks of a person
_TOLD_OF = 3
_PIECE = 6
_LONGEST = 14


@lru_cache(maxsize=1 << 12)
def subjects(question: str, passage: str, title: str = "") -> tuple[Entity, ...]:
    """The names of a question, the one it is about first; none overlaps another."""
    kept: list[Entity] = []
    quoted = [(m.start(), m.end()) for m in _LONG_QUOTE.finditer(question)]
    for found in (
        *opening(question, passage, title),
        *_from_marks(question, passage),
        *_from_text(question, passage),
    ):
        entity = _trimmed(found, passage)
        if question[max(0, entity.start - 1) : entity.start] in ("这", "该", "此"):
            continue
        if entity.kind == "person" and entity.detail == "chinese" and is_thing(entity.text):
            entity = Entity(entity.start, entity.end, entity.text, "name", "")
        if entity.start and _RENAMED.search(question[: entity.start]):
            continue
        if entity.kind == "latin" and question[entity.end : entity.end + 1].isdigit():
            continue
        if endings().get(ending_of(entity.text)) == "species" and not _ALIVE.search(passage[:300]):
            continue
        if entity.kind == "person" and entity.detail == "chinese" and _BUILT.match(question[entity.end :]):
            entity = Entity(entity.start, entity.end, entity.text, "name", "")
        if any(start < entity.start and entity.end < end for start, end in quoted) or _is_cut(
            question, passage, entity
        ):
            continue
        if all(entity.end <= other.start or entity.start >= other.end for other in kept):
            kept.append(entity)
    return tuple(kept)


def _is_cut(question: str, passage: str, entity: Entity) -> bool:
    """Whether a name is only a part of a longer foreign one."""
    edges = question[max(0, entity.start - 1) : entity.start], question[entity.end : entity.end + 1]
    if entity.kind in ("name", "person", "place") and any(edge in ("-", "－", "·", "‧") for edge in edges):
        return True
    if entity.kind not in ("name", "person", "place") or entity.detail in _WHOLE:
        return False
    before, after = question[max(0, entity.start - 1) : entity.start], question[entity.end : entity.end + 1]
    tagged = entity.detail in ("chinese", "place") and entity.kind in ("person", "place")
    if tagged and _HAN.match(after) and not _CUT.match(after):
        # 毛利人: a name that only ever stands before the same letter is a part of a longer word
        followers = {passage[at.end() : at.end() + 1] for at in re.finditer(re.escape(entity.text), passage)}
        if followers == {after}:
            return True
    if before and _HAN.match(before) and _joined(question, passage, entity):
        return True
    linked = (before in _LINKS or after in _LINKS) and bool(before + after)
    if not is_spelt(entity.text):
        return False
    return linked or (len(entity.text) == 2 and bool(after) and is_spelt(after) and f"{entity.text}{after}" in passage)


def is_thing(text: str) -> bool:
    """钟楼, 金平糖: what begins with a surname and is no man."""
    return text[-1] in _THINGS or text in common_nouns()


def _trimmed(entity: Entity, passage: str) -> Entity:
    """孙权派 is 孙权 and a verb, if the passage has him without it."""
    act = next((act for act in sorted(headwords("act")) if entity.text.endswith(act)), "")
    if entity.kind == "person" and act and len(entity.text) - len(act) > 1:
        end = entity.end - len(act)
        return Entity(entity.start, end, entity.text[: -len(act)], entity.kind, entity.detail)
    short = entity.text[:-1]
    verbal = entity.kind == "person" and entity.detail == "chinese" and len(short) > 1 and entity.text[-1] in _VERBAL
    if not verbal or passage.count(short) <= passage.count(entity.text):
        return entity
    return Entity(entity.start, entity.end - 1, short, entity.kind, entity.detail)


def _joined(question: str, passage: str, entity: Entity) -> bool:
    """有马氏: a name that the passage only ever has behind the same letter, itself no word, is cut."""
    at = entity.start - 1
    leaders = [passage[found.start() - 1 : found.start()] for found in re.finditer(re.escape(entity.text), passage)]
    if not leaders or set(leaders) != {question[at]}:
        return False
    if is_spelt(entity.text) and is_spelt(question[at]) and not _CUT.match(question[at]):
        return True
    word = next((one for one in words(question) if one.start <= at < one.end), None)
    single = word is not None and len(word.text) == 1
    plain = bool(_CUT.match(question[at])) or (word is not None and word.tag[0] in "vpcdufrm")
    return single and (not plain or (len(leaders) > 1 and question[at] in "因有为和于以"))


def opening(question: str, passage: str, title: str) -> Iterator[Entity]:
    """The name that the passage opens with or is titled with."""
    found = _OPENING.match(passage.lstrip("《「『“"))
    plain = re.sub(r"\s*[（(].*$", "", title)
    names = [plain, found[0].strip("》」』” ") if found else ""]
    for name in sorted(filter(None, names), key=len, reverse=True):
        at = question.find(name)
        inside = 0 <= question.find("《") < at < question.find("》")
        if (
            len(name) >= 2
            and at >= 0
            and name[0] not in "在由于从以对为"
            and not re.search("[「」『』（({}]|[0-9]年", name)
            and not (inside and question[at - 1] != "《")
        ):
            start, end = at, at + len(name)
            if question[start - 1 : start] == "《" and question[end : end + 1] == "》":
                start, end = start - 1, end + 1
            named = _named(question, passage, start, end)
            yield Entity(start, end, named.text, named.kind, named.detail or "subject")
            return


def first_piece(question: str, passage: str) -> Entity | None:
    """What a question begins with, if its passage says it too: some name that no list knows."""
    start, end = next(iter(_shared(question, passage)), (0, 0))
    text = question[start:end]
    if text[:1] in ("该", "这", "此", "本"):
        return None
    if start or not 2 <= len(text) <= _PIECE or any(word.tag[0] in "dpcurm" for word in words(text)):
        return None
    if len(words(text)) == 1 and words(text)[0].tag in ("v", "n", "a") and passage.count(text) < 2:
        return None
    if len(words(text)) == 1 and words(text)[0].tag in ("n", "v", "vn", "a", "t", "b", "s", "f"):
        return None
    named = _named(question, passage, start, end)
    if named.kind == "name" and len(text) <= 3 and (_has_surname(text) or _LIVES.search(question)):
        return Entity(start, end, text, "person", "chinese")
    if named.kind == "name" and is_spelt(text):
        return Entity(start, end, text, "person", "foreign")
    return Entity(start, end, text, named.kind, named.detail)


def _from_marks(question: str, passage: str) -> Iterator[Entity]:
    """Names that the passage puts in marks and the question does not."""
    for match in _MARKED.finditer(passage):
        at = question.find(match[1])
        plain = match[0][0] != "《" and (
            len(match[1]) < 3 or any(word.tag[0] in "tfdvcrpqm" for word in words(match[1]))
        )
        if at >= 0 and not plain and (at == 0 or question[at - 1] not in "《「『“"):
            kind: Kind = "work" if match[0][0] == "《" else "name"
            yield Entity(at, at + len(match[1]), match[1], kind, "unmarked")


def _from_text(question: str, passage: str) -> Iterator[Entity]:
    """Names of the text itself; one that the passage shows to be longer is taken whole."""
    shared = tuple(_shared(question, passage))
    for entity in entities(question):
        wider = next(
            (s for s in shared if s[0] <= entity.start and entity.end <= s[1] and s[1] - s[0] > len(entity.text)), None
        )
        widens = entity.kind in ("person", "place", "name") and entity.detail != "masked"
        if entity.kind == "latin" and entity.detail == "person" and not _LIVES.search(question):
            yield Entity(entity.start, entity.end, entity.text, "latin", "thing")
        elif (
            entity.detail == "place" and len(entity.text) <= 3 and (_LIVES.search(question) or _opens(entity, passage))
        ):
            yield Entity(entity.start, entity.end, entity.text, "person", _form(entity.text))
        elif wider and widens and _is_name(question[wider[0] : wider[1]], passage):
            yield _named(question, passage, *wider)
        else:
            yield entity
    for start, end in shared:
        if _is_name(question[start:end], passage):
            yield _named(question, passage, start, end)


def _opens(entity: Entity, passage: str) -> bool:
    """Whether a passage opens with the name and then tells of a person."""
    told = passage.count("他") + passage.count("她") >= _TOLD_OF
    return told and entity.start == 0 and 0 <= passage.find(entity.text) < _PIECE


def is_species(passage: str) -> bool:
    """Whether a passage opens with what kind of living thing it tells of."""
    return bool(_SPECIES.search(passage[:80]) or _PLANT.search(passage[:80]))


def tells_of_person(passage: str) -> bool:
    """Whether a passage tells of a person."""
    return passage.count("他") + passage.count("她") >= _TOLD_OF or bool(_PERSON.search(passage[:60]))


def _form(name: str) -> str:
    return "foreign" if is_spelt(name) and len(name) > 2 else "chinese"


def _shared(question: str, passage: str) -> Iterator[tuple[int, int]]:
    """The pieces of the question between function words that stand in the passage."""
    at = 0
    for cut in (*_CUT.finditer(question), None):
        end = cut.start() if cut else len(question)
        start = at
        while end - start >= 2:
            stop = end
            while stop - start >= 2 and question[start:stop] not in passage:
                stop -= 1
            if stop - start >= 2:
                yield start, stop
                start = stop
            else:
                start += 1
        at = cut.end() if cut else end


def _is_name(text: str, passage: str) -> bool:
    """Whether a shared piece is a name, not a word of the language."""
    if (
        not 2 <= len(text) <= _LONGEST
        or re.search("[“”「」『』（）()《》{}]", text)
        or re.search("[0-9]年|^[0-9.]+$", text)
    ):
        return False
    if text in not_names() or text[0] in "该这此本":
        return False
    found = words(text)
    if any(word.tag[0] in "vdpcuyrmtq" and word.tag != "vn" for word in found if len(word.text) > 1):
        return False
    if len(found) == 1:
        return found[0].tag in ("nr", "ns", "nt", "nrt", "nrfg", "x", "eng")
    if all(word.tag in ("n", "vn", "a", "an", "b") and len(word.text) > 1 for word in found):
        return False
    return passage.count(text) >= 2 or f"{text}（" in passage or bool(ending_of(text))


def _named(question: str, passage: str, start: int, end: int) -> Entity:
    text = question[start:end]
    kind, detail = kind_of(text, question, passage)
    return Entity(start, end, text, kind, detail)


@lru_cache(maxsize=1 << 12)
def kind_of(name: str, question: str, passage: str) -> tuple[Kind, str]:
    """The kind of a name by its form, by how the passage defines it, and by what the question asks of it."""
    inner = name.strip("《》")
    at = passage.find(name)
    defined = re.split("[。；]", passage[at : at + 100])[0] if 0 <= at < 30 else ""
    times_told = passage.count("他") + passage.count("她")
    told = times_told >= _TOLD_OF
    person = bool(_PERSON.search(defined)) or bool(_LIVES.search(question)) or (told and is_spelt(name))
    single = words(name)
    common = len(single) == 1 and single[0].tag in ("n", "vn", "v", "a")
    sure = bool(_PERSON.search(defined))
    settled = endings().get(ending_of(name), "") in ("organisation", "building", "route", "station", "event")
    if (
        person
        and not settled
        and 2 <= len(name) <= 4
        and _has_surname(name)
        and not common
        and (sure or not ending_of(name))
    ):
        return "person", "chinese"
    for entity in entities(name):
        if entity.text == name and entity.kind == "latin":
            return "latin", "person" if entity.detail == "person" and person else "thing"
        if entity.text == name and entity.kind != "number":
            return entity.kind, entity.detail
    if f"《{inner}》" in passage or name.startswith("《"):
        return "work", "marked" if name.startswith("《") else "unmarked"
    if "·" in name and not ending_of(name):
        return "person", "foreign"
    if re.fullmatch("[A-Za-z0-9 .'&:+-]*[A-Za-z][A-Za-z0-9 .'&:+-]*", name):
        return "latin", "thing"
    if _WORKS.search(question) and not ending_of(name):
        return "work", "unmarked"
    ending = ending_of(name)
    if ending:
        kinds: dict[str, Kind] = {"place": "place", "organisation": "organisation"}
        return kinds.get(endings()[ending], "name"), ending
    if is_spelt(name) and len(name) >= 3:
        person = (person or bool(_PERSON.search(passage[:80]))) and not _SORT.search(defined)
        return ("person", "foreign") if person and not _LANDS.search(question) else ("place", "place")
    if (
        not common
        and _reads_as_person(name)
        and (person or (len(name) > 2 and times_told and not _SPECIES.search(defined)))
    ):
        return "person", "chinese"
    if _PLANT.search(defined):
        return "name", "plant"
    return "name", "species" if _SPECIES.search(defined) else ""


def _reads_as_person(name: str) -> bool:
    """A surname, and nothing after it that is a word of the language."""
    if not _has_surname(name) or len(name) > 3 + (name[:2] in surnames()):
        return False
    return all(word.tag.startswith("nr") or len(word.text) == 1 for word in words(name)) and "之" not in name


def _has_surname(name: str) -> bool:
    return name[0] in surnames() or (len(name) > 2 and name[:2] in surnames())


@lru_cache(maxsize=1)
def _classes() -> dict[str, tuple[str, ...]]:
    """Each listed word with the others of its kind; a word of two kinds keeps both."""
    found: dict[str, list[str]] = {}
    for group in lines("zh", "classes"):
        for word in group:
            found.setdefault(word, []).extend(other for other in group if other != word)
    return {word: tuple(dict.fromkeys(group)) for word, group in found.items()}


@lru_cache(maxsize=1)
def _class_pattern() -> re.Pattern[str]:
    return re.compile("|".join(sorted(_classes(), key=lambda word: (-len(word), word))))


def siblings(word: str) -> tuple[str, ...]:
    """Words of the same kind: 父亲 → 母亲, 祖父, …"""
    return _classes().get(word, ())


@lru_cache(maxsize=1 << 12)
def kindred_words(question: str) -> tuple[tuple[int, int], ...]:
    """Where words stand that have others of their kind; only whole words count."""
    tags = {word.start: word.tag for word in words(question)}
    edges = {*tags, len(question)}
    found = _class_pattern().finditer(question)
    whole = (m for m in found if m.start() in edges and m.end() in edges)
    # a noun before a noun only describes it: 工业盐水
    return tuple((m.start(), m.end()) for m in whole if not tags.get(m.end(), "").startswith(("n", "vn")))
