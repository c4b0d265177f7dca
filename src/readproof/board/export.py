"""The ranking for other programs: one record a row, as JSON or CSV."""

from __future__ import annotations

import csv
import io
from datetime import datetime
from typing import Any

from readproof.board.definition import Competition
from readproof.board.standings import Standings, View

# a spreadsheet takes a cell that begins so for a formula
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def records(competition: Competition, found: Standings, at: datetime) -> list[dict[str, Any]]:
    """The rows in order; prizes when submission has ended."""
    closed = competition.phase(at) == "closed"
    rows = []
    for row in found.rows:
        prize = competition.prize(row.rank) if closed else None
        rows.append(
            {
                "rank": row.rank,
                "name": row.name,
                "organisation": row.entry.organisation if row.entry else "",
                "reference": row.reference is not None,
                competition.headline: row.score,
                **{name: row.scores.get(name) for name in competition.columns},
                "submitted_at": row.entry.at.isoformat() if row.entry else None,
                "submissions": row.entry.count if row.entry else None,
                "prize": {"en": prize.en, "zh": prize.zh} if prize else None,
            }
        )
    return rows


def as_record(competition: Competition, track: str, seen: View, found: Standings, at: datetime) -> dict[str, Any]:
    """A whole ranking for a program."""
    return {
        "competition": competition.slug,
        "track": track,
        "version": seen.version,
        "hidden_until": seen.hidden_until.isoformat() if seen.hidden_until else None,
        "frozen_at": seen.frozen_at.isoformat() if seen.frozen_at else None,
        "closed": competition.phase(at) == "closed",
        "rows": records(competition, found, at),
    }


def as_csv(competition: Competition, found: Standings, at: datetime) -> str:
    """The same for a spreadsheet; it begins with a mark by which they know UTF-8."""
    out = io.StringIO()
    rows = records(competition, found, at)
    heads = ["rank", "name", "organisation", "reference", competition.headline, *competition.columns]
    writer = csv.writer(out)
    writer.writerow([*heads, "submitted_at", "submissions", "prize_en", "prize_zh"])
    for row in rows:
        prize = row["prize"] or {"en": "", "zh": ""}
        values = [*(row[name] for name in heads), row["submitted_at"], row["submissions"], prize["en"], prize["zh"]]
        writer.writerow([_cell(value) for value in values])
    return "\ufeff" + out.getvalue()


def _cell(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else "" if value is None else value
