"""From public Persian files to named training sets, questions without an answer among them.

`held_pquad` and `held_parsquad` are never trained on: choices are made by them, and the threshold of "no answer" is
fitted on them. `persianqa` is for measuring only, so a passage that shares much with it is left out of every other set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from readproof.files import writing
from readproof.items import SpanItem
from readproof.tasks.overlap import shingles
from readproof.training.sets import apart, is_held, placed, span_items
from readproof.training.site import Say
from readproof.training.sources import DataSource

SOURCES: Mapping[str, DataSource] = {
    "pquad_validation": DataSource("pquad", ("pquad/Validation.json", "Validation.json"), "CC BY-SA 4.0"),
    "pquad_test": DataSource("pquad", ("pquad/Test.json", "Test.json"), "CC BY-SA 4.0"),
    "parsquad": DataSource("parsquad", ("ParSQuAD-automatic-dev.json",), "none stated"),
    "parsinlu": DataSource("parsinlu", ("parsinlu_rc/train.jsonl",), "CC BY-NC-SA 4.0"),
    "persianqa": DataSource("persianqa", ("pqa_test.json",), "GPL-3"),
}
_HELD = {"pquad": 0.06, "parsquad": 0.06, "parsinlu": 0.0}


def make_persian_sets(loaded: Mapping[str, list[SpanItem]], *, say: Say = lambda _: None) -> dict[str, list[SpanItem]]:
    """The named sets out of the sources' items; a set none of whose sources is there is left out."""
    measured = loaded.get("persianqa", [])
    seen = _pieces(measured)
    found = {
        "pquad": [*loaded.get("pquad_validation", []), *loaded.get("pquad_test", [])],
        "parsquad": loaded.get("parsquad", []),
        "parsinlu": loaded.get("parsinlu", []),
    }
    sets: dict[str, list[SpanItem]] = {"persianqa": usable(measured)}
    for name, items in found.items():
        kept = apart(usable(items), seen)
        if len(kept) < len(items):
            say(f"{name}: {len(items) - len(kept)} of {len(items)} questions have no answer in the passage, or overlap")
        sets[f"held_{name}"] = [item for item in kept if is_held(item.passage, _HELD[name])]
        sets[name] = [item for item in kept if not is_held(item.passage, _HELD[name])]
    held = _pieces([item for name, items in sets.items() if name.startswith("held_") for item in items])
    for name in found:
        sets[name] = apart(sets[name], held)
    return {name: items for name, items in sets.items() if items}


def usable(items: list[SpanItem]) -> list[SpanItem]:
    """Items with a gold that stands in the passage, or that the data calls impossible."""
    out = []
    for item in items:
        golds = tuple(gold for gold in item.golds if placed(gold))
        if item.impossible or golds:
            out.append(replace(item, golds=() if item.impossible else golds))
    return out


def write_passages(sets: Mapping[str, Path], path: Path) -> Path:
    """The passages of the sets that are trained on, one a line: text of the questions' own kind for an encoder."""
    trained = sorted(name for name in sets if not name.startswith("held_") and name != "persianqa")
    texts = dict.fromkeys(item.passage for name in trained for item in span_items(f"squad:{sets[name]}"))
    with writing(path) as file:
        file.writelines(f"{' '.join(text.split())}\n" for text in texts)
    return path


def _pieces(items: list[SpanItem]) -> set[int]:
    return {piece for passage in {item.passage for item in items} for piece in shingles(passage)}
