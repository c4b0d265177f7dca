"""A package with a model of a gigabyte: looked into where it lies, in little memory, and never unpacked to disk."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from tests.submit.helpers import measured
from tests.submit.parts import document, predictions

PIECE = bytes(range(256)) * 4096  # a megabyte
MEGABYTES = 300


def write_package(path: Path, megabytes: int, method: int) -> int:
    """A package whose model.zip holds a safetensors file of so many megabytes; returns its parameters.

    Packed means level 0 here: bytes that do not shrink, as trained weights hardly do, are packed just so.
    """
    size = megabytes << 20
    header = json.dumps({"w": {"dtype": "F16", "shape": [size // 2], "data_offsets": [0, size]}}).encode()
    with zipfile.ZipFile(path, "w", method, compresslevel=0) as outer:
        outer.writestr("GCRC_advRobust.json", predictions())
        outer.writestr("GCRC_advRobust.docx", document())
        with (
            outer.open("model.zip", "w", force_zip64=True) as member,
            zipfile.ZipFile(member, "w", method, compresslevel=0) as inner,
            inner.open("model/model.safetensors", "w", force_zip64=True) as weights,
        ):
            weights.write(len(header).to_bytes(8, "little") + header)
            for _ in range(megabytes):
                weights.write(PIECE)
    return size // 2


@pytest.mark.parametrize(
    ("megabytes", "method"),
    [
        pytest.param(1024, zipfile.ZIP_STORED, id="a gigabyte, stored"),
        pytest.param(96, zipfile.ZIP_DEFLATED, id="packed in a packed zip"),
    ],
)
def test_it_is_read_where_it_lies(megabytes: int, method: int, tmp_path: Path) -> None:
    path = tmp_path / "GCRC_advRobust.zip"
    test = tmp_path / "test.json"
    test.write_bytes(predictions())
    parameters = write_package(path, megabytes, method)
    found = measured([(str(path), [f"gcrc:{test}"], {"track": "closed"})], tmp_path)
    path.unlink()
    (told,) = found["told"]
    # a gigabyte of half-precision weights is more than the closed track takes
    assert [one[0] for one in told["problems"]] == (["M302"] if parameters > 510_000_000 else [])
    assert told["seen"]["parameters"] == parameters
    assert found["done"] == []
    assert found["megabytes"] <= MEGABYTES
