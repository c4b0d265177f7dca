"""What the readers of the zoo share: the form of a specimen, choices without chance, and honest lexical machinery.

Nothing below knows a gold answer. Texts are cut into grams (pairs of Han characters, or whole words), the question is
matched with the sentences of the passage by the weight of the grams they share, and the answer is looked for beside
the match, by the type that the question word asks for. It works for Chinese, Persian and English, told by script.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from math import exp, fsum, log
from types import MappingProxyType
from typing import Literal, NamedTuple

from readproof.items import ChoiceItem, Item, SpanItem, Triple
from readproof.lang.api import detect, get_language
from readproof.lang.en import entities as en_entities
from readproof.lang.fa import entities as fa_entities
from readproof.lang.zh import entities as zh_entities
from readproof.lang.zh.numbers import numbers
from readproof.lang.zh.stems import polarity
from readproof.lang.zh.times import times
from readproof.lang.zh.words import words as zh_words

SpanReader = Callable[[str, str], str]
OptionReader = Callable[[str, str, Sequence[str]], int]
Weights = Mapping[str, float]
Kind = Literal["time", "number", "person", "place", "organisation", "work", "reason", "manner", "thing"]
Cut = Literal["pairs", "words"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Specimen:
    """A reader of the zoo: whether it is honest, and what it does. `make` gets the items of the data set."""

    name: str
    part: Literal["spans", "options"]
    honest: bool
    habit: str
    make: Callable[[Sequence[Item]], Callable[..., str | int]]


# --- items ----------------------------------------------------------------------------------------------------------


def span_items(items: Iterable[Item]) -> Iterator[SpanItem]:
    """The items that ask for a piece of the passage."""
    for item in items:
        if isinstance(item, SpanItem):
            yield item


def choice_items(items: Iterable[Item]) -> Iterator[ChoiceItem]:
    """The items that offer options, those inside triples included."""
    for item in items:
        if isinstance(item, ChoiceItem):
            yield item
        elif isinstance(item, Triple):
            yield from item.questions


# --- choices without chance -----------------------------------------------------------------------------------------


def drawn(count: int, *seeds: str) -> int:
    """A number below `count` that hangs on the seeds alone; 0 where there is nothing to draw from."""
    digest = blake2b("\0".join(seeds).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") % count if count > 0 else 0


def happens(share: float, *seeds: str) -> bool:
    """True for about that share of all seeds."""
    return drawn(10_000, "happens", *seeds) < share * 10_000


def random_span(passage: str, *seeds: str) -> str:
    """A piece of the passage of 2 to 15 characters."""
    text = passage.strip()
    start = drawn(max(1, len(text) - 4), "start", *seeds)
    return text[start : start + 2 + drawn(14, "size", *seeds)].strip()


# --- texts ----------------------------------------------------------------------------------------------------------


class Unit(NamedTuple):
    """text[start:end] is a Han character, a number or a word; `key` is how it is compared."""

    start: int
    end: int
    key: str


_HAN = "\u3400-\u9fff"
_UNIT = re.compile(rf"[{_HAN}]|\d+(?:[.,:٫]\d+)*|(?:(?![{_HAN}\d])[\w\u200c\u064b-\u0652'’])+")
_PERSIAN_LETTERS = str.maketrans("يكىة", "یکیه", "\u200c\u0640\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652")
_PERSIAN_ENDING = re.compile("(?<=..)(?:هایی|های|ها|ترین|تر|ای|ی|ش)$")
_ENGLISH_ENDING = re.compile("(?<=...)(?:'s|’s|ing|ed|es|s|ly)$")
_STOP_CHARACTERS = frozenset("的了是在于和与及之其这那有被由为以把将也都而又个一他她它们着过就")
_STOP_LIST = (
    "a an the of in on at to for by with from and or but is are was were be been being it its as that this these "
    "those do does did have has had he she they his her their which who whom what when where why how not than "
    "از به در با برای که و یا این آن را است بود شد شده می هم بر تا یک کرد کرده شود دارد ها های او آنها خود بودند "
    "هستند باشد چه کدام کسی چند چیست کجا چرا چگونه"
)
_STOP_WORDS = frozenset(_STOP_LIST.split())


def language(text: str) -> str:
    """zh, fa or en, by script."""
    return detect(text)


def is_han(key: str) -> bool:
    """Whether a key begins with a Han character."""
    return "\u3400" <= key[:1] <= "\u9fff"


@lru_cache(maxsize=1 << 12)
def sentence_spans(passage: str) -> tuple[tuple[int, int], ...]:
    """The sentences of a passage as spans; the whole text where no sentence is found."""
    return get_language(language(passage)).sentences(passage) or ((0, len(passage)),)


@lru_cache(maxsize=1 << 12)
def sentence_texts(passage: str) -> tuple[str, ...]:
    """The sentences of a passage."""
    return tuple(passage[start:end] for start, end in sentence_spans(passage))


def key_of(word: str) -> str:
    """How a word is compared: lower case, one form of each letter and digit, without the commonest endings."""
    if is_han(word):
        return word
    plain = unicodedata.normalize("NFKC", word).lower().translate(_PERSIAN_LETTERS)
    if plain[:1].isdecimal():
        return "".join(str(unicodedata.decimal(one)) if one.isdecimal() else one for one in plain)
    ending = _ENGLISH_ENDING if plain.isascii() or "’" in plain else _PERSIAN_ENDING
    return ending.sub("", plain) or plain or word


@lru_cache(maxsize=1 << 14)
def units(text: str) -> tuple[Unit, ...]:
    """The characters and words of a text, in order."""
    return tuple(Unit(one.start(), one.end(), key_of(one[0])) for one in _UNIT.finditer(text))


@lru_cache(maxsize=1 << 15)
def grams(text: str, cut: Cut = "pairs") -> tuple[Unit, ...]:
    """What texts are compared by: pairs of neighbouring Han characters (or Chinese words), and other words alone."""
    return tuple(_pairs(text) if cut == "pairs" or language(text) != "zh" else _words(text))


def _pairs(text: str) -> Iterator[Unit]:
    before: Unit | None = None
    for unit in units(text):
        if not is_han(unit.key):
            yield unit
            before = None
            continue
        if before is not None and before.end == unit.start:
            yield Unit(before.start, unit.end, before.key + unit.key)
        before = unit


def _words(text: str) -> Iterator[Unit]:
    for word in zh_words(text):
        if word.tag[:1] not in ("x", "u", "p", "c") and word.text.strip():
            yield Unit(word.start, word.end, word.text.lower())


@lru_cache(maxsize=1 << 15)
def gram_keys(text: str, cut: Cut = "pairs") -> frozenset[str]:
    """The grams of a text, each once."""
    return frozenset(one.key for one in grams(text, cut))


@lru_cache(maxsize=1 << 13)
def gram_counts(text: str, cut: Cut = "pairs") -> Mapping[str, int]:
    """The grams of a text with how often they stand there."""
    return MappingProxyType(Counter(one.key for one in grams(text, cut)))


def letters(text: str) -> frozenset[str]:
    """The grams of a text; its characters where it is too short to have any."""
    return gram_keys(text) or frozenset(text)


def is_stop(gram: str) -> bool:
    """Whether a gram is made of function words alone."""
    return gram in _STOP_WORDS or all(one in _STOP_CHARACTERS for one in gram)


@lru_cache(maxsize=1 << 11)
def passage_weights(passage: str, cut: Cut = "pairs") -> Weights:
    """How telling each gram is, by the number of sentences of the passage that it stands in."""
    return _weights([gram_keys(one, cut) for one in sentence_texts(passage)])


def corpus_weights(items: Iterable[Item]) -> Weights:
    """How telling each gram is, by the number of passages of the data that it stands in; no answer is looked at."""
    passages = {item.passage for item in span_items(items)} | {item.passage for item in choice_items(items)}
    return _weights([gram_keys(passage) for passage in sorted(passages)[:500]])


def _weights(texts: Sequence[frozenset[str]]) -> Weights:
    seen = Counter(gram for keys in texts for gram in keys)
    return MappingProxyType({gram: log((len(texts) + 1) / (count + 0.5)) + 0.1 for gram, count in seen.items()})


def similarity(one: frozenset[str], other: frozenset[str]) -> float:
    """The Dice coefficient of two sets of grams."""
    return 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0


def longest_common(one: str, other: str) -> str:
    """The longest run of characters that two texts share; the first of several."""
    best = ""
    for start in range(len(one)):
        while start + len(best) < len(one) and one[start : start + len(best) + 1] in other:
            best = one[start : start + len(best) + 1]
    return best


def plain(text: str) -> str:
    """A text without signs, spaces and differences of case, so that a memory is not put off by them."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).lower())


