"""The tables of a run in Markdown, as GitHub reads it."""

from __future__ import annotations

import re

from readproof.proof.results import Scores, Timings
from readproof.reports import page, verdicts
from readproof.reports.grids import Cell, Grid
from readproof.reports.labels import Language, Words, label, said
from readproof.reports.tables import all_grids

# what would be read as more than itself
_SPECIAL = re.compile(r"[\\`*_\[\]<>|#~&!$]")
_LINES = re.compile("[\r\n\x0b\x0c\x85\u2028\u2029]+")
_SIGNS = {"passed": "✓ ", "failed": "✗ ", "unclear": "? ", "unmeasured": "– "}


def markdown(scores: Scores, timings: Timings, language: Language) -> str:
    """All tables of a run with the verdict on top and how to make it again at the end."""
    run = scores.run
    title = label("title").filled(reader=run.reader.name, data=run.data.name)
    blocks = [f"# {escaped(title, language)}", f"**{escaped(verdicts.headline(scores.verdict), language)}**"]
    met = verdicts.thresholds_met(scores.verdict)
    blocks += [escaped(met, language)] if met else []
    blocks += [table(one, language) for one in all_grids(scores, timings)]
    facts = page.facts(scores, timings)
    lines = [f"- {escaped(one.title, language)}: {_fact(one.words, one.code, language)}" for one in facts]
    blocks.append(f"## {escaped(label('section.reproduce'), language)}\n\n" + "\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def table(grid: Grid, language: Language) -> str:
    """One table with its title and note."""
    heads = [escaped(head, language) for head in grid.heads]
    rows = [[_cell(cell, language) for cell in row] for row in grid.rows]
    rule = ["---" if at in grid.left else "---:" for at in range(len(heads))]
    lines = [f"| {' | '.join(row)} |" for row in (heads, rule, *rows)]
    note = f"\n\n{escaped(grid.note, language)}" if grid.note else ""
    return f"## {escaped(grid.title, language)}\n\n" + "\n".join(lines) + note


def _cell(cell: Cell, language: Language) -> str:
    text = escaped(cell.words, language)
    return f"**{text}**" if cell.strong else _SIGNS.get(cell.outcome or "", "") + text


def escaped(words: Words, language: Language) -> str:
    """Words on one line that mean themselves."""
    return _SPECIAL.sub(lambda found: f"\\{found[0]}", _LINES.sub(" ", said(words, language)))


def _fact(words: Words, code: bool, language: Language) -> str:
    text = said(words, language)
    if not code:
        return escaped(words, language)
    fence = "`" * (1 + max((len(found) for found in re.findall("`+", text)), default=0))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{_LINES.sub(' ', text)}{pad}{fence}"
