"""Where in a corpus questions can be made: spans that stand in two sentences of a document, and phrases of one.

All of it is found at once over the array of tokens. Words are whole pieces with what continues them; a word counts as
plain when it is among the most frequent ones, so that no list of any language is needed. A span neither begins nor ends
with a plain word and holds no sign.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from readproof.lang.fa.fakes import PLACES
from readproof.readers.vocabulary import SPECIAL, Vocabulary
from readproof.training.pretrain.corpus import Corpus

Places = NDArray[np.int32]

# words by their rank among all forms: those that join others, and those too common to be asked for alone; a small text
# has fewer of both
_PLAIN, _FREQUENT = 250, 2000
_PLAIN_SHARE, _FREQUENT_SHARE = 0.12, 0.25
_LONGEST = 5
_NEAR = 220
ENDS = frozenset(".؟?!؛;。！？…")
_SENTENCE = 6, 90


@dataclass(frozen=True, slots=True)
class CorpusWords:
    """The words of a corpus: first tokens (one more at the end), a number for each form, its rank, signs, sentences."""

    starts: NDArray[np.int64]
    forms: NDArray[np.uint64]
    ranks: NDArray[np.int64]
    signs: NDArray[np.bool_]
    digits: NDArray[np.bool_]
    sentences: NDArray[np.int64]
    documents: NDArray[np.int32]
    barred: NDArray[np.bool_]


def continues(vocabulary: Vocabulary) -> NDArray[np.bool_]:
    """For each row, whether it goes on with a word."""
    return np.asarray([token.startswith("##") for token in vocabulary.rows])


def words_of(corpus: Corpus, vocabulary: Vocabulary, barred: NDArray[np.bool_] | None = None) -> CorpusWords:
    ids = corpus.ids
    begins = ~continues(vocabulary)[ids]
    begins[corpus.bounds[:-1]] = True
    starts = np.flatnonzero(begins)
    random = np.random.default_rng(20_181)
    table = random.integers(1, 1 << 63, size=(8, len(vocabulary)), dtype=np.uint64)
    place = (np.arange(len(ids)) - np.repeat(starts, np.diff(np.append(starts, len(ids))))) % 8
    forms = np.add.reduceat(table[place, ids], starts)
    _, which, counts = np.unique(forms, return_inverse=True, return_counts=True)
    order = np.empty(len(counts), dtype=np.int64)
    order[np.argsort(-counts, kind="stable")] = np.arange(len(counts))
    first = ids[starts]
    bare = [token.removeprefix("##") for token in vocabulary.rows]
    is_sign = np.asarray([token in SPECIAL or not any(map(str.isalnum, token)) for token in bare])
    is_end = np.asarray([token in ENDS for token in bare])
    is_digit = np.asarray([token[:1].isdecimal() for token in bare])
    documents = corpus.document[starts]
    ends = is_end[first] | np.append(documents[1:] != documents[:-1], True)
    sentences = np.concatenate(([0], np.cumsum(ends)[:-1]))
    return CorpusWords(
        starts=np.append(starts, len(ids)),
        forms=forms,
        ranks=order[which],
        signs=is_sign[first],
        digits=is_digit[first],
        sentences=sentences,
        documents=documents,
        barred=np.zeros(len(starts), dtype=bool)
        if barred is None
        else barred[first] & (np.diff(starts, append=len(ids)) == 1),
    )


def find_places(
    corpus: Corpus,
    vocabulary: Vocabulary,
    *,
    most: int,
    recurring: float,
    barred: NDArray[np.bool_] | None = None,
    seed: int = 0,
) -> Places:
    """Rows of token offsets: sentence start and end, span start and end, the span's twin elsewhere (or -1).

    `barred` says of each row of the vocabulary whether it is a word, as a verb is, that no span holds at its edge.
    """
    words = words_of(corpus, vocabulary, barred)
    random = np.random.default_rng(seed)
    bounds = _sentence_bounds(words)
    twins = _rows(words, bounds, *_recurring(words, random))
    alone = _rows(words, bounds, *_phrases(words))
    wanted = round(most * recurring)
    chosen = [_drawn(twins, wanted, random), _drawn(alone, most - wanted, random)]
    return np.concatenate(chosen).astype(np.int32)


def _recurring(words: CorpusWords, random: np.random.Generator) -> tuple[Places, Places, Places]:
    """First words, lengths and twins' first words of spans that stand in two near sentences of a document."""
    covered = np.zeros(len(words.forms), dtype=bool)
    found: list[tuple[NDArray[np.int64], int, NDArray[np.int64]]] = []
    for length in range(_LONGEST, 0, -1):
        at = _candidates(words, length)
        at = at[~covered[at] & ~covered[at + length - 1]]
        if not len(at):
            continue
        keys = words.documents[at].astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        for place in range(length):
            keys = keys * np.uint64(0x100000001B3) + words.forms[at + place]
        order = np.argsort(keys, kind="stable")
        same = keys[order][1:] == keys[order][:-1]
        one, other = at[order[:-1]][same], at[order[1:]][same]
        near = (words.sentences[one] != words.sentences[other]) & (words.starts[other] - words.starts[one] < _NEAR)
        one, other = one[near], other[near]
        for place in range(length):
            covered[one + place] = covered[other + place] = True
        swap = random.random(len(one)) < 0.5
        found.append((np.where(swap, other, one), length, np.where(swap, one, other)))
    if not found:
        nothing = np.zeros(0, dtype=np.int32)
        return nothing, nothing, nothing
    firsts = np.concatenate([first for first, _, _ in found])
    lengths = np.concatenate([np.full(len(first), length) for first, length, _ in found])
    twins = np.concatenate([twin for _, _, twin in found])
    return firsts.astype(np.int32), lengths.astype(np.int32), twins.astype(np.int32)