def opening(passage: str) -> str:
    """How a passage begins, as far as a memory keeps it."""
    return plain(passage[:40])[:16]


class Nearest:
    """Finds the known text that shares most grams with another."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._keys = [letters(text) for text in texts]
        self._holders: dict[str, list[int]] = defaultdict(list)
        for place, keys in enumerate(self._keys):
            for key in sorted(keys):
                self._holders[key].append(place)

    def find(self, text: str) -> tuple[int, float]:
        """The place of the nearest text, and how like it is; (-1, 0) where none shares anything."""
        own = letters(text)
        rarest = sorted((key for key in own if key in self._holders), key=lambda key: (len(self._holders[key]), key))
        near: set[int] = set()
        for key in rarest:
            near.update(self._holders[key][:300])
            if len(near) > 400:
                break
        found = max(near, key=lambda place: (similarity(own, self._keys[place]), -place), default=-1)
        return found, similarity(own, self._keys[found]) if found >= 0 else 0.0


# --- what a question asks for ---------------------------------------------------------------------------------------


class Asked(NamedTuple):
    """question[start:end] asks for an answer of a kind; `head` is the noun or measure word asked for, if any."""

    kind: Kind
    start: int
    end: int
    head: str


_MEASURES = "个只位名人年月天日岁次种条部座家所支届公里千米斤元吨平方分秒小时倍项张首本集章间辆艘架层级代场期号页字"
_QUESTION_WORDS: Mapping[str, tuple[tuple[Kind, str], ...]] = {
    "zh": (
        ("number", "多少[年天]|多长时间|多久|百分之[几多少]+"),
        (
            "time",
            "什么时[候间]|何时|何年何?月?何?日?|[哪那]一?[年天月日]|[哪那]几年|哪一?个?(?:年代|世纪|朝代|时期|年份|月份?)"
            "|什么(?:朝代|年代|时期|年份|日期|季节)|几月几[日号]|几[月号日点]|星期几",
        ),
        (
            "reason",
            "(?<![称名作成译改命追封立尊])为什么(?!$)|为何|何以|缘何|因何|因为什么|由于什么|(?:什么|哪些|何种)原因|怎么会",
        ),
        ("number", f"第[几多少]+|多少|几(?=[{_MEASURES}])|多[大长高远久重宽深快]"),
        ("person", "谁|[哪那]一?几?[位名]|[哪那][一几些]?个?人|什么人|何人"),
        (
            "place",
            "[哪那][里儿]|何处|何地|什么(?:地方|位置|国家|城市|地区|省份?|州)"
            "|[哪那]一?[个座些]?(?:国家?|城市|地区|地方|省份?|州|市|县|区|镇|村|岛|大?洲)"
            "|(?<=[在于到往自])哪(?=$|[，,的出发举进])",
        ),
        (
            "organisation",
            "(?:哪一?[个家所支间些]?|什么)(?:公司|大学|学校|球队|球会|组织|机构|俱乐部|学院|政党|党|队|乐队|部门|企业|银行"
            "|出版社|电视台|团体)",
        ),
        ("work", "哪一?[部本首张出]|什么(?:专辑|歌曲?|书籍?|小说|电影|作品|电视剧|杂志|报纸|游戏|单曲|节目)"),
        ("manner", "如何|怎么样?|怎样"),
        ("thing", "什么|[哪那]一?[个些种类项条座家]|哪|何|啥"),
    ),
    "fa": (
        ("person", "(?:چه|کدام) (?:کسانی|کسی|کس|شخصی|شخص|افرادی|فردی|فرد)|کیست|کیستند"),
        (
            "time",
            "(?:چه|کدام) (?:سالی|سال|زمانی|زمان|تاریخی|تاریخ|قرنی|قرن|سده|دهه|روزی|روز|ماهی|ماه|وقت)|(?<= )کی(?= )",
        ),
        ("reason", "چرا|(?:به )?چه (?:دلیلی?|علتی?|خاطر)"),
        ("number", "چندمین|چندم|چند|چقدر|چه (?:تعدادی?|مقداری?|میزانی?|مدتی?|اندازه)"),
        ("place", "کجاست|کجای?|(?:چه|کدام) (?:کشوری?|شهری?|استانی?|منطقه|قاره|جایی|ایالتی?)"),
        ("manner", "چگونه|چطور|به چه صورتی?"),
        ("thing", "چیست|کدام|چه"),
    ),
    "en": (
        ("time", "when|(?:what|which) (?:year|date|day|month|century|decade)"),
        ("number", "how (?:many|much|old|long|far|tall|high|large|big|often)|what percentage"),
        ("person", "whose|whom|who"),
        ("place", "where|(?:what|which) (?:country|city|state|place|continent|region|town)"),
        ("organisation", "(?:what|which) (?:company|university|school|team|organi[sz]ation|group|agency)"),
        ("work", "(?:what|which) (?:book|film|movie|album|song|novel|newspaper)"),
        ("reason", "why"),
        ("manner", "how"),
        ("thing", "what|which"),
    ),
}
_PATTERNS = {
    name: tuple((kind, re.compile(rf"\b(?:{said})\b" if name == "en" else said, re.IGNORECASE)) for kind, said in rows)
    for name, rows in _QUESTION_WORDS.items()
}
_TAILS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("time", re.compile("(?:时间|日期|年份)[是为]?$")),
    ("person", re.compile("(?:作者|导演|主演|创始人|父亲|母亲|妻子|丈夫)[是为]?$")),
    ("place", re.compile("(?:位于|坐落于|地点是?|首都是?)$")),
    ("reason", re.compile("原因[是为]?$")),
    ("number", re.compile("(?:数量|面积|人口|长度|高度)[是为有]?$")),
)
_END_SIGNS = re.compile(r"[\s？?。．.！!，,：:；;؟呢呀啊]*$")


@lru_cache(maxsize=1 << 12)
def asked(question: str) -> Asked:
    """What a question asks for, and by which of its words; its end where it has no question word."""
    text = _END_SIGNS.sub("", question)
    name = language(question)
    for kind, pattern in _PATTERNS[name]:
        found = pattern.search(text)
        if found is not None:
            return Asked(kind, found.start(), found.end(), _head(text, found.end(), kind) if name == "zh" else "")
    for kind, tail in _TAILS:
        if tail.search(text):
            return Asked(kind, len(text), len(text), "")
    return Asked("thing", len(text), len(text), "")


def _head(text: str, at: int, kind: Kind) -> str:
    """The nouns right behind a question word, or the measure word behind a number's."""
    head = ""
    for word in zh_words(text[at : at + 8]):
        if kind == "number":
            return word.text[:2]
        if not word.tag.startswith(("n", "vn", "l", "b")):
            break
        head += word.text
    return head


