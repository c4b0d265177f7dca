"""Statements that only their passage can decide: each is true of one text and false of another.

An option by itself gives much away, and who learns from options alone learns to guess. Here nothing is to be had that
way. *Crossed*: a sentence of the passage is turned by the option attacks; the passage with the sentence as it
stands and the passage with the turned one are both read with both statements, and each is true of one of them alone.
*Elsewhere*: the options of a question are read with another passage, the one of several that shares most with them, and
none of them follows from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random

from readproof.items import ChoiceItem
from readproof.readers.evidence import pairs, sentences
from readproof.training.options.made import rewrites_of, said_again, stands_alone
from readproof.training.options.records import Group

_SHORT, _LONG = 16, 90
# how many other passages are looked at for the one that shares most with the options
_TRIED = 12


def crossed(passages: Iterable[tuple[str, str]], name: str, *, most: int = 4) -> Iterator[Group]:
    """For each passage (id, text) up to `most` sentences, each of which gives a pair of groups."""
    for identity, passage in passages:
        random = Random(f"crossed|{name}|{identity}")
        known = [one for one in sentences(passage) if _SHORT <= one.size <= _LONG]
        known = [one for one in known if stands_alone(passage[one.start : one.end])]
        random.shuffle(known)
        made = 0
        for one in known:
            if made == most:
                break
            pair = _pair(f"{name}-{identity}-{one.start}", passage, (one.start, one.end), random)
            made += bool(pair)
            yield from pair


def _pair(identity: str, passage: str, place: tuple[int, int], random: Random) -> tuple[Group, ...]:
    start, end = place
    sentence = passage[start:end]
    found = [one for one in rewrites_of(sentence, passage, True, random) if one.truth == "flipped"]
    if not found:
        return ()
    turned = found[0].of(sentence)
    other = passage[:start] + turned + passage[end:]
    # said otherwise half of the time, so that the letters alone do not decide
    said = tuple(said_again(one, text, True, random) for one, text in ((sentence, passage), (turned, other)))
    if said[0] == said[1]:
        return ()
    first = random.randrange(2)
    statements = (said[first], said[1 - first])
    return tuple(
        Group(
            id=f"{identity}-{form}",
            passage=text,
            statements=statements,
            labels=(int(first == form), int(first != form)),
            kind="one",
            place=(start, start + len(text) - len(passage) + end - start),
        )
        for form, text in enumerate((passage, other))
    )


def elsewhere(
    groups: Iterable[Group], passages: Sequence[str], family: Mapping[str, str], name: str
) -> Iterator[Group]:
    """Each group's statements with a passage of another family, of which none of them is true."""
    letters = {passage: pairs(passage) for passage in set(passages)}
    for group in groups:
        random = Random(f"elsewhere|{name}|{group.id}")
        own = family[group.passage]
        tried = [one for one in random.choices(passages, k=_TRIED) if family[one] != own]
        if not tried:
            continue
        wanted = frozenset().union(*map(pairs, group.statements))
        other = max(tried, key=lambda passage: len(wanted & letters[passage]))
        yield Group(
            id=f"elsewhere-{group.id}",
            passage=other,
            statements=group.statements,
            labels=(0,) * len(group.statements),
        )


def texts_of(items: Iterable[ChoiceItem]) -> list[str]:
    """Each passage once."""
    return list(dict.fromkeys(item.passage for item in items))
