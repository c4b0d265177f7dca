"""One cell of the study: a row's questions put to a reader. Each answer is on disk before the next ones are asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from examples.persian_study.questions import questions_digest
from examples.persian_study.rows import ORIGINAL, Row
from readproof import __version__
from readproof.attacks.base import Attack, AttackOutput, SearchAttack
from readproof.errors import InputError
from readproof.items import SpanItem
from readproof.journal import Journal
from readproof.readers.api import Reader

# what a kill may cost: so many questions, fewer where each takes a search
_TOGETHER, _SEARCHED = 16, 4
_SHOWN = 20

# how many more questions are done
Tell = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Cell:
    """What a reader said to one question of a row; with `skipped` the attack could do nothing, and it was not asked.

    `raw` is the slice of the passage as it stood, `text` the same without anything invisible. `edits` are left out
    where there are many: the same attack and seed make them again.
    """

    id: str
    text: str = ""
    raw: str = ""
    start: int | None = None
    end: int | None = None
    skipped: str = ""
    queries: int = 0
    edits: tuple[tuple[str, int, str, str], ...] = ()


def cells_file(folder: Path, row: Row) -> Path:
    return folder / f"{row.name}.jsonl"


def header_of(row: Row, items: Sequence[SpanItem], reader: Reader, seed: int) -> dict[str, Any]:
    """What the answers hang on; a file of others is refused."""
    return {
        "row": row.name,
        "attack": row.attack,
        "options": dict(row.options),
        "budget": row.budget,
        "seed": seed,
        "questions": questions_digest(items),
        "weights": reader.fingerprint,
        "version": __version__,
    }


def done_before(folder: Path, row: Row, header: Mapping[str, Any]) -> int:
    """How many questions of a row have been answered."""
    path = cells_file(folder, row)
    if not path.exists():
        return 0
    with Journal(path, header=header) as journal:
        return journal.count


def ask(
    row: Row, items: Sequence[SpanItem], reader: Reader, folder: Path, *, seed: int = 0, tell: Tell = lambda _: None
) -> list[Cell]:
    """The row's answers, one a question, in order; those on disk are not asked for again."""
    path, header = cells_file(folder, row), header_of(row, items, reader, seed)
    size = _SEARCHED if row.budget else _TOGETHER
    with Journal(path, header=header) as journal:
        for at in range(journal.count, len(items), size):
            part = items[at : at + size]
            for cell in _asked(row, part, reader, seed):
                journal.add([asdict(cell)])
            tell(len(part))
        return [_cell(record, path, number) for number, record in enumerate(journal.records(), start=2)]


def _asked(row: Row, items: Sequence[SpanItem], reader: Reader, seed: int) -> list[Cell]:
    if row.name == ORIGINAL:
        made: list[tuple[AttackOutput | None, int]] = [(None, 0)] * len(items)
    else:
        made = [(one, queries) for one, queries in _made(row, items, reader, seed)]
    asked = [_question(item, one) for item, (one, _) in zip(items, made, strict=True)]
    answers = iter(reader.answer([item for item in asked if item is not None]))
    cells = []
    for old, new, (one, queries) in zip(items, asked, made, strict=True):
        if new is None:
            reason = (one.skipped if one else "") or "no variant"
            cells.append(Cell(old.id, skipped=reason, queries=queries))
            continue
        answer = next(answers)
        edits = one.variants[0].edits if one else ()
        shown = tuple((edit.where, edit.start, edit.old, edit.new) for edit in edits) if len(edits) <= _SHOWN else ()
        # a reader that only gives a text, as a language model does, has no slice of its own
        raw = answer.raw or answer.text
        cells.append(Cell(old.id, answer.text, raw, answer.start, answer.end, "", queries + 1, shown))
    return cells


def _made(row: Row, items: Sequence[SpanItem], reader: Reader, seed: int) -> list[tuple[AttackOutput, int]]:
    """What the attack makes of each item, and what a search asked for it."""
    attack = row.made()
    if row.budget:
        if not isinstance(attack, SearchAttack):
            raise TypeError(f"{row.attack} does not search")
        return [(one.made, one.queries) for one in attack.search(items, reader, seed=seed, budget=row.budget)]
    if not isinstance(attack, Attack):
        raise TypeError(f"{row.attack} needs a reader")
    return [(attack.make(item, seed=seed, count=1), 0) for item in items]


def _question(item: SpanItem, made: AttackOutput | None) -> SpanItem | None:
    """What the reader is asked; nothing where the attack made nothing."""
    if made is None:
        return item
    new = made.variants[0].item if made.variants else None
    return new if isinstance(new, SpanItem) else None


def _cell(record: Any, path: Path, line: int) -> Cell:
    try:
        edits = tuple((where, start, old, new) for where, start, old, new in record.pop("edits"))
        return Cell(**record, edits=edits)
    except (AttributeError, KeyError, TypeError, ValueError):
        do = "Add --fresh to begin again."
        raise InputError(file=path, place=f"line {line}", found=str(record)[:60], expected="an answer", do=do) from None
