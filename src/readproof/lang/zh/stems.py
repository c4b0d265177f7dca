"""What the stem of a question with options asks for: the option that is right, or the one that is wrong.

Gaokao stems say it near their end: 不正确的一项是, 符合原文意思的一项是, 不属于…原因的一项是. Quoted words are
the passage's and say nothing of it. A stem that asks something else (why, who, which title) has no polarity.
"""

from __future__ import annotations

import re
from functools import lru_cache

_QUOTED = re.compile('“[^“”]*”|‘[^‘’]*’|《[^《》]*》|「[^「」]*」|"[^"]*"')
_WHETHER = re.compile("(?:是否|能否|可否)[\u4e00-\u9fff]{0,2}")
_SHOWS = "说明|体现|作为|支持|证明|反映|看出|推出|得出|表明|概括|算|用来|从|由|推断|表现"
_ASKED_WRONG = re.compile(
    "不(?:太|够|尽|完全|相|甚|很)?(?:正确|符合?|恰当|准确|合理|当|妥|属于?|一致|相符合?|吻合|合|对|科学|适合|全面|严密|包括|涉及"
    "|成立|契合|相关)|不是|错误|有误|有错|错的|误的|欠妥|失当|无关|没有|未能?(?:体现|提到|涉及|说明)"
    f"|(?:不能|不可|无法|不足以|难以)(?:{_SHOWS})"
)
_IS = "(?<![不的是])是(?!对|否)"
_ASKED_RIGHT = re.compile(
    "正确|符合|相符|恰当|准确|合理|一致|吻合|属于|成立|契合|无误|贴切|合乎|切合|相关的一项"
    f"|(?:能够?|可以|足以)(?:{_SHOWS})|{_IS}[^，。]{{2,}}的一项"
)
_NOT_A_TRUTH = re.compile("(?:作|做|作为|为)[^，。]*(?:标题|题目)的|填入|衔接|排序|依次")

_JUDGED = re.compile(
    "(?:正确|符合|相符|恰当|准确|合理|一致|吻合|错误|有误|有错|错的|不当|不妥|不符|不合|不对|欠妥)(?!.*(?:原因|理由|条件|措施)的)"
)

# stems about words, grammar or the author's technique: their options say nothing that the passage says
_WORDING = re.compile(
    "断句|停顿|节奏划分|读音|注音|字音|字形|错别字|加点|加线|意义和用法|词义|词类|活用|句式|修辞|手法|技巧|写法|写作特[点色]|艺术特[点色]|艺术形式|表达效果|论证|赏析"
    "|鉴赏|语言特[点色]|排序|衔接|填入|翻译|译文|文学常识|文化常识|病句|说明方法|表达方式|思路|结构|(?:字|词|词语|句中|成语)[^，。]{0,6}解释"
)

# the wording of a stem and of its contrary, the longest first
_TURNED = (
    ("最不恰当", "最恰当"),
    ("不完全正确", "完全正确"),
    ("不完全符合", "完全符合"),
    ("不够合理", "合理"),
    ("不够准确", "准确"),
    ("不相符合", "相符合"),
    ("最为准确全面", "不准确"),
    ("最准确全面", "不准确"),
    ("最为恰当", "不恰当"),
    ("最为准确", "不准确"),
    ("完全符合", "不符合"),
    ("完全正确", "不正确"),
    ("最恰当", "不恰当"),
    ("最准确", "不准确"),
    ("最正确", "不正确"),
    ("最合理", "不合理"),
    ("最符合", "不符合"),
    ("不正确", "正确"),
    ("不符合", "符合"),
    ("不恰当", "恰当"),
    ("不准确", "准确"),
    ("不合理", "合理"),
    ("不相符", "相符"),
    ("不一致", "一致"),
    ("不吻合", "吻合"),
    ("不属于", "属于"),
    ("不适合", "适合"),
    ("不成立", "成立"),
    ("不契合", "契合"),
    ("不相关", "相关"),
    ("不全面", "全面"),
    ("不合文意", "符合文意"),
    ("不合原文", "符合原文"),
    ("不当", "恰当"),
    ("不妥", "恰当"),
    ("不符", "相符"),
    ("不对", "正确"),
    ("不是", "是"),
    ("有错误", "正确"),
    ("错误", "正确"),
    ("有误", "正确"),
    ("不能", "能"),
    ("不包括", "包括"),
    ("没有", "有"),
    ("正确", "不正确"),
    ("符合", "不符合"),
    ("恰当", "不恰当"),
    ("准确", "不准确"),
    ("合理", "不合理"),
    ("相符", "不相符"),
    ("一致", "不一致"),
    ("吻合", "不吻合"),
    ("属于", "不属于"),
    ("成立", "不成立"),
    ("契合", "不契合"),
    ("相关", "不相关"),
    ("可以", "不可以"),
    ("能", "不能"),
)


@lru_cache(maxsize=1 << 12)
def polarity(stem: str) -> bool | None:
    """True if the stem asks for the option that is right, False if for the one that is wrong, None if for neither."""
    text = _plain(stem)
    if _NOT_A_TRUTH.search(text):
        return None
    if _ASKED_WRONG.search(text):
        return False
    return True if _ASKED_RIGHT.search(text) else None


def asks_truth(stem: str) -> bool:
    """Whether the options are to be judged true or false of the passage, and not, say, as reasons for something."""
    return bool(_JUDGED.search(_plain(stem))) and polarity(stem) is not None


def asks_wording(stem: str) -> bool:
    """Whether a stem asks about words, grammar or technique, and not about what the passage says."""
    return bool(_WORDING.search(_plain(stem)))


def flip_stem(stem: str) -> str | None:
    """The stem that asks for the contrary, in natural words; None if it has no polarity."""
    asked = polarity(stem)
    if asked is None:
        return None
    text = _plain(stem)
    for old, new in _TURNED:
        at = text.rfind(old)
        if at >= 0:
            flipped = stem[:at] + new + stem[at + len(old) :]
            if polarity(flipped) is (not asked):
                return flipped
    found = re.search(_IS, text)
    return f"{stem[: found.start()]}不{stem[found.start() :]}" if asked and found else None


def _plain(stem: str) -> str:
    """The stem with quoted and undecided words blanked, its length kept."""
    text = _QUOTED.sub(lambda found: "□" * len(found[0]), stem)
    return _WHETHER.sub(lambda found: "□" * len(found[0]), text)
