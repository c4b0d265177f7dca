"""Where a made-up answer would break the phrase around it, and questions that are broken themselves."""

from __future__ import annotations

import re
from functools import lru_cache

from readproof.lang.fa.entities import entities
from readproof.lang.fa.questions import Phrase
from readproof.lang.fa.words import in_lexicon, key, tag_of, words

_COPULAS = ("است", "بود", "بودند", "هستند", "بوده", "می‌باشد", "باشد")
# kinds whose answers are adjectives: a noun or a second adjective after them belongs to the noun that is asked for
_ADJECTIVES = ("field", "kindword", "factor", "naturalfactor", "effect", "body", "rank", "partof", "vague", "result")
_ONE_OF = re.compile("یکی (?:دیگر )?از (?:\\S+ترین(?: و |، ?| ))+(?P<noun>[\\w\u200c\u064b-\u0655]+)")
# «کدام یک از آثار فارسی»: the answer would take the noun and leave what belongs to it
_WHICH_OF = re.compile("کدام[ \u200c]?یک از [\\w\u200c]+ ([\\w\u200c]+)")
_MANY = re.compile("(?:ها|های|هایی|ان|ات|ین|هایش|هایشان|انی|اتی)$")
_PEOPLES = re.compile("^\\s*[\\w\u200c]+(?:\u200cها|یان|ها)\\s+(?:در|به|از|با|را|چه|کدام|چگونه|چرا)\\s")
_ONE_ACTS = re.compile("(?:کرد|داد|گرفت|رفت|آمد|داشت|یافت|ساخت|پذیرفت|(?:ه|\u200cه) بود|می\u200c?کند|دارد)[\\s؟?.]*$")
# «نشانگر … را می‌رساند» says one thing twice; «را که … را بنویسید» has two objects
_TWO_VERBS = re.compile(
    "^\\s*\\S+ین .* است که .*(?:که بود|کیست|چیست)"
    "|(?:نشانگر|بیانگر|نشان\u200cدهنده) .* را | را که .* را \\S+(?: \\S+)?ید[\\s؟?.]*$"
)


def goes_on(question: str, phrase: Phrase) -> bool:
    """Whether what follows belongs to the noun that is asked for: «کدام بازیکن رئال مادرید»."""
    following = words(question[phrase.end :])
    if len(following) > 1 and following[0].tag in ("n", "a") and following[1].tag == "v":
        # «مربوط به کدام نوازنده موسیقی بود»: after a complement the copula's noun is part of it
        inside = following[0].tag == "n" and following[1].text in _COPULAS
        return inside and bool(re.search("(?<!\\w)(?:به|از|با|برای|توسط)\\s*$", question[: phrase.start]))
    return bool(following) and (
        following[0].tag in ("n", "np", "a", "x", "m") or following[0].text in ("و", "دیگر", "دیگری", "بسیار", "خیلی")
    )


def qualified(question: str, phrase: Phrase) -> bool:
    """Whether an adjective follows the noun that is asked for: «کدام محصول انحصاری»."""
    following = words(question[phrase.end :])
    if not following:
        return False
    plain = key(following[0].text)
    return following[0].tag == "a" or plain.startswith("دیگر") or (plain.endswith("ی") and in_lexicon(plain))


def breaks(kind: str, question: str, phrase: Phrase) -> bool:
    """Whether an answer of the kind comes between the noun that is asked for and what belongs to it."""
    following = words(question[phrase.end :])
    if not following or (len(following) > 1 and following[1].tag == "v" and following[1].text not in _COPULAS):
        return False
    plain = key(following[0].text)
    if kind in ("word", "title", "name", "meaning") and plain.endswith("ی"):
        return True
    if kind in _ADJECTIVES:
        return goes_on(question, phrase) or plain.startswith("دیگر")
    return plain.startswith("دیگر") or (plain.endswith("ی") and following[0].tag == "a")


def is_of_time(noun: str) -> bool:
    """«سده‌های تازه‌ای» says nothing."""
    return bool(re.match("(?:سده|سال|قرن|دهه|ماه|روز|ساعت|تاریخ)(?:\u200c|ها|$)", noun))


def asks_what_like(kind: str, question: str, phrase: Phrase) -> bool:
    """«بلاش چه پادشاهی بود» wants a quality and no name."""
    own = question[: phrase.start].strip() and not re.search("(?<!\\w)(?:به|از|با|در)\\s*$", question[: phrase.start])
    ends = re.fullmatch(f"\\s*(?:{'|'.join(_COPULAS)})[\\s؟?.]*", question[phrase.end :])
    return bool(kind in ("king", "shah", "person") and own and ends and question.startswith("چه", phrase.start))


@lru_cache(maxsize=1 << 12)
def is_broken(question: str) -> bool:
    """Whether a question has a fault of grammar that its statement would take over."""
    one = _ONE_OF.search(question)
    if one:
        noun = key(one["noun"])
        if tag_of(noun) == "n" and in_lexicon(noun) and not _MANY.search(noun):
            after = question[one.end() :].lstrip(" \u200c")
            return not after.startswith(("ها", "ان "))
    which = _WHICH_OF.search(question)
    if which and tag_of(which[1]) in ("n", "np", "a", "x"):
        return True
    if _PEOPLES.match(question) and _ONE_ACTS.search(question):
        first = next(iter(entities(question)), None)
        return first is not None and first.kind == "people" and not question[: first.start].strip()
    return bool(_TWO_VERBS.search(question))
