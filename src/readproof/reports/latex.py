"""The tables of a run in LaTeX, to be put into a paper: booktabs, one `table` each, nothing else."""

from __future__ import annotations

import re

from readproof.proof.results import Scores, Timings
from readproof.reports import verdicts
from readproof.reports.grids import Cell, Grid
from readproof.reports.labels import Language, Words, said
from readproof.reports.shell import spelt
from readproof.reports.tables import figure_grids

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "\u2009": r"\,",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
} | {sign: f"\\{sign}" for sign in "&%$#_{}"}
_PATTERN = re.compile("|".join(map(re.escape, _SPECIAL)))
_SPACES = re.compile(r"\s*[\r\n\x0b\x0c\x85\u2028\u2029]+\s*")
_INTERVAL = re.compile(r"(-?[\d.]+) (\(.+\))")


def latex(scores: Scores, timings: Timings, language: Language) -> str:
    """All tables of a run, with what a document must load for them in a comment."""
    needs = [
        "% \\usepackage{booktabs,graphicx}",
        "% \\usepackage[T1]{fontenc}  % not with XeLaTeX or LuaLaTeX, where any script can be set",
    ]
    needs += ["% \\usepackage{ctex}  % Chinese; with XeLaTeX"] if language == "zh" else []
    head = [f"% readproof {scores.run.version}: {_comment(scores.run.reader.name)} on {_comment(scores.run.data.name)}"]
    head += [f"% {_comment(said(verdicts.headline(scores.verdict), language))}", *needs]
    return "\n".join(head) + "\n\n" + "\n\n".join(table(one, language) for one in figure_grids(scores, timings)) + "\n"


def table(grid: Grid, language: Language) -> str:
    """One floating table."""
    columns = "".join("l" if at in grid.left else "r" for at in range(len(grid.heads)))
    heads = " & ".join(escaped(head, language) for head in grid.heads)
    rows = [" & ".join(_cell(cell, language) for cell in row) + r" \\" for row in grid.rows]
    note = [rf"\par\smallskip{{\footnotesize {escaped(grid.note, language)}\par}}"] if grid.note else []
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering\small",
            rf"\caption{{{escaped(grid.title, language)}}}",
            rf"\label{{tab:readproof-{grid.name}}}",
            r"\smallskip\setlength{\tabcolsep}{4pt}",
            # no wider than the page, and never blown up
            r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            rf"{heads} \\",
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}}",
            *note,
            r"\end{table}",
        ]
    )


def escaped(words: Words, language: Language) -> str:
    """Words on one line that mean themselves."""
    return _PATTERN.sub(lambda found: _SPECIAL[found[0]], spelt(_SPACES.sub(" ", said(words, language))))


def _cell(cell: Cell, language: Language) -> str:
    text = escaped(cell.words, language)
    found = _INTERVAL.fullmatch(text)
    if found:
        return rf"{found[1]} {{\scriptsize {found[2]}}}"
    return rf"\textbf{{{text}}}" if cell.outcome == "failed" or cell.strong else text


def _comment(text: str) -> str:
    """A text that cannot end a comment."""
    return spelt(_SPACES.sub(" ", text))
