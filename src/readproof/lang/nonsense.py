"""Which sentences are words without sense: a small network over words that tells text from words thrown together.

It was trained on real sentences against words drawn by chance (tools/nonsense.py). A reader that leaves such sentences
out cannot be led astray by them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from readproof.lang.api import get_language
from readproof.lang.zh.words import words

Floats = NDArray[np.float32]

SIGNS = 6  # of a longer word, a name in letters or a number, the first signs count
FEWEST = 5  # words; shorter sentences say too little of themselves
_TAIL, _CLEARLY = 8, 2.0  # words of a tail, and by how much its figures must be above the edge
_MOST = 0.34  # where more of a text than this seems to be nonsense, the text is of a kind that was never learnt


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """A word is what its characters, the word itself, its part of speech and its coming again add up to; what is
    unknown adds nothing.

    Layers over the words that each see some neighbours follow, and a last one gives a figure a word. A sentence is
    nonsense where the mean of its figures is above the edge for its length: `edges` are for sentences of at least
    `lengths` words, the shortest first.
    """

    known: Mapping[str, Mapping[str, int]]
    tables: Mapping[str, Floats]
    layers: tuple[tuple[Floats, Floats], ...]
    last: Floats
    lengths: tuple[int, ...] = (0,)
    edges: tuple[float, ...] = (0.0,)

    def figures(self, words: Sequence[tuple[str, str]]) -> Floats:
        """One figure for each word with its part of speech, the higher the less sense."""
        again = coming_again(words)
        seen = np.stack([self._vector(word, tag, more) for (word, tag), more in zip(words, again, strict=True)])
        for weights, bias in self.layers:
            seen = np.maximum(_neighbours(seen, len(weights) // seen.shape[1]) @ weights + bias, 0.0)
        out: Floats = seen @ self.last[:-1] + self.last[-1]
        return out

    def _vector(self, word: str, tag: str, again: str) -> Floats:
        signs, table = self.known["characters"], self.tables["characters"]
        vector = np.zeros(table.shape[1], np.float32)
        for one in word[:SIGNS]:
            if one in signs:
                vector += table[signs[one]] / min(len(word), SIGNS)
        for name, one in (("words", word), ("tags", tag), ("again", again)):
            if one in self.known[name]:
                vector += self.tables[name][self.known[name][one]]
        return vector

    @property
    def parameters(self) -> int:
        parts = [*self.tables.values(), *(one for layer in self.layers for one in layer), self.last]
        return sum(one.size for one in parts)

    def edge(self, words: int) -> float:
        return max(
            (pair for pair in zip(self.lengths, self.edges, strict=True) if pair[0] <= words), default=(0, np.inf)
        )[1]


def _neighbours(rows: Floats, width: int) -> Floats:
    """Each row with those around it, side by side; beyond the ends there is nothing."""
    side = width // 2
    padded = np.pad(rows, ((side, side), (0, 0)))
    return np.concatenate([padded[at : at + len(rows)] for at in range(width)], axis=1)


def coming_again(words: Sequence[tuple[str, str]]) -> list[str]:
    """Of each word, whether it came before in the sentence: `next` to it, `near` (two before), `far`, or not at all."""
    out: list[str] = []
    for at, (word, _) in enumerate(words):
        before = [one for one, _ in words[:at]] if any(map(str.isalnum, word)) else []
        gap = before[::-1].index(word) if word in before else -1
        out.append({-1: "", 0: "next", 1: "near"}.get(gap, "far"))
    return out


def tagged(sentence: str) -> list[tuple[str, str]]:
    """The words of a Chinese sentence with their parts of speech."""
    return [(word.text, word.tag) for word in words(sentence)]


def nonsense(text: str, language: str = "zh") -> list[tuple[int, int]]:
    """The sentences of a text that are words without sense, as spans; none where much of it seems to be so."""
    pieces = get_language(language).sentences(text)
    found = [(start, end) for start, end in pieces if senseless(text[start:end], language)]
    if pieces and pieces[-1] not in found:
        # a text may end without a closing sign: what was put behind it stands in its last sentence
        start, end = pieces[-1]
        tail = senseless_tail(text[start:end], language)
        found += [(end - tail, end)] if tail else []
    return found if sum(end - start for start, end in found) <= _MOST * len(text) else []


@lru_cache(maxsize=4096)
def senseless_tail(sentence: str, language: str = "zh") -> int:
    """How many characters at the end of a sentence are words without sense; there must be many, and clearly so."""
    found = tagged(sentence)
    if len(found) < 2 * FEWEST:
        return 0
    network = network_of(language)
    figures = network.figures(found)
    tails = range(_TAIL, len(found) - 2)
    sums = [float((figures[-many:] - network.edge(many)).sum()) for many in tails]
    many = tails[int(np.argmax(sums))] if sums else 0
    if not many or float(figures[-many:].mean()) <= network.edge(many) + _CLEARLY:
        return 0
    return sum(len(word) for word, _ in found[-many:])


@lru_cache(maxsize=4096)  # passages of an attack differ in one sentence
def senseless(sentence: str, language: str = "zh") -> bool:
    """Whether a sentence is words without sense."""
    found = tagged(sentence)
    if len(found) < FEWEST:
        return False
    network = network_of(language)
    return float(network.figures(found).mean()) > network.edge(len(found))


@lru_cache(maxsize=4)
def network_of(language: str) -> Network:
    """The shipped network of a language."""
    with as_file(files("readproof.lang").joinpath(language, "nonsense.npz")) as path:
        return read(path)


@lru_cache(maxsize=4)
def version(language: str) -> str:
    """A name for the shipped network of a language: readers that use it change with it."""
    return hashlib.sha256(files("readproof.lang").joinpath(language, "nonsense.npz").read_bytes()).hexdigest()


def read(path: Path) -> Network:
    with np.load(path) as stored:

        def matrix(name: str) -> Floats:
            values: Floats = stored[name].astype(np.float32) * stored[f"{name}.scale"].astype(np.float32)
            return values

        names = ("characters", "words", "tags", "again")
        listed = {name: stored[f"{name}.known"].tobytes().decode("utf-8").split("\n") for name in names}
        count = int(stored["layers"])
        return Network(
            known={name: {one: at for at, one in enumerate(listed[name])} for name in names},
            tables={name: matrix(name) for name in names},
            layers=tuple((matrix(f"weights{at}"), stored[f"bias{at}"].astype(np.float32)) for at in range(count)),
            last=stored["last"].astype(np.float32),
            lengths=tuple(stored["lengths"].tolist()),
            edges=tuple(stored["edges"].tolist()),
        )


def write(network: Network, path: Path) -> None:
    """Matrices as int8 with a scale a column."""
    stored: dict[str, NDArray[np.generic]] = {}

    def matrix(name: str, values: Floats) -> None:
        scale = np.maximum(np.abs(values).max(axis=0, keepdims=True) / 127, 1e-8).astype(np.float32)
        stored[name] = np.round(values / scale).astype(np.int8)
        stored[f"{name}.scale"] = scale

    for name, table in network.tables.items():
        matrix(name, table)
        stored[f"{name}.known"] = np.frombuffer("\n".join(network.known[name]).encode(), dtype=np.uint8)
    for at, (weights, bias) in enumerate(network.layers):
        matrix(f"weights{at}", weights)
        stored[f"bias{at}"] = bias.astype(np.float32)
    stored["layers"], stored["last"] = np.asarray(len(network.layers)), network.last.astype(np.float32)
    stored["lengths"], stored["edges"] = np.asarray(network.lengths), np.asarray(network.edges, dtype=np.float64)
    np.savez_compressed(path, **stored)  # type: ignore[arg-type]
