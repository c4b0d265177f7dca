"""Trains the network that tells sentences from words thrown together (src/readproof/lang/zh/nonsense.npz).

    python tools/nonsense.py DATA CORPUS --vectors BERT [--steps 2400] [-o FILE]

DATA is the folder of public files (real sentences from CMRC 2018 train, DRCD, VGaokao and People's Daily; question
words from the same), CORPUS a text file of open prose, BERT a folder whose word vectors the characters begin with.
Half of what is learnt is real; the other half are words drawn by chance: common ones, those of a question, those of a
real sentence in another order. After a third of the training half of these are hunted: word by word they are changed
into what the network finds more sensible, as a search against a reader would do.
A tenth of the passages is held out: by them the edges are set (`--flagged` of their sentences, of any length, are taken
for nonsense), and the share of nonsense that is then found is printed.
"""

from __future__ import annotations

import argparse
import lzma
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import torch
from torch import Tensor, nn

from readproof.items import ChoiceItem, SpanItem, TagItem
from readproof.lang import nonsense
from readproof.lang.api import get_language
from readproof.lang.forms import shown
from readproof.script import in_script
from readproof.tasks import load
from readproof.training.sets import is_held
from readproof.training.start import read_folder

HOME = Path(__file__).parent.parent / "src/readproof/lang/zh/nonsense.npz"
FILES = ["cmrc2018/train.json*", "drcd/*.json*", "vgaokao/*.json*", "peopledaily_ner/*train*"]
WIDTH, INNER, REACH = 64, 192, (3, 3, 3)
CHARACTERS, WORDS = 5000, 9000
LONGEST = 48  # words
BOUNDS = (5, 7, 9, 12, 16, 24)

Words = Sequence[tuple[str, str]]


def read_data(folder: Path, corpus: Path, lines: int) -> tuple[list[Words], list[Words], list[list[str]]]:
    """Real sentences to learn from, held-out ones, and the words of questions."""
    learnt: dict[str, None] = {}
    held: dict[str, None] = {}
    asked: dict[str, None] = {}
    for path in sorted(path for pattern in FILES for path in folder.glob(pattern)):
        for item in load(path):
            if not isinstance(item, SpanItem | ChoiceItem | TagItem):
                continue
            text = item.text if isinstance(item, TagItem) else item.passage
            (held if is_held(text, 0.1) else learnt)[text] = None
            if isinstance(item, SpanItem):
                asked[in_script(item.question, "simplified").clean] = None
    with lzma.open(corpus, "rt", encoding="utf-8") as file:
        for number, line in enumerate(file):
            if number >= lines:
                break
            (held if is_held(line, 0.02) else learnt)[line.strip()] = None
    words = [found for one in asked if len(found := get_language("zh").words(one)) > 2]
    return list(_pieces(learnt)), list(_pieces(held)), words


def _pieces(texts: Iterable[str]) -> Iterator[Words]:
    for text in texts:
        clean = shown(text[:6000]).text.clean
        for start, end in get_language("zh").sentences(clean):
            found = nonsense.tagged(clean[start:end])
            if len(found) >= nonsense.FEWEST:
                yield found[:LONGEST]


class Drawn:
    """Words thrown together."""

    def __init__(self, asked: list[list[str]], real: list[Words], random: Random) -> None:
        self.common, self.asked, self.real, self.random = get_language("zh").common_words(), asked, real, random

    def one(self) -> list[str]:
        random = self.random
        length, draw = random.randint(5, 16), random.random()
        if draw < 0.15:
            words = [word for word, _ in random.choice(self.real)]
            random.shuffle(words)
            return [word for word in words if any(map(str.isalnum, word))][: max(6, length)] or ["的"] * 6
        question = random.choice(self.asked)
        share = 0.0 if draw < 0.25 else random.choice((0.5, 0.75, 0.75, 0.9))
        words = [random.choice(question if random.random() < share else self.common) for _ in range(length)]
        if random.random() < 0.5:
            places = {word: at for at, word in reversed(list(enumerate(question)))}
            ordered = iter(sorted((word for word in words if word in places), key=lambda word: places[word]))
            words = [next(ordered) if word in places else word for word in words]
        return words

    def other(self, words: list[str]) -> list[str]:
        """The same with a word exchanged for a common one or one of its own, or with two in each other's place."""
        random, found = self.random, list(words)
        at = random.randrange(len(found))
        draw = random.random()
        if draw < 0.3:
            one = random.randrange(len(found))
            found[at], found[one] = found[one], found[at]
        else:
            found[at] = random.choice(self.common) if draw < 0.75 else random.choice(words)
        return found


def as_read(words: list[str]) -> Words:
    return nonsense.tagged(get_language("zh").sentence_of(tuple(words)))[:LONGEST]


