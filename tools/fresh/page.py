"""Writes docs/fresh-items.md: fifty span questions of zh-fresh with all that was written for them, and fifty triples.

python -m tools.fresh.page
"""

from __future__ import annotations

import sys
from pathlib import Path

from readproof.items import ChoiceItem, SpanItem, letter
from readproof.proof.plan import Phase
from readproof.proof.records import Question
from readproof.proof.suite import read_suite, suite_path

PAGE = Path(__file__).parents[2] / "docs/fresh-items.md"
SHOWN = 50
_HEAD = """# Fifty items of zh-fresh

Fifty span questions of the suite [zh-fresh](fresh.md), each with what was written for it, and fifty triples: the first
of each, in the suite's own order. The passages are left out. Made by `python -m tools.fresh.page`.
"""


def page() -> str:
    """The page as it should be."""
    suite = read_suite(suite_path("zh-fresh"))
    made: dict[int, dict[str, Question]] = {}
    turned: dict[int, list[ChoiceItem]] = {}
    for attack in suite.places:
        if not attack.startswith("written/") and attack != "triples":
            continue
        for group in suite.groups(Phase(name=attack, numbers=suite.numbers[attack]), 0):
            found = [one for one in group if isinstance(one, Question)]
            if found and attack == "triples":
                turned[found[0].at] = [one.item for one in found if isinstance(one.item, ChoiceItem)]
            elif found:
                made.setdefault(found[0].at, {})[attack.removeprefix("written/")] = found[0]
    spans = [
        (at, one) for at, one in enumerate(suite.items) if isinstance(one, SpanItem) and len(made.get(at, {})) == 4
    ]
    lines = [_HEAD, "## Span questions", ""]
    for at, item in spans[:SHOWN]:
        lines += [f"**{item.question}** — {item.golds[0].text} (*{item.title}*)", ""]
        lines += [f"- {name}: {_shown(name, one)}" for name, one in sorted(made[at].items())]
        lines.append("")
    lines += ["## Triples", ""]
    for at, others in list(turned.items())[:SHOWN]:
        original = suite.items[at]
        for one in (original, *others):
            lines += _question(one) if isinstance(one, ChoiceItem) else []
        lines += ["---", ""]
    return "\n".join(lines).rstrip("-\n ") + "\n"


def _shown(name: str, one: Question) -> str:
    item = one.item
    if name == "paraphrase" and isinstance(item, SpanItem):
        return item.question
    if name == "substitute" and isinstance(item, SpanItem):
        return f"{item.golds[0].text} ({'; '.join(f'{edit.old} → {edit.new}' for edit in one.edits)})"
    return " ".join(edit.new.strip() for edit in one.edits)


def _question(one: ChoiceItem) -> list[str]:
    mark = {at: "**" if at == one.answer else "" for at in range(len(one.options))}
    options = [f"{mark[at]}{letter(at)}{mark[at]} {text}" for at, text in enumerate(one.options)]
    return [f"{one.question}  ", "  \n".join(options), ""]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.exit(0)
