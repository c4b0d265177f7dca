"""Variants as JSON lines, written beside an attacked data set and read again without loss."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from readproof.attacks.base import AttackOutput, SearchOutput
from readproof.errors import InputError
from readproof.items import Answer, Edit, Variant
from readproof.jsonstream import records
from readproof.tasks.itemlines import from_record, to_record


def to_line(variant: Variant) -> dict[str, Any]:
    """A variant as plain JSON values."""
    edits = [asdict(edit) for edit in variant.edits]
    about = {"origin": variant.origin, "attack": variant.attack, "strategy": variant.strategy, "truth": variant.truth}
    return {**about, "edits": edits, "item": to_record(variant.item)}


def from_line(line: Any, path: Path, place: str) -> Variant:
    """The variant that `to_line` made."""
    try:
        edits = tuple(Edit(**edit) for edit in line["edits"])
        fields = {name: line[name] for name in ("origin", "attack", "strategy", "truth")}
        item = line["item"]
    except (KeyError, TypeError):
        expected = "a variant: origin, attack, strategy, truth, edits, item"
        raise InputError(file=path, place=place, found="a record that is none", expected=expected) from None
    return Variant(item=from_record(item, path, f"{place}.item"), edits=edits, **fields)


def read_variants(path: Path) -> Iterator[Variant]:
    """The variants of OUT.variants.jsonl; lines that tell of skipped items are passed over."""
    for place, record in records(path):
        if isinstance(record, dict) and "skipped" in record and "item" not in record:
            continue
        yield from_line(record, path, place)


def made_record(made: AttackOutput) -> dict[str, Any]:
    """What was made of one item."""
    record: dict[str, Any] = {"variants": [to_line(variant) for variant in made.variants]}
    if made.skipped:
        record["skipped"] = made.skipped
    if made.rejected:
        record["rejected"] = dict(made.rejected)
    return record


def found_record(found: SearchOutput) -> dict[str, Any]:
    """What a search found for one item."""
    record = made_record(found.made)
    if found.made.variants:
        record["search"] = {
            "queries": found.queries,
            "clean": found.clean,
            "attacked": found.attacked,
            "before": _answer(found.before),
            "after": _answer(found.after),
        }
    return record


def _answer(answer: Answer | None) -> dict[str, Any] | None:
    if answer is None:
        return None
    return {"text": answer.text, "start": answer.start, "end": answer.end, "confidence": answer.confidence}
