"""From public files to the named training sets: cleaned of what is measured on, told apart by style, some held out.

CMRC 2018's training passages are split by how wordy their annotators are (see `style`): `cmrc_plain` has the style of
its dev set, `cmrc_wordy` the other. `held_*` are never trained on; choices are made by them. `cmrc_dev` and `xquad` are
for measuring only, so a passage that shares much with them is left out of every other set.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random

from readproof.errors import InputError
from readproof.files import digest, writing
from readproof.items import SpanItem
from readproof.script import in_script
from readproof.tasks.convert import write_squad
from readproof.tasks.overlap import shingles
from readproof.training import persian
from readproof.training.sets import answerable, converted, placed, span_items
from readproof.training.sets import apart as apart
from readproof.training.sources import SOURCES, find_among

# How wordy are the people who wrote the golds? CMRC 2018's training answers come in blocks of one annotator each.
# Some annotators answer with the whole clause, question words and all, others with the bare fact. The published mean
# answer length of its dev and test sets is that of the bare ones. Blocks are told apart by the training data alone:
# the share of answers around a passage that repeat the question.


def repeats(item: SpanItem, least: int = 2) -> bool:
    """Whether the first gold shares at least `least` pairs of characters with the question."""
    if not item.golds:
        return False
    pairs = {item.question[at : at + 2] for at in range(len(item.question) - 1)}
    text = item.golds[0].text
    return sum(text[at : at + 2] in pairs for at in range(len(text) - 1)) >= least


def wordiness(passages: Sequence[Sequence[SpanItem]], around: int = 20) -> list[float]:
    """For each passage (its items), the share of repeating answers in the passages up to `around` before and after."""
    counts = [(sum(map(repeats, items)), len(items)) for items in passages]
    shares = []
    for at in range(len(counts)):
        near = counts[max(0, at - around) : at + around + 1]
        shares.append(sum(hit for hit, _ in near) / max(1, sum(number for _, number in near)))
    return shares


Say = Callable[[str], None]

PLAIN = 0.27  # annotators who repeat the question in fewer of their answers than this are plain
_HELD_PLAIN, _HELD_WORDY, _HELD_DRCD = 0.13, 0.06, 0.06
_YES_NO = ("是", "否", "YES", "NO")


@dataclass(frozen=True, slots=True)
class SetSize:
    """How large a set is."""

    questions: int
    labelled: int
    passages: int


def prepare_sets(
    data: Path, out: Path, *, language: str = "zh", say: Say = lambda _: None
) -> tuple[dict[str, SetSize], dict[str, str]]:
    """Write the sets as `out`/NAME.json; gives their sizes and the SHA-256 of each source file found."""
    # of Persian sets the questions without an answer are kept, too
    sources, make, impossible = {
        "zh": (SOURCES, make_sets, False),
        "fa": (persian.SOURCES, persian.make_persian_sets, True),
    }[language]
    paths = find_among(data, sources)
    hashes = {key: digest(path) for key, path in paths.items()}
    done = out / "sets.json"
    if done.exists():
        before = json.loads(done.read_text(encoding="utf-8"))
        if before["sources"] == hashes:
            return {name: SetSize(**count) for name, count in before["sets"].items()}, hashes
    for key in sources:
        if key not in paths:
            say(f"{sources[key].names[0]} is not in {data}: left out")
    loaded = {key: span_items(f"{sources[key].task}:{path}") for key, path in paths.items()}
    out.mkdir(parents=True, exist_ok=True)
    counts = {}
    for name, items in make(loaded, say=say).items():
        counts[name] = write_set(out / f"{name}.json", items, impossible=impossible)
        say(f"{name}: {counts[name].questions} questions ({counts[name].labelled} with an answer)")
    record = {"sources": hashes, "sets": {name: asdict(count) for name, count in counts.items()}}
    with writing(done) as file:
        file.write(json.dumps(record, indent=1) + "\n")
    return counts, hashes


def write_set(path: Path, items: Sequence[SpanItem], *, impossible: bool = False) -> SetSize:
    """Items in SQuAD's layout, questions of one passage together, only with golds that stand in the passage.

    With `impossible` those without an answer stay marked as such, and a reader learns that there is none.
    """
    grouped: defaultdict[str, list[SpanItem]] = defaultdict(list)
    for item in items:
        golds = tuple(gold for gold in item.golds if placed(gold))
        grouped[item.passage].append(
            replace(item, golds=golds, impossible=impossible and item.impossible, passage_id="", title="")
        )
    together = [item for group in grouped.values() for item in group]
    with writing(path) as file:
        write_squad(together, file)
    return SetSize(len(together), sum(bool(item.golds) for item in together), len(grouped))


def make_sets(loaded: Mapping[str, list[SpanItem]], *, say: Say = lambda _: None) -> dict[str, list[SpanItem]]:
    """The named sets out of the sources' items; a set none of whose sources is there is left out."""
    dev, xquad = loaded.get("cmrc_dev", []), loaded.get("xquad", [])
    seen = _pieces(item.passage for item in (*dev, *xquad))

    def source(name: str, *keys: str, change: Callable[[list[SpanItem]], list[SpanItem]] = list) -> list[SpanItem]:
        items = change([item for key in keys for item in loaded.get(key, [])])
        kept = apart(items, seen)
        if len(kept) < len(items):
            say(f"{name}: {len(items) - len(kept)} of {len(items)} questions overlap with a measuring set: left out")
        return kept

    drcd = source("DRCD", "drcd_dev", "drcd_test", change=simplified)
    held_passages = {passage for passage in {item.passage for item in drcd} if _draw("drcd" + passage) < _HELD_DRCD}
    sets = cmrc_sets(source("CMRC", "cmrc_train"), say=say)
    sets |= {
        "held_drcd": [item for item in drcd if item.passage in held_passages],
        "cmrc_dev": dev,
        "xquad": xquad,
    }
    labelled = {
        "drcd": [item for item in drcd if item.passage not in held_passages],
        "csquad": without_questions_of(source("Chinese SQuAD", "chinese_squad"), xquad),
        "cjrc": source("CJRC", "cjrc_dev", "cjrc_test"),
        "dureader": source("DuReader", "dureader"),
    }
    unlabelled: dict[str, list[SpanItem]] = {"unlabelled": [], "unlabelled_law": []}
    for name, items in labelled.items():
        known = {id(item) for item in answerable(items)}
        if name == "cjrc":  # a yes or no is no span, even where the passage happens to have the character
            known -= {id(item) for item in items if any(gold.text in _YES_NO for gold in item.golds)}
        sets[name] = [item for item in items if id(item) in known]
        rest = [replace(item, golds=()) for item in items if id(item) not in known]
        unlabelled["unlabelled_law" if name == "cjrc" else "unlabelled"] += rest
    return {name: items for name, items in (sets | unlabelled).items() if items}


