"""A run folder as a report in one of three formats, as text or as a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from readproof.errors import InputError
from readproof.files import writing
from readproof.proof.run import RunResults, open_results
from readproof.reports.failures import MOST, Failures, failures
from readproof.reports.labels import Language

Format = Literal["html", "markdown", "latex"]
FORMATS: tuple[Format, ...] = get_args(Format)
PAGE = "report.html"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A report as text; `failures` counts those of the run, `shown` those on the page."""

    text: str
    format: Format
    failures: int = 0
    shown: int = 0


def report(
    run: RunResults | str | Path, *, format: Format = "html", language: Language | None = None, most: int = MOST
) -> Report:
    """The report of a finished run.

    `language` is that of the labels: None is the browser's own for a page, English for tables. `most` is the most
    failures on a page; with 0 it holds no text of the data.
    """
    if format not in FORMATS:
        raise InputError(place="--format", found=repr(format), expected=f"one of {', '.join(FORMATS)}")
    opened = run if isinstance(run, RunResults) else open_results(run)
    if format == "html":
        from readproof.reports.page import page

        found = failures(opened.cases(), most)
        text = page(opened.scores, opened.timings, found, language=language)
        return Report(text=text, format=format, failures=found.found, shown=len(found.cases))
    if format == "markdown":
        from readproof.reports.markdown import markdown

        return Report(text=markdown(opened.scores, opened.timings, language or "en"), format=format)
    from readproof.reports.latex import latex

    return Report(text=latex(opened.scores, opened.timings, language or "en"), format=format)


def write_report(
    run: RunResults | str | Path,
    out: str | Path | None = None,
    *,
    format: Format = "html",
    language: Language | None = None,
    most: int = MOST,
) -> Path:
    """The report as a file, `report.html` in the run folder if no other is named; whole or not at all."""
    opened = run if isinstance(run, RunResults) else open_results(run)
    path = Path(out) if out is not None else opened.folder / {"html": PAGE}.get(format, f"report.{_ENDINGS[format]}")
    made = report(opened, format=format, language=language, most=most)
    with writing(path) as file:
        file.write(made.text)
    return path


_ENDINGS = {"html": "html", "markdown": "md", "latex": "tex"}
__all__ = ["FORMATS", "MOST", "PAGE", "Failures", "Format", "Report", "report", "write_report"]