# --- pieces of a sentence that may answer ---------------------------------------------------------------------------

_ZH_KINDS: Mapping[Kind, tuple[str, ...]] = {
    "person": ("person",),
    "place": ("place",),
    "organisation": ("organisation", "name"),
    "work": ("work", "name", "latin"),
}
_FA_KINDS: Mapping[Kind, tuple[str, ...]] = {
    "person": ("person", "given", "surname", "fa_given", "fa_surname", "lone_fa", "lone_en"),
    "place": ("country", "city", "irancity", "province", "state", "continent", "region", "island", "river", "village"),
    "organisation": ("company", "organisation", "university", "team", "bank", "agency"),
    "work": ("film", "book", "album", "newspaper"),
}
_DIGIT = "[\\d۰-۹٠-٩]"
_TIMES = {
    "zh": re.compile(
        r"(?:公元前?)?(?:\d{1,4}年(?:代|\d{1,2}月(?:\d{1,2}[日号])?)?|\d{1,2}月(?:\d{1,2}[日号])?|[\d一二十]{1,3}世纪)"
    ),
    "fa": re.compile(
        rf"(?:{_DIGIT}{{1,2}} )?(?:\w+ )?(?:سال )?{_DIGIT}{{3,4}}(?: (?:میلادی|خورشیدی|شمسی|قمری|پیش از میلاد))?"
        "|(?:قرن|سده|دهه) \\S+"
    ),
    "en": re.compile(
        r"(?:\d{1,2} )?(?:January|February|March|April|May|June|July|August|September|October|November|December)"
        r"(?: \d{1,2})?(?:,? \d{4})?|(?:the )?\d{4}s?|\d{1,2}(?:th|st|nd|rd) century"
    ),
}
_NUMBERS = {
    "zh": re.compile(r"\d[\d,.]*[%％]?[十百千万亿]*(?:余|多)?(?:平方)?(?:公里|千米|公尺|公斤|小时|分钟|[^\W\d])?"),
    "fa": re.compile(rf"{_DIGIT}+(?:[.,٫٬/]{_DIGIT}+)*(?: (?:هزار|میلیون|میلیارد))?(?: [\w\u200c]+)?"),
    "en": re.compile(r"[$£€]?\d+(?:[.,]\d+)*%?(?: (?:hundred|thousand|million|billion|percent))?"),
}
_NAME = re.compile(r"[A-Z][\w.'’-]*(?: (?:of |the |de |and )?[A-Z][\w.'’-]*)*")
_JOINED = re.compile("[、和与及跟以]{1,2}|, |,? and | و |، ")


