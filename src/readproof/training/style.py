"""How wordy are the people who wrote the golds? CMRC 2018's training answers come in blocks of one annotator each.

Some annotators answer with the whole clause, question words and all, others with the bare fact. The published mean
answer length of its dev and test sets is that of the bare ones. Blocks are told apart by the training data alone: the
share of answers around a passage that repeat the question.
"""

from __future__ import annotations

from collections.abc import Sequence

from readproof.items import SpanItem


def repeats(item: SpanItem, least: int = 2) -> bool:
    """Whether the first gold shares at least `least` pairs of characters with the question."""
    if not item.golds:
        return False
    pairs = {item.question[at : at + 2] for at in range(len(item.question) - 1)}
    text = item.golds[0].text
    return sum(text[at : at + 2] in pairs for at in range(len(text) - 1)) >= least


def wordiness(passages: Sequence[Sequence[SpanItem]], around: int = 20) -> list[float]:
    """For each passage (its items), the share of repeating answers in the passages up to `around` before and after."""
    counts = [(sum(map(repeats, items)), len(items)) for items in passages]
    shares = []
    for at in range(len(counts)):
        near = counts[max(0, at - around) : at + around + 1]
        shares.append(sum(hit for hit, _ in near) / max(1, sum(number for _, number in near)))
    return shares
