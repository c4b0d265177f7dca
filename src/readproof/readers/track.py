"""What a result says of its reader: how big it is, whether the closed track takes it, and how it was asked.

The closed track of GCRC_advRobust takes at most 510 million parameters (1.5 times BERT-large) and no large model at
any stage. All this is kept beside the predictions, in OUT.reader.json with their hash: a score can tell it later.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

from readproof.errors import InputError, shown
from readproof.files import digest, read_text, writing
from readproof.readers.api import TRIPLES, Reader, StreamingReader
from readproof.readers.card import ReaderCard
from readproof.text import encodable, sanitised

# How many parameters the weights of a Hugging Face folder have, by the headers of its files: nothing is loaded.

ONE = "model.safetensors"
INDEX = "model.safetensors.index.json"

# a file begins with the length of its header, in eight bytes
_LENGTH = 8
_LONGEST = 100_000_000
# positions and masks are kept beside the weights
_NO_WEIGHTS = ("I64", "BOOL")


def parameters_in(folder: Path) -> int | None:
    """The parameters of all weights of a folder; None where there are none in safetensors, or where they are broken."""
    try:
        return sum(_counted(path) for path in _files(folder)) or None
    except (OSError, ValueError, TypeError, KeyError, AttributeError, InputError):
        # the reader itself tells what is wrong with its weights
        return None


def _files(folder: Path) -> list[Path]:
    if (folder / ONE).is_file():
        return [folder / ONE]
    if (folder / INDEX).is_file():
        names = set(json.loads(read_text(folder / INDEX))["weight_map"].values())
        return [folder / name for name in sorted(names)]
    return []


def _counted(path: Path) -> int:
    with path.open("rb") as file:
        length = int.from_bytes(file.read(_LENGTH), "little")
        if length > _LONGEST:
            raise ValueError(length)
        header: dict[str, Any] = json.loads(file.read(length))
    tensors = (tensor for name, tensor in header.items() if name != "__metadata__")
    return sum(math.prod(tensor["shape"]) for tensor in tensors if tensor["dtype"] not in _NO_WEIGHTS)


MOST = 510_000_000

Eligible = Literal["yes", "no", "unknown"]

_HASH = "predictions_sha256"


@runtime_checkable
class CountsParameters(Protocol):
    """A reader that knows how many parameters its models have, all together."""

    @property
    def parameters(self) -> int | None: ...


@runtime_checkable
class HasCard(Protocol):
    """A reader with a card, which may say it."""

    @property
    def card(self) -> ReaderCard: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackRecord:
    """Whether the closed track takes a reader, and why; `independent`: each question was asked by itself.

    `without_passage` is what it scores on options without their passages, where that was measured.
    """

    reader: str
    fingerprint: str
    parameters: int | None
    closed_track: Eligible
    why: str
    independent: bool
    without_passage: str = ""


def track_of(reader: Reader) -> TrackRecord:
    """What can be told of a reader without asking it a question."""
    parameters = parameters_of(reader)
    large = isinstance(reader, StreamingReader) and reader.figures().get("track") == "open"
    closed, why = eligible(parameters, large=large)
    return TrackRecord(
        reader=reader.name,
        fingerprint=reader.fingerprint,
        parameters=parameters,
        closed_track=closed,
        why=why,
        independent=TRIPLES not in reader.capabilities,
        without_passage=reader.card.without_passage if isinstance(reader, HasCard) else "",
    )


def parameters_of(reader: Reader) -> int | None:
    """As the reader counts them, as its card says, or as the weights in the folder of its name have them."""
    if isinstance(reader, CountsParameters):
        return reader.parameters
    if isinstance(reader, HasCard):
        return reader.card.parameters
    folder = Path(reader.name)
    return parameters_in(folder) if folder.is_dir() else None


def eligible(parameters: int | None, *, large: bool = False) -> tuple[Eligible, str]:
    """Whether the closed track takes a reader of that size, and why; `large`: it is a large language model."""
    if large:
        return "no", "a language model belongs to the open track"
    if parameters is None:
        return "unknown", "its number of parameters is not known"
    if parameters > MOST:
        return "no", f"it has {size(parameters)}, and {size(MOST)} are allowed"
    # weights do not tell how they were made
    return "yes", f"not above {size(MOST)}; provided that no large model took part in its training"


def size(parameters: int | None) -> str:
    """A number of parameters for a person."""
    if parameters is None:
        return "unknown parameters"
    millions = parameters / 1e6
    return f"{millions:,.0f} M parameters" if millions >= 100 else f"{millions:.1f} M parameters"


def in_words(track: TrackRecord, *, closed: bool = True, options: bool = True) -> list[str]:
    """For a person, a line each: who read, and, where that matters, whether the closed track takes it.

    Of questions with `options`, which can often be answered unread, also what the reader scores without the passage.
    """
    lines = [f"read by {track.reader}, {size(track.parameters)}"]
    if closed:
        lines.append(f"closed track: {track.closed_track} ({track.why})")
    if options and track.without_passage:
        lines.append(f"without the passage: {track.without_passage}")
    # it may come from somebody else's file, which must not steer the terminal
    return [sanitised(encodable(line)).clean for line in lines]


def track_file(predictions: Path) -> Path:
    """Where it is kept for these predictions."""
    return predictions.with_name(predictions.name + ".reader.json")


def write_track(track: TrackRecord, predictions: Path) -> Path:
    """Keep it beside the predictions; returns where."""
    path = track_file(predictions)
    with writing(path) as file:
        json.dump({**asdict(track), _HASH: digest(predictions)}, file, ensure_ascii=False, indent=1)
        file.write("\n")
    return path


def read_track(predictions: Path) -> TrackRecord | None:
    """What is kept beside these predictions, if anything; an InputError if it was written for others."""
    path = track_file(predictions)
    if not path.is_file():
        return None
    try:
        record = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise InputError(file=path, found=f"no JSON ({error.msg})", expected="what `answer` wrote") from None
    if not isinstance(record, Mapping) or not _fits(record):
        raise InputError(file=path, found=shown(record), expected="what `answer` wrote")
    if record[_HASH] != digest(predictions):
        raise InputError(file=path, found="the reader of other predictions", expected="that of these, unchanged")
    told = {name: record[name] for name in _KINDS if name != _HASH}
    return TrackRecord(**told, without_passage=str(record.get("without_passage", "")))


_KINDS: dict[str, Any] = {
    "reader": str,
    "fingerprint": str,
    "parameters": int | None,
    "closed_track": str,
    "why": str,
    "independent": bool,
    _HASH: str,
}


def _fits(record: Mapping[str, Any]) -> bool:
    known = all(name in record and isinstance(record[name], kind) for name, kind in _KINDS.items())
    return known and record["closed_track"] in ("yes", "no", "unknown")
