"""A look at the files of all competitions, in one wording: what serves or scores stops, what saves or restores warns.

A board that cannot start can still be saved and brought back: it is then that its organiser needs it most.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from readproof.board.definition import Competition, load_competitions, unready
from readproof.board.goldcheck import check_files
from readproof.board.settings import load_settings
from readproof.errors import InputError


def competitions_in(folder: Path) -> dict[str, Competition]:
    """The competitions of a board that is not open."""
    return load_competitions(load_settings(folder).competitions)


def look_over(competitions: Mapping[str, Competition], say: Callable[[str], None]) -> None:
    """An InputError where files do not go together; what is not there yet is said."""
    check_files(competitions)
    for one in lacking(competitions):
        say(one)


def faults(competitions: Mapping[str, Competition]) -> list[str]:
    """Why `serve` and `worker` would not start."""
    try:
        check_files(competitions)
    except InputError as error:
        return [f"serve and worker will not start with these files: {error}"]
    return []


def lacking(competitions: Mapping[str, Competition]) -> list[str]:
    """Which competitions take nothing, and for want of what."""
    return [f"{slug} takes nothing yet: there is no {file}" for slug, file in unready(competitions)]
