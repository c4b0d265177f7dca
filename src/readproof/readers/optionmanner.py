"""How an option reader reads: the sizes of its pieces, and how the two passes are joined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

from readproof.errors import InputError, shown
from readproof.readers.evidence import Sentence

# verify: is an option true of the passage? choice: which option answers the question best, whatever its stem asks for
Head = Literal["verify", "choice"]
# more characters than any passage has: it is one piece, and its first tokens are read
_WHOLE = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionManner:
    """Sizes in characters, which are never fewer than tokens; `statement` and `max_tokens` in tokens.

    `fine_share` is the weight of the fine pass in the joined score. `liking` is how much the coarse pass has to say in
    the choice of the fine pass's sentences. Of a passage with more segments than `most`, the likeliest are read.
    `temperature` makes the confidence honest. `head` is what the weights were trained for.
    """

    head: Head = "verify"
    segment: int = 380
    overlap: int = 80
    fine: int = 320
    statement: int = 120
    max_tokens: int = 512
    fine_share: float = 0.5
    liking: float = 0.2
    most: int = 12
    temperature: float = 1.0

    def joined(self, passage: str, known: Sequence[Sentence], numbers: Sequence[int]) -> str:
        """Chosen sentences as one text."""
        return "".join(passage[known[number].start : known[number].end] for number in numbers)


def manner_of(record: Mapping[str, Any], file: Path) -> OptionManner:
    """The manner that a file's record says; what it does not say is as usual."""
    known = {one.name: one.type for one in fields(OptionManner)}
    for name, value in record.items():
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if name not in known or (value not in ("verify", "choice") if name == "head" else not number):
            raise InputError(
                file=file, place=f"options.{name}", found=shown(value), expected="a figure of OptionManner"
            )
    for name, value in record.items():
        least = {"fine_share": 0, "liking": 0, "overlap": 0, "temperature": 1e-3}.get(name, 1)
        if name != "head" and value < least:
            raise InputError(file=file, place=f"options.{name}", found=shown(value), expected=f"{least} or more")
    return OptionManner(**record)


def manner_for(head: Head, max_tokens: int = 512) -> OptionManner:
    """The usual manner of a head, its sizes in proportion to a window of so many tokens."""
    if head == "choice":
        return OptionManner(
            head=head, segment=_WHOLE, statement=max_tokens * 3 // 8, max_tokens=max_tokens, fine_share=1.0
        )
    usual = OptionManner()
    sizes = {name: getattr(usual, name) * max_tokens // 512 for name in ("segment", "overlap", "fine", "statement")}
    return OptionManner(max_tokens=max_tokens, **sizes)
