"""Back-translation: a text said in other words, by way of another language and back.

A passage goes sentence by sentence, and a sentence that holds a gold answer stays as it is, so answers keep their words
and their places. A translation that lost its numbers, its length or its fluency is refused, and a question that no
longer has the name it shared with the passage: a person's name seldom finds its way back from another script.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from math import ceil
from pathlib import Path
from typing import Any, ClassVar, Protocol

from readproof.attacks.base import AttackInfo, AttackOutput, skipped, variant_id
from readproof.attacks.checks import FALL, bleu, fall
from readproof.attacks.edits import PASSAGE, QUESTION, variant
from readproof.errors import InputError, MissingExtraError
from readproof.items import Edit, Item, SpanItem
from readproof.lang.api import detect, get_language

# What translates: an endpoint of a language model, a CTranslate2 folder for each direction, or a Python function.
# llm:http://localhost:8080/v1#model        any OpenAI-compatible endpoint; a key in READPROOF_API_KEY, if it wants
# one ct2:zh-en,en-zh                            two folders: there and back (OPUS-MT models converted for
# CTranslate2) module:function                            function(texts, source, target) -> texts

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


NAME = "backtranslate"
_DIGITS = re.compile(r"\d+")
_SHORTEST, _LONGEST = 0.5, 2.0
_NAME = {"zh": 3, "fa": 8, "en": 8}  # so many characters that are the passage's own may be a name
_KEPT = 0.75


def lost_name(old: str, new: str, passage: str, language: str) -> bool:
    """Whether most of the longest piece that a question shares with its passage, again and again, is gone.

    Such a piece is likely the name of what is asked about. A shorter name, or one said once, is not seen.
    """
    shared = longest_shared(old, passage, often=True)
    if len(shared) < _NAME.get(language, _NAME["en"]):
        return False
    return len(longest_shared(shared, new)) < ceil(_KEPT * len(shared))


def longest_shared(text: str, other: str, *, often: bool = False) -> str:
    """The longest piece of a text that stands in another, the first of such; with `often` at its start, or twice."""

    def stands(piece: str) -> bool:
        return piece in other and (not often or other.startswith(piece) or other.count(piece) > 1)

    best = ""
    for start in range(len(text)):
        end = start + len(best) + 1
        while end <= len(text) and stands(text[start:end]):
            best, end = text[start:end], end + 1
    return best


@dataclass(frozen=True, slots=True, kw_only=True)
class BackTranslate:
    about: ClassVar[AttackInfo] = AttackInfo(
        name=NAME,
        does="question or passage said in other words by way of another language",
        languages=("zh", "fa", "en"),
        needs=("translator",),
    )

    translator: str = field(
        default="", metadata={"help": "llm:http://host:port/v1#model, ct2:FOLDER_THERE,FOLDER_BACK, or module:function"}
    )
    pivot: str = field(default="en", metadata={"help": "the language between: en, fr, hy, …"})
    where: str = field(
        default="question", metadata={"values": ("passage", "question", "both"), "help": "the texts that are changed"}
    )
    fall: float = field(default=FALL, metadata={"help": "how much less usual a sentence may become"})
    bleu: float = field(default=0.0, metadata={"help": "the least BLEU of a sentence with the old one"})
    by: Translator | None = field(default=None, metadata={"help": "a translator (from Python only)", "slot": True})

    def make(self, item: Item, *, seed: int = 0, count: int = 1) -> AttackOutput:  # noqa: ARG002
        """One variant: a translator says the same thing each time, so neither seed nor count change anything."""
        if not isinstance(item, SpanItem):
            return skipped("no span question")
        if not self.about.speaks(item.language):
            return skipped(f"not for {item.language}")
        if item.language == self.pivot:
            raise InputError(place="pivot", found=self.pivot, expected="another language than the data's")
        spans = self._spans(item)
        if not spans:
            return skipped("every sentence holds an answer")
        olds = [(item.passage if where == PASSAGE else item.question)[start:end] for where, start, end in spans]
        edits: list[Edit] = []
        rejected: Counter[str] = Counter()
        for (where, start, _), old, new in zip(spans, olds, self._there_and_back(olds, item.language), strict=True):
            reason = self._refused(old, new, item.language)
            if not reason and where == QUESTION and lost_name(old, new, item.passage, item.language):
                reason = "name lost"
            if reason == "same":
                continue
            if reason:
                rejected[reason] += 1
            else:
                edits.append(Edit(start, old, new, f"by way of {self.pivot}", where))
        if not edits:
            return skipped("no sentence came back changed and sound", rejected)
        name = variant_id(item.id, f"{NAME}-{self.pivot}", 0)
        made = variant(item, edits, id=name, attack=NAME, strategy=f"{self.where} by way of {self.pivot}")
        return AttackOutput(variants=(made,), rejected=rejected)

    def _spans(self, item: SpanItem) -> list[tuple[str, int, int]]:
        """The sentences to translate: which text, from where to where."""
        spans = []
        if self.where != PASSAGE and item.question.strip():
            spans.append((QUESTION, 0, len(item.question)))
        if self.where != QUESTION:
            held = [(gold.start, gold.end) for gold in item.golds if gold.start is not None and gold.end is not None]
            spans += [
                (PASSAGE, start, end)
                for start, end in get_language(item.language).sentences(item.passage)
                if all(end <= first or start >= last for first, last in held)
            ]
        return spans

    def _there_and_back(self, texts: list[str], language: str) -> list[str]:
        translate = self.by or self._opened()
        between = translate(texts, language, self.pivot)
        return [text.strip() for text in translate(between, self.pivot, language)]

    def _opened(self) -> Translator:
        if not self.translator:
            do = "Give one by --set translator=…, or use the attack paraphrase, which needs none."
            raise InputError(found=f"{NAME} without a translator", expected=self.about.needs[0], do=do)
        return open_translator(self.translator, self.pivot)

    def _refused(self, old: str, new: str, language: str) -> str:
        if new == old:
            return "same"
        if not new:
            return "nothing came back"
        if detect(new) != detect(old):
            return "another language came back"
        if not _SHORTEST * len(old) <= len(new) <= _LONGEST * len(old):
            return "length changed too much"
        if Counter(map(int, _DIGITS.findall(old))) != Counter(map(int, _DIGITS.findall(new))):
            return "numbers changed"
        if fall(new, old, language) > self.fall:
            return "not fluent"
        return "too far from the old text" if self.bleu and bleu(new, old, language) < self.bleu else ""
