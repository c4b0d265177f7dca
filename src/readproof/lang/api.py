"""What a language is: one object with all that the rest of the package asks of it, and the registry of languages.

`get_language(item.language)` gives it. The defaults of `Language` hold for any text whose words stand apart; a subclass
in `lang/<code>/language.py` adds what it knows. Another package adds a language by the entry point group
`readproof.languages`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from readproof.registry import Registry

if TYPE_CHECKING:
    from readproof.items import Edit
    from readproof.lang.cloze import Blank


_LETTERS = re.compile(r"[^\W_]+(?:[\u200c'’-][^\W_]+)*")
_WORDS = re.compile(r"[\w\u200c]+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NAME = re.compile(r"(?<!\w)[A-Z]\w*(?: [A-Z]\w*)*")


@dataclass(frozen=True, slots=True)
class Word:
    """text[start:end] is a word; `tag` is its part of speech in the tag set of its language."""

    start: int
    end: int
    text: str
    tag: str


@dataclass(frozen=True, slots=True)
class TypedSpan:
    """text[start:end] could answer a question that asks for this type.

    Types are person, place, organisation, time, number, work and name (of a kind that no rule knows); a question may
    also ask for a reason, a manner and so on, which no span of a text can be told by.
    """

    start: int
    end: int
    type: str


class Language:
    """A language; as it stands here, one of which nothing is known but that its words stand apart."""

    code = ""
    name = ""
    # the script it is written in: Han, Arabic or Latin
    script = "Latin"
    # of the words of a text in it, the share that the commonest ones make up at the least
    least_common = 0.17
    # words stand apart, with a space between
    spaced = True
    # what a sentence made of single words ends with
    full_stop = "."
    # where a sentence ends, the closing quotes and brackets included
    sentence_end = re.compile(r"(?:(?<!\b[A-Z])\.|[!?])[.!?]*[”’)\]\"']*(?=\s|$)|\n")
    # questions that ask nothing in particular
    neutral_questions: tuple[str, ...] = ("?",)
    # the stems that ask for the option that agrees with the passage, and for the one that does not
    truth_stems: tuple[str, str] | None = None
    # of a sentence that may be an option: the fewest and the most units
    statement_units = (5, 40)
    # of an answer that may be replaced: the most units
    answer_units = 12
    # whether there is an n-gram model, for how usual a text reads
    has_ngrams = False
    right_to_left = False
    # whether the attacks on options have rules for it
    has_option_rules = False
    # by which metric its span questions are scored where no task says
    span_metric: Literal["cmrc", "squad2"] = "squad2"
    # the lists of words that say the same, and of other ways to ask the same
    synonyms = ""
    askings = ""

    def __repr__(self) -> str:
        return f"<language {self.code or 'unknown'}>"

    @property
    def gap(self) -> str:
        """What stands between two words, and between two sentences."""
        return " " if self.spaced else ""

    def sentences(self, text: str) -> tuple[tuple[int, int], ...]:
        """The sentences of a text as spans without the white space around them, in order."""
        return _sentences(text, self.sentence_end)

    def words(self, text: str) -> list[str]:
        """The words of a text in order, without signs."""
        return _LETTERS.findall(text)

    def word_spans(self, text: str) -> list[tuple[int, int]]:
        """The places of the smallest pieces that a span is made of."""
        return [found.span() for found in _WORDS.finditer(text)]

    def units(self, text: str) -> list[str]:
        """What is counted when texts are compared; no spaces."""
        return text.split()

    def overlap_units(self, text: str) -> frozenset[str]:
        """What two texts share, if they share anything."""
        return frozenset(word.lower() for word in self.words(text))

    def sentence_of(self, words: Sequence[str]) -> str:
        """The words one after another with a full stop."""
        return self.gap.join(words) + self.full_stop

    def whole(self, text: str) -> re.Pattern[str]:
        """Finds a text where it stands by itself, and is no part of a longer word or number."""
        return whole_pattern(text, r"[\w\u200c]")

    def common_words(self) -> tuple[str, ...]:
        """The commonest words, the commonest first."""
        return ()

    def asked_type(self, question: str) -> str:  # noqa: ARG002
        """The type of answer that a question asks for; "" where no rule says."""
        return ""

    def typed_spans(self, text: str) -> tuple[TypedSpan, ...]:
        """The names, numbers and times of a text, in order; without rules, digits and capitals."""
        numbers = [TypedSpan(*one.span(), "number") for one in _NUMBER.finditer(text)]
        names = [TypedSpan(*one.span(), "name") for one in _NAME.finditer(text)]
        return tuple(sorted([*numbers, *names], key=lambda one: one.start))

    def blanks(self, sentence: str) -> Iterator[Blank]:  # noqa: ARG002
        """The questions that can be made of one sentence."""
        return iter(())

    def stem_polarity(self, stem: str) -> bool | None:  # noqa: ARG002
        """Whether a stem asks which option is true (or which is false); None where no rule knows."""
        return None

    def turned_stem(self, stem: str) -> str | None:
        """The stem that asks for the contrary; None where it has no contrary, or no rule knows it."""
        return self.flip_stem(stem) if self.asks_truth(stem) else None

    def asks_truth(self, stem: str) -> bool:  # noqa: ARG002
        """Whether a stem asks which option is true, or which is false, and nothing else."""
        return False

    def flip_stem(self, stem: str) -> str | None:  # noqa: ARG002
        """The stem that asks for the other end; None where no rule knows it."""
        return None

    def script_edits(self, text: str) -> Sequence[Edit]:  # noqa: ARG002
        """The edits that write a text in another script that is read the same; none where there is no such script."""
        return ()

    def slips(self, kind: str = "both") -> Mapping[str, str]:  # noqa: ARG002
        """Each sign with those that are written for it by mistake: the keys beside it."""
        return _keyboard(self.code)


LANGUAGES: Registry[Language] = Registry(
    "language",
    {
        "zh": "readproof.lang.zh.language:CHINESE",
        "fa": "readproof.lang.fa.language:PERSIAN",
        "en": "readproof.lang.en.language:ENGLISH",
    },
)
_UNKNOWN = Language()
# the code of a language that is none of the known ones (ISO 639)
UNDETERMINED = "und"
_SAMPLE = 2000
_ENOUGH_WORDS = 20
_ARABIC_LETTERS = str.maketrans("يكى", "یکی")
# letters of one script, and how many of them say as much as one Chinese character
_SCRIPTS = {
    "Han": (re.compile("[\u3400-\u9fff]"), 1.0),
    "Arabic": (re.compile("[\u0600-\u06ff\ufb50-\ufdff\ufe70-\ufefe]"), 2.0),
    "Latin": (re.compile("[A-Za-z\u00c0-\u024f]"), 4.0),
    "other": (re.compile("[\u0370-\u05ff\u0700-\u109f\u1100-\u11ff\u3040-\u30ff\uac00-\ud7af]"), 2.0),
}
_PLAIN_WORDS = re.compile(r"[^\W\d_]+")


def get_language(code: str) -> Language:
    """The language of a code; of an unknown code one that nothing is known of, whose `code` is empty."""
    return LANGUAGES.get(code) if code in LANGUAGES else _UNKNOWN


@lru_cache(maxsize=256)  # several questions share a passage
def detect(text: str) -> str:
    """The code of the language that a text is in; `und` where it is none of the registered ones.

    By script first, then, where there are twenty words or more, by how many of them are among the commonest.
    """
    sample = text[:_SAMPLE]
    weights = {name: len(letters.findall(sample)) / each for name, (letters, each) in _SCRIPTS.items()}
    script = max(weights, key=lambda name: weights[name])
    if not any(weights.values()):
        return UNDETERMINED if any(map(str.isalpha, sample)) else "zh"
    known = [one for one in LANGUAGES if one.script == script]
    words = _PLAIN_WORDS.findall(sample.lower().translate(_ARABIC_LETTERS)) if known and known[0].spaced else []
    if len(words) < _ENOUGH_WORDS:
        return known[0].code if known else UNDETERMINED
    shares = {one.code: sum(word in _common(one) for word in words) / len(words) for one in known}
    best = max(known, key=lambda one: shares[one.code])
    return best.code if shares[best.code] >= best.least_common else UNDETERMINED


@lru_cache(maxsize=16)
def _common(one: Language) -> frozenset[str]:
    return frozenset(word.lower() for word in one.common_words())


@lru_cache(maxsize=256)  # several questions share a passage
def _sentences(text: str, ends: re.Pattern[str]) -> tuple[tuple[int, int], ...]:
    found = []
    for start, end in pairwise([0, *(one.end() for one in ends.finditer(text)), len(text)]):
        piece = text[start:end]
        if piece.strip():
            found.append((start + len(piece) - len(piece.lstrip()), end - len(piece) + len(piece.rstrip())))
    return tuple(found)


def whole_pattern(text: str, edge: str) -> re.Pattern[str]:
    """Finds a text that is no part of a longer one whose signs are of the same kind as its edges."""
    before = f"(?<!{edge})" if re.match(edge, text[0]) else ""
    after = f"(?!{edge})" if re.match(edge, text[-1]) else ""
    return re.compile(before + re.escape(text) + after)


@lru_cache(maxsize=8)
def _keyboard(code: str) -> Mapping[str, str]:
    text = files("readproof.lang").joinpath("keyboards.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return {key: beside for of, key, beside in rows if of == code}


# Word lists that ship with the package: one small file a list, one entry a line, source and licence on top.


@lru_cache(maxsize=256)
def lines(language: str, name: str) -> tuple[tuple[str, ...], ...]:
    """The entries of `lang/<language>/<name>.tsv`, each split at its tabs."""
    text = files("readproof.lang").joinpath(language, f"{name}.tsv").read_text(encoding="utf-8")
    kept = (line for line in text.split("\n") if line and not line.startswith("# "))
    return tuple(tuple(line.split("\t")) for line in kept)


@lru_cache(maxsize=256)
def column(language: str, name: str) -> tuple[str, ...]:
    """The first column of a list."""
    return tuple(entry[0] for entry in lines(language, name))


@lru_cache(maxsize=256)
def wordset(language: str, name: str) -> frozenset[str]:
    """The words of a set of `lang/<language>/wordsets.tsv`, which holds many small ones."""
    return next(frozenset(entry[1:]) for entry in lines(language, "wordsets") if entry[0] == name)
