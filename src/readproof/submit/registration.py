"""The registration form of GCRC_advRobust: nine fields in a Word table, made from values and checked again."""

from __future__ import annotations

import re
from collections.abc import Mapping

from readproof.submit.document import Document
from readproof.submit.gcrc import TRACKS
from readproof.submit.problems import Problems

FIELDS = (
    "单位名称",
    "参赛队名",
    "赛道选择",
    "队伍组长",
    "队伍组员",
    "地址",
    "联系人",
    "联系电话",
    "各成员邮箱",
)
_TRACK, _MAILS = "赛道选择", "各成员邮箱"
_FEWEST = 4
_MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_BETWEEN = re.compile(r"[\s,;，；、]+")
_BLANK = re.compile("【待填写[^】]*】|[_＿\\s]*")


def is_form(document: Document) -> bool:
    """Whether a document is a registration form."""
    return len(form_values(document)) >= _FEWEST


def form_values(document: Document) -> dict[str, str]:
    """What stands beside each field's name, in a table or after a colon."""
    found: dict[str, str] = {}
    for row in document.rows:
        for at, cell in enumerate(row):
            name = cell.strip(" ：:\u3000")
            if name in FIELDS:
                found.setdefault(name, row[at + 1].strip() if at + 1 < len(row) else "")
    for line in document.text.split("\n"):
        name, colon, value = re.sub("[：:]", ":", line, count=1).partition(":")
        if colon and name.strip() in FIELDS:
            found.setdefault(name.strip(), value.strip())
    return found


def check_form(document: Document, label: str, problems: Problems) -> dict[str, object]:
    """Every problem of a form."""
    values = form_values(document)
    for name in FIELDS:
        if name not in values:
            problems.add("R501", label, name, name=name)
        elif _BLANK.fullmatch(values[name]):
            problems.add("R502", label, name, name=name)
    check_values({name: value for name, value in values.items() if not _BLANK.fullmatch(value)}, label, problems)
    return {"fields": len(values)}


def check_values(values: Mapping[str, str], label: str, problems: Problems) -> None:
    """The two fields whose values are not free."""
    if _TRACK in values and sum(words[:2] in values[_TRACK] for words in TRACKS.values()) != 1:
        problems.add("R503", label, _TRACK, what=values[_TRACK])
    if _MAILS not in values:
        return
    # a name may stand before an address: 张三：zhang@example.edu.cn
    mails = [re.split("[：:]", one)[-1] for one in _BETWEEN.split(values[_MAILS]) if "@" in one]
    for one in [one for one in mails if not _MAIL.fullmatch(one)] if mails else [values[_MAILS]]:
        problems.add("R504", label, _MAILS, what=one)
