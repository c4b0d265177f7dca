"""The whole option denied: what was false is then true, and what was true is false.

This is the one way to make a false option true without the passage's help. It is plain, so it says how it was made and
can be left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from readproof.attacks.options.change import Change
from readproof.attacks.options.phrases import has_verb
from readproof.attacks.options.view import View
from readproof.items import Edit

_RULE = re.compile("(?:只要|只有|凡是|凡|所有|任何|一切|每个|每一个|如果|因为|由于|无论|正是|是因为|只|仅)")
_NOT_FIRST = re.compile(
    "(?:因此|所以|但|而|这|它|他|她|其|此|可见|同时|然而|从|不|并非|就|对|据|根据|按|认为|文章|作者|本文|文中|选文|第|在|与|和|为|是|指|主要|最初|起初|曾|已)"
)
_OPINION = re.compile("认为|看法|启示|有人|评论者|观点|以为|应该|可见|可知|应|必须|不正确|不对")
_LAST = re.compile("[。．.！!；;]*$")
_MOST = 75
_FEWEST = 10


def denied(view: View) -> Iterator[Change]:
    """The option as an opinion that does not hold; a rule of one sentence also as 并非 …"""
    text = view.text.strip()
    if text != view.text or not _FEWEST <= len(text) <= _MOST or len(view.sentences) != 1 or _NOT_FIRST.match(text):
        return
    if not has_verb(view, 0, len(text)) or (view.words[0].tag[0] in "vdcpu" and not _RULE.match(text)):
        return
    if _OPINION.search(text) or re.search("[？?：:]", text) or text.count("“") != text.count("”"):
        return
    last = _LAST.search(text)
    end = last.start() if last else len(text)
    if _RULE.match(text) and len(view.clauses) <= 2 and not text.startswith(("如果", "假如", "若", "倘若")):
        yield Change((Edit(0, "", "并非"),), "denied", "denial")
    # what the passage does not say is no less against it than what it denies, so the frame speaks of the passage
    yield Change((Edit(0, "", "认为"), Edit(end, "", "，这种看法不符合文意")), "denied", "denial")
