"""The ranking for other programs: one record a row, as JSON or CSV."""

from __future__ import annotations

import csv
import io
from datetime import datetime
from typing import Any

from readproof.board.definition import Competition
from readproof.board.standings import Standings, View

# by which a spreadsheet knows UTF-8
MARK = "\ufeff"
# a spreadsheet takes a cell that begins so for a formula
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def records(competition: Competition, seen: View, found: Standings, at: datetime) -> list[dict[str, Any]]:
    """The rows in order; prizes when submission has ended."""
    prizes = seen.prizes(competition.phase(at) == "closed")
    rows = []
    for row in found.rows:
        prize = competition.prize(row.rank) if prizes else None
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
        "rows": records(competition, seen, found, at),
    }


def as_csv(competition: Competition, seen: View, found: Standings, at: datetime) -> str:
    """The same for a spreadsheet."""
    out = io.StringIO()
    rows = records(competition, seen, found, at)
    heads = ["rank", "name", "organisation", "reference", competition.headline, *competition.columns]
    writer = csv.writer(out)
    writer.writerow([*heads, "submitted_at", "submissions", "prize_en", "prize_zh"])
    for row in rows:
        prize = row["prize"] or {"en": "", "zh": ""}
        values = [*(row[name] for name in heads), row["submitted_at"], row["submissions"], prize["en"], prize["zh"]]
        writer.writerow([cell(value) for value in values])
    return MARK + out.getvalue()


def cell(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else "" if value is None else value
