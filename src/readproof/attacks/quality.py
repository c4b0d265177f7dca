"""How the texts that an attack made read beside the originals: how much was changed, BLEU, perplexity, a grammar score.

The measures of the language are of its character n-gram model: they rank texts, and are no probabilities. Perplexity is
that of the sentences that were changed or added, a character; beside it stands that of the sentences they came from.
The grammar score is the share of variants without a run of characters much less usual than any in the original text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import exp
from statistics import fmean

from readproof.attacks.edits import PASSAGE, QUESTION
from readproof.items import ChoiceItem, Edit, Item, SpanItem, Triple
from readproof.lang.api import get_language

# by how much the least usual run may be less usual than the least usual one of the original
_MARGIN = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """Means over variants. None where no n-gram model knows the language."""

    variants: int
    edit_rate: float
    bleu: float
    perplexity: float | None = None
    original_perplexity: float | None = None
    grammar: float | None = None


@dataclass(frozen=True, slots=True)
class TextQuality:
    """The same of one variant."""

    edit_rate: float
    bleu: float
    score: float | None
    original_score: float | None
    grammar: float | None


def quality_of(texts: Iterable[TextQuality]) -> Quality | None:
    """The means; None of no variant."""
    known = list(texts)
    if not known:
        return None
    scores = [one.score for one in known if one.score is not None]
    originals = [one.original_score for one in known if one.original_score is not None]
    grammar = [one.grammar for one in known if one.grammar is not None]
    return Quality(
        variants=len(known),
        edit_rate=fmean(one.edit_rate for one in known),
        bleu=fmean(one.bleu for one in known),
        perplexity=exp(-fmean(scores)) if scores else None,
        original_perplexity=exp(-fmean(originals)) if originals else None,
        grammar=fmean(grammar) if grammar else None,
    )


def measured(before: Item, after: Item, edits: Iterable[Edit]) -> TextQuality | None:
    """One variant beside its original; None where nothing of its texts was changed."""
    found = [_field(*texts, [edit for edit in edits if edit.where == where]) for where, texts in _fields(before, after)]
    known = [one for one in found if one is not None]
    if not known:
        return None
    scores = [(one.score, one.original_score) for one in known if one.score is not None]
    return TextQuality(
        edit_rate=fmean(one.edit_rate for one in known),
        bleu=fmean(one.bleu for one in known),
        score=fmean(new for new, _ in scores if new is not None) if scores else None,
        original_score=fmean(old for _, old in scores if old is not None) if scores else None,
        grammar=min((one.grammar for one in known if one.grammar is not None), default=None),
    )


def _fields(before: Item, after: Item) -> Iterator[tuple[str, tuple[str, str, str]]]:
    """The texts of an item that were changed, by the name that edits give them: old, new, language."""
    if isinstance(before, Triple):
        before = before.original
    if isinstance(before, SpanItem) and isinstance(after, SpanItem):
        pairs = [(PASSAGE, before.passage, after.passage), (QUESTION, before.question, after.question)]
    elif isinstance(before, ChoiceItem) and isinstance(after, ChoiceItem):
        pairs = [(PASSAGE, before.passage, after.passage), (QUESTION, before.question, after.question)]
        options = zip(before.options, after.options, strict=False)
        pairs += [(f"option {at}", old, new) for at, (old, new) in enumerate(options)]
    else:
        return
    yield from ((where, (old, new, before.language)) for where, old, new in pairs if old != new)


def _field(old: str, new: str, language: str, edits: list[Edit]) -> TextQuality:
    from readproof.attacks.checks import bleu, edit_rate, mean_score, worst_score  # numpy, which a table does not need

    spoken = get_language(language)
    rate = min(1.0, edit_rate(edits, len(old))) if edits else _rate(old, new)
    likeness = bleu(new, old, language)
    if not spoken.has_ngrams or not old or not new:
        return TextQuality(rate, likeness, None, None, None)
    kept, changed = _sentences(old, language), _sentences(new, language)
    fresh = [one for one in changed if one not in kept] or changed
    gone = [one for one in kept if one not in changed] or kept
    worst = min(worst_score(one, language) for one in kept) - _MARGIN
    return TextQuality(
        rate,
        likeness,
        mean_score("".join(fresh), language),
        mean_score("".join(gone), language),
        float(min(worst_score(one, language) for one in fresh) >= worst),
    )


def _sentences(text: str, language: str) -> list[str]:
    return [text[start:end] for start, end in get_language(language).sentences(text)] or [text]


def _rate(old: str, new: str) -> float:
    """The share of a text that lies between what both texts begin and end with."""
    longest, shortest = max(len(old), len(new)), min(len(old), len(new))
    start = next((at for at in range(shortest) if old[at] != new[at]), shortest)
    end = next((at for at in range(shortest - start) if old[-1 - at] != new[-1 - at]), shortest - start)
    return (longest - start - end) / max(len(old), 1)
