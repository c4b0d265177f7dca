"""How many parameters the weights in a package have, told from the headers of their files: nothing is loaded or run."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from readproof.submit.archive import Archive, ArchiveEntry, Budget, Seekable, megabytes, open_archive, size_of
from readproof.submit.pickles import MOST_RANK, STORAGES, UNNAMED, Pickle, elements, read_pickle
from readproof.submit.problems import Problems, UnreadableError

# How many parameters an ONNX model has, read from its fields as they pass by: weights themselves are jumped over.


# numbers of fields in the ONNX format
_GRAPH = 7
_NODE, _INITIALIZER, _SPARSE = 1, 5, 15
_ATTRIBUTE = 5
_TENSOR, _SUBGRAPH, _TENSORS, _SUBGRAPHS = 5, 6, 10, 11
_DIMENSIONS, _TYPE, _NAME, _EXTERNAL, _LOCATION = 1, 2, 8, 13, 14
_VALUES = 1
_VARINT, _EIGHT, _BYTES, _FOUR = 0, 1, 2, 5

# positions, shapes and masks are whole numbers, weights are not, or are bytes
_ONNX_NO_WEIGHTS = frozenset((0, 5, 6, 7, 8, 9, 12, 13))
_CHUNK = 1 << 16
_MOST_FIELDS = 300_000
_MOST_DEPTH = 8


@dataclass(slots=True)
class Onnx:
    """The parameters of a model, and which of its weights lie in other files."""

    parameters: int = 0
    outside: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Fields:
    """A file as a row of fields; reading is buffered and only ever goes forward."""

    file: Seekable
    steps: int = 0
    at: int = 0
    _buffer: bytes = b""
    _from: int = 0

    def take(self, start: int, end: int) -> Iterator[tuple[int, int, int]]:
        """Field number, and the range of its bytes; a number's value stands where the range would start."""
        self.at = start
        while self.at < end:
            self.steps += 1
            if self.steps > _MOST_FIELDS:
                raise UnreadableError("M306", reason="ONNX: too many fields")
            key = self.number(end)
            kind = key & 7
            if kind == _VARINT:
                yield key >> 3, self.number(end), -1
                continue
            size = {_EIGHT: 8, _FOUR: 4}.get(kind, 0)
            if kind == _BYTES:
                size = self.number(end)
            elif not size:
                raise UnreadableError("M306", reason=f"ONNX: field kind {kind}")
            first = self.at
            if first + size > end:
                raise UnreadableError("M306", reason="ONNX: a field that ends after the file")
            yield key >> 3, first, first + size
            self.at = first + size

    def number(self, end: int) -> int:
        value = shift = 0
        while shift < 70 and self.at < end:
            byte = self._byte()
            self.at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
        raise UnreadableError("M306", reason="ONNX: a number without end")

    def bytes(self, start: int, end: int) -> bytes:
        self.file.seek(start)
        return self.file.read(min(end - start, _CHUNK))

    def _byte(self) -> int:
        if not self._from <= self.at < self._from + len(self._buffer):
            self.file.seek(self.at)
            self._from, self._buffer = self.at, self.file.read(4096)
            if not self._buffer:
                raise UnreadableError("M306", reason="ONNX: the end of the file")
        return self._buffer[self.at - self._from]


def count_onnx(file: Seekable) -> Onnx:
    """Count the weights of a model: initialisers and constants, those of subgraphs too."""
    found = Onnx()
    fields = _Fields(file)
    graphs = 0
    for number, start, end in fields.take(0, size_of(file)):
        if number == _GRAPH and end >= 0:
            graphs += 1
            _graph(fields, start, end, found, 0)
    if not graphs:
        raise UnreadableError("M306", reason="ONNX: no graph")
    return found


def _graph(fields: _Fields, start: int, end: int, found: Onnx, depth: int) -> None:
    if depth > _MOST_DEPTH:
        raise UnreadableError("M306", reason="ONNX: graphs within graphs")
    for number, first, last in fields.take(start, end):
        if last < 0:
            continue
        if number == _INITIALIZER:
            _tensor(fields, first, last, found)
        elif number == _SPARSE:
            _sparse(fields, first, last, found)
        elif number == _NODE:
            _node(fields, first, last, found, depth)


def _sparse(fields: _Fields, start: int, end: int, found: Onnx) -> None:
    for number, first, last in fields.take(start, end):
        if number == _VALUES and last >= 0:
            _tensor(fields, first, last, found)


