"""Changes by tables: a word, one that says the same or the contrary, and what must stand beside it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from readproof.attacks.options.change import Change, Meaning, one
from readproof.attacks.options.view import OptionSpan, OptionView
from readproof.lang.api import lines

# before a word in its clause: what is then said of it is not plainly stated
_UNSTATED = re.compile(
    "不|没|未|非(?!常)|无|别(?!人)|莫|难以|免|防止|禁止|拒绝|反对|停止|何|怎|哪|谁|什么|多少|是否|即使|如果|只|仅|比如|例如|若|之所以"
)
# where both sides of a pair are spoken of, a swap of one makes nonsense
_CHOICE = re.compile("是否|与否|能否|还是|或者?|之间")


@dataclass(frozen=True, slots=True)
class WordTableRow:
    """A line of a table."""

    new: str
    meaning: Meaning
    before: str
    after: str

    def fits(self, view: OptionView, start: int, end: int) -> bool:
        """Whether what stands beside the word is as the line asks."""
        return _holds(self.before, view.text[:start], True) and _holds(self.after, view.text[end:], False)


@lru_cache(maxsize=32)
def table(name: str) -> dict[str, tuple[WordTableRow, ...]]:
    """The lines of a table by word."""
    rows: dict[str, list[WordTableRow]] = {}
    for entry in lines("zh", name):
        word, meaning, new, before, after = (*entry, "", "")[:5]
        found: Meaning = "same" if meaning == "same" else "contrary"
        rows.setdefault(word, []).append(WordTableRow(new, found, before, after))
    return {word: tuple(given) for word, given in rows.items()}


@lru_cache(maxsize=4)
def pairs_of(name: str) -> dict[str, tuple[WordTableRow, ...]]:
    """The lines of a table of words that say the same."""
    rows: dict[str, list[WordTableRow]] = {}
    for entry in lines("zh", name):
        word, new, before, after = (*entry, "", "")[:4]
        rows.setdefault(word, []).append(WordTableRow(new, "same", before, after))
    return {word: tuple(given) for word, given in rows.items()}


@lru_cache(maxsize=1)
def opposites() -> dict[str, tuple[tuple[str, str], ...]]:
    """The words of contrary meaning, each with its part of speech."""
    found: dict[str, list[tuple[str, str]]] = {}
    for word, new, kind in lines("zh", "opposites"):
        found.setdefault(word, []).append((new, kind))
    return {word: tuple(given) for word, given in found.items()}


def by_table(view: OptionView, name: str, detail: str) -> Iterator[Change]:
    """Every change that a table allows; a condition is not turned round, it is no statement."""
    known = table(name)
    for span in view.found(known):
        word = view.text[span.start : span.end]
        for row in known[word]:
            if row.meaning == "contrary" and (
                not stated(view, span) or row.new in view.text or _denies_badly(view, span, row.new)
            ):
                continue
            if row.fits(view, span.start, span.end):
                yield one(span.start, word, row.new, row.meaning, detail)


def _denies_badly(view: OptionView, span: OptionSpan, new: str) -> bool:
    """不包含着 and 又不包含 say nothing that a person would."""
    return new.startswith(("不", "没有")) and (
        view.text[span.end : span.end + 1] == "着" or view.text[: span.start].endswith(tuple("又并而且更还既也"))
    )


def stated(view: OptionView, span: OptionSpan) -> bool:
    """Whether a place is in a plain statement: no condition, no choice, nothing denied or asked before it."""
    return not view.conditional(span.start) and not _UNSTATED.search(view.before(span.start))


@lru_cache(maxsize=1)
def _strategies() -> dict[str, str]:
    """The strategies of words that join and place clauses; all others are key words."""
    return {entry[0]: entry[1] for entry in lines("zh", "connectors")}


# a word before one of these is part of a longer one: 平凡主义
_COMPOUND = ("主义", "性", "化", "论", "型", "观", "感", "界")


def by_synonyms(view: OptionView, detail: str, strategy: str = "") -> Iterator[Change]:
    """Every word that has another that says the same: those of one strategy, or all."""
    for change in by_pairs(view, "synonyms", detail):
        edit = change.edits[0]
        if view.text[edit.end : edit.end + 2].startswith(_COMPOUND):
            continue
        wanted = not strategy or _strategies().get(edit.old, "keyword") == strategy
        if wanted and not _nominal(view, OptionSpan(edit.start, edit.end)):
            yield change


def by_pairs(view: OptionView, name: str, detail: str) -> Iterator[Change]:
    """Every word of a table that stands where the table lets it, said by the other word."""
    known = pairs_of(name)
    for span in view.found(known):
        for row in known[view.text[span.start : span.end]]:
            if row.fits(view, span.start, span.end) and row.new not in view.text:
                yield one(span.start, view.text[span.start : span.end], row.new, "same", detail)


def _nominal(view: OptionView, span: OptionSpan) -> bool:
    """A verb used as a noun is half a term (人格塑造, 传承机制): its synonyms are others."""
    at = view.index_of(span.start)
    word = view.words[at]
    if word.end != span.end or word.tag[0] != "v" or len(word.text) < 2:
        return False
    after = view.words[at + 1] if at + 1 < len(view.words) else None
    if after is None or after.text[0] in "，。；、的和与及或者性力":
        return True
    before = view.words[at - 1] if at else None
    return before is not None and before.text in ("的", "、", "和", "与") and after.tag[0] in "nv"


def by_opposites(view: OptionView, detail: str) -> Iterator[Change]:
    """Every word that has a contrary, where it is stated and its place takes the contrary."""
    known = opposites()
    for span in view.found(known):
        word = view.text[span.start : span.end]
        clause = view.clause_at(span.start)
        if not stated(view, span) or _CHOICE.search(view.text[clause.start : clause.end]):
            continue
        for new, kind in known[word]:
            if new not in view.text and view.text.count(word) == 1 and _TAKES[kind](view, span):
                yield one(span.start, word, new, "contrary", detail)


def _verb(view: OptionView, span: OptionSpan) -> bool:
    """A verb with its object, after a subject, an adverb or a modal verb."""
    at = view.index_of(span.start)
    word, after = view.words[at], view.words[at + 1 : at + 2]
    if word.end != span.end or not word.tag.startswith("v") or word.tag == "vn" or not after:
        return False
    if after[0].text[0] in "的地和与及、或者性力化出，。；" or after[0].tag[0] not in "nrabmjxuizlstqcv":
        return False
    if after[0].text in ("了", "着", "过") and len(view.after(after[0].end)) < 2:
        return False
    before = view.words[at - 1] if at else None
    if before is None or before.end <= view.clause_at(span.start).start:
        return True
    return before.tag[0] in "nrdfts" or bool(_MODAL.match(before.text)) or before.text in "”》"


def _adjective(view: OptionView, span: OptionSpan) -> bool:
    """An adjective before 的, or at the end of its clause."""
    at = view.index_of(span.start)
    after = view.text[span.end : span.end + 1]
    before = view.text[: span.start]
    if re.search("[不够太最、和与及]$|(?:多么|如此)$", before):
        return False
    if (
        at
        and view.words[at - 1].tag[0] in "avnzi"
        and view.words[at - 1].text not in ("是", "有", "更加", "较为", "成为")
    ):
        return False  # one of several that stand together, as in 综合全面的
    if after == "的":
        return view.text[span.end + 1 : span.end + 2] not in ("", "，", "。", "、") or view.words[at - 1].tag == "d"
    return after in ("", "，", "。", "；") and at > 0 and view.words[at - 1].tag[0] in "dnrv"


def _noun(view: OptionView, span: OptionSpan) -> bool:
    """A noun that is no part of a longer one."""
    at = view.index_of(span.start)
    before, after = view.words[at - 1] if at else None, view.text[span.end : span.end + 2]
    if after and not re.match("[，。；是在会能的和与使之为]|可以|需要", after):
        return False
    return before is None or before.tag[0] not in "nabj" or before.text == "的"


def _anywhere(view: OptionView, span: OptionSpan) -> bool:
    if view.text[span.start : span.end] in ("已经", "早已", "曾经", "一直") and "了" in view.after(span.end):
        return False  # 尚未孕育了
    return view.text[span.end : span.end + 1] not in ("的", "地", "，", "。", "；", "", "不", "没", "无", "未", "难")


_MODAL = re.compile(
    "(?:能|能够|可|可以|会|要|应|应该|应当|必须|需要|才能|从而|进而|并|且|而|来|以|也|都|就|将|已|已经|便|更|又|还|不断)$"
)
_TAKES: dict[str, Callable[[OptionView, OptionSpan], bool]] = {"v": _verb, "a": _adjective, "n": _noun, "d": _anywhere}


def _holds(pattern: str, text: str, behind: bool) -> bool:
    if not pattern:
        return True
    wanted = not pattern.startswith("!")
    found = _compiled(pattern.lstrip("!"), behind)
    return bool(found.search(text) if behind else found.match(text)) is wanted


@lru_cache(maxsize=1 << 11)
def _compiled(pattern: str, behind: bool) -> re.Pattern[str]:
    return re.compile(f"(?:{pattern})$" if behind else pattern)
