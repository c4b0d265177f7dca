"""Passages that are one text in several copies: whoever holds out one of them must hold out all.

The Gaokao collections have many an article twice, cut or spaced otherwise, with other questions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from random import Random

from readproof.tasks.overlap import SHARED, shingles


def families(passages: Iterable[str]) -> dict[str, str]:
    """Each passage's family, named by its first member: those that share over 30 % of the pieces of the shorter one."""
    known = sorted(set(passages))
    pieces = [shingles(passage) for passage in known]
    holders: defaultdict[int, list[int]] = defaultdict(list)
    parents = list(range(len(known)))

    def root(number: int) -> int:
        while parents[number] != number:
            number = parents[number] = parents[parents[number]]
        return number

    for number, own in enumerate(pieces):
        shared = Counter(other for piece in own for other in holders[piece])
        for other, count in shared.items():
            if count > SHARED * min(len(own), len(pieces[other])):
                one, two = sorted((root(number), root(other)))
                parents[two] = one
        for piece in own:
            holders[piece].append(number)
    return {passage: known[root(number)] for number, passage in enumerate(known)}


def fold_of(passage: str, folds: int, family: Mapping[str, str]) -> int:
    """The fold of a passage: that of its family, by its text alone."""
    return Random(f"fold|{family[passage]}").randrange(folds)