@lru_cache(maxsize=1 << 13)
def typed(sentence: str, kind: Kind, *, finders: bool = True) -> tuple[tuple[int, int], ...]:
    """The pieces of a sentence that are of a kind, in order; none for reasons, manners and things.

    Without `finders` only times and numbers are found, by their figures.
    """
    name = language(sentence)
    if name == "zh" and finders:
        return tuple(_typed_zh(sentence, kind))
    if kind in ("time", "number"):
        pattern = (_TIMES if kind == "time" else _NUMBERS)[name]
        return tuple(one.span() for one in pattern.finditer(sentence))
    if kind not in _FA_KINDS or name == "zh":
        return ()
    if name == "fa":
        known = fa_entities.entities(sentence) if finders else ()
        return tuple((one.start, one.end) for one in known if one.kind in _FA_KINDS[kind])
    return tuple(one.span() for one in _NAME.finditer(sentence) if one[0].lower() not in _STOP_WORDS)


def _typed_zh(sentence: str, kind: Kind) -> Iterator[tuple[int, int]]:
    if kind == "time":
        yield from ((one.start, one.end) for one in times(sentence))
    elif kind == "number":
        barred = [(one.start, one.end) for one in times(sentence)]
        for one in numbers(sentence):
            if not one.article and not any(start <= one.start < end for start, end in barred):
                yield one.start, max(one.end, one.measured)
    elif kind in _ZH_KINDS:
        found = zh_entities.entities(sentence)
        yield from ((one.start, one.end) for one in found if one.kind in _ZH_KINDS[kind])


