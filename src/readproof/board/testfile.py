"""A test file out of the gold answers: the same rows in the same order, without the letters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from readproof.errors import InputError
from readproof.files import read_text, writing
from readproof.tasks import find, gcrc
from readproof.tasks.metrics.triples import KEYS


def make_test(gold: Path, out: Path) -> int:
    """Write the public test file of a GCRC gold file; gives how many triples it has."""
    if out.exists() and out.resolve() == gold.resolve():
        raise InputError(file=out, found="the gold file itself", expected="another file")
    known, _ = find(str(gold))
    if known.name != "gcrc":
        raise InputError(file=gold, found=f"a file of {known.name}", expected="the gold answers of gcrc")
    count = sum(1 for _ in gcrc.load(gold))
    try:
        data = json.loads(read_text(gold))
    except ValueError:
        data = None
    rows = data.get("data") if isinstance(data, dict) else data
    if not isinstance(rows, list) or len(rows) != count:
        raise InputError(file=gold, found="another layout", expected='{"data": [ … ]} with one object a triple')
    plain: list[dict[str, Any]] = [{key: value for key, value in row.items() if key not in KEYS} for row in rows]
    with writing(out) as file:
        whole = {**data, "data": plain} if isinstance(data, dict) else plain
        file.write(json.dumps(whole, ensure_ascii=False, indent=1))
        file.write("\n")
    return count
