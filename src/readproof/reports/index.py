"""All runs of a folder on one page: when, which reader on what data, the verdict, the score, and how it went on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from readproof import __version__
from readproof.errors import InputError
from readproof.files import writing
from readproof.proof.results import RUN, SCORES, Part, PartVerdict
from readproof.proof.run import RunResults, open_results
from readproof.reports import charts
from readproof.reports.grids import Cell, Grid, count, grid, heads, interval
from readproof.reports.labels import Language, Words, both, label, named
from readproof.reports.shell import rendered
from readproof.reports.tables import part_title
from readproof.reports.verdicts import part_state

INDEX = "index.html"
_PAGE = "report.html"
# of a sparkline: more runs than that are not told apart
_LAST = 20


@dataclass(frozen=True, slots=True)
class _Row:
    run: RunResults
    part: Part
    verdict: PartVerdict | None

    @property
    def date(self) -> str:
        return self.run.timings.made.get("date", "")

    @property
    def series(self) -> tuple[str, str, str, int]:
        """Runs whose scores can be drawn as one line: of the same reader, by its name, on the same data."""
        facts = self.run.scores.run
        data = facts.suite.digest if facts.suite else facts.data.digest
        return facts.reader.name, data, self.part.name, self.part.questions


def runs_in(folder: Path) -> tuple[list[RunResults], int]:
    """The finished runs in a folder, the oldest first, and how many folders are runs that cannot be shown."""
    found, left = [], 0
    for path in sorted(folder.glob(f"*/{RUN}")):
        try:
            found.append(open_results(path.parent))
        except InputError:  # not finished, or of another version
            left += 1
    return sorted(found, key=lambda run: (run.timings.made.get("date", ""), run.folder.name)), left


def index_page(folder: Path, *, language: Language | None = None) -> str:
    """The page of a folder of runs."""
    found, left = runs_in(folder)
    if not found:
        do = "Name a folder of runs, such as runs/, or one run."
        raise InputError(file=folder, found=f"no finished run in it ({SCORES})", expected="a folder of runs", do=do)
    about = label("index.about").filled(count=len(found))
    notes = [label("index.left").filled(count=left)] if left else []
    values = {
        "title": label("index.title"),
        "about": about,
        "version": __version__,
        "blocks": [{"grid": _grid(_rows(found)), "plot": None, "notes": notes, "names": ()}],
    }
    return rendered("sheet.html", values, language=language)


def write_index(folder: Path) -> Path:
    """Writes index.html into a folder of runs."""
    text = index_page(folder)
    with writing(folder / INDEX) as file:
        file.write(text)
    return folder / INDEX


def _rows(found: Iterable[RunResults]) -> list[_Row]:
    return [
        _Row(run, part, next((one for one in run.scores.verdict.parts if one.part == part.name), None))
        for run in found
        for part in run.scores.parts
    ]


def _grid(rows: Sequence[_Row]) -> Grid:
    history: dict[tuple[str, str, str, int], list[float]] = {}
    lines = []
    for row in rows:
        facts, part = row.run.scores.run, row.part
        past = history.setdefault(row.series, [])
        past.append(part.clean[part.main].value)
        page = row.run.folder / _PAGE
        link = f"{quote(row.run.folder.name)}/{_PAGE}" if page.is_file() else ""
        cells: list[Cell | Words] = [
            Cell(facts.reader.name, link=link),
            _verdict(row),
            facts.data.name,
            part_title(part),
            count(part.questions),
            label("index.score").filled(metric=both(named("metric", part.main)), score=interval(part.clean, part.main)),
            interval(part.worst, part.single),
            Cell("", svg=charts.sparkline(past[-_LAST:])) if len(past) > 1 else "",
            row.date,
            row.run.timings.made.get("commit", ""),
        ]
        lines.append((row.part.questions, cells))
    lines.reverse()  # the newest first
    titles = heads("reader", "verdict", "data", "kind", "questions", "clean", "worst", "history", "date", "commit")
    return grid(
        "runs",
        label("index.table"),
        titles,
        [cells for _, cells in lines],
        left=(1, 2, 3, 7, 8, 9),
        counts=[questions for questions, _ in lines],
        note=label("index.note"),
    )


def _verdict(row: _Row) -> Cell | Words:
    """The verdict in a word, and in the colour of its card."""
    if row.verdict is None:
        return ""
    state = part_state(row.verdict)
    key = "falls" if row.verdict.reads == "yes" and row.verdict.falls_for else row.verdict.reads
    words = label(f"index.{key.replace(' ', '-')}").filled(count=len(row.verdict.falls_for))
    return Cell(words, outcome="passed" if state == "passed" else "failed" if state == "failed" else "unclear")


__all__ = ["INDEX", "index_page", "runs_in", "write_index"]
