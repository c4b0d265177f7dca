"""Statements made by the option attacks: sentences of a passage and options of known truth, said otherwise or turned.

Blind readings of what the attacks make are in docs/attacks; a whole option denied ("并非如此") is left out, since a
reader would learn the wording of denials instead of reading. No way of turning gets more than its share.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random

from readproof.attacks.options.making import truths_of
from readproof.attacks.options.rewriting import Rewrite, rewrites
from readproof.items import ChoiceItem
from readproof.readers.evidence import sentences
from readproof.training.options.records import Group

_SHORT, _LONG = 16, 90
_FEW = 4
_ONCE = 0.5
# a statement by itself: what points back to another sentence is not
_POINTS_BACK = (*"这那此其他她它但而却另也还并又则我你（(①②③“", "所以", "因此", "然而", "于是", "同时")


def from_passages(passages: Iterable[tuple[str, str]], name: str, *, most: int = 8) -> Iterator[Group]:
    """For each passage (id, text) up to `most` groups: a sentence that is true, its rewrites true and false."""
    for identity, passage in passages:
        random = Random(f"made|{name}|{identity}")
        known = [one for one in sentences(passage) if _SHORT <= one.size <= _LONG]
        known = [one for one in known if stands_alone(passage[one.start : one.end])]
        random.shuffle(known)
        made = 0
        for one in known:
            if made == most:
                break
            statement = passage[one.start : one.end]
            group = _group(f"{name}-{identity}-{one.start}", passage, statement, True, random, verbatim=0.25)
            if group is not None:
                made += 1
                yield replace(group, place=(one.start, one.end))


def from_options(items: Iterable[ChoiceItem], name: str) -> Iterator[Group]:
    """For each option of known truth a group of its rewrites."""
    for item in items:
        random = Random(f"made|{name}|{item.id}")
        for number, truth in enumerate(truths_of(item)):
            statement = item.options[number]
            group = _group(f"{name}-{item.id}-{number}", item.passage, statement, truth, random, verbatim=0.0)
            if group is not None:
                yield group


def rewrites_of(statement: str, passage: str, truth: bool, random: Random) -> list[Rewrite]:
    """A few rewrites of a statement that keep its truth, and a few that flip it."""
    kept = islice(rewrites(statement, passage, truth, "kept", random), _FEW)
    return [*kept, *islice(rewrites(statement, passage, truth, "flipped", random), _FEW)]


def _group(
    identity: str, passage: str, statement: str, truth: bool, random: Random, *, verbatim: float
) -> Group | None:
    kept: list[str] = []
    flipped: list[str] = []
    for rewrite in rewrites_of(statement, passage, truth, random):
        into = kept if rewrite.truth == "kept" else flipped
        new = said_again(rewrite.of(statement), passage, truth is (rewrite.truth == "kept"), random)
        if len(into) < 2 and new not in (*kept, *flipped, statement):
            into.append(new)
        if len(kept) == len(flipped) == 2:
            break
    if truth and random.random() < verbatim:
        kept = [statement, *kept][:2]
    if truth and not flipped:  # with true ones alone a group teaches that what looks like the passage is true
        return None
    if not kept and not flipped:
        return None
    return Group(
        id=identity,
        passage=passage,
        statements=(*kept, *flipped),
        labels=(*(int(truth) for _ in kept), *(int(not truth) for _ in flipped)),
    )


def said_again(statement: str, passage: str, truth: bool, random: Random) -> str:
    """Half of the time said otherwise once more, so that what was changed last does not give the truth away."""
    if random.random() < _ONCE:
        return statement
    for rewrite in rewrites_of(statement, passage, truth, random):
        if rewrite.truth == "kept":
            return rewrite.of(statement)
    return statement


def stands_alone(sentence: str) -> bool:
    return sentence.endswith(("。", "；")) and not sentence.startswith(_POINTS_BACK) and "：“" not in sentence
