"""The page that standard output is: its width, whether in colour, who puts right-to-left text in order."""

from __future__ import annotations

import os
import shutil
import sys

from readproof.cli._show_bidi import reorders_itself
from readproof.cli._show_lines import Page

_WIDEST = 100


def page_here(visual: bool | None = None) -> Page:
    """What is printed on now; `visual` says whether right-to-left text is to be put in order, None to find out."""
    terminal = sys.stdout.isatty()
    forced = bool(os.environ.get("FORCE_COLOR"))
    colour = not os.environ.get("NO_COLOR") and (forced or (terminal and os.environ.get("TERM") != "dumb"))
    width = min(shutil.get_terminal_size((_WIDEST, 24)).columns, _WIDEST)
    return Page(width, colour, not reorders_itself(os.environ, terminal) if visual is None else visual)
