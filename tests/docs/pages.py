"""The docs as the tests see them: pages, and the code blocks in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"

_FENCE = re.compile(r"^(?P<fence>```+)(?P<language>[\w-]*)(?P<more>[^\n]*)\n(?P<text>.*?)^(?P=fence)\s*$", re.M | re.S)
_TITLE = re.compile(r'title="([^"]+)"')


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language ("" where none is given), its title, its text, and where it stands."""

    page: Path
    line: int
    language: str
    title: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def pages() -> list[Path]:
    """Every page that people wrote or read: the site's, and the READMEs beside it."""
    beside = [ROOT / name for name in ("README.md", "README.zh-CN.md", "CONTRIBUTING.md")]
    return [*beside, *sorted((ROOT / "examples").rglob("*.md")), *sorted(DOCS.rglob("*.md"))]


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    return [_block(page, text, found) for found in _FENCE.finditer(text)]


def _block(page: Path, text: str, found: re.Match[str]) -> Block:
    title = _TITLE.search(found["more"])
    line = text.count("\n", 0, found.start()) + 1
    return Block(page, line, found["language"], title[1] if title else "", found["text"])


def all_blocks(*languages: str) -> list[Block]:
    """The blocks of all pages in some languages."""
    return [block for page in pages() for block in blocks(page) if block.language in languages]


def shown_in(shown: str, printed: str) -> str:
    """The first line of what a page shows that was not printed, or "".

    Figures may differ, columns may be left out, and "…" stands for anything: of every line the words must come in
    their order in one line of what was printed, and the lines in theirs.
    """
    lines = iter(printed.splitlines())
    for line in shown.splitlines():
        words = [word for word in line.split() if word != "…" and not re.search(r"\d", word)]
        if words and not any(_in_order(words, found.split()) for found in lines):
            return line
    return ""


def _in_order(words: Sequence[str], found: Sequence[str]) -> bool:
    rest: Iterator[str] = iter(found)
    patterns = [re.escape(word).replace("…", ".*") for word in words]
    return all(any(re.fullmatch(pattern, one) for one in rest) for pattern in patterns)