def any_entities(text: str) -> list[str]:
    """Every name, number and time of a text that the finder of its language knows, in order."""
    name = language(text)
    if name == "zh":
        return [one.text for one in zh_entities.entities(text)]
    return [one.text for one in (fa_entities if name == "fa" else en_entities).entities(text)]


def typed_texts(passage: str, kind: Kind) -> list[str]:
    """The pieces of a whole passage that are of a kind; any names where the kind has none of its own."""
    pieces = [text[start:end] for text in sentence_texts(passage) for start, end in typed(text, kind)]
    if pieces or kind in ("time", "number"):
        return pieces
    return [one for text in sentence_texts(passage) for one in any_entities(text)]


def coordinated(sentence: str, pieces: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Pieces, those that are joined by "and" or stand side by side as one."""
    start = end = -1
    for piece in pieces:
        if start >= 0 and (piece[0] == end or _JOINED.fullmatch(sentence, end, piece[0])):
            end = piece[1]
            continue
        if start >= 0:
            yield start, end
        start, end = piece
    if start >= 0:
        yield start, end


_CLAUSE = re.compile("[^，,；;：:。！？!?()（）\n،؛؟]+")
_FRONT = re.compile("^[\\s的了是在于为和与及、以被由也都而又则就曾并共其有]+")
_BACK = re.compile("[\\s的了是在于为和与及、以被由也都而又则就并“「『《(（]+$")


@lru_cache(maxsize=1 << 13)
def clauses(sentence: str) -> tuple[tuple[int, int], ...]:
    """The pieces between the signs of a sentence."""
    return tuple(one.span() for one in _CLAUSE.finditer(sentence) if one[0].strip())


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A piece without the function words and spaces at its edges."""
    front = _FRONT.match(text[start:end])
    start += front.end() if front else 0
    back = _BACK.search(text[start:end])
    return start, start + back.start() if back else end


def gaps(sentence: str, covered: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The runs of a sentence's clauses that the question does not say."""
    for first, last in clauses(sentence):
        at = first
        while at < last:
            end = at
            while end < last and not covered[end]:
                end += 1
            start, stop = trimmed(sentence, at, end)
            if stop > start:
                yield start, stop
            at = max(end, at + 1)


# --- a lexical reader of spans --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a lexical reader reads.

    `weighing`: grams weigh by their rarity in the passage, in all passages, alike, or as in BM25. `looks` is how many
    of the best sentences are searched, `context` what the neighbours of a sentence add to it; `stops` leaves function
    words out, `finders` looks for names. `place`, `near` and `frame` weigh the sentence's match, the nearness of the
    question's words, and how far the words beside the question word stand beside the answer. `least` is the share of
    the question that a sentence must say, below which the answer is "".
    """

    weighing: Literal["passage", "corpus", "flat", "bm25"] = "passage"
    cut: Cut = "pairs"
    looks: int = 2
    context: float = 0.0
    stops: bool = False
    finders: bool = True
    place: float = 1.0
    near: float = 1.0
    frame: float = 1.0
    least: float = 0.0


class Found(NamedTuple):
    """passage[start:end] may answer, and stands in the sentence passage[sentence[0]:sentence[1]]."""

    start: int
    end: int
    score: float
    sentence: tuple[int, int]


def lexical_reader(manner: Manner, corpus: Weights | None = None) -> SpanReader:
    """A reader that answers as `manner` says; `corpus` holds the weights of `weighing="corpus"`."""

    def reader(passage: str, question: str) -> str:
        found = best_span(passage, question, manner, corpus)
        return passage[found.start : found.end] if found else ""

    return reader


def asking_grams(question: str, cut: Cut = "pairs", *, stops: bool = False) -> frozenset[str]:
    """The grams of a question without the words that ask."""
    what = asked(question)
    keys = gram_keys(question[: what.start], cut) | gram_keys(question[what.end :], cut)
    return frozenset(one for one in keys if not is_stop(one)) if stops else keys


def weights_for(passage: str, manner: Manner, corpus: Weights | None) -> Weights:
    """The weights of a passage's grams that a manner reads by."""
    own = passage_weights(passage, manner.cut)
    if manner.weighing == "corpus" and corpus:
        unseen = max(corpus.values())
        return {gram: corpus.get(gram, unseen) for gram in own}
    return dict.fromkeys(own, 1.0) if manner.weighing == "flat" else own


def sentence_scores(passage: str, wanted: frozenset[str], manner: Manner, weights: Weights) -> list[float]:
    """How much each sentence says of what is wanted, as a share of what the whole passage could say."""
    texts = sentence_texts(passage)
    if manner.weighing == "bm25":
        sizes = [len(grams(text, manner.cut)) for text in texts]
        mean = sum(sizes) / len(sizes) or 1.0
        counts = [gram_counts(text, manner.cut) for text in texts]
        scores = [_bm25(count, size / mean, wanted, weights) for count, size in zip(counts, sizes, strict=True)]
    else:
        scores = [fsum(weights.get(one, 0.0) for one in wanted & gram_keys(text, manner.cut)) for text in texts]
    if manner.context:
        sides = [0.0, *scores, 0.0]
        scores = [own + manner.context * (sides[at] + sides[at + 2]) for at, own in enumerate(scores)]
    whole = fsum(weights.get(one, 0.0) for one in wanted) or 1.0
    return [score / whole for score in scores]


def _bm25(counts: Mapping[str, int], size: float, wanted: frozenset[str], weights: Weights) -> float:
    return fsum(
        weights.get(one, 0.0) * counts[one] * 2.2 / (counts[one] + 1.2 * (0.5 + 0.5 * size))
        for one in wanted
        if one in counts
    )


def best_span(passage: str, question: str, manner: Manner, corpus: Weights | None = None) -> Found | None:
    """The piece that answers best; None without passage or question, or where the passage says too little of it."""
    if not passage.strip() or not question.strip():
        return None
    weights = weights_for(passage, manner, corpus)
    wanted = asking_grams(question, manner.cut, stops=manner.stops)
    scores = sentence_scores(passage, wanted, manner, weights)
    if max(scores) < manner.least or _said(question, passage) < manner.least:
        return None
    order = sorted(range(len(scores)), key=lambda at: (-scores[at], at))[: manner.looks]
    spans = sentence_spans(passage)
    found = [
        one._replace(score=one.score + manner.place * scores[at])
        for at in order
        for one in _in_sentence(passage, spans[at], question, wanted, weights, manner)
    ]
    if not found:
        start, end = spans[order[0]]
        return Found(start, end, 0.0, (start, end))
    return max(found, key=lambda one: (one.score, -one.start))


def _said(question: str, passage: str) -> float:
    """The share of a question's grams that the passage has at all."""
    wanted = asking_grams(question)
    own = passage_weights(passage)
    return sum(one in own for one in wanted) / len(wanted) if wanted else 0.0


def _in_sentence(
    passage: str, span: tuple[int, int], question: str, wanted: frozenset[str], weights: Weights, manner: Manner
) -> Iterator[Found]:
    """The pieces of one sentence that may answer, scored by what stands around them."""
    sentence = passage[span[0] : span[1]]
    what = asked(question)
    marks = [one for one in grams(sentence, manner.cut) if one.key in wanted]
    covered = bytearray(len(sentence))
    for mark in marks:
        covered[mark.start : mark.end] = b"\x01" * (mark.end - mark.start)
    whole = fsum(weights.get(mark.key, 0.0) for mark in marks) or 1.0
    for start, end, fit in _candidates(sentence, covered, what, question, manner):
        near = fsum(weights.get(mark.key, 0.0) * exp(-_apart(start, end, mark) / 10) for mark in marks) / whole
        frame = _framed(sentence, start, end, question, what)
        yield Found(span[0] + start, span[0] + end, manner.near * near + manner.frame * frame + fit, span)


def _apart(start: int, end: int, mark: Unit) -> int:
    return max(0, mark.start - end, start - mark.end)


def _candidates(
    sentence: str, covered: bytearray, what: Asked, question: str, manner: Manner
) -> Iterator[tuple[int, int, float]]:
    """Pieces that may answer, each with how well it is of the kind asked for."""
    pieces = typed(sentence, what.kind, finders=manner.finders)
    pieces = tuple(one for one in pieces if sentence[one[0] : one[1]] not in question)
    for start, end in coordinated(sentence, pieces):
        right = bool(what.head) and what.head in sentence[start : end + len(what.head)]
        yield start, end, 1.0 + 0.5 * right
    if what.kind == "reason":
        for found in _BECAUSE.finditer(sentence):
            yield found.start(), found.end(1), 1.0
    if pieces and what.kind in ("time", "number"):
        return
    for start, end in gaps(sentence, covered):
        size = len(units(sentence[start:end]))
        right = bool(what.head) and what.head[-1] == sentence[end - 1]
        yield start, end, (0.3 if size > 1 else 0.0) + 0.5 * right


_BECAUSE = re.compile("(?:因为|由于|因|鉴于|since|because|زیرا|چون|به دلیل)\\s*([^，,。；;\n]+)")


def _framed(sentence: str, start: int, end: int, question: str, what: Asked) -> float:
    """How far the words beside the question word stand beside the piece, from 0 to 2."""
    before, after = question[: what.start].rstrip(), question[what.end :].strip(" ？?。؟")
    left = _side(sentence[max(0, start - 12) : start].rstrip()[::-1], before[::-1])
    return left + _side(sentence[end : end + 12].lstrip(), after)


def _side(beside: str, wanted: str) -> float:
    """How many of the wanted characters stand right beside a piece (four are enough), or at least near it."""
    size = 0
    while size < min(4, len(beside), len(wanted)) and beside[size] == wanted[size]:
        size += 1
    if size:
        return size / 4
    return 0.3 if len(wanted) > 1 and wanted[:2] in beside else 0.0


# --- lexical readers of options -------------------------------------------------------------------------------------

_NEGATIONS = re.compile(
    "[不没無无未非莫勿]|\\b(?:not|no|never|none|neither|without)\\b|n't\\b|\\b(?:هیچ|نه|نیست|نبود)\\b"
)
_FIGURES = re.compile("\\d+(?:[.,]\\d+)*|[一二三四五六七八九十百千万亿两]{2,}")
_ASKS_WRONG = re.compile(r"\bnot true\b|\bNOT\b|\bincorrect\b|\bfalse\b|\bEXCEPT\b|\bexcept\b|نادرست|غلط|صحیح نیست")


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighing:
    """How a lexical reader weighs an option by the sentences that support it.

    `size` sentences are read together. A longer option needs more support, the less so the smaller `length` is;
    `question` says how much a sentence gains by speaking of the question too, and `figures` and `negation` what an
    option loses by a number or a negation that its sentences do not have.
    """

    size: int = 1
    cut: Cut = "pairs"
    length: float = 0.7
    question: float = 2.0
    figures: float = 0.15
    negation: float = 0.1


def asks_wrong(stem: str) -> bool:
    """Whether a stem asks for the option that is wrong."""
    return polarity(stem) is False or bool(_ASKS_WRONG.search(stem))


def chosen(scores: Sequence[float], *, least: bool = False) -> int:
    """The place of the highest score, or of the lowest; the first of several."""
    if not scores:
        return 0
    return scores.index(min(scores) if least else max(scores))


def decided(scores: Sequence[float], question: str, options: Sequence[str], *, least: bool = False) -> int:
    """The place of the best score; among equals a draw by the options' texts decides, so that their order does not."""
    if not scores:
        return 0
    best = min(scores) if least else max(scores)
    equals = [at for at, score in enumerate(scores) if abs(score - best) < 1e-9]
    return min(equals, key=lambda at: (drawn(1 << 30, question, options[at]), at))


def support_reader(manner: Weighing) -> OptionReader:
    """A reader that takes the option best supported by the passage, or the least where the stem asks for the wrong."""

    def reader(passage: str, question: str, options: Sequence[str]) -> int:
        scores = supports(passage, question, options, manner)
        return decided(scores, question, options, least=asks_wrong(question))

    return reader


def supports(passage: str, question: str, options: Sequence[str], manner: Weighing) -> list[float]:
    """How well the best sentences of a passage support each option."""
    texts = sentence_texts(passage)
    weights = passage_weights(passage, manner.cut)
    unseen = log(len(texts) + 1) + 0.8
    wanted = asking_grams(question, manner.cut)
    whole = fsum(weights.get(one, 0.0) for one in wanted) or 1.0
    judged = polarity(question) is not None
    scores = [float("-inf")] * len(options)
    keys = [gram_keys(option, manner.cut) or letters(option) for option in options]
    sizes = [fsum(weights.get(one, unseen) for one in own) ** manner.length or 1.0 for own in keys]
    for at in range(max(1, len(texts) - manner.size + 1)):
        window = "".join(texts[at : at + manner.size])
        said = frozenset[str]().union(*(gram_keys(text, manner.cut) for text in texts[at : at + manner.size]))
        speaks = 0.25 + manner.question * fsum(weights.get(one, 0.0) for one in wanted & said) / whole
        denied = bool(_NEGATIONS.search(window))
        for place, option in enumerate(options):
            score = fsum(weights.get(one, 0.0) for one in keys[place] & said) / sizes[place] * speaks
            score -= manner.figures * sum(figure not in window for figure in _FIGURES.findall(option))
            score -= manner.negation * (judged and denied != bool(_NEGATIONS.search(option)))
            scores[place] = max(scores[place], score)
    return scores


def distance_reader(reach: int, length: float) -> OptionReader:
    """A reader that takes the option whose words stand nearest to the question's words in the passage."""

    def reader(passage: str, question: str, options: Sequence[str]) -> int:
        scores = nearnesses(passage, question, options, reach, length)
        return decided(scores, question, options, least=asks_wrong(question))

    return reader


def nearnesses(passage: str, question: str, options: Sequence[str], reach: int, length: float) -> list[float]:
    """How near to the question's words each option's words stand; `reach` is the distance that still counts much."""
    weights = passage_weights(passage)
    unseen = log(len(sentence_texts(passage)) + 1) + 0.8
    wanted = asking_grams(question)
    found = [one for text in _with_places(passage) for one in text]
    field = _field([(one.start, weights.get(one.key, 0.0)) for one in found if one.key in wanted], len(passage), reach)
    strongest = max(field) or 1.0
    scores = []
    for option in options:
        own = letters(option)
        best: dict[str, float] = {}
        for one in found:
            if one.key in own:
                gain = weights.get(one.key, 0.0) * (0.1 + field[one.start] / strongest)
                best[one.key] = max(best.get(one.key, 0.0), gain)
        whole = fsum(weights.get(one, unseen) for one in own) or 1.0
        scores.append(fsum(best.values()) / whole**length)
    return scores


def _with_places(passage: str) -> Iterator[list[Unit]]:
    """The grams of each sentence, with their places in the passage."""
    for (start, _end), text in zip(sentence_spans(passage), sentence_texts(passage), strict=True):
        yield [Unit(one.start + start, one.end + start, one.key) for one in grams(text)]


def _field(marks: Sequence[tuple[int, float]], size: int, reach: int) -> list[float]:
    """How strongly each place of a text feels the weighted marks; a mark's pull dies away with distance."""
    field = [0.0] * (size + 1)
    for at, weight in marks:
        field[at] += weight
    fading = exp(-1 / reach)
    forward, total = [], 0.0
    for own in field:
        total = total * fading + own
        forward.append(total)
    total = 0.0
    for at in range(size, -1, -1):
        total = total * fading
        forward[at] += total
        total += field[at]
    return forward


def matching_reader(manner: Manner, weighing: Weighing) -> OptionReader:
    """A reader that first finds an answer as spans are found, and takes the option most like it.

    Where the stem judges statements, or no option resembles the answer, options are weighed by their support.
    """

    def reader(passage: str, question: str, options: Sequence[str]) -> int:
        found = best_span(passage, question, manner) if polarity(question) is None else None
        said = letters(passage[found.start : found.end]) if found else frozenset[str]()
        alike = [similarity(said, letters(option)) for option in options]
        if alike and max(alike) > 0.3 and not asks_wrong(question):
            return decided(alike, question, options)
        scores = supports(passage, question, options, weighing)
        return decided(scores, question, options, least=asks_wrong(question))

    return reader
