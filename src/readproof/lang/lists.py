"""Word lists that ship with the package: one small file a list, one entry a line, source and licence on top."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files


@lru_cache(maxsize=256)
def lines(language: str, name: str) -> tuple[tuple[str, ...], ...]:
    """The entries of `lang/<language>/<name>.tsv`, each split at its tabs."""
    text = files("readproof.lang").joinpath(language, f"{name}.tsv").read_text(encoding="utf-8")
    kept = (line for line in text.split("\n") if line and not line.startswith("# "))
    return tuple(tuple(line.split("\t")) for line in kept)


@lru_cache(maxsize=256)
def column(language: str, name: str) -> tuple[str, ...]:
    """The first column of a list."""
    return tuple(entry[0] for entry in lines(language, name))
