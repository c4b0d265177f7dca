"""Proof that a reader answers each question of a triple by itself, for any reader of options."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

from readproof.items import ChoiceItem, Item, Triple, letter
from readproof.readers import Reader
from readproof.readers.job import answer_file
from readproof.tasks.gcrc import write_data

_KEYS = ("answer", "positive_answer", "negative_answer")

# id of a triple: its three letters
Letters = dict[str, tuple[str, ...]]


def assert_independent(reader: Reader, triples: Sequence[Triple], *, seed: int = 0) -> Letters:
    """The letters are the same for a file, for the same file shuffled, for the three forms asked in runs of their own,
    and for all questions in one batch. Gives the letters.

    A reader that looks at the triple as a whole, or at what it answered before, is found out if it ever makes a
    difference: give it triples enough.
    """
    whole = _answered(reader, triples)
    assert set(whole) == {triple.id for triple in triples}
    shuffled = list(triples)
    random.Random(f"{seed}|independence").shuffle(shuffled)
    _same(whole, _answered(reader, shuffled), "the file was shuffled")
    _same(whole, _forms_apart(reader, triples), "the three forms were asked in runs of their own")
    _same(whole, _in_one_batch(reader, triples), "all questions were asked in one batch")
    return whole


def _answered(reader: Reader, items: Sequence[Item]) -> Letters:
    """The letters that `readproof answer` writes for a file of these items."""
    with tempfile.TemporaryDirectory() as folder:
        data, out = Path(folder) / "data.json", Path(folder) / "predictions.json"
        with data.open("w", encoding="utf-8") as file:
            write_data(items, file)
        answer_file(f"gcrc:{data}", reader, out)
        rows = json.loads(out.read_text(encoding="utf-8"))["data"]
    return {row["id"]: tuple(row[key] for key in _KEYS if key in row) for row in rows}


def _forms_apart(reader: Reader, triples: Sequence[Triple]) -> Letters:
    """One run a form, the negative first, each with the last triple first."""
    runs = [
        _answered(reader, [triple.questions[form] for triple in reversed(triples)])
        for form in reversed(range(len(_KEYS)))
    ]
    return {
        triple.id: tuple(run[question.id][0] for run, question in zip(reversed(runs), triple.questions, strict=True))
        for triple in triples
    }


def _in_one_batch(reader: Reader, triples: Sequence[Triple]) -> Letters:
    questions: list[ChoiceItem] = [question for triple in triples for question in triple.questions]
    answers = reader.answer(questions)
    assert [answer.id for answer in answers] == [question.id for question in questions]
    said = iter("" if answer.choice is None else letter(answer.choice) for answer in answers)
    return {triple.id: tuple(next(said) for _ in _KEYS) for triple in triples}


def _same(whole: Letters, other: Letters, when: str) -> None:
    changed = {name: (whole[name], other.get(name)) for name in whole if whole[name] != other.get(name)}
    assert not changed, f"{len(changed)} of {len(whole)} triples have other letters when {when}: {changed}"
