"""Builds a suite of the package from texts that were read blind.

    python -m tools.fresh.build zh

A question that the readings found fault with (tools/fresh/readings/LANGUAGE/faults.json) is left out, and so is each
variant that they found fault with. The first items are a sample by themselves: passages take turns, genre by genre.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from tools.fresh.items import WRITTEN, FreshItem, items_of
from tools.fresh.reading import ATTACK_OF
from tools.fresh.texts import FreshText, files_in, read

from readproof.attacks.base import AttackInfo, AttackOutput, Kind, skipped
from readproof.attacks.known import ATTACKS
from readproof.items import Item, SpanItem, Triple
from readproof.proof.suite import SuiteHeader, build_suite

HOME = Path(__file__).parent
OUT = HOME.parents[1] / "src/readproof/suites"
VERSION = "1"
LICENCE = "CC BY 4.0"
CITATION = "{name} version {version} (readproof, 2026, CC BY 4.0): written for this suite, about invented things."
# of so many items in a row one is a triple
_TRIPLE_EVERY = 5


@dataclass(frozen=True, slots=True)
class Written:
    """The variants that were written for the items, as an attack."""

    about: AttackInfo
    known: Mapping[str, FreshItem]

    def make(self, item: Item, *, seed: int = 0, count: int = 1) -> AttackOutput:  # noqa: ARG002
        made = self.known[item.id].variants.get(self.about.name)
        return AttackOutput(variants=(made,)) if made else skipped("none that readers agreed on")


def kept(fresh: FreshItem, faults: Mapping[str, Any]) -> FreshItem | None:
    """The item with the variants that readers agreed on; None where they did not agree on the question itself."""
    found = faults.get(fresh.item.id, {})
    lost = {ATTACK_OF[name] for name in found if name in ATTACK_OF}
    if isinstance(fresh.item, Triple):
        return None if found else fresh
    if any(name not in ATTACK_OF for name in found):
        return None
    return replace(fresh, variants={name: one for name, one in fresh.variants.items() if name not in lost})


def in_turn(items: Sequence[FreshItem]) -> list[FreshItem]:
    """Genres take turns, and in each its passages; span questions and triples are mixed by their own share."""
    spans = _by_genre([one for one in items if isinstance(one.item, SpanItem)])
    triples = _by_genre([one for one in items if isinstance(one.item, Triple)])
    found: list[FreshItem] = []
    while spans or triples:
        own = triples if triples and (not spans or len(found) % _TRIPLE_EVERY == _TRIPLE_EVERY - 1) else spans
        found.append(own.pop(0))
    return found


def _by_genre(items: Sequence[FreshItem]) -> list[FreshItem]:
    """Round by round: the first question of each passage, then the second; in each round genre after genre."""
    by_passage: dict[str, list[FreshItem]] = defaultdict(list)
    for one in sorted(items, key=lambda one: _mark(one.item.id)):
        by_passage[one.text.id].append(one)
    rounds: list[FreshItem] = []
    for number in range(max(map(len, by_passage.values()), default=0)):
        by_genre: dict[str, list[FreshItem]] = defaultdict(list)
        for own in by_passage.values():
            if number < len(own):
                by_genre[own[number].text.genre].append(own[number])
        queues = [by_genre[name] for name in sorted(by_genre)]
        while any(queues):
            rounds += [queue.pop(0) for queue in queues if queue]
    return rounds


def _mark(text: str) -> str:
    return sha256(f"fresh|{text}".encode()).hexdigest()


def build(name: str, items: Sequence[FreshItem], languages: tuple[str, ...], out: Path) -> SuiteHeader:
    """The suite of these items, frozen; the same items give the same bytes."""
    known = {one.item.id: one for one in items}
    attacks = []
    for attack, does in WRITTEN.items():
        kinds: tuple[Kind, ...] = ("span",)
        truth = "flipped" if attack.endswith("substitute") else "kept"
        about = AttackInfo(name=attack, does=does, languages=languages, kinds=kinds, truth=truth)  # type: ignore[arg-type]
        ATTACKS.add(attack, lambda about=about: Written(about, known))  # type: ignore[arg-type, misc]
        # a registry holds classes and reads what they are about from them
        ATTACKS.get(attack).about = about
        attacks.append(attack)
    has_triples = any(isinstance(one.item, Triple) for one in items)
    plain = out.with_suffix("")
    attacks += ["triples"] if has_triples else []
    build_suite([one.item for one in items], plain, attacks=attacks, fresh=True)
    head, rest = plain.read_text(encoding="utf-8").split("\n", 1)
    plain.unlink()
    header = json.loads(head)
    header["data"] |= {"name": name, "licence": LICENCE, "citation": CITATION.format(name=name, version=VERSION)}
    text = json.dumps(header, ensure_ascii=False) + "\n" + rest
    out.write_bytes(lzma.compress(text.encode("utf-8"), preset=9 | lzma.PRESET_EXTREME))
    return SuiteHeader(version=header["version"], data=header["data"], attacks=(), questions=header["questions"])


def held_back(texts: Sequence[FreshText]) -> set[str]:
    """The passages that nothing is ever tuned on: a quarter of each genre, by a hash of their ids."""
    by_genre: dict[str, list[str]] = defaultdict(list)
    for text in texts:
        by_genre[text.genre].append(text.id)
    return {one for own in by_genre.values() for one in sorted(own, key=_mark)[: round(len(own) / 4)]}


def _items(texts: Sequence[FreshText], faults: Mapping[str, Any]) -> Iterator[FreshItem]:
    for text in texts:
        for fresh in items_of(text):
            one = kept(fresh, faults)
            if one is not None:
                yield one


def build_language(language: str, out: Path) -> list[Path]:
    """The suite of a language, and that of its passages that are held back."""
    texts = [read(path) for path in files_in(HOME / "texts" / language / "suite")]
    found = HOME / "readings" / language / "faults.json"
    faults = json.loads(found.read_text(encoding="utf-8")) if found.is_file() else {}
    items = in_turn(list(_items(texts, faults)))
    held = held_back(texts)
    out.mkdir(exist_ok=True)
    name = f"{language}-fresh"
    made = {name: items, f"{name}-held": [one for one in items if one.text.id in held]}
    paths = {suite: out / f"{suite}.jsonl.xz" for suite in made}
    for suite, own in made.items():
        build(suite, own, (language,), paths[suite])
        triples = sum(isinstance(one.item, Triple) for one in own)
        passages = len({one.text.id for one in own})
        size = paths[suite].stat().st_size
        print(f"{suite}: {len(own) - triples} span questions, {triples} triples, {passages} passages, {size} bytes")
    return list(paths.values())


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("language")
    build_language(parser.parse_args().language, OUT)
    return 0


if __name__ == "__main__":
    sys.exit(main())