def _candidates(words: CorpusWords, length: int) -> NDArray[np.int64]:
    """First words of spans of so many words that may be asked for."""
    count = len(words.forms) - length + 1
    if count <= 0:
        return np.zeros(0, dtype=np.int64)
    outer = words.ranks >= (_frequent(words) if length == 1 else _plain(words))
    outer = (outer | words.digits) & ~words.barred
    right = outer[:count] & outer[length - 1 :]
    for place in range(length):
        right &= ~words.signs[place : place + count]
    right &= words.sentences[:count] == words.sentences[length - 1 :]
    return np.flatnonzero(right)


def _plain(words: CorpusWords) -> float:
    return min(_PLAIN, _PLAIN_SHARE * float(words.ranks.max()))


def _frequent(words: CorpusWords) -> float:
    return min(_FREQUENT, _FREQUENT_SHARE * float(words.ranks.max()))


def _phrases(words: CorpusWords) -> tuple[Places, Places, None]:
    """Runs of words between plain words or signs: a rough noun phrase, a name, a number."""
    inside = ~words.signs & ~words.barred & ((words.ranks >= _plain(words)) | words.digits)
    edge = np.diff(np.concatenate(([0], inside.astype(np.int8), [0])))
    firsts, ends = np.flatnonzero(edge == 1), np.flatnonzero(edge == -1)
    lengths = ends - firsts
    same = words.sentences[firsts] == words.sentences[ends - 1]
    rare = (words.ranks[firsts] >= _frequent(words)) | words.digits[firsts] | (lengths > 1)
    kept = same & rare & (lengths <= _LONGEST)
    return firsts[kept].astype(np.int32), lengths[kept].astype(np.int32), None


def _sentence_bounds(words: CorpusWords) -> NDArray[np.int64]:
    """The first word of each sentence, and one more."""
    changes = np.flatnonzero(np.diff(words.sentences)) + 1
    return np.concatenate(([0], changes, [len(words.forms)]))


def _rows(
    words: CorpusWords, bounds: NDArray[np.int64], firsts: Places, lengths: Places, twins: Places | None
) -> Places:
    sentence = words.sentences[firsts]
    begin, end = bounds[sentence], bounds[sentence + 1]
    enough = (end - begin >= lengths + _SENTENCE[0]) & (end - begin <= _SENTENCE[1])
    columns = [
        words.starts[begin],
        words.starts[end],
        words.starts[firsts],
        words.starts[firsts + lengths],
        np.full(len(firsts), -1) if twins is None else words.starts[twins],
    ]
    return np.stack(columns, axis=1)[enough].astype(np.int32)


def _drawn(rows: Places, most: int, random: np.random.Generator) -> Places:
    """At most so many rows, in random order."""
    return rows[random.permutation(len(rows))[:most]]


def save_places(path: Path, places: Places) -> None:
    part = path.with_name(f".{path.name}.part")
    with part.open("wb") as file:
        np.save(file, places)
    part.replace(path)


# What kind of thing a span names, so that the right question word takes its place: by digits and by lists.


OTHER = "other"
_PERSON = ("fa_given", "fa_surname", "en_given", "en_surname", "lone_fa", "lone_en", "modern_fa", "king", "king_en")
_GROUP = ("company", "bank", "organisation", "university", "team", "party", "newspaper")
_DATE = ("months_jalali", "months_gregorian", "months_lunar", "weekday", "season")
_KINDS = {"person": _PERSON, "place": PLACES, "group": _GROUP, "date": _DATE}


def kinds_of(language: str, tokenizer: Tokenizer) -> Mapping[str, str]:
    """Words of the lists of a language, as the tokenizer spells them, with their kind; empty where there are none."""
    if language != "fa":
        return {}
    from readproof.lang.fa.entities import classes

    found: dict[str, str] = {}
    for kind, names in _KINDS.items():
        for name in names:
            for word in classes().get(name, ()):
                found.setdefault(spelt(word, tokenizer), kind)
    return found


def barred_rows(language: str, rows: Sequence[str]) -> NDArray[np.bool_]:
    """Which pieces are words that no answer begins or ends with: verbs and function words, as far as lists tell."""
    if language != "fa":
        return np.zeros(len(rows), dtype=bool)
    from readproof.lang.fa.words import tag_of

    return np.asarray([not token.startswith(("##", "[")) and tag_of(token) in ("v", "f") for token in rows])


def spelt(text: str, tokenizer: Tokenizer) -> str:
    normalizer = tokenizer.normalizer
    return " ".join((normalizer.normalize_str(text) if normalizer else text).split())


@lru_cache(maxsize=1 << 16)
def _number(text: str) -> str:
    words = text.split()
    if len(words) == 1 and words[0].isdecimal():
        return "year" if len(text) == 4 and text[:2] in ("12", "13", "14", "18", "19", "20") else "number"
    return "number" if words and words[0].isdecimal() else ""


def kind_of(text: str, kinds: Mapping[str, str]) -> str:
    """The kind of a span as the tokenizer spells it; a name by its whole, its last or its first word."""
    found = _number(text)
    if found:
        dated = any(kinds.get(word) == "date" for word in text.split())
        return "date" if dated else found
    words = text.split()
    return next((kinds[one] for one in (text, words[-1], words[0]) if one in kinds), OTHER) if words else OTHER