class Hunted:
    """Nonsense that is changed step by step into what a network finds most sensible; some begins anew at every step."""

    def __init__(self, drawn: Drawn, size: int, tries: int) -> None:
        self.drawn, self.tries = drawn, tries
        self.pool = [drawn.one() for _ in range(size)]

    def step(self, net: Net, rows: Rows) -> list[Words]:
        random = self.drawn.random
        self.pool = [self.drawn.one() if random.random() < 0.08 else one for one in self.pool]
        every = [
            one for words in self.pool for one in (words, *(self.drawn.other(words) for _ in range(self.tries - 1)))
        ]
        texts = [as_read(one) for one in every]
        net.eval()
        with torch.no_grad():
            kept = net(rows.batch(texts)).view(-1, self.tries).argmin(dim=1).tolist()
        net.train()
        chosen = [number * self.tries + best for number, best in enumerate(kept)]
        self.pool = [every[at] for at in chosen]
        return [texts[at] for at in chosen]


class Rows:
    """Words as rows of the tables; row 0 of each is nothing."""

    def __init__(self, learnt: list[Words]) -> None:
        signs = Counter(one for words in learnt for word, _ in words for one in word)
        words = Counter(word for words in learnt for word, _ in words if len(word) > 1)
        tags = Counter(tag for words in learnt for _, tag in words)
        self.lists = {
            "characters": sorted(one for one, _ in signs.most_common(CHARACTERS) if one != "\n"),
            "words": sorted(one for one, _ in words.most_common(WORDS)),
            "tags": sorted(tags),
            "again": ["next", "near", "far"],
        }
        self.known = {name: {one: at for at, one in enumerate(some, start=1)} for name, some in self.lists.items()}
        self._word: dict[str, tuple[int, list[int]]] = {}

    def of(self, word: str) -> tuple[int, list[int]]:
        if word not in self._word:
            signs = self.known["characters"]
            found = [signs.get(one, 0) for one in word[: nonsense.SIGNS]]
            self._word[word] = self.known["words"].get(word, 0), found
        return self._word[word]

    def batch(self, texts: Sequence[Words]) -> tuple[Tensor, ...]:
        width = max(map(len, texts))
        words, tags, again = (np.zeros((len(texts), width), np.int64) for _ in range(3))
        signs = np.zeros((len(texts), width, nonsense.SIGNS), np.int64)
        lengths, mask = (np.ones((len(texts), width), np.float32) for _ in range(2))
        for row, text in enumerate(texts):
            mask[row, len(text) :] = 0
            again[row, : len(text)] = [self.known["again"].get(one, 0) for one in nonsense.coming_again(text)]
            for at, (word, tag) in enumerate(text):
                words[row, at], found = self.of(word)
                signs[row, at, : len(found)] = found
                lengths[row, at] = min(len(word), nonsense.SIGNS)
                tags[row, at] = self.known["tags"].get(tag, 0)
        return tuple(map(torch.from_numpy, (signs, words, tags, again, lengths, mask)))


