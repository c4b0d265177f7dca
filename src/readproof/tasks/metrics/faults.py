"""What can be wrong with a prediction file, said in the same words by every metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from readproof.errors import InputError, visible

_LISTED = 5


def listed(names: Sequence[str]) -> str:
    """The first few names; they come out of somebody's file, and none may steer a terminal."""
    return ", ".join(map(visible, names[:_LISTED])) + (", …" if len(names) > _LISTED else "")


def refuse_faults(path: Path, faults: Mapping[str, Sequence[str]], expected: str) -> None:
    """The strict rule: a file with any of the faults is not scored."""
    for fault, names in faults.items():
        if names:
            raise InputError(
                file=path,
                found=f"{len(names)} {fault} ({listed(names)})",
                expected=f"{expected} (strict)",
                do="Mend the file, or score with --metric official, which lets this through.",
            )


def refuse_unlabelled(kind: str) -> None:
    raise InputError(
        found=f"no gold {kind} in the data file",
        expected=f"a file with gold {kind} to score against",
        do="A public test file cannot be scored: take a training or development file, or hand the predictions in.",
    )
