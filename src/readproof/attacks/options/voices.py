"""The same said from the other side: 为人们所接受 as 被人们接受, 对X进行分析 as 分析X, 在他看来 as 他认为."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from readproof.attacks.options.change import Change, in_place, one
from readproof.attacks.options.phrases import is_noun_phrase
from readproof.attacks.options.view import View

_BY = re.compile(
    "为(?P<who>[^，。；为所]{1,8})所"
    "(?P<verb>接受|认可|推崇|重视|忽视|熟知|熟悉|喜爱|关注|利用|取代|称道|诟病|理解|知晓|承认|采用|吸收|尊崇)"
)
_RECEIVES = re.compile(
    "(?:受到|得到)了?(?P<who>[^，。；的受得]{1,10})的"
    "(?P<verb>认可|关注|重视|推崇|追捧|质疑|批评|接受|承认|喜爱|欢迎|赏识)(?=[，。；和、]|$)"
)
_CARRIES_OUT = re.compile(
    "对(?P<what>[^，。；对]{2,14})进行了?"
    "(?P<verb>分析|研究|阐释|改造|改编|解读|评价|比较|整理|批判|保护|开发|监督|管理|反思|阐述|描写)(?=[，。；]|$)"
)
_SEES = re.compile("(?:(?<=[，。；])|^)在(?P<who>[^，。；在]{2,10})看来，")
_THINKS = re.compile("^(?P<who>[^，。；：“”]{2,8})认为，?(?=[^，。；：“”的])")
_TAKES_AS = re.compile("看作|看成|当作|视为|作为|置于|放在|变成|转化为|融入|称为|分为|运用到|结合|当成|变为|归结为")


def voices(view: View) -> Iterator[Change]:
    """Active for passive, a verb for its noun, an opinion for its holder."""
    for pattern in (_BY, _RECEIVES):
        for match in pattern.finditer(view.text):
            if view.opens(match.start()) and match.end() in view.edges:
                yield in_place(match, f"被{match['who']}{match['verb']}", "same", "voice")
    for match in _CARRIES_OUT.finditer(view.text):
        if view.opens(match.start()) and is_noun_phrase(view, *match.span("what")):
            yield in_place(match, f"{match['verb']}{match['what']}", "same", "voice")
    for match in _SEES.finditer(view.text):
        if view.opens(match.start()):
            yield in_place(match, f"{match['who']}认为，", "same", "voice")
    for match in _THINKS.finditer(view.text):
        if is_noun_phrase(view, *match.span("who")):
            yield in_place(match, f"在{match['who']}看来，", "same", "voice")
    for word, following in pairwise(view.words):
        if word.text not in ("把", "将") or word.tag != "p" or following.tag[0] == "v":
            continue
        if view.free(word.start, word.end) and _TAKES_AS.search(view.after(word.end)):
            yield one(word.start, word.text, "将" if word.text == "把" else "把", "same", "voice")
