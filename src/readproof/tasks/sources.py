"""Data that is more than a file: which column is which, and Hugging Face data sets by name or folder.

Specs carry it: `table:FILE?question=q&passage=ctx` says which column is which, `hf://OWNER/NAME:SPLIT` (or
`/NAME:CONFIG:SPLIT`) names a data set of the hub, as it lies in the cache where there is one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from readproof.errors import InputError, MissingExtraError
from readproof.tasks.rows import parse_columns

TABLE, HUB = "table", "hf"
_ENDINGS = (".csv", ".tsv")
_SPLITS = ("validation", "dev", "test")
# what `save_to_disk` writes: a data set, or several by their splits
_SAVED, _SPLIT = "dataset_info.json", "dataset_dict.json"


def with_columns(data: str, columns: str) -> str:
    """DATA with the columns of `--columns`, as a spec that every command takes."""
    if not columns:
        return data
    found = parse_columns(columns)
    bare = data.removeprefix(f"{TABLE}:")
    if bare.startswith((f"{HUB}:", "hf://")) or is_saved(Path(bare)):
        prefix = "" if bare.startswith((f"{HUB}:", "hf://")) else f"{HUB}:"
        return f"{prefix}{bare}?{urlencode(found)}"
    if not is_table(Path(bare)):
        expected = "a CSV or TSV file, or a Hugging Face data set"
        raise InputError(file=bare, place="--columns", found="columns for a file of another kind", expected=expected)
    return f"{TABLE}:{bare}?{urlencode(found)}"


def parted(path: str | Path) -> tuple[str, dict[str, str]]:
    """A path and the columns behind it."""
    name, separator, query = str(path).rpartition("?")
    if not separator or Path(path).exists():
        return str(path), {}
    return name, dict(parse_qsl(query))


def file_of(path: Path) -> Path:
    """The file or folder of a spec, without its columns."""
    return Path(parted(path)[0])


def is_saved(path: Path) -> bool:
    """Whether a folder is one of `Dataset.save_to_disk`."""
    return path.is_dir() and any((path / name).is_file() for name in (_SAVED, _SPLIT))


def plain_file(path: Path) -> Path:
    """The file of a spec, for what reads it byte by byte; a data set of Hugging Face has to be written as one first."""
    file = file_of(path)
    if str(path).startswith("//") or is_saved(Path(_named(str(file))[0])):
        do = f"readproof convert {hub_name(path)} --to squad -o data.json"
        raise InputError(file=hub_name(path), found="a Hugging Face data set", expected="a data file here", do=do)
    return file


def is_table(path: Path) -> bool:
    """Whether a file is called one with columns."""
    return path.name.lower().removesuffix(".gz").removesuffix(".xz").endswith(_ENDINGS)


# Hugging Face data sets


def open_dataset(spec: str | Path) -> tuple[Any, str]:
    """The split that a spec names, and its fingerprint; without a network what lies in the cache."""
    name, _ = parted(spec)
    try:
        import datasets
    except ImportError:
        raise MissingExtraError("datasets", "hub") from None

    place, split = _named(name)
    datasets.disable_progress_bars()
    datasets.logging.set_verbosity_error()  # which of its caches it takes
    if is_saved(Path(place)):
        found = datasets.load_from_disk(place)
    elif not place.startswith("//"):
        expected, do = "a folder that `save_to_disk` wrote", "A data set of the hub is hf://OWNER/NAME:SPLIT."
        raise InputError(file=place, found="no such folder", expected=expected, do=do)
    else:
        found = _from_hub(datasets, place, split)
    if isinstance(found, dict):
        found = found[_chosen(split, list(found), spec)]
    return found, str(found._fingerprint)


def _named(spec: str) -> tuple[str, str]:
    """`//OWNER/NAME:SPLIT` as it stands behind hf:, or FOLDER:SPLIT."""
    if is_saved(Path(spec)):
        return spec, ""
    place, separator, split = spec.rpartition(":")
    return (place, split) if separator else (spec, "")


def _from_hub(datasets: Any, place: str, split: str) -> Any:
    name, _, config = place.removeprefix("//").removeprefix("/").partition(":")
    try:
        return datasets.load_dataset(name, config or None, split=split or None)
    except Exception as error:
        raise InputError(
            file=f"hf://{name}",
            found=f"nothing that datasets can load ({str(error).splitlines()[0]})" if str(error) else "nothing",
            expected="a data set of the hub that is in the cache or can be fetched",
            do="Fetch it where there is a network, `save_to_disk` it, and name the folder.",
        ) from None


def _chosen(split: str, there: list[str], spec: str | Path) -> str:
    if split in there:
        return split
    usual = next((one for one in _SPLITS if one in there), there[0] if len(there) == 1 else "")
    if split or not usual:
        found = f"no split {split!r}" if split else "several splits"
        raise InputError(file=str(spec), found=found, expected=f"one of {', '.join(there)}", do=f"{spec}:{there[0]}")
    return usual


def hub_name(path: str | Path) -> str:
    """How a data set is named in messages and on the command line."""
    text = str(path)
    return f"hf:{text}" if text.startswith("//") else text


def short_name(path: str | Path) -> str:
    """The bare name of a data set, for folders and tables."""
    place, _ = _named(parted(path)[0])
    return quote(place.rstrip("/").split(":")[0].rpartition("/")[2] or "data", safe="")