def _node(fields: _Fields, start: int, end: int, found: Onnx, depth: int) -> None:
    for number, first, last in fields.take(start, end):
        if number != _ATTRIBUTE or last < 0:
            continue
        for inner, begin, finish in fields.take(first, last):
            if inner in (_TENSOR, _TENSORS) and finish >= 0:
                _tensor(fields, begin, finish, found)
            elif inner in (_SUBGRAPH, _SUBGRAPHS) and finish >= 0:
                _graph(fields, begin, finish, found, depth + 1)


def _tensor(fields: _Fields, start: int, end: int, found: Onnx) -> None:
    shape: list[int] = []
    kind, name, outside = 0, "", ""
    for number, first, last in fields.take(start, end):
        if number == _DIMENSIONS and last < 0:
            shape.append(first)
        elif number == _DIMENSIONS:
            # one number more than any shape has is enough to refuse it
            while fields.at < last and len(shape) <= MOST_RANK:
                shape.append(fields.number(last))
        elif number == _TYPE and last < 0:
            kind = first
        elif number == _NAME and last >= 0:
            name = fields.bytes(first, last).decode(errors="replace")
        elif number == _EXTERNAL and last >= 0:
            outside = _location(fields.bytes(first, last)) or outside
    if outside:
        found.outside[name] = outside
    if kind not in _ONNX_NO_WEIGHTS:
        found.parameters += elements(shape)


def _location(entry: bytes) -> str:
    """The file that a pair of texts {location: file} names."""
    pair = _Fields(io.BytesIO(entry))
    ranges = [(first, last) for _, first, last in pair.take(0, len(entry)) if last >= 0]
    texts = [entry[first:last].decode(errors="replace") for first, last in ranges]
    return texts[1] if len(texts) == 2 and texts[0] == "location" else ""


_HEADER = 4 << 20
_PICKLE = 16 << 20
_ARRAY_HEADER = 1 << 16
_ARRAY = re.compile(
    rb"\{'descr': '[<>|=]?([a-zA-Z])([0-9]{0,4})', 'fortran_order': (?:True|False), 'shape': \(([0-9, L]*)\),? *\}"
)
# files of another kind from this size on may be weights
_LARGE = 32 << 20
# the data of a PyTorch file may be so many bytes more than its tensors need
_SLACK = 1 << 20

_SAFETENSORS = {
    "F64": 8, "F32": 4, "F16": 2, "BF16": 2, "F8_E4M3": 1, "F8_E5M2": 1, "I64": 8, "I32": 4, "I16": 2, "I8": 1,
    "U64": 8, "U32": 4, "U16": 2, "U8": 1, "BOOL": 1,
}  # fmt: skip
_NO_WEIGHTS = ("I64", "BOOL")
_TORCH_NO_WEIGHTS = ("Long", "Bool", "int64", "bool")
_MAGIC = {
    b"\x1f\x8b": "gzip", b"7z\xbc\xaf\x27\x1c": "7z", b"Rar!": "rar", b"\xfd7zXZ": "xz", b"BZh": "bzip2",
    b"\x28\xb5\x2f\xfd": "zstd",
}  # fmt: skip
_UNCOUNTED = {b"\x89HDF": "HDF5", b"GGUF": "GGUF", b"TFL3": "TFLite"}
_ARCHIVES = (".zip", ".tar", ".tgz", ".tar.gz", ".7z", ".rar", ".gz", ".xz", ".bz2", ".zst", ".jar", ".whl", ".egg")
_PICKLED = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle", ".pdparams", ".joblib")


@dataclass(slots=True)
class ParameterCounts:
    """The parameters of each file that could be counted, and whether some could not.

    `doubtful` are files of another kind; those in `outside` belong to ONNX models, where they are counted.
    """

    counted: dict[str, int] = field(default_factory=dict)
    unknown: bool = False
    doubtful: dict[str, str] = field(default_factory=dict)
    outside: set[str] = field(default_factory=set)

    @property
    def parameters(self) -> int:
        return sum(self.counted.values())


def count_archive(archive: Archive, problems: Problems) -> ParameterCounts:
    """All weights in a zip, in the order in which they lie there."""
    found = ParameterCounts()
    names = {entry.name for entry in archive.entries}
    for entry in sorted(archive.entries, key=lambda one: one.offset):
        label = f"{archive.label}/{entry.name}"
        try:
            _count(archive.view(entry), entry.name, label, names, problems, archive.budget, found)
        except UnreadableError as refused:
            found.unknown = True
            problems.refuse(refused, label)
            if refused.code == "A109":
                break
    _doubt(found, problems)
    return found


def _doubt(found: ParameterCounts, problems: Problems) -> None:
    for label, kind in found.doubtful.items():
        if label not in found.outside:
            found.unknown = True
            problems.add("M303", label, kind=kind)
    found.doubtful.clear()