def cmrc_sets(items: Iterable[SpanItem], *, say: Say = lambda _: None) -> dict[str, list[SpanItem]]:
    """CMRC's training questions by annotators' style, with whole passages of each held out."""
    passages: defaultdict[int, list[SpanItem]] = defaultdict(list)
    for item in items:
        passages[_number(item.id)].append(item)
    numbers = sorted(passages)
    random = Random("readproof held out")
    sets: dict[str, list[SpanItem]] = {"cmrc_plain": [], "cmrc_wordy": [], "held_plain": [], "held_wordy": []}
    for number, share in zip(numbers, wordiness([passages[number] for number in numbers]), strict=True):
        plain = share < PLAIN
        held = random.random() < (_HELD_PLAIN if plain else _HELD_WORDY)
        sets[("held_" if held else "cmrc_") + ("plain" if plain else "wordy")] += passages[number]
    seen = _pieces(item.passage for name in ("held_plain", "held_wordy") for item in sets[name])
    for name in ("cmrc_plain", "cmrc_wordy"):
        kept = apart(sets[name], seen)
        if len(kept) < len(sets[name]):
            say(f"{name}: {len(sets[name]) - len(kept)} questions overlap with the held-out ones: left out")
        sets[name] = kept
    return sets


def simplified(items: list[SpanItem]) -> list[SpanItem]:
    """The items in simplified script, golds cut anew."""
    texts = {passage: in_script(passage, "simplified") for passage in {item.passage for item in items}}
    return [converted(item, texts[item.passage], in_script(item.question, "simplified").clean) for item in items]


def without_questions_of(items: list[SpanItem], measured: list[SpanItem]) -> list[SpanItem]:
    """Items of no passage that a measured question is about: XQuAD is SQuAD's dev set translated again, ids kept."""
    asked = {item.id for item in measured}
    passages = {item.passage for item in items if item.id in asked}
    return [item for item in items if item.passage not in passages]


def _pieces(passages: Iterable[str]) -> set[int]:
    return {piece for passage in set(passages) for piece in shingles(passage)}


def _number(name: str) -> int:
    """The passage number in TRAIN_186_QUERY_0: passages stand in the order in which annotators had them."""
    parts = name.split("_")
    if len(parts) < 2 or not parts[1].isdecimal():
        raise InputError(found=f"the id {name!r}", expected="ids of CMRC 2018's training file, as TRAIN_186_QUERY_0")
    return int(parts[1])


def _draw(key: str) -> float:
    return Random(key).random()
