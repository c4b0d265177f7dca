"""The noun that a question phrase asks for: the one right after it (哪家公司), or the one it is said of (作者是谁)."""

from __future__ import annotations

import re
from functools import lru_cache

from readproof.lang.lists import lines
from readproof.lang.words import Word
from readproof.lang.zh.clauses import clause_kind
from readproof.lang.zh.words import words

_NOUNS = ("n", "an", "j", "eng", "s", "g")
_MODIFIERS = ("a", "b", "z", "vn")
# words tagged as nouns that do not head a noun phrase here
_STOP = frozenset("上下中里内外时后前间等才会能可") | {"时候", "之间", "以前", "以后", "期间", "之后", "之前", "人们"}
_NOT_HEAD = re.compile("[的了是在于由被有，,、和与对到能可会将曾最而所]")
_NO_HEAD = re.compile("有关|相关|著名|闻名|著称|出名|为|来(?![由源历])|而|所|之间")
_SHORT = 4
_SAID = re.compile(
    "(?:主要|分别|都|又|还|也|大约|约|一般|通常|共|总共|曾经?|将)*(?:是|为|有|包括|包含|在于?|叫做?|称为?|指的是|指)?$"
)
_LONGEST = 10


@lru_cache(maxsize=4)
def headwords(role: str) -> frozenset[str]:
    """Words that taggers and questions see differently.

    A predicate begins the predicate when a noun stands before it (哪所大学读书); a noun is tagged as a verb, and mostly
    asked for as a noun; an attribute is what one has and is said of one (有什么绰号 → 的绰号是…); an
    act parts two names (李某加盟公牛队).
    """
    return frozenset(word for word, of in lines("zh", "headwords") if of == role)


@lru_cache(maxsize=1 << 12)
def head_after(text: str, at: int) -> str:
    """The noun phrase that begins at a place; "" if something else does."""
    rest = text[at:]
    if _NO_HEAD.match(rest):
        return ""
    end = 0
    for word in words(rest):
        follows = rest[word.end : word.end + 1]
        if follows in ("着", "了", "过") or (end and word.text in headwords("predicate")):
            break
        if word.end > _LONGEST or word.text in _STOP:
            break
        if is_noun(word) or (word.tag == "vn" and (word.start == 0 or follows in ("", "的", "，", ","))):
            end = word.end
        elif (word.tag == "vn" and word.start) or not word.tag.startswith(_MODIFIERS) or word.text[0] in "最为一":
            break
    if end and not re.match("[的，,]", rest[end:]) and len(rest) - end <= 1:
        # 哪一科, 什么奖: a last character that was cut off belongs to the noun
        end = len(rest) if not _NOT_HEAD.search(rest[end:]) else end
    if not end and rest:
        stretch = re.match("[^的，,]*", rest)
        short = stretch[0] if stretch else ""
        end = len(short) if 0 < len(short) <= _SHORT and not _NOT_HEAD.search(short) else 0
    return rest[:end]


def is_noun(word: Word) -> bool:
    """Whether a word may head a noun phrase."""
    return (word.tag.startswith(_NOUNS) and word.text not in _STOP) or word.text in headwords("noun")


def is_verb_at(text: str, at: int) -> bool:
    """Whether a verb begins at a place."""
    found = words(text[at:])
    return bool(found) and found[0].tag.startswith(("v", "p", "d")) and found[0].text not in headwords("noun")


@lru_cache(maxsize=1 << 12)
def noun_before(text: str, at: int) -> str:
    """The noun that a phrase at a place is said of: in 作者是谁 and 作者分别是谁 it is 作者; "" where there is none."""
    before = _SAID.sub("", text[:at])
    found = words(before)
    # a few nouns are asked about so often that their ending is enough: 个人表现
    if clause_kind(before[-2:]):
        return before[-2:]
    for word in reversed(found[-2:]):
        if is_noun(word) or word.tag == "vn":
            return word.text
        if not word.tag.startswith(("d", "f", "m", "q")):
            break
    last = before.rpartition("的")[2]
    return last if "的" in before and 0 < len(last) <= _SHORT and not _NOT_HEAD.search(last) else ""
