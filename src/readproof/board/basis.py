"""What a score rests on: the gold answers, by their digest, and the version of the scorer."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from readproof.board.definition import Competition
from readproof.files import digest

# to be raised when a scorer gives other figures for the same files
_VERSIONS = {"gcrc": 1, "celue": 1}
# what tells without reading that a file is still the same
_Look = tuple[tuple[str, int, int, int], ...]
_known: dict[Path, tuple[_Look, str]] = {}
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class ScoringBasis:
    """Two scores can be compared when they rest on the same."""

    gold: str
    scorer: str


NO_BASIS = ScoringBasis("", "")


def basis_of(competition: Competition) -> ScoringBasis:
    """What a submission scored at this moment would rest on; files are read again only when they have changed."""
    if not competition.gold.exists():
        return ScoringBasis("", _scorer(competition))
    parts = [_digest(path) for path in (competition.gold, competition.curve) if path is not None]
    if competition.shared:
        parts.append(f"{competition.public} {competition.split}")
    return ScoringBasis(hashlib.sha256("|".join(parts).encode()).hexdigest(), _scorer(competition))


def _scorer(competition: Competition) -> str:
    return f"{competition.task} {competition.metric} {_VERSIONS[competition.task]}"


def _digest(path: Path) -> str:
    """Of a file, or of all files of a folder with their names."""
    look = _look(path)
    with _lock:
        found = _known.get(path)
        if found is not None and found[0] == look:
            return found[1]
    made = hashlib.sha256()
    for file in _files(path):
        made.update(f"{file.relative_to(path).as_posix()}\0{digest(file)}\n".encode())
    value = made.hexdigest()
    with _lock:
        _known[path] = (look, value)
    return value


def _look(path: Path) -> _Look:
    looks = ((file, file.stat()) for file in _files(path))
    return tuple((str(file), one.st_size, one.st_mtime_ns, one.st_ino) for file, one in looks)


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from sorted(one for one in path.rglob("*") if one.is_file())
    elif path.is_file():
        yield path
