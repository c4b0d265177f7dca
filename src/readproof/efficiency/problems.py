"""Everything that is wrong with prediction files, found in one pass and told at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from readproof.errors import InputError

_PRINTED = 20


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault, at a line and a column of a file (both from 1; 0 where the whole file is meant)."""

    file: str
    line: int
    column: int
    found: str
    expected: str

    def sentence(self) -> str:
        place = f":{self.line}:{self.column}" if self.line else ""
        return f"{self.file}{place}: found {self.found}; expected {self.expected}"


class ProblemsError(InputError):
    """Input with one or more problems; the message has the first ones, `problems` all of them."""

    def __init__(self, problems: Sequence[Problem], do: str = "") -> None:
        self.problems = tuple(problems)
        files = list(dict.fromkeys(problem.file for problem in problems))
        count = len(self.problems)
        super().__init__(
            file=files[0] if len(files) == 1 else "",
            found=f"{count} problem{'s' * (count != 1)}{f' in {len(files)} files' * (len(files) > 1)}",
            expected="none",
            do=do,
        )

    def __str__(self) -> str:
        lines = [f"  {problem.sentence()}" for problem in self.problems[:_PRINTED]]
        left = len(self.problems) - _PRINTED
        if left > 0:
            lines.append(f"  … and {left} more; --json lists all of them.")
        return "\n".join([self._sentence(), *lines])


def record_of(problems: Sequence[Problem]) -> list[dict[str, Any]]:
    """All problems, for a program."""
    return [asdict(problem) for problem in problems]


def whole_file(path: Path | str, found: str, expected: str) -> Problem:
    """A problem of a file as a whole."""
    return Problem(str(path), 0, 0, found, expected)
