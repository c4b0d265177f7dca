"""Many searches at once: each is a generator that asks for candidates to be judged; all their wishes go out as one.

So a reader that reads in batches, or many machines, get whole populations of many items together, while each search
is still written as if it were alone, and finds the same whatever runs beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import TypeVar

Wish = TypeVar("Wish")
Reply = TypeVar("Reply")
Result = TypeVar("Result")


def together(
    searches: Sequence[Generator[list[Wish], list[Reply], Result]], reply: Callable[[list[Wish]], list[Reply]]
) -> list[Result]:
    """Runs all searches to their ends, round by round."""
    results: dict[int, Result] = {}
    wishes: dict[int, list[Wish]] = {}

    def advance(number: int, replies: list[Reply] | None) -> None:
        try:
            wishes[number] = next(searches[number]) if replies is None else searches[number].send(replies)
        except StopIteration as stop:
            results[number] = stop.value

    for number in range(len(searches)):
        advance(number, None)
    while wishes:
        asked, wishes = wishes, {}
        flat = reply([wish for wanted in asked.values() for wish in wanted])
        at = 0
        for number, wanted in asked.items():
            advance(number, flat[at : at + len(wanted)])
            at += len(wanted)
    return [results[number] for number in range(len(searches))]


def groups(items: Sequence[Wish], size: int) -> Iterator[Sequence[Wish]]:
    """The items in runs of `size`."""
    return (items[at : at + size] for at in range(0, len(items), size))
