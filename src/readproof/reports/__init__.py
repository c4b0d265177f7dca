"""From a run folder to what people read: a page of its own, tables for Markdown and LaTeX.

>>> from readproof.reports import write_report
>>> write_report("runs/mine")                        # doctest: +SKIP
"""

from __future__ import annotations

from readproof.reports.writing import FORMATS, Report, report, write_report

__all__ = ["FORMATS", "Report", "report", "write_report"]