class Net(nn.Module):
    def __init__(self, vectors: Tensor, words: int, tags: int) -> None:
        super().__init__()
        self.characters = nn.Embedding(len(vectors), WIDTH, padding_idx=0, _weight=vectors)
        self.words = nn.Embedding(words + 1, WIDTH, padding_idx=0)
        self.tags = nn.Embedding(tags + 1, WIDTH, padding_idx=0)
        nn.init.normal_(self.words.weight, std=0.1)
        self.again = nn.Embedding(4, WIDTH, padding_idx=0)
        nn.init.normal_(self.tags.weight, std=0.5)
        with torch.no_grad():
            self.words.weight[0] = self.tags.weight[0] = 0
        sizes = [WIDTH, *[INNER] * len(REACH)]
        self.layers = nn.ModuleList(
            nn.Conv1d(before, after, reach, padding=reach // 2)
            for before, after, reach in zip(sizes, sizes[1:], REACH, strict=False)
        )
        self.last = nn.Linear(INNER, 1)

    def forward(self, batch: tuple[Tensor, ...], *, dropout: float = 0.0) -> Tensor:
        signs, words, tags, again, lengths, mask = batch
        vectors = self.characters(signs).sum(dim=2) / lengths[:, :, None]
        vectors = vectors + nn.functional.dropout(self.words(words), 2 * dropout, self.training)
        vectors = vectors + self.tags(tags) + self.again(again)
        over = mask[:, None]
        seen = nn.functional.dropout(vectors, dropout, self.training).transpose(1, 2) * over
        for layer in self.layers:
            seen = torch.relu(layer(seen)) * over  # as if nothing were beyond the ends
            seen = nn.functional.dropout(seen, dropout, self.training)
        figures = self.last(seen.transpose(1, 2))[:, :, 0] * mask
        means: Tensor = figures.sum(dim=1) / mask.sum(dim=1)
        return means


def first_vectors(folder: Path, characters: list[str]) -> Tensor:
    """The main directions of a BERT's word vectors."""
    start = read_folder(folder)
    table = start.tensors["embeddings.word_embeddings.weight"].float()
    rows = start.vocabulary.ids()
    found = torch.stack([table[rows.get(one, rows["[UNK]"])] for one in characters])
    left, sizes, _ = torch.svd_lowrank(found - found.mean(dim=0), WIDTH, niter=4)
    vectors = left * sizes
    return torch.cat([torch.zeros(1, WIDTH), vectors / vectors.std()])


def plain(net: Net, rows: Rows) -> nonsense.Network:
    layers = tuple(
        (layer.weight.detach().permute(2, 1, 0).reshape(-1, layer.weight.shape[0]).numpy(), layer.bias.detach().numpy())
        for layer in net.layers
        if isinstance(layer, nn.Conv1d) and layer.bias is not None
    )
    tables = {name: getattr(net, name).weight.detach().numpy()[1:] for name in rows.lists}
    known = {name: {one: at for at, one in enumerate(some)} for name, some in rows.lists.items()}
    last = torch.cat([net.last.weight[0], net.last.bias]).detach().numpy()
    return nonsense.Network(known, tables, layers, last)


def edges(found: Sequence[tuple[int, float]], share: float) -> list[float]:
    """For each length the figure that so many of the real sentences are above."""
    out = []
    for low, high in zip(BOUNDS, (*BOUNDS[1:], 10**9), strict=True):
        inside = [figure for length, figure in found if low <= length < high]
        # long ones are told apart so well that the quantile lies among sound sentences
        out.append(max(0.0, float(np.quantile(inside, 1 - share))))
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--vectors", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=2400)
    parser.add_argument("--size", type=int, default=192, help="sentences of either kind a step")
    parser.add_argument("--tries", type=int, default=4, help="changes of a hunted sentence, of which the best is kept")
    parser.add_argument("--lines", type=int, default=12000, help="of the corpus")
    parser.add_argument("--flagged", type=float, default=0.004, help="of held-out real sentences")
    parser.add_argument("-o", "--out", type=Path, default=HOME)
    given = parser.parse_args()
    torch.manual_seed(0)
    random = Random(0)
    begun = time.monotonic()
    learnt, held, asked = read_data(given.data, given.corpus, given.lines)
    random.shuffle(held)
    random.shuffle(asked)
    counts = f"{len(learnt):,} sentences, {len(held):,} held out, {len(asked):,} questions"
    rows = Rows(learnt)
    print(f"{counts}, {time.monotonic() - begun:.0f} s", flush=True)
    drawn = Drawn(asked[: len(asked) * 9 // 10], learnt, random)
    net = Net(first_vectors(given.vectors, rows.lists["characters"]), len(rows.lists["words"]), len(rows.lists["tags"]))
    hunted = Hunted(drawn, given.size - given.size // 2, given.tries)
    adam = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=0.01)
    for step in range(given.steps):
        for group in adam.param_groups:
            group["lr"] = 2e-3 * min(1.0, step / 100, (given.steps - step) / (0.7 * given.steps))
        real = sorted(random.sample(learnt, given.size), key=len)
        hunts = step >= given.steps // 3
        false = [as_read(drawn.one()) for _ in range(given.size // 2 if hunts else given.size)]
        if hunts:
            false += hunted.step(net, rows)
        net.train()
        half = len(real) // 2
        loss = torch.zeros(())
        for texts, label in ((real[:half], 0.0), (real[half:], 0.0), (false, 1.0)):
            figures = net(rows.batch(texts), dropout=0.1)
            labels = torch.full_like(figures, label)
            loss = loss + nn.functional.binary_cross_entropy_with_logits(figures, labels, reduction="sum")
        loss = loss / (2 * given.size)
        adam.zero_grad()
        loss.backward()
        adam.step()
        if step % 100 == 0 or step + 1 == given.steps:
            print(f"step {step + 1}, loss {loss.item():.4f}, {time.monotonic() - begun:.0f} s", flush=True)
    nonsense.write(plain(net.eval(), rows), given.out)
    network = nonsense.read(given.out)
    seen = [(len(words), float(network.figures(words).mean())) for words in held[:30000]]
    fresh = Drawn(asked[len(asked) * 9 // 10 :], held, Random(1))
    drawn_ones = [words for _ in range(4000) if len(words := as_read(fresh.one())) >= nonsense.FEWEST]
    found = [(len(words), float(network.figures(words).mean())) for words in drawn_ones]
    for share in (0.02, 0.01, 0.005, 0.004, 0.002, 0.001):
        network = replace(network, lengths=BOUNDS, edges=tuple(edges(seen, share)))
        hit = sum(figure > network.edge(length) for length, figure in found) / len(found)
        print(f"{100 * share:.1f} % of real sentences flagged: {100 * hit:.2f} % of nonsense found")
    network = replace(network, lengths=BOUNDS, edges=tuple(edges(seen, given.flagged)))
    nonsense.write(network, given.out)
    print(f"{given.out}: {given.out.stat().st_size:,} B, edges {[round(one, 2) for one in network.edges]}")


if __name__ == "__main__":
    main()
