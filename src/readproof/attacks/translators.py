"""What translates: an endpoint of a language model, a CTranslate2 folder for each direction, or a Python function.

llm:http://localhost:8080/v1#model        any OpenAI-compatible endpoint; a key in READPROOF_API_KEY, if it wants one
ct2:zh-en,en-zh                            two folders: there and back (OPUS-MT models converted for CTranslate2)
module:function                            function(texts, source, target) -> texts
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from readproof.errors import InputError, MissingExtraError

_NAMES = {"zh": "Chinese", "fa": "Persian", "en": "English", "fr": "French", "hy": "Armenian", "de": "German"}
_PROMPT = (
    "Translate the text from {source} into {target}. Give the translation only: no notes, no quotation marks.\n\n{text}"
)


class Translator(Protocol):
    """Texts of one language in another, one for one."""

    def __call__(self, texts: Sequence[str], source: str, target: str) -> list[str]: ...


@lru_cache(maxsize=8)
def open_translator(spec: str, pivot: str) -> Translator:
    """The translator that a spec names; of two folders the first leads to the language `pivot`."""
    if spec.startswith("llm:"):
        from readproof.readers.llm.spec import parse_spec

        settings = parse_spec(spec)
        return EndpointTranslator(settings.address, settings.model, settings.concurrency)
    if spec.startswith("ct2:"):
        folders = [Path(part) for part in spec.removeprefix("ct2:").split(",")]
        if len(folders) != 2:
            raise InputError(place="translator", found=repr(spec), expected="ct2:FOLDER_THERE,FOLDER_BACK")
        return FolderTranslator(folders[0], folders[1], pivot)
    from readproof.readers.callable import function_of

    return checked_function(function_of(spec), spec)


def checked_function(function: Any, name: str) -> Translator:
    """A user's function, whose answer is looked at: as many texts as were given."""

    def translate(texts: Sequence[str], source: str, target: str) -> list[str]:
        given = list(function(list(texts), source, target))
        if len(given) != len(texts) or not all(isinstance(text, str) for text in given):
            found = f"{len(given)} results" if len(given) != len(texts) else "results that are not texts"
            raise InputError(place=name, found=found, expected=f"{len(texts)} texts, one for each given")
        return given

    return translate


@dataclass(frozen=True, slots=True)
class EndpointTranslator:
    """A language model behind an OpenAI-compatible endpoint; a few requests at a time, each tried again if it fails."""

    address: str
    model: str
    concurrency: int = 4

    def __call__(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        from readproof.readers.llm.client import Client
        from readproof.readers.llm.replies import text_of

        client = Client(self.address, concurrency=self.concurrency)

        def ask(text: str) -> str:
            content = _PROMPT.format(source=_NAMES.get(source, source), target=_NAMES.get(target, target), text=text)
            request = {"model": self.model, "temperature": 0, "messages": [{"role": "user", "content": content}]}
            return text_of(client.ask("/chat/completions", request))

        try:
            with ThreadPoolExecutor(self.concurrency) as pool:
                return list(pool.map(ask, texts))
        finally:
            client.close()


class FolderTranslator:
    """Two CTranslate2 models, each with source.spm and target.spm beside it."""

    def __init__(self, there: Path, back: Path, pivot: str) -> None:
        self._there = there
        self._back = back
        self._pivot = pivot
        self._opened: dict[Path, tuple[Any, Any, Any]] = {}

    def __call__(self, texts: Sequence[str], source: str, target: str) -> list[str]:  # noqa: ARG002
        model, encoder, decoder = self._open(self._there if target == self._pivot else self._back)
        tokens = [[*encoder.encode(text, out_type=str), "</s>"] for text in texts]
        results = model.translate_batch(tokens, max_batch_size=32, beam_size=4)
        return [decoder.decode([token for token in one.hypotheses[0] if token != "</s>"]) for one in results]

    def _open(self, folder: Path) -> tuple[Any, Any, Any]:
        if folder not in self._opened:
            for name in ("model.bin", "source.spm", "target.spm"):
                if not (folder / name).is_file():
                    expected = "a CTranslate2 model with source.spm and target.spm"
                    raise InputError(file=folder, found=f"no {name}", expected=expected)
            try:
                import ctranslate2
                import sentencepiece
            except ImportError as error:
                raise MissingExtraError(error.name or "ctranslate2", "translate") from None
            pieces = [
                sentencepiece.SentencePieceProcessor(str(folder / f"{side}.spm")) for side in ("source", "target")
            ]
            self._opened[folder] = (ctranslate2.Translator(str(folder), device="cpu"), *pieces)
        return self._opened[folder]