def count_path(path: Path, problems: Problems) -> ParameterCounts:
    """The weights in a file, a folder or a zip on disk."""
    found = ParameterCounts()
    paths = sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]
    names = {one.relative_to(path).as_posix() if path.is_dir() else one.name for one in paths}
    for one in paths:
        label = one.relative_to(path.parent).as_posix()
        with one.open("rb") as file:
            budget = Budget.of(one.stat().st_size)
            try:
                if one.suffix == ".zip":
                    archive = open_archive(file, label, problems, budget)
                    if archive is not None:
                        inner = count_archive(archive, problems)
                        found.counted |= inner.counted
                        found.unknown = found.unknown or inner.unknown
                    continue
                name = one.relative_to(path).as_posix() if path.is_dir() else one.name
                _count(file, name, label, names, problems, budget, found)
            except UnreadableError as refused:
                found.unknown = True
                problems.refuse(refused, label)
    _doubt(found, problems)
    return found


def judge(found: ParameterCounts, most: int, label: str, problems: Problems, *, needed: bool = True) -> None:
    """Too many parameters, or none that could be counted."""
    if found.parameters > most:
        parts = "" if len(found.counted) < 2 else f" ({len(found.counted)} files)"
        problems.add("M302", label, count=f"{found.parameters:,}{parts}", most=f"{most:,}")
    elif needed and not found.parameters and not found.unknown:
        problems.add("M301", label)


def _count(
    file: Seekable, name: str, label: str, names: set[str], problems: Problems, budget: Budget, found: ParameterCounts
) -> None:
    size = size_of(file)
    file.seek(0)
    head = file.read(16)
    suffix = PurePosixPath(name).suffix.lower()
    if head.startswith(b"PK\x03\x04") or suffix == ".npz":
        _zipped(file, label, problems, budget, found)
    elif suffix == ".safetensors" or _is_safetensors(head, size):
        found.counted[label] = _safetensors(file, size)
    elif suffix == ".onnx":
        model = count_onnx(file)
        found.counted[label] = model.parameters
        folder = PurePosixPath(name).parent
        for weight, other in model.outside.items():
            if (folder / other).as_posix() not in names:
                problems.add("M307", label, name=weight, other=other)
            found.outside.add(f"{label.removesuffix(PurePosixPath(name).name)}{other}")
    elif head.startswith(b"\x93NUMPY"):
        file.seek(0)
        found.counted[label] = _array(file, size)
    elif suffix in _PICKLED and head[:1] == b"\x80":
        _keep(_plain_pickle(file, size, label, problems), label, size, found)
    elif kind := next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), ""):
        raise UnreadableError("A110", kind=kind)
    elif is_archive(name):
        raise UnreadableError("A110", kind=suffix)
    elif kind := next((kind for magic, kind in _UNCOUNTED.items() if head.startswith(magic)), ""):
        found.doubtful[label] = kind
    elif size >= _LARGE or suffix in _PICKLED:
        if suffix in _PICKLED:
            file.seek(0)
            _maybe_pickle(io.BytesIO(file.read(_PICKLE)), label, problems)
        found.doubtful[label] = f"{suffix or '?'}, {megabytes(size)}"


def _zipped(file: Seekable, label: str, problems: Problems, budget: Budget, found: ParameterCounts) -> None:
    """PyTorch and NumPy keep weights in zips; every other zip is an archive inside."""
    archive = open_archive(file, label, problems, budget)
    if archive is None:
        found.unknown = True
        return
    pickled = next((one for one in archive.entries if one.name.endswith("data.pkl")), None)
    if pickled:
        _keep(_torch(archive, pickled, label, problems), label, size_of(file), found)
    elif archive.entries and all(one.name.endswith(".npy") for one in archive.entries):
        entries = sorted(archive.entries, key=lambda one: one.offset)
        found.counted[label] = sum(_array(archive.view(one), one.size) for one in entries)
    else:
        found.unknown = True
        problems.add("A110", label, kind="zip")


def _is_safetensors(head: bytes, size: int) -> bool:
    return head[8:10] == b'{"' and int.from_bytes(head[:8], "little") <= min(_HEADER, size)


