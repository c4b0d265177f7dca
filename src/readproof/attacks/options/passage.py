"""What the passage says where an option speaks of it: the evidence, and statements that can stand as options.

A statement of the passage that makes sense by itself is true by definition. So a false option is set right by the
statement nearest to it, a true one is said in the passage's own words, and a statement beside an option changes
nothing about the option's truth.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from readproof.lang.api import Word
from readproof.lang.zh.words import words

_SENTENCE = re.compile("[^。！？；!?;\n]+[。！？；!?;]?[”’」]?")
_STOPS = "。！？；!?;.，, \u3000"

SHORTEST, LONGEST = 10, 70
# of the letters of a statement so many are the passage's own words and no quotation
_FEWEST_OF_ITS_OWN = 8


@dataclass(frozen=True, slots=True)
class EvidenceSentence:
    """A sentence of the passage with those beside it, and the share of the option's letter pairs that stand there."""

    sentence: str
    around: str
    share: float


@dataclass(frozen=True, slots=True)
class PassageStatement:
    """A run of clauses of the passage that can stand by itself, and the sentence that it is from."""

    text: str
    sentence: int
    pairs: Mapping[str, int]


@lru_cache(maxsize=256)
def sentences(passage: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """The sentences of a passage, each with its pairs of letters."""
    return tuple(
        (found[0].strip(), frozenset(pairs(found[0]))) for found in _SENTENCE.finditer(passage) if found[0].strip()
    )


@lru_cache(maxsize=1 << 12)
def evidence(option: str, passage: str) -> EvidenceSentence:
    """The sentence that shares most with the option."""
    wanted = frozenset(pairs(option))
    known = sentences(passage)
    if not wanted or not known:
        return EvidenceSentence("", "", 0.0)
    shares = [len(wanted & found) / len(wanted) for _, found in known]
    best = max(range(len(known)), key=lambda at: (shares[at], -at))
    around = "".join(sentence for sentence, _ in known[max(0, best - 1) : best + 2])
    return EvidenceSentence(known[best][0], around, shares[best])


def pairs(text: str) -> Counter[str]:
    """The pairs of neighbouring letters in a text."""
    letters = "".join(sign for sign in text if sign.isalnum())
    return Counter(letters[at : at + 2] for at in range(len(letters) - 1))


def likeness(one: Mapping[str, int], other: Mapping[str, int]) -> float:
    """How much two texts share, from 0 to 1: the F1 of their letter pairs."""
    common = sum(min(count, other[pair]) for pair, count in one.items() if pair in other)
    total = sum(one.values()) + sum(other.values())
    return 2 * common / total if total else 0.0


# Statements that stand by themselves

# at the start of a sentence, what links it with the one before
_LINK = re.compile(
    "^(?:因为(?=，)|但是|但|然而|不过|而且|并且|况且|所以|因此|因而|于是|同时|此外|另外|其实|事实上|实际上|当然|首先|其次|再次|最后|总之|可见|例如|比如"
    "|比如说|譬如|换言之|换句话说|也就是说|一方面|另一方面|诚然|显然|无疑|毫无疑问|应该说|可以说|一般来说|一般说来|一般而言|总的来说|总体而言"
    "|具体来说|具体说来|具体而言|简单地说|简言之|值得注意的是|需要指出的是|众所周知|正因如此|正因为如此|由此可见|与此同时|不仅如此|更重要的是"
    "|更为重要的是|在我看来|的确|确实|结果是?|第[一二三四五]|其[一二三四]|[^，]{2,10}的是(?=，))(?:，|：)?"
)
# words that speak to somebody, and marks of a list, a quotation, a question or a misprint
_NOT_PLAIN = re.compile(
    '我|你|您|咱|俺|如上|上述|前述|上文|下文|前文|后文|如图|图[0-9一二三]|[：:…—①-⑳⑴-⒇‘’"「」『』\\[\\]【】〔〕＊*�]|[？?！!]|什么|怎么|怎样|为何|何以|何等'
    "|哪[里些个]|到底|究竟|难道|岂|[吗呢吧啊呀哩]|等等|云云|之类|[\u4e00-\u9fff][ A-Za-z][\u4e00-\u9fff]"
)
# days that only the passage's own day makes plain
_LATELY = re.compile("今[春夏秋冬]|前不久|日前|近日|昨天|昨日|明天")
# words that point back: what they point to must stand before them in the text
_POINTS = re.compile(
    "这|那(?!么)|当时|此(?!外)|该(?![死应当])|其(?![他余次中间实])|以上|以下|前者|后者|[它他她]们?|彼|之(?=[，。]|$)|同样|后来|相反|类似"
)
_BRACKETS = re.compile("（[^（）]*）|\\([^()]*\\)")
_QUOTATION = re.compile("“[^“”]{1,12}”")
# a clause that begins so hangs on another one
_HANGS = re.compile(
    "说明|表明|显示|意味着|体现|反映|标志着|证明|认为|指出|"
    "[而也还又却则便就都并且或及与和以使令让把被将才再更仍亦即乃均皆竟且]|使得|因(?!为|此)|在于"
    "|从而|进而|以及|以致|以便|以免|甚至|尤其|特别是|包括|例如|比如|如(?!今|同|此|果)|譬如|正如|正像|就像|像|好像|犹如|如同|实在|完全|根本|大体|真正|往往|常常|通常|经常|必然|必定|已经|曾经|不断|逐渐|正是|是|有"
)
# a condition: what follows it is said only under it
_CONDITION = re.compile(
    "如果|假如|倘若|若是|若(?!干)|假若|要是|一旦|只有|只要|除非|无论|不论|不管|即使|即便|哪怕|当[^，]{2,30}时|设若|否则"
)
# what opens a pair, and what must close it
_OPENERS = (
    ("不仅|不但|不单|不只|不光", "而且|还|也|更|并且|甚至|反而|同时"),
    ("虽然|尽管|固然|虽(?!说)", "但|却|然而|可是|不过|仍|也"),
    ("之所以|所以[^，]{2,20}，是", "因为|由于|在于|原因|为了"),
    ("只有|唯有", "才"),
    ("只要", "就|便|即|都"),
    ("如果|假如|倘若|若是|假若|要是|一旦", "就|则|那么|便|会|(?<!再)将(?=会|使|要|是|有)|可能|必|才"),
    ("无论|不论|不管", "都|也|总|均|皆"),
    ("即使|即便|哪怕", "也|还|仍"),
    ("既(?![成定得然有往])", "又|也|还|且|亦"),
    ("与其", "不如|宁"),
    ("要想|想要|若想|若要|若(?![干])", "，[^，]"),
    ("不是(?![^，]{0,30}而是)", "而是|，是|就是|[^，]$|$"),
    ("因为|由于|既然|因(?=[^此而素为果])", "，"),
    ("一方面", "另一方面|一方面"),
    ("(?<![\u4e00-\u9fff])一[为是则](?=[^，]{2,})", "，[二一另](?:为|是|则|方面)"),
    ("(?<![\u4e00-\u9fff])或(?=以|是|为|在|从|由|因)", "，或"),
    ("有的", "有的.*有的|也有"),
    ("随着|通过|经过|为了|对于|关于|根据|按照", "，"),
)
_OPENS = re.compile(
    "(?:因为|由于|如果|假如|倘若|虽然|尽管|即使|即便|只有|只要|唯有|为了|无论|不论|不管|不仅|不但|既然|既|除了)$"
)
_BECAUSE = re.compile("因为|由于|虽然|尽管|为了")
_PAIRS = tuple((re.compile(opener), re.compile(closer)) for opener, closer in _OPENERS)
_UNFINISHED = re.compile(
    "(?:[的和与及或在于对把被将从向为以是有而但并且即如像由给使让令等比]|以及|包括|例如|比如|关于|对于|作为|成为|认为|指出|之所以|因为|由于|来说"
    "|而言|看来|时候|之时|[后前时间](?<![最先落以之目眼事当及准同随民空时][后前时间]))$"
    "|(?:在|当|随着|自从|直到)[^，]{2,30}(?:中|下|上|里|时|后|前|间|之际|以来)$|(?:^|，)(?:此时|这时)?如(?!今|同|此)[^，]*$"
)
# 修编之后: when, and nothing that happens then
_WHEN_ONLY = re.compile(
    "(?:^|，)(?:(?![在于至]|是).){1,12}之[前后]$|对[^，是有]{1,14}的[^，的了着]{2,4}$|的[^，的]{2,3}[并和及][^，的]{2,3}$"
)
# a thing named, and nothing said of it
_NAMED_ONLY = re.compile(
    "(?:^|，)(?:(?!是|在于|成为|构成|体现|说明|揭示|反映|有|为)[^，])*的(?:原因|缘故|理由|感受|样子|问题)$"
)
# in the first clause, an adverb that hangs on a clause before it
_HANGING = re.compile(
    "(?<=[\u4e00-\u9fff])(?:就|便|才|却|则|反而|仍然|依然|也(?!许)|还(?![原是有])|又|更)(?=[\u4e00-\u9fff])"
)
_PREPOSITIONS = re.compile(
    "(?:在|从|对|与|和|随着|通过|经过|自|到|就|由|为|以|用|把|将|按|按照|根据|除|除了|关于|对于|当|因|经)$"
)
_SOME = re.compile("(?:每|各|所有|一切|许多|大多|有的|任何|另|一些|多数|人们|大家|自|每个|各种|各个)$")
_ADVERBS = re.compile("(?:很|十分|非常|更|更加|最|极|极其|较|比较|相当|特别|尤其|颇|日益|越来越|不|并不|已经|愈加|愈)$")
# little words that join a sentence with the one before it
_LOOSE = re.compile("(?<=[\u4e00-\u9fff][\u4e00-\u9fff”》])(?:固然|诚然|则(?=[是为在有会能])|却(?=[是为在有会能没不]))")


@lru_cache(maxsize=256)
def statements(passage: str) -> tuple[PassageStatement, ...]:
    """The statements of a passage that can stand by themselves, each run of clauses once."""
    found: dict[str, PassageStatement] = {}
    for number, (sentence, _) in enumerate(sentences(passage)):
        for text in _runs(sentence):
            found.setdefault(text, PassageStatement(text, number, pairs(text)))
    return tuple(found.values())


def standing(text: str) -> tuple[str, ...]:
    """The runs of clauses of a text that can stand by themselves."""
    return tuple(dict.fromkeys(run for sentence, _ in sentences(text) for run in _runs(sentence)))


def _runs(sentence: str) -> Iterator[str]:
    """Runs of up to five clauses that need nothing of what stands before or behind them."""
    if re.search("[？?！!]", sentence[-2:]):
        return
    sentence = _BRACKETS.sub("", _LINK.sub("", sentence.strip()).strip(_STOPS + "”’」"))
    clauses = _clauses(sentence)
    for first, opening in enumerate(clauses):
        if _NOT_PLAIN.search(opening.text) or _LATELY.search(opening.text):
            continue
        if (
            not opening.opens
            or (first and _BECAUSE.match(opening.text))
            or (first and _CONDITION.search("，".join(one.text for one in clauses[:first])))
        ):
            continue
        for last in range(first, min(len(clauses), first + 5)):
            if _NOT_PLAIN.search(clauses[last].text):
                break
            run = clauses[first : last + 1]
            if clauses[last].points and not any(one.says for one in run[:-1]):
                break
            text = "，".join(one.text for one in run)
            if len(text) > LONGEST:
                break
            following = clauses[last + 1].text if last + 1 < len(clauses) else ""
            if len(text) >= SHORTEST and clauses[last].says and _ends(text, following):
                yield _LOOSE.sub("", text)


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause: whether a statement can open with it, whether it says something, whether it points outside itself."""

    text: str
    opens: bool
    says: bool
    points: bool


def _clauses(sentence: str) -> list[_Clause]:
    """The clauses of a sentence, whose words are told in the sentence as a whole."""
    found, parts = [], words(sentence)
    start = 0
    for at in range(len(parts) + 1):
        if at < len(parts) and parts[at].text not in ("，", ","):
            continue
        own = parts[start:at]
        if own:
            text = sentence[own[0].start : own[-1].end].strip()
            points = bool(_POINTS.search(text))
            opens = not (points or _HANGS.match(text) or _HANGING.search(text)) and _has_subject(parts[start:])
            says = any(_is_predicate(own, number) for number in range(1 if opens else 0, len(own)))
            found.append(_Clause(text, opens, says, points))
        start = at + 1
    return found


def _ends(text: str, following: str) -> bool:
    """Whether a run of clauses is whole at its end, `following` being the clause that it leaves off."""
    if _UNFINISHED.search(text) or re.search("[“”]", _QUOTATION.sub("", text)) or text.count("《") != text.count("》"):
        return False
    if re.match("[才就则便却也都]|而(?!且)|但|否则|从而|以", following) and _CONDITION.search(text):
        return False
    bare = re.sub("“[^“”]*”", "“”", text)
    if len(bare) < _FEWEST_OF_ITS_OWN or text[-1].isdigit():
        return False
    return _is_closed(bare) and not _NAMED_ONLY.search(text) and not _WHEN_ONLY.search(text)


def _is_closed(text: str) -> bool:
    """Whether what opens a pair (不仅, 虽然, 之所以) is followed by what closes it."""
    for opener, closer in _PAIRS:
        match = opener.search(text)
        if match is not None and not closer.search(text, match.end()):
            return False
    return True


def _has_subject(parts: Sequence[Word]) -> bool:
    """Whether a text begins with what can be its subject, or with a phrase and then its subject."""
    first, second = parts[0], parts[1] if len(parts) > 1 else None
    if first.tag[0] == "p" or _PREPOSITIONS.match(first.text):
        comma = next((at for at, part in enumerate(parts) if part.text == "，"), len(parts))
        after = parts[comma + 1] if comma + 1 < len(parts) else None
        return after is not None and comma > 1 and (after.tag[0] in "nj" or after.text in ("是", "成为", "构成"))
    if first.tag[0] in "nmsjltfeb" or first.tag in ("vn", "an", "nz", "i", "z") or first.text[0] in "《“":
        return True
    if first.tag[0] == "a":
        return second is not None and second.tag[0] in "nu" and second.text != "地"
    if first.tag[0] == "v":  # a verb phrase as the subject: 研究历史是…
        if second is None or second.text in ("了", "着", "过", "，"):
            return False
        clause = [part.text for part in parts[1:14]]
        clause = clause[: clause.index("，")] if "，" in clause else clause
        return any(
            word in ("是", "在于", "可以", "能", "能够", "会", "需要", "有利于", "有助于") for word in clause[1:]
        )
    return bool(_SOME.match(first.text) or _OPENS.match(first.text))


def _is_predicate(parts: Sequence[Word], at: int) -> bool:
    """Whether a word is a verb or an adjective that says something, and not one before 的."""
    word, following = parts[at], parts[at + 1].text if at + 1 < len(parts) else ""
    if following in ("的", "之"):
        return False
    if following and parts[at + 1].tag[0] == "v" and at + 2 < len(parts) and parts[at + 2].text == "的":
        return False  # 公信力下降导致的信任危机: both verbs belong to the noun
    if at > 1 and parts[at - 1].text in "和与及、" and word.tag[0] == "v":
        return False  # 传播和发扬
    if at and (
        parts[at - 1].text == "的"
        or (parts[at - 1].text in "并和与及、" and word.tag[0] == "v" and at + 1 == len(parts))
    ):
        return False  # 战略的提出并实施
    if word.text in ("是", "有", "为", "在于", "即", "没有", "属于", "如同"):
        return True
    if word.tag in ("v", "vd", "vi", "vg", "zg") and len(word.text) > 1:
        return True
    return word.tag[0] == "a" and bool(_ADVERBS.match(parts[at - 1].text))


def nearest(option: str, passage: str, *, least: float = 0.25, most: int = 6) -> list[PassageStatement]:
    """The statements of a passage that are most like an option, the most alike first; none that says just the same."""
    wanted = pairs(option)
    bare = option.strip(_STOPS)
    ranked = [(likeness(wanted, one.pairs), one) for one in statements(passage)]
    known = [
        (share, one)
        for share, one in ranked
        if share >= least and bare not in one.text and (one.text not in bare or len(one.text) <= len(bare) - 6)
    ]
    return [one for _, one in sorted(known, key=lambda entry: (-entry[0], entry[1].text))[:most]]


def beside(option: str, passage: str, *, longest: int = 34) -> list[PassageStatement]:
    """Short statements on the same matter that say something else: from the sentences around the option's evidence."""
    wanted = pairs(option)
    known = [(likeness(wanted, one.pairs), one) for one in statements(passage) if len(one.text) <= longest]
    near = {one.sentence for share, one in known if share >= 0.3} or {evidence_number(option, passage)}
    fitting = [
        (share, one)
        for share, one in known
        if 0.08 <= share <= 0.34 and any(abs(one.sentence - number) <= 2 for number in near)
    ]
    return [one for _, one in sorted(fitting, key=lambda entry: (-entry[0], entry[1].text))[:4]]


def evidence_number(option: str, passage: str) -> int:
    """Which sentence shares most with the option."""
    found = evidence(option, passage)
    return next((at for at, (text, _) in enumerate(sentences(passage)) if text == found.sentence), -9)
