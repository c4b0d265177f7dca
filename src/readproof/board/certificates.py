"""Certificates as PDF, with the font inside: they look the same everywhere, whatever a reader has installed."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from readproof.board.definition import Competition
from readproof.board.ranking import RankingRow
from readproof.board.words import Refusal
from readproof.reports.labels import Label

_PAGE = (297, 210)
_GOLD = (176, 137, 61)
_INK = (26, 31, 38)
_SOFT = (82, 92, 104)
# found by fontconfig: the simplified forms first
_WANTED = ("Noto Serif CJK SC", "Source Han Serif SC", "Noto Sans CJK SC", "WenQuanYi Zen Hei", "AR PL UMing CN")


@dataclass(frozen=True, slots=True)
class Font:
    """A font file; several fonts may lie in one."""

    path: Path
    number: int = 0


@dataclass(frozen=True, slots=True)
class Winner:
    """Who gets what for which rank."""

    team: str
    organisation: str
    people: tuple[str, ...]
    rank: int
    score: str
    prize: Label


def certificate(
    competition: Competition, track: Label, winner: Winner, at: datetime, issuer: Label, font: Font
) -> bytes:
    """One page, A4 across, in both languages."""
    try:
        from fpdf import FPDF
    except ImportError:
        raise Refusal("refused.no-pdf", 503) from None
    texts = (winner.team, winner.organisation, *winner.people, competition.title.zh, competition.title.en)
    _refuse_missing(font, "".join((*texts, track.zh, track.en, issuer.zh, issuer.en)))
    pdf = FPDF(orientation="landscape", format="A4")
    pdf.set_auto_page_break(False)
    pdf.set_creation_date(at)
    pdf.set_title(f"{competition.title.en}: {winner.team}")
    pdf.add_font("cjk", fname=str(font.path), collection_font_number=font.number)
    pdf.add_page()
    _frame(pdf)

    def line(y: float, text: str, size: float, colour: tuple[int, int, int] = _INK) -> None:
        pdf.set_text_color(*colour)
        pdf.set_font("cjk", size=size)
        # a long name gets smaller, never cut
        while size > 8 and pdf.get_string_width(text) > _PAGE[0] - 60:
            size -= 1
            pdf.set_font("cjk", size=size)
        pdf.set_xy(20, y)
        pdf.cell(_PAGE[0] - 40, size * 0.5, text, align="C")

    line(30, "荣 誉 证 书", 34, _GOLD)
    line(50, "CERTIFICATE", 15, _SOFT)
    line(70, winner.team, 28)
    line(86, "、".join(winner.people), 14, _SOFT)
    if winner.organisation:
        line(94, winner.organisation, 13, _SOFT)
    line(108, f"在「{competition.title.zh}」（{track.zh}）中获得第 {winner.rank} 名，荣获{winner.prize.zh}", 15)
    line(118, f"{winner.prize.en}: rank {winner.rank} in {competition.title.en} ({track.en})", 13)
    line(132, f"{competition.headline} {winner.score}{' %' if competition.percent else ''}", 15)
    line(164, issuer.zh if issuer.zh == issuer.en else f"{issuer.zh} · {issuer.en}", 13)
    line(173, f"{at.astimezone(competition.zone):%Y-%m-%d}", 12, _SOFT)
    return bytes(pdf.output())


def _refuse_missing(font: Font, text: str) -> None:
    """A name with a hole in it is worse than none: the signs that the font lacks are named."""
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

    with TTFont(str(font.path), fontNumber=font.number, lazy=True) as opened:
        known = opened.getBestCmap()
    missing = sorted({one for one in text if ord(one) not in known and not one.isspace()})
    if missing:
        raise Refusal("refused.glyphs", 503, signs=" ".join(f"{one} (U+{ord(one):04X})" for one in missing[:10]))


def _frame(pdf: object) -> None:
    from fpdf import FPDF

    if not isinstance(pdf, FPDF):
        return
    pdf.set_draw_color(*_GOLD)
    for inset, width in ((10.0, 1.2), (13.0, 0.3)):
        pdf.set_line_width(width)
        pdf.rect(inset, inset, _PAGE[0] - 2 * inset, _PAGE[1] - 2 * inset)


def winner_of(competition: Competition, row: RankingRow, people: tuple[str, ...]) -> Winner | None:
    """What a row of the ranking has won, if anything."""
    prize = competition.prize(row.award)
    if row.entry is None or row.rank is None or prize is None:
        return None
    score = f"{100 * row.score if competition.percent else row.score:.{competition.decimals}f}"
    return Winner(row.name, row.entry.organisation, people, row.rank, score, prize)


def find_font(named: str) -> Font:
    """The font that the settings name, or one of the system's that has Chinese characters."""
    if named:
        path = Path(named)
        if not path.is_file():
            raise Refusal("refused.no-font", 503)
        return Font(path, _index(path))
    for wanted in _WANTED:
        try:
            found = subprocess.run(
                ["fc-match", "--format=%{file}\t%{family}\t%{index}", f"{wanted}:style=Regular"],
                capture_output=True, text=True, timeout=10, check=False,
            ).stdout  # fmt: skip
        except (OSError, subprocess.SubprocessError):
            break
        file, _, rest = found.partition("\t")
        family, _, number = rest.partition("\t")
        if wanted in family and Path(file).is_file():
            return Font(Path(file), int(number) if number.isdigit() else 0)
    raise Refusal("refused.no-font", 503)


def _index(path: Path) -> int:
    """The simplified Chinese one of a collection."""
    if path.suffix.lower() != ".ttc":
        return 0
    from fontTools.ttLib import TTCollection

    names = [one["name"].getBestFamilyName() or "" for one in TTCollection(str(path), lazy=True).fonts]
    return next((at for at, name in enumerate(names) if name.endswith(" SC")), 0)
