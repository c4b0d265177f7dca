"""Tables for Markdown and LaTeX: all figures there, nothing taken for more than itself."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from readproof.proof.results import Figure, Part
from readproof.proof.run import RunResults
from readproof.reports import report
from readproof.reports.grids import Cell, Grid, grid
from readproof.reports.labels import Label, both
from readproof.reports.latex import table as latex_table
from readproof.reports.markdown import table as markdown_table
from readproof.reports.tables import all_grids, clean_grid

NASTY = r"a|b & 50% of $x_1$ #2 {c} \d ~e^f <b>*bold*</b> `code` [x](y)"


def nasty() -> Grid:
    title = Label(NASTY, NASTY)
    return grid("nasty", title, [NASTY, "value", "empty"], [[Cell(NASTY, outcome="failed"), "1.0", ""]], note=title)


def test_every_attack_probe_type_and_strategy_has_its_row(sample: RunResults) -> None:
    text = report(sample, format="markdown").text
    scores = sample.scores
    for one in scores.attacks:
        figure = one.attacked["f1" if one.part == "spans" else "accuracy"]
        assert re.search(rf"^\| {re.escape(one.attack)} \|.* {figure.value:.1f} \(", text, flags=re.M)
        for row in one.strategies:
            assert f"| {one.attack} | {row.name} |" in text
    for part in scores.parts:
        assert sum(
            len(one.rows) for one in all_grids(scores, sample.timings) if one.name == f"types-{part.name}"
        ) == len(part.types)
    assert "✗ falls" in text
    assert scores.run.data.digest in text


def test_no_two_columns_have_one_name() -> None:
    figures = {name: Figure(value=0.5, low=0.4, high=0.6) for name in ("score", "acc0", "acc1", "acc2", "accuracy")}
    part = Part(
        name="options", main="score", single="accuracy", metric="official", questions=6, triples=2, chance=0.25,
        clean=figures,
    )  # fmt: skip
    heads = [both(head) for head in clean_grid(part).heads]
    for names in ([head.en for head in heads], [head.zh for head in heads]):
        assert len(set(names)) == len(names) == 6


def test_columns_that_are_empty_everywhere_are_left_out() -> None:
    assert list(nasty().heads) == [NASTY, "value"]


def test_markdown_means_what_it_says() -> None:
    lines = markdown_table(nasty(), "en").splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert len(rows) == 3
    # only the bars that we put there divide columns
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 3 for row in rows)
    assert r"\*bold\*" in rows[2]
    assert r"\<b\>" in rows[2]
    assert "✗" in rows[2]


def test_markdown_in_chinese(sample: RunResults) -> None:
    text = report(sample, format="markdown", language="zh").text
    assert "## 攻击之下：抽取题（F1）" in text
    assert "Under attack" not in text


def test_latex_escapes_every_special_sign() -> None:
    text = latex_table(nasty(), "en")
    row = next(line for line in text.splitlines() if line.startswith(r"\textbf"))
    assert row.count(" & ") == 1
    assert r"50\% of \$x\_1\$ \#2 \{c\} \textbackslash{}d \textasciitilde{}e\textasciicircum{}f" in row
    assert r"\&" in row


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex (texlive-latex-recommended)")
def test_latex_compiles(sample: RunResults, hostile: RunResults, tmp_path: Path) -> None:
    (tmp_path / "sample.tex").write_text(report(sample, format="latex").text, encoding="utf-8")
    (tmp_path / "hostile.tex").write_text(report(hostile, format="latex").text, encoding="utf-8")
    (tmp_path / "nasty.tex").write_text(latex_table(nasty(), "en"), encoding="utf-8")
    packages = r"\usepackage[T1]{fontenc}\usepackage{booktabs,graphicx}"
    inputs = r"\input{sample}\clearpage\input{hostile}\clearpage\input{nasty}"
    document = rf"\documentclass{{article}}{packages}\begin{{document}}{inputs}\end{{document}}"
    (tmp_path / "all.tex").write_text(document, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode("utf-8", "replace")[-2000:]
    assert b"Overfull" not in done.stdout.split(b"(./nasty.tex", maxsplit=1)[0]
