"""A large prediction file is read in step with the gold; what comes out is what the whole file gives."""

from __future__ import annotations

import json
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readproof.errors import InputError
from readproof.tasks.scoring import score

NAMES = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=8)


def _files(folder: Path, gold: list[str], predicted: list[str]) -> tuple[Path, Path]:
    row = {"context": "甲乙丙丁", "question": "?", "answers": {"text": ["乙丙"], "answer_start": [1]}}
    data, file = folder / "gold.json", folder / "predictions.json"
    data.write_text("".join(json.dumps({"id": one, **row}) + "\n" for one in gold), encoding="utf-8")
    texts = ("乙丙", "乙", "丁")
    file.write_text(
        "{" + ", ".join(f"{json.dumps(one)}: {json.dumps(texts[at % 3])}" for at, one in enumerate(predicted)) + "}",
        encoding="utf-8",
    )
    return file, data


@given(gold=NAMES, predicted=NAMES, metric=st.sampled_from(["official", "strict"]))
def test_in_any_order_with_any_ids_missing_unknown_or_repeated(
    gold: list[str], predicted: list[str], metric: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    files = _files(tmp_path_factory.mktemp("files"), gold, predicted)

    def found() -> object:
        try:
            scored = score("cmrc2018", *files, metric=metric)
        except InputError as error:
            return str(error)
        return scored.official, scored.counts, scored.notes, list(scored.sample.groups)

    whole = found()
    with patch("readproof.tasks.metrics.spans.SMALL", 0):
        assert found() == whole


def test_a_large_file_that_is_no_object_is_told_as_ever(tmp_path: Path) -> None:
    file, data = _files(tmp_path, ["a"], ["a"])
    with patch("readproof.tasks.metrics.spans.SMALL", 0):
        for text, said in (('["a"]', "an object"), ('{"a": "乙丙"} x', "more text"), ('{"a": "乙', "end of the file")):
            file.write_text(text, encoding="utf-8")
            with pytest.raises(InputError, match=said):
                score("cmrc2018", file, data)
