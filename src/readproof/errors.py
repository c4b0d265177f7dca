"""The errors a person sees: each names the file, the place, what was found, what was expected, what to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

_SHOWN = 80
_LONGEST = 120


class ReadproofError(Exception):
    """A fault of ours; ends the command with status 1."""

    exit_status = 1

    def __reduce__(self) -> tuple[Any, ...]:
        # by its fields, not its arguments: an error of a worker process must come whole to the one that waits
        return _made_again, (type(self), self.args), self.__dict__


class InputError(ReadproofError):
    """The user's input cannot be used as it is; ends the command with status 2."""

    exit_status = 2

    def __init__(
        self,
        *,
        file: str | Path = "",
        place: str = "",
        found: str,
        expected: str,
        do: str = "",
    ) -> None:
        self.file = str(file)
        self.place = place
        self.found = found
        self.expected = expected
        self.do = do
        super().__init__(self._sentence())

    def _sentence(self) -> str:
        where = ", ".join(part for part in (self.file, self.place) if part)
        lead = f"{where}: " if where else ""
        do = f" {self.do}" if self.do else ""
        return f"{lead}found {self.found}; expected {self.expected}.{do}"


class MissingExtraError(InputError):
    """A part that needs an optional dependency was called without it."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(
            found=f"no package {package!r}",
            expected=f"the extra [{extra}]",
            do=f'Install it with: pip install "readproof[{extra}]"',
        )


def _made_again(kind: type[ReadproofError], arguments: tuple[Any, ...]) -> ReadproofError:
    error = kind.__new__(kind)
    error.args = arguments
    return error


def shown(value: object) -> str:
    """A short, printable picture of something found in a file: its kind and its beginning."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        first = f" ({', '.join(map(repr, list(value)[:4]))})" if value else ""
        return f"an object with {len(value)} {'key' if len(value) == 1 else 'keys'}{first}"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    picture = ascii(value) if _unprintable(value) else repr(value)
    kind = {str: "the text", int: "the number", float: "the number"}.get(type(value), "")
    if len(picture) > _SHOWN:
        picture = picture[:_SHOWN] + "…"
    return f"{kind} {picture}".strip()


def visible(value: object) -> str:
    """A value out of somebody's file, short, and without characters that steer a terminal."""
    text = str(value)
    cut = text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in cut)


def _unprintable(value: object) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in str(value)[:_SHOWN])
