"""Clauses that answer a Chinese question: which kind a question wants, and clauses of that kind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from random import Random

from readproof.lang.api import lines

_TRIES = 8
# what is no longer than this is a word or two: 椭圆形
_WORD = 5


@lru_cache(maxsize=1)
def _kinds() -> dict[str, str]:
    return {head: kind for head, kind in lines("zh", "clausekinds")}  # noqa: C416


@lru_cache(maxsize=1 << 12)
def clause_kind(head: str) -> str:
    """The kind of clause that answers a question for the noun; "" where a name answers it."""
    for cut in range(max(0, len(head) - 4), len(head)):
        if head[cut:] in _kinds() and (len(head) - cut > 1 or not cut):
            return _kinds()[head[cut:]]
    return ""


@lru_cache(maxsize=1)
def _governors() -> tuple[tuple[re.Pattern[str], str, str], ...]:
    return tuple((re.compile(pattern), what, kind) for pattern, what, kind in lines("zh", "governors"))


@lru_cache(maxsize=1 << 12)
def governed(before: str, after: str) -> tuple[str, str]:
    """What the words around 什么 want: ("clause", a kind of clause), ("answer", a noun asked for), or ("", "")."""
    for pattern, what, kind in _governors():
        if pattern.search(f"{before}_{after}"):
            return what, kind
    return "", ""


@lru_cache(maxsize=64)
def _clauses(kind: str) -> tuple[str, ...]:
    return tuple(clause for of, clause in lines("zh", "clauses") if of == kind)


@lru_cache(maxsize=1)
def _all() -> frozenset[str]:
    return frozenset(clause for _kind, clause in lines("zh", "clauses") if len(clause) > _WORD)


def is_known_clause(text: str) -> bool:
    """Whether a text is one of the listed clauses."""
    return text in _all()


@lru_cache(maxsize=1)
def _predicates() -> frozenset[str]:
    return frozenset(clause for kind, clause in lines("zh", "clauses") if kind in ("description", "character", "state"))


def is_predicate(text: str) -> bool:
    """Whether a clause follows its subject without 是: 一直不太稳定."""
    return text in _predicates()


def clauses(kind: str, gold: str, random: Random) -> Iterator[str]:
    """Clauses of a kind, those of about the gold answer's length first."""
    pool = _clauses(kind) or _clauses("description")
    size = min(max(len(gold), 6), 30)
    near = sorted(pool, key=lambda clause: (abs(len(clause) - size), clause))[: max(6, len(pool) // 2)]
    for _ in range(_TRIES):
        yield random.choice(near)
    for _ in range(_TRIES):
        yield random.choice(pool)
