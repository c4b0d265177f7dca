"""Whatever bytes a file has, loading it or reading it as predictions gives items or one clear error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from readproof.errors import InputError
from readproof.tasks import TASKS, recognise
from tests.tasks.helpers import written

SEEDS: dict[str, str] = {
    "vgaokao": json.dumps(
        {"data": [{"context": "a", "cid": 3, "qas": [{"options": ["a"], "answer": "A", "question": "q", "qid": "6"}]}]}
    ),
    "gaokao": json.dumps([{"id": "1", "passage": ["a"], "question": "q", "opt": ["a", "b"], "answer": "B"}]),
    "c3": json.dumps([[["a"], [{"question": "q", "choice": ["a", "b"], "answer": "b"}], "1-2"]]),
    "logiqa": "a\n题\n问\nA.甲\nB.乙\nC.丙\nD.丁\n",
    "ocnli": json.dumps({"sentence1": "a", "sentence2": "b", "label": "neutral", "id": 0}),
    "farstail": 'premise\thypothesis\tlabel\na\t"b ""c"""\te\n',
    "ccpm": json.dumps({"translation": "a", "choices": ["a", "b"], "answer": 1}),
    "chnc": 'category,news\nfood,"一 碗, 面"\n',
    "cmeee": json.dumps([{"text": "ab", "entities": [{"start_idx": 0, "end_idx": 1, "type": "dis", "entity": "ab"}]}]),
    "pku-segpos": "新/a  世纪/n\n",
    "conllu": "# sent_id = 1\n# text = ab\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n",
    "entities": "IMGID: 1\n甲 B-X\n乙 I-X\n\n",
    "wordseg-weibo": "你 好 。\n",
}
PREDICTIONS = (
    '{"0": "A", "1": 2}',
    '{"id": 0, "label": 1}\n{"id": 1, "label": "n"}',
    '{"answer": 0}',
    '{"entities": [{"start_idx": 0, "end_idx": 1, "type": "n", "entity": "a"}]}',
    '{"span_list": [{"start": 0, "end": 1, "type": "n"}]}',
    '{"ans": "a b"}',
)
PIECES = [
    "null",
    "[]",
    "{}",
    "3",
    "1e999",
    "-1",
    '"',
    "\n",
    "\t",
    " ",
    "\r",
    "\0",
    "\ufeff",
    "\ud7ff",
    "9" * 5000,
    "[" * 3000,
]


def spoilt(text: str) -> st.SearchStrategy[bytes]:
    """The text with up to three stretches replaced by something else."""
    place = st.integers(0, len(text.encode()))
    piece = st.one_of(st.sampled_from(PIECES).map(str.encode), st.binary(max_size=4))

    def spoil(changes: list[tuple[int, int, bytes]]) -> bytes:
        data = text.encode()
        for start, length, new in changes:
            data = data[:start] + new + data[start + length :]
        return data

    return st.lists(st.tuples(place, st.integers(0, 8), piece), max_size=3).map(spoil)


@pytest.mark.parametrize("name", SEEDS)
def test_the_seed_is_sound(name: str, tmp_path: Path) -> None:
    assert list(TASKS.get(name).load(written(tmp_path, SEEDS[name])))


@pytest.mark.parametrize("name", SEEDS)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_spoilt_data(name: str, tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "spoilt"
    path.write_bytes(data.draw(spoilt(SEEDS[name])))
    for read in (lambda: list(TASKS.get(name).load(path)), lambda: [recognise(path)]):
        try:
            read()
        except InputError as error:
            assert error.found and error.expected


@pytest.mark.parametrize("seed", PREDICTIONS)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_spoilt_predictions(seed: str, tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "spoilt"
    path.write_bytes(data.draw(spoilt(seed)))
    for name in ("c3", "cmeee", "pku-segpos", "wordseg-weibo"):
        try:
            TASKS.get(name).read_predictions(path)
        except InputError as error:
            assert error.found and error.expected
