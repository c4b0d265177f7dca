"""Zips written whole or not at all, with the same bytes for the same files on every machine."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from readproof.files import check_place

# a file of the package: its bytes, or the file to take them from
Source = bytes | Path | BinaryIO
# looks at a file that is complete and has not taken its place yet; what it raises keeps the file from it
Accept = Callable[[Path], None]

_DATE = (1980, 1, 1, 0, 0, 0)
_MODE = 0o100644 << 16
# weights hardly shrink, and a stored member can be looked into without unpacking it
_STORED = (".zip", ".onnx", ".safetensors", ".bin", ".pt", ".pth", ".npz", ".ckpt", ".docx", ".xz", ".gz")


def any_file(_path: Path) -> None:
    """Accepts whatever was written."""


@contextmanager
def replacing(path: Path, accept: Accept = any_file) -> Iterator[BinaryIO]:
    """A binary file that takes its place only when it is complete and accepted; `accept` sees it under its name."""
    check_place(path)
    with tempfile.TemporaryDirectory(prefix=f".{path.name}.", suffix=".part", dir=path.parent) as folder:
        made = Path(folder) / path.name
        with made.open("w+b") as file:
            yield file
        accept(made)
        made.chmod(0o644)
        made.replace(path)


def write_zip(file: BinaryIO, members: Mapping[str, Source]) -> None:
    """The members in their order; all have the same date."""
    with zipfile.ZipFile(file, "w") as archive:
        for name, source in members.items():
            info = zipfile.ZipInfo(name, _DATE)
            info.external_attr = _MODE
            info.create_system = 3
            stored = name.lower().endswith(_STORED)
            info.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
            if isinstance(source, bytes):
                archive.writestr(info, source)
                continue
            with _opened(source) as content, archive.open(info, "w", force_zip64=True) as member:
                shutil.copyfileobj(content, member, 1 << 20)


@contextmanager
def _opened(source: Path | BinaryIO) -> Iterator[BinaryIO]:
    if isinstance(source, Path):
        with source.open("rb") as file:
            yield file
    else:
        source.seek(0)
        yield source
