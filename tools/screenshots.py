"""The pictures of the docs, taken of real runs: docs/pictures/*.png.

    python tools/screenshots.py             proves `zh` on the sample in the package first (four minutes)
    python tools/screenshots.py RUN [RUN]   of runs that there are; the second is for the picture of a comparison

Needs Playwright and a Chromium (the one on the path, else Playwright's own).
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from readproof.api import compare, prove
from readproof.proof.run import open_results
from readproof.reports import write_report
from readproof.reports.index import write_index

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs/pictures"


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture: its name, the tab or file that it shows, and how large the window is."""

    name: str
    tab: str
    width: int = 1180
    height: int = 760
    theme: str = "light"


PAGES = (
    Picture("report.png", "overview", height=980),
    Picture("cases.png", "cases", height=820),
)


def take(browser: Any, file: Path, picture: Picture, folder: Path) -> Path:
    """One picture of a page."""
    window = {"width": picture.width, "height": picture.height}
    context = browser.new_context(viewport=window, color_scheme=picture.theme, locale="en-US")
    try:
        view = context.new_page()
        view.goto(file.as_uri() + (f"#{picture.tab}" if picture.tab else ""))
        view.wait_for_timeout(300)  # for the cases to be unpacked
        path = folder / picture.name
        view.screenshot(path=str(path))
    finally:
        context.close()
    return path


def pictures(browser: Any, runs: Sequence[Path], folder: Path) -> list[Path]:
    """All pictures, of one run or of two."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        page = write_report(open_results(runs[0]), Path(place) / "report.html", language="en")
        made = [take(browser, page, one, folder) for one in PAGES]
        if len(runs) > 1:
            compare(*runs, out=Path(place) / "compare.html")
            made.append(take(browser, Path(place) / "compare.html", Picture("compare.png", "", height=900), folder))
            index = write_index(runs[0].parent)
            made.append(take(browser, index, Picture("runs.png", "", height=420), folder))
    return made


def main() -> None:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "runs", nargs="*", type=Path, help="run folders; the reader and the sample in the package if none"
    )
    parser.add_argument("--out", type=Path, default=PICTURES, help="where the pictures go")
    given = parser.parse_args()
    runs = given.runs or [prove(page=False).folder]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for path in pictures(browser, runs, given.out):
            print(path)
        browser.close()


if __name__ == "__main__":
    main()