def _safetensors(file: Seekable, size: int) -> int:
    file.seek(0)
    length = int.from_bytes(file.read(8), "little")
    if length > _HEADER or length > size - 8:
        raise UnreadableError("M306", reason="safetensors: length of the header")
    try:
        header: Any = json.loads(file.read(length))
        tensors = [tensor for name, tensor in header.items() if name != "__metadata__"]
        shapes = [(str(one["dtype"]), _shape(one["shape"]), one["data_offsets"]) for one in tensors]
        ends = [(int(first), int(last), kind, shape) for kind, shape, (first, last) in shapes]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise UnreadableError("M306", reason="safetensors: header") from None
    reached = 0
    for first, last, kind, shape in sorted(ends, key=lambda one: one[:2]):
        if first != reached or kind not in _SAFETENSORS or last - first != elements(shape) * _SAFETENSORS[kind]:
            raise UnreadableError("M306", reason=f"safetensors: {kind} {list(shape)} at {first} to {last}")
        reached = last
    if reached != size - 8 - length:
        raise UnreadableError("M306", reason=f"safetensors: {size - 8 - length} bytes for {reached}")
    return sum(elements(shape) for _, _, kind, shape in ends if kind not in _NO_WEIGHTS)


def _shape(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list) or not all(type(size) is int for size in value):
        raise TypeError
    return tuple(value)


def _array(file: Seekable, size: int) -> int:
    """A NumPy file: a short text before the numbers says their shape."""
    head = file.read(min(_ARRAY_HEADER, size))
    wide = 4 if head[6:7] > b"\x01" else 2
    start = 8 + wide + int.from_bytes(head[8 : 8 + wide], "little")
    # numpy itself would evaluate the text, and falls over some
    told = _ARRAY.fullmatch(head[8 + wide : start].strip())
    if told is None or not head.startswith(b"\x93NUMPY"):
        raise UnreadableError("M306", reason="NumPy: header")
    kind, item = told[1].decode(), int(told[2] or 0)
    shape = [int(one) for one in re.findall(rb"[0-9]{1,15}", told[3])]
    if kind == "O" or elements(shape) * item * (4 if kind == "U" else 1) != size - start:
        raise UnreadableError("M306", reason=f"NumPy: {kind}{item} {shape} in {size} bytes")
    return 0 if kind in "bUSV" or (kind == "i" and item == 8) else elements(shape)


def _torch(archive: Archive, pickled: ArchiveEntry, label: str, problems: Problems) -> Pickle:
    found = Pickle()
    read_pickle(io.BytesIO(archive.read(pickled, _PICKLE)), found)
    _tell(found, label, problems)
    folder = pickled.name.removesuffix("data.pkl") + "data/"
    sizes = {one.name.removeprefix(folder): one.size for one in archive.entries if one.name.startswith(folder)}
    for key, storage in found.storages.items():
        needed = storage.count * STORAGES.get(storage.kind, 1)
        if sizes.get(key, -1) < needed:
            raise UnreadableError("M306", reason=f"PyTorch: storage {key} has {sizes.get(key, 0)} of {needed} bytes")
    _fits(sum(sizes.values()), found)
    return found


def _plain_pickle(file: Seekable, size: int, label: str, problems: Problems) -> Pickle:
    """PyTorch's old format is five pickles after another, all of which are loaded, and then the numbers."""
    file.seek(0)
    data = io.BytesIO(file.read(_PICKLE))
    found = Pickle()
    for _ in range(5):
        at = data.tell()
        mark = data.read(1)
        data.seek(at)
        if mark != b"\x80":
            _maybe_pickle(data, label, problems)
            data.seek(at)
            break
        read_pickle(data, found)
    _tell(found, label, problems)
    _fits(size - data.tell(), found)
    return found


def _fits(size: int, found: Pickle) -> None:
    named = sum(storage.count * STORAGES.get(storage.kind, 8) for storage in found.storages.values())
    if size > named + _SLACK:
        raise UnreadableError("M306", reason=f"PyTorch: {size} bytes for tensors of {named}")


def _maybe_pickle(data: io.BytesIO, label: str, problems: Problems) -> None:
    """The oldest pickles start like any text, and run what they call before they turn out to be broken."""
    found = Pickle()
    with suppress(UnreadableError):
        read_pickle(data, found)
    for name in found.running():
        # by chance some bytes of numbers look like a call, but not like a call of something with a name
        if name != UNNAMED:
            problems.add("M304", label, name=name)


def _keep(pickle: Pickle, label: str, size: int, found: ParameterCounts) -> None:
    """A pickle without a tensor may have weights in a way of its own."""
    if pickle.tensors:
        found.counted[label] = pickle.parameters(_is_weight)
    else:
        found.doubtful[label] = f"pickle, {megabytes(size)}"


def _tell(found: Pickle, label: str, problems: Problems) -> None:
    for name in found.running():
        problems.add("M304", label, name=name)
    for name in found.foreign():
        problems.add("M305", label, name=name)


def _is_weight(kind: str) -> bool:
    return kind not in _TORCH_NO_WEIGHTS


def is_archive(name: str) -> bool:
    """Whether a member is an archive by its name."""
    return name.lower().endswith(_ARCHIVES)
