"""How a name, a folder or a Python function becomes a reader.

A spec is a registered name (`zh`), a folder, a hub name, `module:function`, or KIND:REST, as `llm:URL#model`. A wrapper
stands before another reader: `clean:zh`. A package adds names, kinds and wrappers by the entry points
`readproof.readers`, `readproof.reader_kinds` and `readproof.reader_wrappers`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from readproof.errors import InputError
from readproof.lang.api import detect
from readproof.readers.api import Reader, ReaderEntry, ReaderOptions
from readproof.readers.card import has_weights, shipped_folder
from readproof.registry import Registry

# KIND: what opens REST
KINDS: Registry[Callable[[str, ReaderOptions], Reader]] = Registry(
    "reader_kind",
    {
        "baseline": "readproof.readers.baselines:open_baseline",
        "hf": "readproof.readers.transformers:open_pretrained",
        "llm": "readproof.readers.llm:open_llm",
    },
)
# what is put before the reader that REST names
WRAPPERS: Registry[Callable[[Reader], Reader]] = Registry(
    "reader_wrapper",
    {
        "clean": "readproof.readers.wrappers:SanitizingReader",
        "sense": "readproof.readers.wrappers:behind_sense",
    },
)

_FUNCTION = re.compile(r"[^\W\d][\w.]*:[^\W\d]\w*")
_HUB = re.compile(r"[\w-][\w.-]*/[\w-][\w.-]*")
# the first models of the hub have no organisation before their names; other such names are typing errors
_BARE_HUB = re.compile(
    r"(?:distil|mac|ro|al|de|camem|mobile|tiny|big|span)?(?:bert|berta)[\w.]*-[\w.-]+|(?:xlm|xlnet|electra|ernie)-[\w.-]+",
    re.IGNORECASE,
)
_EXITS = "exits.json"


def _built_in() -> dict[str, str]:
    """The readers in the package; beside the first, those whose weights came with it."""
    places = {"zh": "readproof.readers.shipped:ZH", "fa": "readproof.readers.shipped:FA"}
    return {name: place for name, place in places.items() if name == "zh" or has_weights(shipped_folder(name))}


READERS: Registry[ReaderEntry] = Registry("reader", _built_in())


def load_reader(spec: str, *, threads: int = 0, no_answer: bool = False, exit: str = "") -> Reader:
    """The reader that READER names.

    A name, a folder (ONNX or Hugging Face), a hub name, `llm:ADDRESS#MODEL`, `baseline:NAME`, or `module:function`;
    with `clean:` before it the reader is handed clean texts, with `sense:` texts without gibberish. `exit` is for
    multi-exit readers alone.
    """
    options = ReaderOptions(threads=threads, no_answer=no_answer, exit=exit)
    path = Path(spec)
    if exit and not (path / _EXITS).is_file():
        expected = "the folder of a multi-exit reader, as `readproof train celue` writes it"
        raise InputError(place="--exit", found=f"the reader {spec!r}", expected=expected)
    kind, separator, rest = spec.partition(":")
    if separator and kind in WRAPPERS:
        if not rest:
            raise InputError(found=f"{spec!r} and no reader", expected=f"{spec}READER", do=f"Name one, as {spec}zh.")
        return WRAPPERS.get(kind)(load_reader(rest, threads=threads, no_answer=no_answer))
    if separator and kind in KINDS:
        return KINDS.get(kind)(rest, options)
    if spec in READERS and not spec.startswith((".", "/")):
        return READERS.get(spec).open(options)
    if path.exists():
        return _folder(path, options)
    if _FUNCTION.fullmatch(spec):
        from readproof.readers.callable import open_function

        return open_function(spec)
    if _HUB.fullmatch(spec) or _BARE_HUB.fullmatch(spec):
        return KINDS.get("hf")(spec, options)
    if "/" in spec or "\\" in spec:
        raise InputError(file=spec, found="no such folder", expected="the folder of a reader", do="Check the path.")
    try:
        entry = READERS.get(spec)
    except InputError as error:
        do = error.do or f"Check the path of a folder; a model of the Hugging Face hub is hf:{spec}"
        raise InputError(found=error.found, expected=error.expected, do=do) from None
    return entry.open(options)


def reader_for(text: str) -> str:
    """The name of the shipped reader for a text, by its language; the first one where there is none for it."""
    language = detect(text)
    return language if language in _built_in() else "zh"


def _folder(path: Path, options: ReaderOptions) -> Reader:
    if path.is_file() and has_weights(path.parent):
        path = path.parent
    if has_weights(path):
        from readproof.readers.embedded import open_folder

        return open_folder(path, options)
    if (path / _EXITS).is_file():
        from readproof.readers.exits.reader import open_exits

        return open_exits(path, options)
    if (path / "config.json").is_file():
        return KINDS.get("hf")(str(path), options)
    raise InputError(
        file=path,
        found="a folder without a reader" if path.is_dir() else "a file",
        expected="a folder with model.onnx and vocab.txt, or a Hugging Face folder with config.json",
    )
